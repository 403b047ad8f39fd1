//===- Locks.cpp - Who holds a lock and who waits for it ------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Locks.h"

#include <utility>

namespace prophet {

Locks::Rule Locks::ruleOf(const EmulationOptions &options) {
  if (options.paradigm == Paradigm::Tbb)
    return Rule::LastFirst;
  const Overheads &costs = options.overheads;
  const bool isFree = costs.active.lockHandoff.isZero() && costs.passive.lockHandoff.isZero() &&
                      costs.baseSlice == 0;
  return isOpenMP(options.paradigm) && options.runtime == OmpRuntime::Libgomp && !isFree
             ? Rule::Barging
             : Rule::HandedOn;
}

bool Locks::acquire(const TimedChild &wants, Asker asker, double now) {
  Lock &lock = locks[wants.ref];
  if (!lock.held)
    return lock.held = true;
  const std::uint32_t thread = asker.thread;
  if (waiters.size() <= thread)
    waiters.resize(thread + 1);
  waiters[thread] = {&wants, nobody, asker.account, now};
  ++lock.waiting;
  if (rule == Rule::LastFirst) {
    waiters[thread].next = std::exchange(lock.firstWaiter, thread);
    return false;
  }
  (lock.firstWaiter == nobody ? lock.firstWaiter : waiters[lock.lastWaiter].next) = thread;
  lock.lastWaiter = thread;
  return false;
}

bool Locks::acquireAwake(const TimedChild &wants, Asker asker, double now) {
  locks[wants.ref].wakes = false;
  return acquire(wants, asker, now);
}

std::optional<Locks::Heir> Locks::release(std::uint32_t name, double now) {
  Lock &lock = locks[name];
  const std::uint32_t thread = lock.firstWaiter;
  lock.held = thread != nobody && rule != Rule::Barging;
  if (thread == nobody || lock.wakes)
    return std::nullopt;
  lock.wakes = rule == Rule::Barging;
  const Waiter &waiter = waiters[thread];
  lock.firstWaiter = waiter.next;
  if (const double time = now - waiter.since; time > 0)
    addWait(lock, name, waiter.account, time);
  return Heir{thread, waiter.wants, waiter.since, lock.waiting--, lock.wakes};
}

std::vector<Locks::Wait> Locks::takeWaits() {
  std::vector<Wait> waits;
  for (const std::uint32_t lock : contended)
    waits.push_back({lock, 0, std::exchange(locks[lock].waited, 0)});
  contended.clear();
  for (const auto &[where, time] : elsewhere)
    waits.push_back({where.second, where.first, time});
  elsewhere.clear();
  return waits;
}

} // namespace prophet
