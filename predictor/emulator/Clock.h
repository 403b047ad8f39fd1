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
// Where threads wait for each other that is not all. One that waits beside a
// computing one on its core cannot start at any moment: the system has to come back
// to it first. And one that yields again and again keeps its core from being idle,
// so the system brings no other thread there: that core is lost to those that
// compute. For these two alone threads are placed, each member of a team on another
// core as long as there are any.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EventHeap.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <vector>

namespace prophet {

/// The ready threads by the reading at which they next do something; at one reading, by number.
class Clock {
public:
  /// \param placed whether threads are placed on cores
  Clock(unsigned cores, bool placed) : cores(cores), placed(placed) {}

  void reset() {
    threadsOf.assign(placed ? cores : 0, {});
    yieldsUntil.clear();
    ends.clear();
    lost = 0;
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
  bool sharesCore(std::uint32_t thread) const {
    return placed && threadsOf[coreOf(thread)].ready > 0;
  }
  /// Makes `thread` act as soon as no other is ready on its core, or at `at` >= real() of real
  /// time.
  void awaitCore(double at, std::uint32_t thread) { awaiting.push_back({at, thread}); }

  /// `thread`, which waits, yields until it is scheduled, or until real() is `until`.
  void yield(std::uint32_t thread, double until) {
    if (!placed)
      return;
    if (yieldsUntil.size() <= thread)
      yieldsUntil.resize(thread + 1, 0);
    if (yieldsUntil[thread] == 0)
      count(thread, 0, 1);
    yieldsUntil[thread] = until;
    if (until < forever)
      ends.push_back({until, thread});
  }
  static constexpr double forever = std::numeric_limits<double>::infinity();

  bool idle() const { return heap.empty() && awaiting.empty(); }

  /// Advances to the next reading at which a thread acts; that thread is then not ready until it is
  /// scheduled again or `retire` is called.
  std::uint32_t next() {
    while (placed && (startWaiting() || endYielding()))
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
      count(current, -1, 0);
    current = none;
    heap.pop();
  }

private:
  static constexpr std::uint32_t none = ~0u;
  struct Awaiting {
    double at;
    std::uint32_t thread;
  };
  struct Threads {
    int ready = 0, yielding = 0;
    bool areLost() const { return ready == 0 && yielding > 0; }
  };

  /// Threads are numbered as they come into teams: these are those of a master, one on each of the
  /// other cores, then those of the next.
  unsigned coreOf(std::uint32_t thread) const { return (thread + thread / cores) % cores; }

  void count(std::uint32_t thread, int ready, int yielding) {
    Threads &threads = threadsOf[coreOf(thread)];
    lost -= threads.areLost();
    threads.ready += ready;
    threads.yielding += yielding;
    lost += threads.areLost();
  }

  void push(Time at, std::uint32_t thread) {
    if (placed) {
      const bool yielded = thread < yieldsUntil.size() && yieldsUntil[thread] > 0;
      if (yielded)
        yieldsUntil[thread] = 0;
      count(thread, 1, -static_cast<int>(yielded));
    }
    heap.push({at, thread});
  }

  /// How much real time passes in a tick.
  double slowness() const {
    const std::size_t usable = cores - lost;
    return heap.size() > usable ? static_cast<double>(heap.size()) / static_cast<double>(usable)
                                : 1;
  }

  void advance(Time to) {
    const double slow = slowness();
    if (slow > 1) {
      const double late = static_cast<double>(to - reading) * (slow - 1);
      lag += late;
      waited += late * static_cast<double>(heap.size());
    }
    reading = to;
  }

  /// Whether real() is `at` before a thread acts; then that is `when`.
  bool comesFirst(double at, Time &when) const {
    const double ticks = std::max(0.0, at - real()) / slowness();
    if (ticks >= static_cast<double>(heap.top().at - reading))
      return false;
    when = reading + static_cast<Time>(ticks);
    return true;
  }

  /// Makes the first thread ready that waits for its core and gets it before anything else happens;
  /// false: there is none.
  bool startWaiting() {
    if (awaiting.empty())
      return false;
    auto first = awaiting.begin();
    for (auto other = first; other != awaiting.end(); ++other) {
      if (!sharesCore(other->thread))
        return start(other, reading);
      if (other->at < first->at)
        first = other;
    }
    Time when = 0;
    if ((!ends.empty() && ends.front().at < first->at) || !comesFirst(first->at, when))
      return false;
    return start(first, when);
  }

  bool start(std::vector<Awaiting>::iterator it, Time at) {
    const std::uint32_t thread = it->thread;
    awaiting.erase(it);
    advance(at);
    push(at, thread);
    return true;
  }

  /// Lets the first thread sleep that ends to yield before anything else happens; false: none.
  bool endYielding() {
    if (ends.empty() || heap.empty())
      return false;
    const auto [at, thread] = ends.front();
    if (yieldsUntil[thread] == at) {
      Time when = 0;
      if (!comesFirst(at, when))
        return false;
      advance(when);
      yieldsUntil[thread] = 0;
      count(thread, 0, -1);
    }
    ends.pop_front(); // those before `at` were called off
    return true;
  }

  EventHeap heap;
  std::vector<Awaiting> awaiting;
  std::vector<Threads> threadsOf;  ///< by core; empty unless `placed`
  std::vector<double> yieldsUntil; ///< by thread: real time; 0: it does not yield
  std::deque<Awaiting> ends;       ///< of yielding, ascending; some were called off
  unsigned lost = 0;               ///< cores on which threads yield and none is ready
  std::uint32_t current = none;
  unsigned cores;
  bool placed;
  Time reading = 0;
  double lag = 0;
  double waited = 0;
};

} // namespace prophet
