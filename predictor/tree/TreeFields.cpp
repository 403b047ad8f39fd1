//===- TreeFields.cpp - The format's fields and their types -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/tree/TreeFields.h"

#include <array>

namespace prophet::format {

namespace {
struct FieldSpec {
  State object;
  std::string_view name;
  Field field;
  Type type;
};
} // namespace

/// Nodes first: they are most of a file.
static constexpr FieldSpec Specs[] = {
    {State::Node, "kind", Field::Kind, Type::String},
    {State::Node, "length", Field::Length, Type::Number},
    {State::Node, "children", Field::Children, Type::Array},
    {State::Node, "site", Field::SiteIndex, Type::Count},
    {State::Node, "lock", Field::LockIndex, Type::Count},
    {State::Site, "kind", Field::Kind, Type::String},
    {State::Site, "name", Field::Name, Type::String},
    {State::Site, "file", Field::File, Type::String},
    {State::Site, "line", Field::Line, Type::Count},
    {State::Site, "nowait", Field::Nowait, Type::Boolean},
    {State::Site, "schedule", Field::Schedule, Type::String},
    {State::Site, "vars", Field::Vars, Type::String},
    {State::Site, "burden", Field::Burden, Type::Object},
    {State::Site, "memory", Field::Memory, Type::Object},
    {State::Memory, "source", Field::Source, Type::String},
    {State::Memory, "executions", Field::Executions, Type::Count},
    {State::Memory, "instructions", Field::Instructions, Type::Count},
    {State::Memory, "cycles", Field::Cycles, Type::Count},
    {State::Memory, "llc_misses", Field::LlcMisses, Type::Count},
    {State::Top, "format", Field::Format, Type::String},
    {State::Top, "version", Field::Version, Type::Count},
    {State::Top, "timebase_hz", Field::Timebase, Type::Number},
    {State::Top, "complete", Field::Complete, Type::Boolean},
    {State::Top, "tolerance", Field::Tolerance, Type::Number},
    {State::Top, "program", Field::Program, Type::Object},
    {State::Top, "profiler", Field::Profiler, Type::Object},
    {State::Top, "sites", Field::Sites, Type::Array},
    {State::Top, "locks", Field::Locks, Type::Array},
    {State::Top, "nodes", Field::Nodes, Type::Array},
    {State::Top, "root", Field::Root, Type::Count},
    {State::Program, "command", Field::Command, Type::Array},
    {State::Profiler, "waited_ticks", Field::WaitedTicks, Type::Count},
    {State::Profiler, "dropped_events", Field::DroppedEvents, Type::Count},
    {State::Profiler, "other_thread_events", Field::OtherThreadEvents, Type::Count},
    {State::Profiler, "sections_in_locks", Field::SectionsInLocks, Type::Count},
    {State::Profiler, "recursive_locks", Field::RecursiveLocks, Type::Count},
    {State::Profiler, "misplaced_tasks", Field::MisplacedTasks, Type::Count},
    {State::Profiler, "unfinished_tasks", Field::UnfinishedTasks, Type::Count},
    {State::Profiler, "mismatched_ends", Field::MismatchedEnds, Type::Count},
    {State::Profiler, "abandoned_sections", Field::AbandonedSections, Type::Count},
};

Field findField(State state, std::string_view name) {
  for (const FieldSpec &spec : Specs)
    if (spec.object == state && spec.name == name)
      return spec.field;
  return Field::Unknown;
}

/// By field: where Specs has it first, which is as good as any other place.
static constexpr auto Places = [] {
  std::array<std::uint8_t, static_cast<std::size_t>(Field::LockIndex) + 1> places{};
  for (std::size_t at = std::size(Specs); at-- > 0;)
    places[static_cast<std::size_t>(Specs[at].field)] = static_cast<std::uint8_t>(at);
  return places;
}();

static const FieldSpec &specOf(Field field) {
  return Specs[Places[static_cast<std::size_t>(field)]];
}

Type typeOf(Field field) { return specOf(field).type; }
std::string_view nameOf(Field field) { return specOf(field).name; }

std::string_view nameOf(Type type) {
  switch (type) {
  case Type::Null:
    return "null";
  case Type::Boolean:
    return "true or false";
  case Type::Number:
    return "a number";
  case Type::Count:
    return "a whole number";
  case Type::String:
    return "a string";
  case Type::Array:
    return "an array";
  case Type::Object:
    return "an object";
  }
  return "";
}

} // namespace prophet::format
