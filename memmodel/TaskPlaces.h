//===- TaskPlaces.h - Where a thread's tasks in a row move lines -*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines that move between cores often do so at the edges of what a thread is dealt: a
// stencil's chunk of four rows reads two that others wrote, and as a matrix is reduced,
// each chunk gives away a row at one end and takes one at the other. Computing on the
// rows between hides nothing of that, and runs of such lines end where the edge does.
// A log is a sample, often of less than a line for each task. So it tells no task's
// share, but that of all tasks that are first, last, or between in what a thread has.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <array>
#include <cstddef>
#include <optional>

namespace prophet::memmodel {

/// Of a task among those that its thread has and that follow each other in the program.
enum class TaskPlace : unsigned char { Alone, First, Between, Last };
inline constexpr std::size_t taskPlaces = 4;

constexpr TaskPlace taskPlace(bool hasOneBefore, bool hasNext) {
  if (hasOneBefore)
    return hasNext ? TaskPlace::Between : TaskPlace::Last;
  return hasNext ? TaskPlace::First : TaskPlace::Alone;
}

/// Lines of streams and strides that tasks of one place use, each once for every task.
struct PlaceUse {
  double used = 0;
  double ahead = 0; ///< fetched from memory, the last-level cache or another core
  double read = 0;  ///< streams' that are read from another core (Traffic::readAhead), and so on
  double upgraded = 0;
  double written = 0;
  double loaded = 0;     ///< streams' that tasks read, wherever these are
  double stored = 0;     ///< and that they write
  double ownWritten = 0; ///< and those of them that the thread's own cache has alone

  bool operator==(const PlaceUse &) const = default;
};
inline constexpr double PlaceUse::*placeUses[] = {
    &PlaceUse::used,    &PlaceUse::ahead,  &PlaceUse::read,   &PlaceUse::upgraded,
    &PlaceUse::written, &PlaceUse::loaded, &PlaceUse::stored, &PlaceUse::ownWritten};

/// By place.
struct PlaceUses : std::array<PlaceUse, taskPlaces> {
  PlaceUse &at(TaskPlace place) { return (*this)[static_cast<std::size_t>(place)]; }
  const PlaceUse &at(TaskPlace place) const { return (*this)[static_cast<std::size_t>(place)]; }

  bool operator==(const PlaceUses &) const = default;
  PlaceUses &operator+=(const PlaceUses &other);
  PlaceUses scaled(double factor) const;

  /// How many times as many lines are fetched where some are, as in the mean of all tasks: 1 or
  /// more.
  double crowding() const;
  /// In how many tasks in a row lines of `of` move, where a thread has `tasks` in a row in the
  /// mean: from 1 to that. Of the tasks where most move, all are taken to have such lines, of
  /// others as large a part as fewer move there. \pre tasks >= 1
  double movedInARow(double PlaceUse::*moved, double PlaceUse::*of, double tasks) const;
  /// Of the lines that tasks write which lie behind another thread's, the share that are theirs
  /// alone: that thread's prefetchers take these away. Nothing where none is known.
  std::optional<double> ownBehindEnds() const;
};

} // namespace prophet::memmodel
