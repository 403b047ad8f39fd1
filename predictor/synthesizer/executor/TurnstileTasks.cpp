//===- TurnstileTasks.cpp - libomp's tasks in virtual time ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As TurnstilePolling.cpp has it. At a barrier libomp polls and calls sched_yield in
// between; its taskwait never yields, so there a look is a taskyield, which obeys
// the same constraint.
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
#include <utility>

namespace synthesizer {

namespace {

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

/// In the place of a yield. libomp's locks call it while they spin: many threads would keep each
/// other from the cores with it, so they sleep until somebody releases the lock.
int Turnstile::yield(Worker *atLock) {
  if (atLock) {
    if (Worker *asker = atLock->asker.exchange(nullptr))
      asker->met.give(); // it is another's turn
    atLock->dozes = true;
    atLock->look.take();
  } else if (!atBarrier)
    sleepBetweenRegions();
  else if (!atBarrier->place.isTask)
    atBarrier->turnstile->poll(*atBarrier);
  return 0;
}

unsigned Turnstile::teamSize() { return static_cast<unsigned>(omp_get_num_threads()); }

/// Whoever sleeps between regions comes. The thread opens the region; \returns whether it does so
/// in a task that it found at a barrier: it does not wait there until the region has ended.
bool Turnstile::callForRegion() {
  ++regions;
  syscall(SYS_futex, &regions, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  return std::exchange(atBarrier, nullptr) != nullptr;
}

void Turnstile::goBackToBarrier(Worker &master) { atBarrier = &master; }

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

} // namespace synthesizer

#endif
