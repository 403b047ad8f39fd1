//===- TurnstileTasksGnu.cpp - libgomp's tasks in virtual time ------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libgomp's threads sleep while there is no task for them, and are woken by the
// one that creates it or ends what they wait for. So time goes on when all that
// are inside libgomp sleep: a thread of its own looks at them, since everybody
// else sleeps as well. Who comes out with a task stands at the turnstile first,
// with the present time for a deadline.
//
//===----------------------------------------------------------------------===//
#ifndef __clang__

#include "predictor/synthesizer/executor/Turnstile.h"

#include <algorithm>
#include <sys/syscall.h>
#include <unistd.h>

namespace synthesizer {

int Turnstile::yield(Worker *) { return static_cast<int>(syscall(SYS_sched_yield)); }
bool Turnstile::callForRegion() { return false; }
void Turnstile::goBackToBarrier(Worker &) {}

void Turnstile::create(Worker &creator, TaskGroup &group) {
  meet(creator);
  ++group.pending;
  settled = false;
}

void Turnstile::destroy(TaskGroup &group) { --group.pending; }

void Turnstile::beginTask(Worker &worker, TaskGroup &) {
  worker.deferred.push_back(comeOut(worker));
}

void Turnstile::endTask(Worker &worker, TaskGroup &group) {
  meet(worker);
  --group.pending;
  const bool deferred = worker.deferred.back();
  worker.deferred.pop_back();
  if (!deferred)
    return;
  const std::lock_guard guard(mutex);
  goInside(worker);
}

void Turnstile::wait(Worker &worker, TaskGroup &group) {
  meet(worker);
  if (group.pending == 0)
    return;
  const std::lock_guard guard(mutex);
  goInside(worker);
}

void Turnstile::endWait(Worker &worker, TaskGroup &) { comeOut(worker); }

void Turnstile::startLooking(Worker &member, Team &team) {
  member.leaves = &team;
  goInside(member);
}

/// From here on libgomp has `worker` run a task, or sleep.
void Turnstile::goInside(Worker &worker) {
  inside.push_back(&worker);
  settled = false;
  if (--active == 0)
    letNextPass();
}

/// \returns whether `worker` was inside, and did not just go on.
bool Turnstile::comeOut(Worker &worker) {
  bool wasInside;
  {
    const std::lock_guard guard(mutex);
    wasInside = std::erase(inside, &worker) > 0;
    if (wasInside)
      stand(worker, reading);
  }
  if (wasInside)
    awaitTurn(worker);
  worker.carried = reading;
  worker.moved = false;
  return wasInside;
}

/// Before time goes on: whether some thread inside may be about to come out.
bool Turnstile::letIdlerLook() {
  if (inside.empty() || settled)
    return false;
  if (!watchman.joinable())
    watchman = std::thread([this] { watch(); });
  toWatch.give();
  return true;
}

/// Whenever asked to: lets the next one pass when all that are inside sleep.
void Turnstile::watch() {
  for (toWatch.take(); !ends; toWatch.take())
    while (!letPassIfAllSleep())
      yield(nullptr);
}

bool Turnstile::letPassIfAllSleep() {
  std::vector<Worker *> before;
  {
    const std::lock_guard guard(mutex);
    before = inside;
  }
  // Twice: one that was awake may have woken one that was seen asleep.
  for (int round = 0; round < 2; ++round)
    if (!std::all_of(before.begin(), before.end(), [](Worker *worker) { return sleeps(*worker); }))
      return false;
  const std::lock_guard guard(mutex);
  if (inside != before)
    return false;
  settled = true;
  letNextPass();
  return true;
}

void Turnstile::endWatch() {
  if (!watchman.joinable())
    return;
  ends = true;
  toWatch.give();
  watchman.join();
}

void Turnstile::sendOff(Worker &, Team &team) {
  std::erase_if(inside, [&](const Worker *worker) { return worker->leaves == &team; });
}

} // namespace synthesizer

#endif
