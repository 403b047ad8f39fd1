//===- TraceRow.h - What one thread does in a region --------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of slices, one after the other, and of tasks that nest around them:
//
//   | sort                                   |
//     | sort             |  | sort        |
//     | compute | sort   |  | compute     |
//
// Times are in ticks, of the region.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Listener.h"

#include <array>
#include <vector>

namespace prophet {

/// Whose task it was that a thread took, and when that thread left it.
struct TraceOrigin {
  std::uint32_t thread = 0;
  double time = 0;
  std::uint64_t order = 0; ///< as TraceTask::order; 0: it was not taken

  explicit operator bool() const { return order > 0; }
};

/// What a thread does from `start` to `end`: one thing, or several that were merged.
struct TraceSlice {
  double start, end;
  Activity activity;
  Place place;
  std::uint32_t lock;
  std::uint64_t order = 0;       ///< of the last task that began, or was taken, before it
  std::uint64_t merged = 1;      ///< intervals in it
  std::uint64_t iterations = 0;  ///< that begin in it
  std::array<double, 5> spent{}; ///< by Activity
  TraceOrigin origin{};

  void append(const TraceSlice &next);
};

/// A task that is several slices, or the part of it that one thread runs.
struct TraceTask {
  double start, end;
  Place place;
  std::uint64_t order; ///< by when it was heard that it begins, or that it is taken; from 1 on
  bool resumed;        ///< it began elsewhere
  TraceOrigin origin{};
};

/// One thread's part of a region.
struct TraceRow {
  std::vector<TraceSlice> slices; ///< in order, without overlap
  std::vector<TraceTask> tasks;   ///< that have ended here
  std::vector<TraceTask> open;    ///< the others, the innermost last
  std::uint64_t begun = 0;        ///< tasks that begin with the next slice

  void add(const Interval &interval);
  /// What begins here at `time` comes from `origin`.
  void take(const TraceOrigin &origin, double time);
  void begin(TraceTask task);
  /// The innermost task ends.
  void end(double time);
  /// The `count` outermost tasks have stopped at `since`.
  void leave(std::size_t count, double since);
  /// Merges the shortest neighbours until at most `most` >= 1 slices are left; and of tasks leaves
  /// the `most` that last longest, of those that neither begin nor end in what was merged.
  void shrink(std::size_t most);
  /// Whether there is a slice that something was left in which somebody took.
  bool isLeft(const TraceOrigin &origin) const;
  /// How many events it takes.
  std::size_t events() const;

private:
  TraceOrigin arriving{};
  double arrival = 0;
  std::uint64_t latest = 0; ///< order of what began, or was taken, last

  TraceOrigin originAt(double time);
  void close(TraceTask task, double time);
};

} // namespace prophet
