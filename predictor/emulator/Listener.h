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
  Compute,  ///< the program's own work (lengthened by its burden factor)
  Locked,   ///< work that holds a lock
  Overhead, ///< OpenMP's own work
  LockWait,
  BarrierWait,
};

/// What one thread does for a while.
struct Interval {
  std::uint32_t thread;
  Activity activity;
  std::uint32_t site; ///< of the loop the thread is in
  double start;
  double end;
};

class EventListener {
public:
  virtual ~EventListener() = default;
  /// A parallel region opens with `section`; the program executes it like this `executions` times.
  virtual void regionBegins(NodeId section, double executions) = 0;
  /// Intervals of one thread come in order; those of different threads are interleaved by their
  /// end.
  virtual void interval(const Interval &interval) = 0;
  virtual void regionEnds(double elapsed) = 0;
};

} // namespace prophet
