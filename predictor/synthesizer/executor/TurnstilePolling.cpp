//===- TurnstilePolling.cpp - Threads that look for tasks -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What libomp and oneTBB share: threads that wait for tasks poll, and call
// sched_yield, which is ours, in between. So they sleep here, and time goes on only
// when each of them has looked for a task since there was last something new to
// find: one after the other, in no order. Who finds a task carries on at the
// present time.
//
//===----------------------------------------------------------------------===//
#if defined(__clang__) || defined(SYNTHESIZER_TBB)

#include "predictor/synthesizer/executor/Turnstile.h"

namespace synthesizer {

namespace {

/// A look is at one random victim. So many for each of them overlook a task with odds of e^-12.
constexpr unsigned looksPerThread = 12;
/// Rounds in which all threads may overlook the last task.
constexpr unsigned mostVain = 100;

} // namespace

void Turnstile::create(Worker &creator, TaskGroup &group) {
  meet(creator);
  ++group.pending;
  ++queued;
  ++changes;
}

void Turnstile::destroy(TaskGroup &group) {
  --group.pending;
  --queued;
}

void Turnstile::beginTask(Worker &worker, TaskGroup &) {
  --queued;
  ++changes; // another is the oldest in its deque now
  ++worker.begun;
  vain = 0;
  worker.carried = reading;
  worker.moved = false;
}

void Turnstile::endTask(Worker &worker, TaskGroup &group) {
  meet(worker);
  --group.pending;
  lookAgain(worker);
}

void Turnstile::lookAgain(Worker &worker) {
  worker.seen = changes;
  worker.looks = looksPerThread * teamSize();
}

void Turnstile::sleepUntilNew(Worker &worker, const TaskGroup *group) {
  {
    const std::lock_guard guard(mutex);
    idlers.push_back({&worker, group});
    if (--active == 0)
      letNextPass();
  }
  worker.turn.take();
}

/// Before time goes on: whether some idle thread looks, or goes on.
bool Turnstile::letIdlerLook() {
  if (idlers.empty() || (!waiting.empty() && waiting.front().deadline == reading))
    return false;
  const std::size_t first = dice() % idlers.size();
  for (std::size_t n = 0; n < idlers.size(); ++n) {
    const auto idler = idlers.begin() + static_cast<std::ptrdiff_t>((first + n) % idlers.size());
    Worker *worker = idler->worker;
    const bool goesOn = idler->group && idler->group->pending == 0;
    if (!goesOn && (queued == 0 || worker->seen == changes))
      continue;
    idlers.erase(idler);
    active = 1;
    worker->turn.give();
    return true;
  }
  if (!waiting.empty() || queued == 0 || ++vain > mostVain)
    return false;
  ++changes; // somebody must have overlooked a task
  return letIdlerLook();
}

void Turnstile::endWatch() {}

} // namespace synthesizer

#endif
