//===- Listener.h - What an emulated run tells its views --------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Views listen; they change nothing. Times are in ticks of the tree, from the
// region's start, in real (not virtual) time. A region that the program executes
// many times in the same way is emulated and reported once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/tree/Tree.h"

namespace prophet {

enum class Activity : std::uint8_t {
  Compute,  ///< the program's own work (lengthened by burden factor and body ratio)
  Locked,   ///< work that holds a lock
  Overhead, ///< the runtime's own work
  LockWait,
  BarrierWait,
};

/// The loop that a thread is in, and the iterations of it that it runs; none between chunks.
struct Place {
  std::uint32_t site = 0;
  std::uint64_t first = 0, count = 0;
  bool whole = false; ///< what it does runs them from their beginning to their end
};

inline constexpr std::uint32_t noLock = ~0u;

/// What one thread does for a while.
struct Interval {
  std::uint32_t thread;
  Activity activity;
  Place place; ///< with `count` 0 it may be inside of what has begun on the thread
  double start;
  double end;
  std::uint32_t lock = noLock; ///< Locked, LockWait: which
};

class TimedTree;
class Chains;
struct Outline;

/// An emulated program: its regions, which the listener has heard in the order of the outline, and
/// the serial code between them. Nodes are those of `timed`'s tree.
struct EmulatedProgram {
  const TimedTree &timed;
  const Chains &chains;
  const Outline &outline;
  double elapsed; ///< in ticks
};

class EventListener {
public:
  virtual ~EventListener() = default;
  /// A parallel region opens with `section`; the program executes it like this `executions` times.
  virtual void regionBegins(NodeId section, double executions) = 0;
  /// Intervals of one thread come in order; those of different threads are interleaved by their
  /// end.
  virtual void interval(const Interval &interval) = 0;
  /// Iteration `place.first` begins on `thread`, or the task that its section spawned as that one;
  /// its intervals, those of inner teams too, follow, and what the thread runs while it waits in
  /// it. What is one interval (Place::whole) is not announced.
  virtual void taskBegins(std::uint32_t /*thread*/, const Place & /*place*/, double /*time*/) {}
  /// The last one that began on `thread` and has not ended does.
  virtual void taskEnds(std::uint32_t /*thread*/, double /*time*/) {}
  /// `thread` takes what `from` left to others at `since`, and begins or goes on with it.
  virtual void takes(std::uint32_t /*thread*/, std::uint32_t /*from*/, double /*since*/,
                     double /*time*/) {}
  /// The `count` outermost of those that have begun on `thread` do not go on there: they stopped at
  /// `since`, when the next one began, or now.
  virtual void tasksLeave(std::uint32_t /*thread*/, std::size_t /*count*/, double /*since*/) {}
  /// One that has left a thread goes on, on `thread`, as one that begins.
  virtual void taskResumes(std::uint32_t /*thread*/, const Place & /*place*/, double /*time*/) {}
  virtual void regionEnds(double elapsed) = 0;
  virtual void programEnds(const EmulatedProgram & /*program*/) {}
};

} // namespace prophet
