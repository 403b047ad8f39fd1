//===- TreeValues.cpp - The values of a tree's fields -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The half of TreeBuilder that knows what each field means and which rules it
// keeps; TreeBuilder.cpp is the half that knows where in the file it stands.
//
//===----------------------------------------------------------------------===//

#include "predictor/support/Text.h"
#include "predictor/tree/TreeBuilder.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace prophet {

using Field = TreeBuilder::Field;

static constexpr std::uint64_t MaxIndex = std::numeric_limits<std::uint32_t>::max();

bool TreeBuilder::setTop(const Scalar &value) {
  switch (field) {
  case Field::Format:
    if (value.type != Type::String || value.text != "prophet-program-tree")
      return refuse(fmt::format("is not a program tree: its format is {}; name the file that the "
                                "annotated program wrote",
                                value.type == Type::String ? "\"" + printable(value.text, 40) + "\""
                                                           : "not a string"));
    return true;
  case Field::Version:
    if (value.type != Type::Count || value.count != 1)
      return refuse(fmt::format("is version {} of the program tree, and this prophet reads version "
                                "1; use the prophet that the program was profiled with",
                                value.type == Type::String ? printable(value.text, 40)
                                                           : formatJsonNumber(value.number)));
    return true;
  case Field::Timebase:
    if (!(value.number >= 1e-6 && value.number <= 1e15))
      return fail("\"timebase_hz\" is not from 1e-6 to 1e15; write the clock's ticks per second");
    tree.timebaseHz = value.number;
    return true;
  case Field::Tolerance:
    if (value.number < 0 || value.number >= 1)
      return fail("\"tolerance\" is not in [0, 1); write the share the profiler merged within");
    tree.tolerance = value.number;
    return true;
  case Field::Complete:
    tree.complete = value.flag;
    return true;
  case Field::Root:
    if (value.count > MaxIndex)
      return fail("\"root\" is no node; name the index of the root node");
    tree.root = static_cast<NodeId>(value.count);
    return true;
  default:
    return true;
  }
}

/// What a count of the profiler's that is not 0 means to the user; "" for none.
static const char *profilerWarning(Field field) {
  switch (field) {
  case Field::DroppedEvents:
    return "the profiler dropped {} events: the tree and this prediction are approximate";
  case Field::OtherThreadEvents:
    return "{} events of other threads were not profiled: only the thread that opened the first "
           "section is";
  case Field::SectionsInLocks:
    return "{} parallel sections ran inside a critical section and count as serial work of the "
           "lock";
  case Field::RecursiveLocks:
    return "a critical section was entered {} times while its own lock was held: an OpenMP program "
           "would deadlock there; give the inner one another name";
  case Field::MisplacedTasks:
    return "{} tasks began outside any section and count as serial work";
  case Field::UnfinishedTasks:
    return "{} tasks had not ended when the next one began, and were ended there";
  case Field::MismatchedEnds:
    return "{} ends named nothing that was open, and were left out";
  case Field::AbandonedSections:
    return "{} sections were left by longjmp, and were ended when that was seen";
  default:
    return "";
  }
}

bool TreeBuilder::setProfiler(const Scalar &value) {
  if (value.count == 0)
    return true;
  if (field == Field::WaitedTicks)
    tree.waitedTicks = static_cast<double>(value.count);
  if (const std::string_view warning = profilerWarning(field); !warning.empty())
    tree.warnings.push_back(fmt::format(fmt::runtime(warning), value.count));
  return true;
}

bool TreeBuilder::setSite(const Scalar &value) {
  switch (field) {
  case Field::Kind:
    for (SiteKind kind : {SiteKind::ParallelFor, SiteKind::Sections, SiteKind::Tasks})
      if (value.text == kindName(kind)) {
        site.kind = kind;
        return true;
      }
    return fail(fmt::format("unknown kind \"{}\"; write parallel_for, sections or tasks",
                            printable(value.text, 40)));
  case Field::Line:
    if (value.count > MaxIndex)
      return fail("\"line\" is no line number; write the line of the annotation");
    site.line = static_cast<std::uint32_t>(value.count);
    return true;
  case Field::Nowait:
    site.nowait = value.flag;
    return true;
  case Field::Name:
    site.name = value.text;
    return true;
  case Field::File:
    site.file = value.text;
    return true;
  case Field::Schedule:
    site.schedule = value.text;
    return true;
  case Field::Vars:
    site.vars = value.text;
    return true;
  default:
    return true;
  }
}

bool TreeBuilder::setMemory(const Scalar &value) {
  switch (field) {
  case Field::Source:
    site.memory->source = value.text;
    return true;
  case Field::Executions:
    site.memory->executions = value.number;
    return true;
  case Field::Instructions:
    site.memory->instructions = value.number;
    return true;
  case Field::Cycles:
    site.memory->cycles = value.number;
    return true;
  case Field::LlcMisses:
    site.memory->llcMisses = value.number;
    return true;
  default:
    return true;
  }
}

bool TreeBuilder::setBurden(const Scalar &value) {
  bool number = value.type == Type::Number || value.type == Type::Count;
  if (!number || !(value.number >= 0.001 && value.number <= 1000))
    return fail(fmt::format("\"burden\" for {} threads is not a number from 0.001 to 1000; write a "
                            "factor",
                            burdenThreads));
  if (!site.burden.emplace(burdenThreads, value.number).second)
    return fail(
        fmt::format("\"burden\" for {} threads is given twice; give it once", burdenThreads));
  return true;
}

bool TreeBuilder::endSite() {
  if (!(seen & bit(Field::Kind)))
    return fail("\"kind\" is missing; write parallel_for, sections or tasks");
  if (site.name.empty())
    site.name = site.file.empty() ? fmt::format("site {}", tree.sites.size())
                                  : fmt::format("{}:{}", site.file, site.line);
  tree.sites.push_back(std::move(site));
  return true;
}

bool TreeBuilder::addElement(const Scalar &value) {
  switch (state) {
  case State::Burden:
    return setBurden(value);
  case State::Command:
  case State::Locks:
    if (value.type != Type::String)
      return fail(state == State::Locks
                      ? fmt::format("lock {} is not a string; write its name", tree.locks.size())
                      : "\"command\" holds what is not a string; write the arguments as strings");
    (state == State::Locks ? tree.locks : tree.command).emplace_back(value.text);
    return true;
  case State::Pair:
    if (value.type != Type::Count)
      return fail(fmt::format("child {}: its {} is not a whole number {}; write [node, repeat]",
                              tree.children.size() - node.firstChild,
                              pairSize == 0 ? "node" : "repeat",
                              pairSize == 0 ? "from 0" : "from 1 to 2^63"));
    if (pairSize < 2)
      pair[pairSize] = value.count;
    ++pairSize;
    return true;
  case State::Children:
    return fail("a child is not a pair; write [node, repeat]");
  case State::Sites:
    return fail(fmt::format("site {} is not an object; write {{\"name\": ..., \"kind\": ...}}",
                            tree.sites.size()));
  case State::Nodes:
    return fail(
        fmt::format("node {} is not an object; write {{\"kind\": ...}}", tree.nodes.size()));
  default:
    return true;
  }
}

} // namespace prophet
