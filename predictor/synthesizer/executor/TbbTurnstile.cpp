//===- TbbTurnstile.cpp - Virtual time for oneTBB's threads ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As TurnstilePolling.cpp has it. All threads are called into the arena at once, by
// a task for each of them that ends when all have come. Then they look for tasks,
// and yield in between: the wait there keeps them in the arena, which they would
// leave after 100 yields.
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/TbbTurnstile.h"

#include <latch>
#include <sys/syscall.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <unistd.h>
#include <utility>

namespace synthesizer {

namespace {

/// The thread's worker while it is in a team.
thread_local Worker *inTeam = nullptr;

} // namespace

/// Who waits for a lock yields some times, and then sleeps: on a busy machine each would take long.
int Turnstile::yield(Worker *atLock) {
  if (atLock)
    return 0;
  if (inTeam)
    inTeam->turnstile->poll(*inTeam);
  else
    syscall(SYS_sched_yield);
  return 0;
}

unsigned Turnstile::teamSize() {
  return static_cast<unsigned>(tbb::this_task_arena::max_concurrency());
}

void TbbTurnstile::gather(Worker &master, unsigned size, const std::function<Worker &()> &self) {
  const auto take = [this](Worker &worker) {
    worker.turnstile = this;
    inTeam = &worker;
  };
  tbb::task_group calls;
  std::latch come(size);
  for (unsigned n = 1; n < size; ++n)
    calls.run([&] {
      Worker &worker = self();
      worker.order = static_cast<std::uint32_t>(tbb::this_task_arena::current_thread_index());
      {
        const std::lock_guard guard(mutex);
        ++active;
      }
      come.arrive_and_wait();
      take(worker);
    });
  come.arrive_and_wait();
  for (bool all = false; !all; syscall(SYS_sched_yield)) {
    const std::lock_guard guard(mutex);
    all = idlers.size() == size - 1;
  }
  calls.wait();
  take(master);
}

void TbbTurnstile::dismiss(Worker &master) {
  dismisser = &master;
  for (const Idler &idler : std::exchange(idlers, {})) {
    idler.worker->turn.give();
    master.met.take();
  }
  dismisser = nullptr;
  inTeam = nullptr;
}

/// `worker` has looked for a task, and found none.
void Turnstile::poll(Worker &worker) {
  if (queued > 0 && worker.looks-- > 0)
    return;
  sleepUntilNew(worker, worker.awaits);
  if (dismisser) {
    inTeam = nullptr;
    dismisser->met.give(); // and `worker` is not looked at any more
    return;
  }
  arrive();
  worker.carried = reading;
  worker.moved = false;
  lookAgain(worker);
}

void Turnstile::wait(Worker &worker, TaskGroup &group) {
  meet(worker);
  group.outer = std::exchange(worker.awaits, &group);
  lookAgain(worker);
}

void Turnstile::endWait(Worker &worker, TaskGroup &group) {
  worker.awaits = group.outer;
  worker.carried = reading;
  worker.moved = false;
}

bool Turnstile::callForRegion() { return false; }
void Turnstile::goBackToBarrier(Worker &) {}
void Turnstile::startLooking(Worker &, Team &) {}
void Turnstile::sendOff(Worker &, Team &) {}

} // namespace synthesizer
