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

bool Locks::acquire(const TimedChild &wants, std::uint32_t thread, double now) {
  Lock &lock = locks[wants.ref];
  if (!lock.held)
    return lock.held = true;
  if (waiters.size() <= thread)
    waiters.resize(thread + 1);
  waiters[thread] = {&wants, nobody, now};
  ++lock.waiting;
  if (rule == Rule::LastFirst) {
    waiters[thread].next = std::exchange(lock.firstWaiter, thread);
    return false;
  }
  (lock.firstWaiter == nobody ? lock.firstWaiter : waiters[lock.lastWaiter].next) = thread;
  lock.lastWaiter = thread;
  return false;
}

bool Locks::acquireAwake(const TimedChild &wants, std::uint32_t thread, double now) {
  locks[wants.ref].wakes = false;
  return acquire(wants, thread, now);
}

std::optional<Locks::Heir> Locks::release(std::uint32_t name) {
  Lock &lock = locks[name];
  const std::uint32_t thread = lock.firstWaiter;
  lock.held = thread != nobody && rule != Rule::Barging;
  if (thread == nobody || lock.wakes)
    return std::nullopt;
  lock.wakes = rule == Rule::Barging;
  const Waiter &waiter = waiters[thread];
  lock.firstWaiter = waiter.next;
  return Heir{thread, waiter.wants, waiter.since, lock.waiting--, lock.wakes};
}

void Locks::waitedFor(std::uint32_t name, std::uint32_t account, double time) {
  if (time <= 0)
    return;
  if (account > 0) {
    elsewhere[{account, name}] += time;
    return;
  }
  if (locks[name].waited == 0)
    contended.push_back(name);
  locks[name].waited += time;
}

void Locks::addWaits(Tally &tally, const std::vector<std::uint32_t> &sites, double executions) {
  for (const std::uint32_t lock : contended)
    tally.lockWaits[{{sites[0], sites[0]}, lock}] +=
        std::exchange(locks[lock].waited, 0) * executions;
  contended.clear();
  for (const auto &[where, time] : elsewhere)
    tally.lockWaits[{{sites[0], sites[where.first]}, where.second}] += time * executions;
  elsewhere.clear();
}

} // namespace prophet
