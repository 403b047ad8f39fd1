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
// Where threads wait for locks that is not all. One that waits beside a computing one
// on its core cannot start at any moment: the system has to come back to it first. And
// one that yields again and again keeps its core from being idle, so the system brings
// no other thread there: that core is lost to those that compute. For these two alone
// threads are placed on cores.
//
// Threads that yield wherever they wait stay on their cores (Cores.h). Then a
// thread is scheduled as if it had a core of its own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Cores.h"
#include "predictor/emulator/EventHeap.h"

#include <cassert>
#include <utility>
#include <vector>

namespace prophet {

/// The ready threads by the reading at which they next do something; at one reading, by number.
class Clock {
public:
  /// \param placed whether threads are placed on cores
  Clock(unsigned cores, bool placed) : cores(cores), placed(placed), pins(cores) {}

  /// Begins at 0, with threads that stay on their cores if that is asked for.
  void reset(const std::optional<Pinning> &pinning);
  bool isPinned() const { return pinned; }
  /// By how many threads are ready: how much of its real time a tick then takes. Empty: all of it.
  void relieve(std::vector<double> byReady) {
    if (pinned)
      pins.relieve(byReady);
    relief = std::move(byReady);
  }

  Time now() const { return reading; }
  double real() const { return static_cast<double>(reading) + lag; }
  /// Thread-time spent ready, but without a core.
  double preempted() const { return pinned ? pins.preempted() : waited; }
  /// How far the clock moves in `time` of a core's own, of one that starts now, while no more
  /// start and none ends but who acts.
  Time readingsFor(Time time) const {
    if (relief.empty())
      return time;
    const bool starts = current == none;
    const double eases = pinned ? pins.ease(starts) : easeOf(heap.size() + starts);
    return static_cast<Time>(static_cast<double>(time) / eases);
  }
  /// What they needed less (negative: so much) because others did not compute meanwhile.
  double relieved() const { return pinned ? pins.relieved() : eased; }

  /// What is needed of a moment to know what a thread that is ready from then on loses.
  struct Moment {
    double real = 0, waitedEach = 0, easedEach = 0;
    Time reading = 0;
  };
  Moment moment() const { return {real(), waitedEach, easedEach, reading}; }
  /// Of preempted() and relieved(), what is of one thread that was ready since `since` and did
  /// `work` meanwhile. Where threads stay on their cores, as if it had been relieved all the time
  /// as much as all were.
  struct Losses {
    double preempted = 0, relieved = 0;
  };
  Losses lossesSince(const Moment &since, Time work) const;

  /// Makes `thread`, which is not ready, act at `at` >= now().
  void schedule(Time at, std::uint32_t thread) {
    if (pinned) {
      pins.start(thread, at - reading);
      current = thread == current ? none : current;
    } else if (thread == current) {
      current = none;
      heap.moveTop(at);
      if (placed)
        stopYielding(thread);
    } else {
      push(at, thread);
    }
  }

  /// `creator` puts `thread`, which is not ready, on a core: so many, `behind`, after its own,
  /// around, unless threads stay on theirs.
  void place(std::uint32_t thread, std::uint32_t creator, unsigned behind);

  /// Whether a thread is ready on the core of `thread`, which is not; false unless `placed`.
  bool sharesCore(std::uint32_t thread) const {
    return pinned ? pins.sharesCore(thread) : placed && onCore[coreOf(thread)].ready > 0;
  }
  /// Makes `thread` act as soon as no other is ready on its core, or at `at` >= real() of real
  /// time.
  void awaitCore(double at, std::uint32_t thread) {
    if (pinned)
      pins.awaitCore(thread, at);
    else
      awaiting.push_back({at, thread});
  }

  /// `thread`, which waits, yields until it is scheduled, or until real() is `until`; only threads
  /// that stay on their cores end before they are scheduled.
  void yield(std::uint32_t thread, double until);
  static constexpr double forever = std::numeric_limits<double>::infinity();

  bool idle() const { return pinned ? pins.idle() : heap.empty() && awaiting.empty(); }

  /// Advances to the next reading at which a thread acts; that thread is then not ready until it is
  /// scheduled again or `retire` is called.
  std::uint32_t next() {
    if (pinned)
      return nextPinned();
    while (placed && startWaiting())
      ;
    const Event top = heap.top();
    advance(top.at);
    current = top.thread;
    heap.advanceTop(std::numeric_limits<Time>::min()); // on top for as long as the thread acts
    return top.thread;
  }

  /// Lets `time` pass for `thread`, which acts, if no other does meanwhile. \returns whether it did
  bool pass(Time time, std::uint32_t thread) {
    if (pinned || placed || thread != current || !heap.staysOnTop(reading + time))
      return false;
    advance(reading + time);
    return true;
  }

  /// The thread of the last `next()` was not scheduled again.
  void retire() {
    if (current == none)
      return;
    if (pinned) {
      pins.retire(current);
    } else {
      if (placed)
        count(current, -1, 0);
      heap.pop();
    }
    current = none;
  }

private:
  static constexpr std::uint32_t none = ~0u;
  struct Awaiting {
    double at;
    std::uint32_t thread;
  };
  struct Placed {
    unsigned core = 0;
    bool yields = false;
  };
  struct OnCore {
    int ready = 0, yielding = 0;
    bool isLost() const { return ready == 0 && yielding > 0; }
  };

  void push(Time at, std::uint32_t thread) {
    if (placed) {
      stopYielding(thread);
      count(thread, 1, 0);
    }
    heap.push({at, thread});
  }

  /// How many threads there are for a core.
  double share() const {
    const std::size_t usable = cores - lost;
    return heap.size() > usable ? static_cast<double>(heap.size()) / static_cast<double>(usable)
                                : 1;
  }
  /// How long those that compute take for a tick on cores of their own.
  double easeOf(std::size_t ready) const { return ready < relief.size() ? relief[ready] : 1; }
  double ease() const { return easeOf(heap.size()); }
  /// How much real time passes in a tick.
  double slowness() const { return share() * ease(); }

  void advance(Time to) {
    assert(to >= reading && to < Time{1} << timeBits && "Charges::tightBound is none");
    const double shared = share();
    if (shared > 1 || !relief.empty()) {
      const double eases = ease();
      const auto ticks = static_cast<double>(to - reading);
      const double all = ticks * static_cast<double>(heap.size());
      lag += ticks * (shared * eases - 1);
      waited += all * eases * (shared - 1);
      eased += all * (eases - 1);
      waitedEach += ticks * eases * (shared - 1);
      easedEach += ticks * (eases - 1);
    }
    reading = to;
  }

  std::uint32_t nextPinned() {
    current = pins.next();
    reading = pins.reading();
    lag = pins.lag();
    return current;
  }
  Placed &placeOf(std::uint32_t thread);
  unsigned coreOf(std::uint32_t thread) const {
    return thread < threads.size() ? threads[thread].core : 0;
  }
  void count(std::uint32_t thread, int ready, int yielding);
  void stopYielding(std::uint32_t thread);
  bool comesFirst(double at, Time &when) const;
  bool startWaiting();
  bool start(std::vector<Awaiting>::iterator it, Time at);

  EventHeap heap;
  std::vector<Awaiting> awaiting;
  std::vector<OnCore> onCore;  ///< by core; empty unless `placed`
  std::vector<Placed> threads; ///< those that were placed or yielded
  unsigned lost = 0;           ///< cores on which threads yield and none is ready
  std::uint32_t current = none;
  unsigned cores;
  bool placed, pinned = false;
  Cores pins; ///< where `pinned`
  Time reading = 0;
  double lag = 0;
  double waited = 0;
  double eased = 0;
  double waitedEach = 0, easedEach = 0; ///< the same of one thread that is always ready
  std::vector<double> relief;
};

} // namespace prophet
