//===- TurnstileTasks.cpp - libomp's tasks in virtual time ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads that wait for tasks would poll, while time stands still. So they sleep
// here, and time goes on only when each of them has looked for a task since there
// was last something new to find: one after the other, in no order. libomp chooses
// from its deques. At a barrier it polls and calls sched_yield in between, which is
// ours; its taskwait never yields, so there a look is a taskyield, which obeys the
// same constraint. Who finds a task carries on at the present time.
//
//===----------------------------------------------------------------------===//
#ifdef __clang__

#include "predictor/synthesizer/executor/Turnstile.h"

#include <algorithm>
#include <climits>
#include <functional>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace synthesizer {

namespace {

/// A look is at one random victim. So many for each of them overlook a task with odds of e^-12.
constexpr unsigned looksPerThread = 12;
/// Rounds in which all threads may overlook the last task.
constexpr unsigned mostVain = 100;

/// The thread's worker while it is at the barrier of a team with tasks.
thread_local Worker *atBarrier = nullptr;
/// How often the thread has yielded since region `lastRegion`.
thread_local unsigned yields = 0;
thread_local std::uint32_t lastRegion = 0;
/// Counts the regions of programs with tasks; threads between two of them sleep on it.
std::atomic<std::uint32_t> regions = 0;

/// Threads that wait for a region would take the cores from those that make it.
void sleepBetweenRegions() {
  constexpr unsigned polls = 50; // what the way into or out of a region takes
  constexpr timespec atMost{0, 10'000'000};
  const std::uint32_t seen = regions;
  if (lastRegion != seen) {
    lastRegion = seen;
    yields = 0;
  }
  if (seen == 0 || ++yields < polls)
    syscall(SYS_sched_yield);
  else
    syscall(SYS_futex, &regions, FUTEX_WAIT_PRIVATE, seen, &atMost, nullptr, 0);
}

} // namespace

/// In the place of a yield.
int Turnstile::yield() {
  if (!atBarrier)
    sleepBetweenRegions();
  else if (!atBarrier->place.isTask)
    atBarrier->turnstile->poll(*atBarrier);
  return 0;
}

/// Whoever sleeps between regions comes.
void Turnstile::callForRegion() {
  ++regions;
  syscall(SYS_futex, &regions, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

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

/// Runs tasks until `group` has none left.
void Turnstile::wait(Worker &worker, TaskGroup &group) {
  meet(worker);
  while (group.pending > 0) {
    const std::uint64_t before = worker.begun;
    lookAgain(worker);
    while (queued > 0 && worker.begun == before && worker.looks-- > 0) {
#pragma omp taskyield
    }
    if (worker.begun != before)
      continue;
    sleepUntilNew(worker, &group);
    arrive();
  }
}

void Turnstile::endWait(Worker &worker, TaskGroup &) {
  worker.carried = reading;
  worker.moved = false;
}

/// `member` goes to the barrier, where it looks for tasks.
void Turnstile::startLooking(Worker &member, Team &team) {
  member.turnstile = this;
  member.leaves = &team;
  lookAgain(member);
  atBarrier = &member;
}

void Turnstile::lookAgain(Worker &worker) {
  worker.seen = changes;
  worker.looks = looksPerThread * static_cast<unsigned>(omp_get_num_threads());
}

/// `worker` has looked for a task at a barrier, and found none.
void Turnstile::poll(Worker &worker) {
  if (queued > 0 && worker.looks-- > 0)
    return;
  const Team &team = *worker.leaves;
  sleepUntilNew(worker, nullptr);
  if (team.left < team.size) {
    arrive();
    return lookAgain(worker);
  }
  atBarrier = nullptr;
  yields = 0;
  team.last->met.give(); // and neither `worker` nor `team` is looked at any more
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

/// `last` is the last one to leave `team`: those who look for tasks go on to the barrier's end.
void Turnstile::sendOff(Worker &last, Team &team) {
  team.last = &last;
  const auto isIn = [&](const Idler &idler) { return idler.worker->leaves == &team; };
  const auto gone = std::partition(idlers.begin(), idlers.end(), std::not_fn(isIn));
  const std::vector<Idler> sent(gone, idlers.end());
  idlers.erase(gone, idlers.end());
  for (const Idler &idler : sent) {
    idler.worker->turn.give();
    last.met.take();
  }
}

void Turnstile::endWatch() {}

} // namespace synthesizer

#endif
