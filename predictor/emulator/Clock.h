//===- Clock.h - Virtual time under processor sharing -----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With R threads ready and P cores each thread advances at rate min(1, P/R).
// The virtual clock advances at that rate, so every computation ends at a fixed
// reading of it and the queue of events stays a heap. Real time is what passes
// meanwhile.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EventHeap.h"

#include <limits>

namespace prophet {

/// The ready threads by the reading at which they next do something; at one reading, by number.
class Clock {
public:
  explicit Clock(unsigned cores) : cores(cores) {}

  void reset() {
    reading = 0;
    lag = 0;
    waited = 0;
  }

  Time now() const { return reading; }
  double real() const { return static_cast<double>(reading) + lag; }
  /// Thread-time spent ready, but without a core.
  double preempted() const { return waited; }

  /// Makes `thread`, which is not ready, act at `at` >= now().
  void schedule(Time at, std::uint32_t thread) {
    if (thread == current) {
      current = none;
      heap.moveTop(at);
    } else {
      heap.push({at, thread});
    }
  }

  bool idle() const { return heap.empty(); }

  /// Advances to the next reading at which a thread acts; that thread is then not ready until it is
  /// scheduled again or `retire` is called.
  std::uint32_t next() {
    const Event top = heap.top();
    if (heap.size() > cores) {
      const auto step = static_cast<double>(top.at - reading);
      const double late = step * (static_cast<double>(heap.size()) / cores - 1);
      lag += late;
      waited += late * static_cast<double>(heap.size());
    }
    reading = top.at;
    current = top.thread;
    heap.advanceTop(std::numeric_limits<Time>::min()); // on top for as long as the thread acts
    return top.thread;
  }

  /// The thread of the last `next()` was not scheduled again.
  void retire() {
    if (current == none)
      return;
    current = none;
    heap.pop();
  }

private:
  static constexpr std::uint32_t none = ~0u;

  EventHeap heap;
  std::uint32_t current = none;
  unsigned cores;
  Time reading = 0;
  double lag = 0;
  double waited = 0;
};

} // namespace prophet
