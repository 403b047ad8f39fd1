//===- Locks.h - Who holds a lock and who waits for it ----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The locks of both event engines. libomp's queuing lock goes from its holder to
// the thread that has waited for it longest (kmp_lock.cpp). libgomp's mutex becomes
// free and that thread wakes up (config/linux/mutex.c): who asks before it is awake
// gets the lock, and it waits again, behind all others. oneTBB's mutex wakes who fell
// asleep last (concurrent_monitor.h, notify_one_relaxed).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/SerialCosts.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace prophet {

inline constexpr std::uint32_t nobody = ~0u;

class Locks {
public:
  enum class Rule : std::uint8_t { HandedOn, Barging, LastFirst };
  Locks(std::size_t count, Rule rule) : rule(rule), locks(count) {}
  /// The rule of the runtime that `options` asks for; none barges where waking up costs nothing.
  static Rule ruleOf(const EmulationOptions &options);

  /// Who asks for a lock, and on what account (SegmentEngine::sums) it waits.
  struct Asker {
    std::uint32_t thread, account;
  };
  /// `asker` asks, at `now`, for the lock of the L node `wants`. \returns whether it has it; if
  /// not, it waits.
  bool acquire(const TimedChild &wants, Asker asker, double now);

  /// A thread for which a lock has become free, and what it wanted it for. Where it waited awake,
  /// so did all that waited with it, since they asked later.
  struct Heir {
    std::uint32_t thread;
    const TimedChild *wants;
    double since;          ///< when it asked
    std::uint32_t waiting; ///< how many threads waited for the lock, with it
    bool wakes;            ///< the lock is not its yet: when it is awake, it has to acquire() it
  };
  /// The holder of `lock` releases it; \returns who hears of that.
  std::optional<Heir> release(std::uint32_t lock, double now);
  /// The heir that was woken for a lock asks for it, as acquire().
  bool acquireAwake(const TimedChild &wants, Asker asker, double now);

  /// How many threads wait for `lock`, without one that was woken.
  std::uint32_t waiting(std::uint32_t lock) const { return locks[lock].waiting; }

  /// Whether an heir has the lock already.
  bool areHandedOn() const { return rule != Rule::Barging; }
  /// A thread that release() named has waited for `lock` that much longer.
  void waitedLonger(std::uint32_t lock, std::uint32_t account, double time) {
    if (time > 0)
      addWait(locks[lock], lock, account, time);
  }

  /// Since the last call: how long was waited for `lock`, on `account`.
  struct Wait {
    std::uint32_t lock, account;
    double time;
  };
  std::vector<Wait> takeWaits();

private:
  struct Lock {
    bool held = false;
    bool wakes = false; ///< an heir is waking up
    std::uint32_t firstWaiter = nobody, lastWaiter = nobody;
    std::uint32_t waiting = 0;
    double waited = 0; ///< for it on account 0, since the last takeWaits()
  };
  struct Waiter {
    const TimedChild *wants = nullptr;
    std::uint32_t next = nobody; ///< behind it in the queue
    std::uint32_t account = 0;
    double since = 0;
  };
  Rule rule;
  std::vector<Lock> locks;
  std::vector<Waiter> waiters;          ///< by thread
  std::vector<std::uint32_t> contended; ///< locks that were waited for on account 0
  /// By account above 0 and lock, as Lock::waited.
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> elsewhere;

  void addWait(Lock &lock, std::uint32_t name, std::uint32_t account, double time) {
    if (account > 0) {
      elsewhere[{account, name}] += time;
      return;
    }
    if (lock.waited == 0)
      contended.push_back(name);
    lock.waited += time;
  }
};

} // namespace prophet
