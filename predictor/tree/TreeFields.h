//===- TreeFields.h - The format's fields and their types ---*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace prophet::format {

/// Where in a file the parser stands: inside which object or array.
enum class State : std::uint8_t {
  Document,
  Top,
  Program,
  Command,
  Profiler,
  Sites,
  Site,
  Burden,
  Memory,
  Locks,
  Nodes,
  Node,
  Children,
  Pair,
  End
};
/// A key that means something.
enum class Field : std::uint8_t {
  Unknown,
  Format,
  Version,
  Timebase,
  Complete,
  Tolerance,
  Program,
  Profiler,
  Sites,
  Locks,
  Nodes,
  Root,
  Command,
  WaitedTicks,
  DroppedEvents,
  OtherThreadEvents,
  SectionsInLocks,
  RecursiveLocks,
  MisplacedTasks,
  UnfinishedTasks,
  MismatchedEnds,
  AbandonedSections,
  Name,
  Kind,
  File,
  Line,
  Nowait,
  Schedule,
  Vars,
  Burden,
  Memory,
  Source,
  Executions,
  Instructions,
  Cycles,
  LlcMisses,
  Length,
  Children,
  SiteIndex,
  LockIndex
};
/// What a value is; Count is a Number that is whole and not negative.
enum class Type : std::uint8_t { Null, Boolean, Number, Count, String, Array, Object };

/// The field called `name` of the object that `state` is in, or Field::Unknown.
Field findField(State state, std::string_view name);
/// The type that the format asks of `field`.
Type typeOf(Field field);
/// The field's key in the file.
std::string_view nameOf(Field field);
/// "a number", "an array", ...
std::string_view nameOf(Type type);

} // namespace prophet::format
