//===- Cores.h - Threads that stay on their cores ---------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads that sleep while they wait are put on a core again each time that they
// wake up, and cores without work take some from others: on the whole all share all
// cores evenly (Clock.h). Threads that yield while they wait, as libomp's do, are
// runnable all the time, so every core has work for the system, and who is on which
// stays as it began. This is what Linux does with them (kernel/sched/fair.c):
//
// - The threads on one core share it evenly; who yields takes nothing.
// - A new thread goes to a core without threads; where there is none, to its
//   creator's, but what a program's first thread creates to another one, since that
//   core has been busy for long (sched_balance_find_dst_cpu).
// - A core without runnable threads takes one from that which has most.
// - Cores with more runnable threads than others are looked for every 16 to 32 ms,
//   times the number of cores (sched_balance_domains, of busy cores). The first look
//   finds those that have two more than another, the second those that have one
//   more. Who is moved, and when the first look is, nobody knows: they are drawn.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Dice.h"
#include "predictor/emulator/Tournament.h"

#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace prophet {

/// Of one region: what its threads find.
struct Pinning {
  std::uint64_t seed = 1;      ///< of what is drawn
  double period = 0;           ///< half the longest time until the system looks at the cores, > 0
  bool createsThreads = false; ///< else they are there already, spread over the cores
};

/// The threads of a region on the cores that they are on. Readings count the work that a thread
/// alone on its core has done meanwhile. All who compute are relieved alike, so that changes how
/// much real time a reading takes, but not at which reading a thread acts next: real time is the
/// reading and lag().
class Cores {
public:
  explicit Cores(unsigned count) : cores(count), nexts(count) {}

  /// Nobody is there, at time 0.
  void reset(const Pinning &pinning);
  /// By how many cores are busy: how much of its time work then takes. Empty: all of it.
  void relieve(std::vector<double> byReady);

  Time reading() const { return time; }
  /// By how much real time is more than the reading.
  double lag() const { return behind; }
  double now() const { return static_cast<double>(time) + behind; }
  /// Thread-time spent ready, but without a core.
  double preempted() const { return waited; }
  /// How much longer threads were busy because others computed meanwhile.
  double relieved() const { return eased; }
  /// How much of its time work now takes, on as many `more` cores.
  double ease(unsigned more = 0) const;

  /// Puts `thread` on a core, which `creator` wakes up or creates, unless it is awake.
  void place(std::uint32_t thread, std::uint32_t creator);
  /// Makes `thread`, which acts or does not compute, compute, and act when it has done `work` more.
  void start(std::uint32_t thread, Time work);
  /// `thread`, which waits, yields until it is started, or until `until`.
  void yield(std::uint32_t thread, double until);
  /// `thread` acts as soon as no other computes on its core, or at `at`.
  void awaitCore(std::uint32_t thread, double at);
  /// `thread` sleeps if it computes.
  void retire(std::uint32_t thread);

  /// Whether a thread computes on the core of `thread`, which does not.
  bool sharesCore(std::uint32_t thread) const { return !coreOf(thread).ready.empty(); }

  /// Nobody will act.
  bool idle() const { return computing == 0 && awaiting.empty(); }
  /// Goes on until a thread acts, which then computes until it is started or retired.
  std::uint32_t next();

private:
  static constexpr double never = std::numeric_limits<double>::infinity();
  enum class State : std::uint8_t { New, Asleep, Starts, Yields, Awaits, Ready };
  struct Thread {
    double until = 0; ///< Yields, Awaits
    std::uint32_t core = 0;
    State state = State::New;
    bool hasEnd = false; ///< it is in `ends`
  };
  struct End {
    double at;
    std::uint32_t thread;

    bool operator>(const End &other) const { return at > other.at; }
  };
  struct Core {
    unsigned runnable = 0, awaiting = 0;
    EventHeap ready; ///< threads that compute, which act when `served` is as much
    Time served = 0; ///< work that has been done for each of them up to `since`
    Time since = 0;  ///< a reading
  };

  std::vector<Thread> threads;
  std::vector<Core> cores;
  Tournament nexts;                ///< by core: which of its threads acts next, and when
  std::vector<unsigned> coresWith; ///< by number of runnable threads
  unsigned mostRunnable = 0, leastRunnable = 0;
  std::vector<std::uint32_t> awaiting;
  std::vector<End> ends; ///< a heap, the first on top: a thread's yielding ends then or later
  std::vector<double> relief;
  Pinning pinning;
  Dice dice{1};
  Time computing = 0, shared = 0; ///< threads that are ready; those of them beyond one a core
  double lookAt = never;          ///< when the system next looks at the cores
  bool hasLooked = false;
  Time time = 0;
  /// Before it, the system does nothing, and nobody who awaits a core has one, unless a core's last
  /// computing thread leaves it.
  Time quietUntil = 0;
  double slowest = 1; ///< the largest of `relief`
  double behind = 0, waited = 0, eased = 0;

  Thread &threadOf(std::uint32_t thread);
  const Core &coreOf(std::uint32_t thread) const {
    return cores[thread < threads.size() ? threads[thread].core : 0];
  }
  void setState(std::uint32_t thread, State state);
  void compute(std::uint32_t thread, Time work);
  void stopComputing(std::uint32_t thread);
  void changeRunnable(Core &core, bool more);
  void settle(Core &core);
  void divide(Core &core, Time passed);
  void foresee(std::uint32_t number);
  std::optional<std::uint32_t> chooseCore(std::uint32_t own, bool isNew, bool isFirst);
  Time quietFor(double until) const;
  std::uint32_t coreWith(unsigned runnable) const;
  void moveOne();
  double period() const;
  void balance();
  void look();
  void endYielding();
  bool startAwaiting(double before);
  bool changesBefore(Event next);
  void advanceBy(double span);
  void advance(Time to);
};

} // namespace prophet
