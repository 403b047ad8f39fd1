//===- Turnstile.cpp - Virtual time for real threads ----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/Turnstile.h"

#include "predictor/synthesizer/executor/Runtime.h"
#include "predictor/synthesizer/executor/ThreadStates.h"

#include <algorithm>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace synthesizer {

namespace {

/// The thread's worker while the runtime has it wait for a lock.
thread_local Worker *atLock = nullptr;

} // namespace
} // namespace synthesizer

/// In the place of the system's: runtimes call it while they wait.
extern "C" int sched_yield() noexcept {
  using namespace synthesizer;
  return Turnstile::yield(atLock);
}

namespace synthesizer {

bool Turnstile::sleeps(const Worker &worker) {
  static ThreadStates states;
  const std::optional<bool> sleeps = states.sleeps(worker.id);
  if (!sleeps)
    giveUp("/proc/self/task cannot be read; mount /proc");
  return *sleeps;
}

bool Turnstile::Waiting::operator<(const Waiting &other) const {
  return std::pair(deadline, worker->order) > std::pair(other.deadline, other.worker->order);
}

Turnstile::Turnstile(std::size_t count, const Run &run)
    : cores(run.cores), costs(run.locks), blockTime(run.blockTime), locks(count) {
  static unsigned runs = 0; // of this process, which are not to be the same
  dice.seed(1 + 7919 * runs++);
  for (Lock &lock : locks) {
    lock.real.lock(); // the way into the runtime is known from here on
    lock.real.unlock();
  }
}

Turnstile::~Turnstile() { endWatch(); }

void Turnstile::begin(Worker &initial) { initial.carried = reading; }

double Turnstile::clock(Worker &initial) {
  meet(initial);
  return real();
}

void Turnstile::compute(Worker &worker, Time length) {
  worker.carried += length;
  worker.moved = true;
}

void Turnstile::pay(Worker &worker, Time cost) {
  if (cost > 0)
    compute(worker, cost);
}

void Turnstile::meet(Worker &worker) {
  if (!worker.moved)
    return;
  worker.moved = false;
  pass(worker, worker.carried);
}

/// Lets others go on until it is `worker`'s turn.
void Turnstile::pass(Worker &worker, Time deadline) {
  {
    const std::lock_guard guard(mutex);
    stand(worker, deadline);
    if (--active == 0)
      letNextPass();
  }
  awaitTurn(worker);
}

void Turnstile::stand(Worker &worker, Time deadline) {
  waiting.push_back({deadline, &worker});
  std::push_heap(waiting.begin(), waiting.end());
}

void Turnstile::awaitTurn(Worker &worker) {
  worker.turn.take();
  arrive();
}

/// It is the calling thread's turn.
void Turnstile::arrive() {
  // Nobody else is past the turnstile who could block meanwhile.
  if (const Worker *late = std::exchange(blocking, nullptr))
    while (!sleeps(*late)) // on its way into the queue of a lock
      syscall(SYS_sched_yield);
}

void Turnstile::letNextPass() {
  if (letIdlerLook())
    return;
  if (waiting.empty())
    giveUp("all threads wait for each other; take locks in one order");
  const Time next = waiting.front().deadline;
  const auto ready = static_cast<double>(waiting.size());
  if (ready > cores)
    lag += static_cast<double>(next - reading) * (ready / cores - 1);
  reading = next;
  Worker *worker = waiting.front().worker;
  std::pop_heap(waiting.begin(), waiting.end());
  waiting.pop_back();
  worker->carried = reading;
  active = 1;
  worker->turn.give();
}

void Turnstile::acquire(Worker &worker, std::size_t number) {
  meet(worker);
  Lock &lock = locks[number];
  bool isFree, isReallyFree;
  {
    const std::lock_guard guard(mutex);
    isFree = !lock.held;
    isReallyFree = !lock.heir;
    lock.held = true;
    if (!isFree)
      await(worker, lock);
  }
  if (isFree) {
    if (isReallyFree)
      lock.real.lock();
    if (isInRegion)
      pay(worker, costs.pair);
    return;
  }
  do {
    atLock = &worker;
    lock.real.lock();
    atLock = nullptr;
  } while (!takeOver(worker, lock));
}

/// `worker` is about to wait for a lock in the runtime. \pre `mutex` is locked
void Turnstile::await(Worker &worker, Lock &lock) {
  worker.waitsSince = real();
  lock.waiters.push_back(&worker);
  blocking = &worker;
  --active;
  letNextPass();
}

/// `worker` has got a lock that it waited for. Who released it goes on first. \returns whether it
/// still has it when it has woken up; if not, it waits again
bool Turnstile::takeOver(Worker &worker, Lock &lock) {
  worker.asker = nullptr;
  worker.dozes = false;
  bool slept;
  Time way;
  {
    const std::lock_guard guard(mutex);
    const std::size_t waiting = lock.waiters.size();
    std::erase(lock.waiters, &worker);
    slept = real() - worker.waitsSince >= blockTime;
    way = costs.handoff(slept, costs.barges && !slept ? 1 : waiting);
    if (costs.barges) {
      lock.held = false;
      lock.heir = &worker;
    }
    stand(worker, costs.barges ? reading + way : reading);
    --active;
    std::exchange(lock.releaser, nullptr)->met.give();
  }
  awaitTurn(worker);
  if (costs.barges)
    return claim(worker, lock, slept);
  pay(worker, way);
  return true;
}

/// `worker` has woken up for a lock, and has it unless another took it meanwhile.
bool Turnstile::claim(Worker &worker, Lock &lock, bool slept) {
  const std::lock_guard guard(mutex);
  lock.heir = nullptr;
  if (lock.held) {
    await(worker, lock);
    return false;
  }
  lock.held = true;
  if (!slept)
    pay(worker, costs.crowding(lock.waiters.size() + 1));
  return true;
}

void Turnstile::release(Worker &worker, std::size_t number) {
  meet(worker);
  Lock &lock = locks[number];
  {
    const std::lock_guard guard(mutex);
    if (lock.heir) { // which the real one is kept for
      lock.held = false;
      return;
    }
    if (lock.waiters.empty()) {
      lock.held = false;
      return lock.real.unlock();
    }
    lock.releaser = &worker;
    ++active;
  }
  handOver(worker, lock);
}

/// Releases a lock that others wait for, and waits until one of them has it.
void Turnstile::handOver(Worker &worker, Lock &lock) {
  const std::vector<Worker *> waiters = lock.waiters;
  lock.real.unlock();
  for (std::size_t i = 0;; i = (i + 1) % waiters.size()) {
    if (waiters[i]->dozes) {
      waiters[i]->asker = &worker;
      waiters[i]->look.give();
    }
    worker.met.take(); // that one has it, or has looked in vain
    const std::lock_guard guard(mutex);
    if (!lock.releaser)
      return;
  }
}

/// The members' numbers are the lowest free ones above their master's.
void Turnstile::giveOrders(Team &team) {
  team.orders = {team.master->order};
  auto next = freeOrders.upper_bound(team.master->order);
  while (team.orders.size() < team.size)
    if (next != freeOrders.end()) {
      team.orders.push_back(*next);
      next = freeOrders.erase(next);
    } else {
      team.orders.push_back(orders++);
    }
}

/// `master` pays for a region's threads to come, by what they have been doing since the last one.
void Turnstile::openRegion(Worker &master, const Team &team) {
  if (!team.costs)
    return;
  meet(master);
  const bool asleep =
      blockTime <= 0 || (team.isOutermost && sinceRegion && real() - *sinceRegion >= blockTime);
  isInRegion = true;
  pay(master, asleep ? team.costs->asleep.fork : team.costs->spinning.fork);
}

/// `master`, which came to the barrier at `came`, pays for getting on.
void Turnstile::closeRegion(Worker &master, const Team &team, double came) {
  if (!team.costs)
    return;
  const double waited = team.spawns ? 0 : real() - came; // who looks for tasks does not fall asleep
  pay(master, waited >= blockTime ? team.costs->asleep.join : team.costs->spinning.join);
  if (!team.isOutermost)
    return;
  meet(master);
  isInRegion = false;
  sinceRegion = real();
}

void Turnstile::fork(Worker &master, Team &team) {
  openRegion(master, team);
  if (team.size == 1)
    return;
  meet(master);
  pass(master, master.carried); // others of the same time may act before the team does
  team.start = master.carried;
  giveOrders(team);
  team.outer = std::exchange(master.leaves, nullptr);
  team.isPolled = team.hasTasks && callForRegion();
}

void Turnstile::enter(Worker &member, Team &team, unsigned number) {
  if (team.size == 1)
    return;
  if (number == 0) {
    member.met.take(); // all others stand at the turnstile
    return pass(member, team.start);
  }
  member.order = team.orders[number];
  {
    const std::lock_guard guard(mutex);
    stand(member, team.start);
    if (++team.arrived == team.size)
      team.master->met.give();
  }
  awaitTurn(member);
}

void Turnstile::leave(Worker &member, Team &team) {
  if (team.size == 1)
    return;
  meet(member);
  const std::lock_guard guard(mutex);
  if (&member == team.master)
    team.masterCame = real();
  if (++team.left == team.size) { // the master, now or soon behind the barrier, goes on
    freeOrders.insert(team.orders.begin() + 1, team.orders.end());
    return sendOff(member, team);
  }
  if (team.hasTasks)
    return startLooking(member, team);
  if (--active == 0)
    letNextPass();
}

void Turnstile::join(Worker &master, Team &team) {
  if (team.size == 1)
    return closeRegion(master, team, real());
  master.leaves = team.outer;
  if (team.isPolled)
    goBackToBarrier(master);
  master.carried = reading;
  master.moved = true; // others of the same time may act before it goes on
  closeRegion(master, team, team.masterCame);
}

} // namespace synthesizer
