//===- TreeBuilder.cpp - JSON events to a tree ------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/tree/TreeBuilder.h"

#include "predictor/support/Text.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace prophet {

using State = TreeBuilder::State;
using Field = TreeBuilder::Field;
using Type = TreeBuilder::Type;
using format::findField;
using format::nameOf;
using format::typeOf;

static State parentOf(State state) {
  switch (state) {
  case State::Document:
  case State::End:
  case State::Top:
    return State::End;
  case State::Program:
  case State::Profiler:
  case State::Sites:
  case State::Locks:
  case State::Nodes:
    return State::Top;
  case State::Command:
    return State::Program;
  case State::Site:
    return State::Sites;
  case State::Burden:
  case State::Memory:
    return State::Site;
  case State::Node:
    return State::Nodes;
  case State::Children:
    return State::Node;
  case State::Pair:
    return State::Children;
  }
  return State::End;
}

/// The state inside the array or object that is the value of `field`.
static State inside(Field field) {
  switch (field) {
  case Field::Program:
    return State::Program;
  case Field::Profiler:
    return State::Profiler;
  case Field::Command:
    return State::Command;
  case Field::Sites:
    return State::Sites;
  case Field::Locks:
    return State::Locks;
  case Field::Nodes:
    return State::Nodes;
  case Field::Children:
    return State::Children;
  case Field::Burden:
    return State::Burden;
  case Field::Memory:
    return State::Memory;
  default:
    return State::End;
  }
}

static bool isObject(State state) {
  return state == State::Top || state == State::Program || state == State::Profiler ||
         state == State::Site || state == State::Node || state == State::Burden ||
         state == State::Memory;
}

//===- Problems -----------------------------------------------------------===//

/// Records a broken rule. Unless format and version were read, the parser goes on for them alone:
/// a file of another version is refused by its version, not by what looks broken to this one.
bool TreeBuilder::fail(std::string what) {
  if (firstProblem.empty())
    firstProblem = where() + std::move(what);
  return !isIdentified();
}

bool TreeBuilder::isIdentified() const {
  constexpr std::uint64_t Both = bit(Field::Format) | bit(Field::Version);
  return (seenTop & Both) == Both;
}

/// This is not a file to read at all. Ends the parse.
bool TreeBuilder::refuse(std::string what) {
  identity = std::move(what);
  return false;
}

std::string TreeBuilder::where() const {
  switch (state) {
  case State::Node:
  case State::Children:
  case State::Pair:
    return fmt::format("node {}: ", tree.nodes.size());
  case State::Site:
  case State::Burden:
  case State::Memory:
    return fmt::format("site {}: ", tree.sites.size());
  default:
    return "";
  }
}

std::optional<std::string> TreeBuilder::problem(const std::string &syntax) const {
  if (!identity.empty())
    return identity;
  if (syntax.empty() && !(seenTop & bit(Field::Format)))
    return "is not a program tree: it has no \"format\": \"prophet-program-tree\"; name the file "
           "that the annotated program wrote";
  if (!firstProblem.empty())
    return firstProblem;
  if (!syntax.empty())
    return syntax;
  for (Field required : {Field::Version, Field::Timebase, Field::Nodes, Field::Root})
    if (!(seenTop & bit(required)))
      return fmt::format("\"{}\" is missing; run the annotated program again to write the tree",
                         nameOf(required));
  return std::nullopt;
}

//===- Brackets and keys --------------------------------------------------===//

bool TreeBuilder::open(Type bracket) {
  ++depth;
  if (state == State::Document) {
    if (bracket != Type::Object)
      return refuse("is not a program tree: its outermost value is not an object; name the file "
                    "that the annotated program wrote");
    state = State::Top;
    return true;
  }
  if (!firstProblem.empty())
    return true;
  if (skipDepth > 0 || (isObject(state) && field == Field::Unknown && state != State::Burden)) {
    ++skipDepth;
    return true;
  }
  if (state == State::Sites || state == State::Nodes || state == State::Children) {
    State element = state == State::Sites   ? State::Site
                    : state == State::Nodes ? State::Node
                                            : State::Pair;
    if (bracket != (element == State::Pair ? Type::Array : Type::Object))
      return addElement({bracket});
    begin(element);
    return true;
  }
  if (!isObject(state) || state == State::Burden)
    return addElement({bracket});
  if (!accepts(bracket))
    return false;
  if (firstProblem.empty())
    begin(inside(field));
  return true;
}

/// Enters an array or object whose type was checked.
void TreeBuilder::begin(State inner) {
  state = inner;
  field = Field::Unknown;
  if (inner == State::Node) {
    node = Node{};
    node.kind = NodeKind::U;
    node.firstChild = tree.children.size();
  } else if (inner == State::Site) {
    site = Site{};
  } else if (inner == State::Memory) {
    site.memory.emplace();
  } else if (inner == State::Pair) {
    pairSize = 0;
  }
  if (inner == State::Node || inner == State::Site || inner == State::Program ||
      inner == State::Profiler)
    seen = 0;
}

bool TreeBuilder::close() {
  --depth;
  if (!firstProblem.empty())
    return true;
  if (skipDepth > 0) {
    --skipDepth;
    return true;
  }
  if (state == State::Pair && !endChild())
    return false;
  if (state == State::Node && !endNode())
    return false;
  if (state == State::Site && !endSite())
    return false;
  state = parentOf(state);
  return true;
}

bool TreeBuilder::key(std::string_view name) {
  if (skipDepth > 0)
    return true;
  if (!firstProblem.empty() && depth != 1)
    return true;
  if (firstProblem.empty() && state == State::Burden) {
    auto threads = parseCount(name, "thread count", 1, MaxThreads);
    if (!threads)
      return fail("\"burden\": " + threads.error().message + "; write thread counts as keys");
    burdenThreads = static_cast<unsigned>(*threads);
    return true;
  }
  field = findField(firstProblem.empty() ? state : State::Top, name);
  if (field == Field::Unknown)
    return true;
  std::uint64_t &fields = firstProblem.empty() ? seenHere() : seenTop;
  if ((fields & bit(field)) && firstProblem.empty())
    return fail(fmt::format("\"{}\" is given twice; give it once", name));
  fields |= bit(field);
  return true;
}

//===- Values -------------------------------------------------------------===//

bool TreeBuilder::number(double value) {
  constexpr double ExactLimit = 9007199254740992; // 2^53: JSON does not tell 1e9 from 1000000000
  if (value >= 0 && value <= ExactLimit && value == std::floor(value))
    return count(static_cast<std::uint64_t>(value));
  return scalar({Type::Number, false, value});
}

/// Whether the current field takes a value of `type`; says so where not.
bool TreeBuilder::accepts(Type type) {
  Type expected = typeOf(field);
  if (type == expected || (expected == Type::Number && type == Type::Count))
    return true;
  std::string_view found = type == Type::Number ? "not a whole number from 0" : nameOf(type);
  return fail(fmt::format("\"{}\" is {}; write {}", nameOf(field), found, nameOf(expected)));
}

bool TreeBuilder::scalar(const Scalar &value) {
  if (state == State::Document)
    return open(Type::Array); // refused: not an object
  if (skipDepth > 0)
    return true;
  if (!firstProblem.empty()) {
    bool identifies = depth == 1 && (field == Field::Format || field == Field::Version);
    return !identifies || (setTop(value) && !isIdentified());
  }
  if (!isObject(state) || state == State::Burden)
    return addElement(value);
  if (field == Field::Unknown)
    return true;
  if (!accepts(value.type))
    return false;
  if (!firstProblem.empty())
    return true;
  switch (state) {
  case State::Top:
    return setTop(value);
  case State::Profiler:
    return setProfiler(value);
  case State::Site:
    return setSite(value);
  case State::Memory:
    return setMemory(value);
  case State::Node:
    return setNode(value);
  default:
    return true;
  }
}

} // namespace prophet
