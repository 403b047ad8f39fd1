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
// A thread that waits beside a computing one on its core cannot start at any moment:
// the system has to come back to it first. For this alone threads are placed, number
// i on core i mod P.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EventHeap.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace prophet {

/// The ready threads by the reading at which they next do something; at one reading, by number.
class Clock {
public:
  /// \param placed whether sharesCore() and awaitCore() will be called
  Clock(unsigned cores, bool placed) : cores(cores), placed(placed) {}

  void reset() {
    ready.assign(placed ? cores : 0, 0);
    awaiting.clear();
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
      push(at, thread);
    }
  }

  /// Whether a thread is ready on the core of `thread`, which is not; false unless `placed`.
  bool sharesCore(std::uint32_t thread) const { return placed && ready[thread % cores] > 0; }
  /// Makes `thread` act as soon as no other is ready on its core, or at `at` >= real() of real
  /// time.
  void awaitCore(double at, std::uint32_t thread) { awaiting.push_back({at, thread}); }

  bool idle() const { return heap.empty() && awaiting.empty(); }

  /// Advances to the next reading at which a thread acts; that thread is then not ready until it is
  /// scheduled again or `retire` is called.
  std::uint32_t next() {
    while (!awaiting.empty() && startWaiting())
      ;
    const Event top = heap.top();
    advance(top.at);
    current = top.thread;
    heap.advanceTop(std::numeric_limits<Time>::min()); // on top for as long as the thread acts
    return top.thread;
  }

  /// The thread of the last `next()` was not scheduled again.
  void retire() {
    if (current == none)
      return;
    if (placed)
      --ready[current % cores];
    current = none;
    heap.pop();
  }

private:
  static constexpr std::uint32_t none = ~0u;
  struct Awaiting {
    double at;
    std::uint32_t thread;
  };

  void push(Time at, std::uint32_t thread) {
    if (placed)
      ++ready[thread % cores];
    heap.push({at, thread});
  }

  /// How much real time passes in a tick.
  double slowness() const {
    return heap.size() > cores ? static_cast<double>(heap.size()) / cores : 1;
  }

  void advance(Time to) {
    if (heap.size() > cores) {
      const double late = static_cast<double>(to - reading) * (slowness() - 1);
      lag += late;
      waited += late * static_cast<double>(heap.size());
    }
    reading = to;
  }

  /// Makes the first thread ready that waits for its core and gets it before anything else happens;
  /// false: there is none.
  bool startWaiting() {
    auto first = awaiting.begin();
    for (auto other = first; other != awaiting.end(); ++other) {
      if (!sharesCore(other->thread))
        return start(other, reading);
      if (other->at < first->at)
        first = other;
    }
    const double ticks = std::max(0.0, first->at - real()) / slowness();
    if (ticks >= static_cast<double>(heap.top().at - reading))
      return false;
    return start(first, reading + static_cast<Time>(ticks));
  }

  bool start(std::vector<Awaiting>::iterator it, Time at) {
    const std::uint32_t thread = it->thread;
    awaiting.erase(it);
    advance(at);
    push(at, thread);
    return true;
  }

  EventHeap heap;
  std::vector<Awaiting> awaiting;
  std::vector<unsigned> ready; ///< by core: threads; unused unless `placed`
  std::uint32_t current = none;
  unsigned cores;
  bool placed;
  Time reading = 0;
  double lag = 0;
  double waited = 0;
};

} // namespace prophet
