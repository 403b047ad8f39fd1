//===- SegmentEngine.cpp - What both event engines do with time -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/SegmentEngine.h"

#include "predictor/emulator/TaskWorker.h"

#include <utility>

namespace prophet {

template <typename Member>
void SegmentEngine<Member>::begin(const Region &region, const std::optional<Pinning> &pinning,
                                  std::vector<double> relief) {
  executions = region.executions;
  sums.clear();
  sites.clear();
  accountAt.resize(timed.tree.sites.size());
  const NodeId section = region.start.child->node;
  accountOf(section);
  keepsLosses =
      (region.chained || timed.hasSection(section)) && (context.mayShareCores() || !relief.empty());
  readiness.clear();
  if (context.mayShareCores() || !relief.empty())
    context.tally.beginRegion();
  clock.reset(pinning);
  clock.relieve(std::move(relief));
}

template <typename Member> std::uint32_t SegmentEngine<Member>::accountOf(NodeId section) {
  const std::uint32_t site = context.site(section);
  if (!sums.empty() && (accountAt[site] > 0 || sites[0] == site))
    return accountAt[site];
  accountAt[site] = static_cast<std::uint32_t>(sums.size());
  sites.push_back(site);
  sums.emplace_back();
  return accountAt[site];
}

template <typename Member> void SegmentEngine<Member>::keepReady(std::uint32_t id, Time work) {
  if (readiness.size() <= id)
    readiness.resize(id + 1);
  readiness[id] = {clock.moment(), work};
}

/// What `id`, which was ready, has lost up to now is added up.
template <typename Member> void SegmentEngine<Member>::addLosses(std::uint32_t id) {
  if (id >= readiness.size() || readiness[id].work == Ready::none)
    return;
  const Clock::Losses losses = clock.lossesSince(readiness[id].since, readiness[id].work);
  ThreadTimes &own = sumsOf(workers[id]);
  own.preempted += losses.preempted;
  own.relieved += losses.relieved;
  readiness[id].work = Ready::none;
}

/// The clock has the losses of all threads together. What was not kept by account (all of it, where
/// it makes no difference), those that computed longer have more of.
template <typename Member> void SegmentEngine<Member>::closeAccounts() {
  double busy = 0, preempted = clock.preempted(), relieved = clock.relieved();
  for (const ThreadTimes &own : sums) {
    busy += own.busy();
    preempted -= own.preempted;
    relieved -= own.relieved;
  }
  for (std::uint32_t account = 0; account < sums.size(); ++account) {
    ThreadTimes &own = sums[account];
    const double share = busy > 0 ? own.busy() / busy : account == 0;
    own.preempted += preempted * share;
    own.relieved += relieved * share;
    own.memory += own.relieved;
  }
}

template <typename Member> ThreadTimes SegmentEngine<Member>::finish() {
  closeAccounts();
  for (const Locks::Wait &wait : locks.takeWaits()) {
    sums[wait.account].lockWait += wait.time;
    context.tally.lockWaits[{{sites[0], sites[wait.account]}, wait.lock}] += wait.time * executions;
  }
  ThreadTimes all;
  for (std::uint32_t account = 0; account < sums.size(); ++account) {
    all.add(sums[account], 1);
    context.tally.addTimes({sites[0], sites[account]}, sums[account], executions);
  }
  all.elapsed = clock.real();
  context.tally.endRegion(all.stretch());
  for (const std::uint32_t site : sites)
    accountAt[site] = 0;
  return all;
}

template <typename Member> Actor::Then SegmentEngine<Member>::wake(std::uint32_t id) {
  if (context.listener)
    endSegment(workers[id]);
  if (keepsLosses)
    addLosses(id);
  if (const std::uint32_t lock = std::exchange(workers[id].release, nobody); lock != nobody)
    release(lock);
  return std::exchange(workers[id].then, Actor::Then::Go);
}

template <typename Member> void SegmentEngine<Member>::startNow(std::uint32_t id) {
  Member &worker = workers[id];
  worker.segmentCharge = 0;
  if (context.listener)
    worker.segment = {id, Activity::Compute, worker.place, clock.real(), 0};
  occupy(id, 0);
}

//===- Segments -----------------------------------------------------------===//

/// `id` is busy for `work` (`base` in the serial run) and `overhead`.
template <typename Member>
void SegmentEngine<Member>::spend(std::uint32_t id, Activity activity, Time base, Time work,
                                  Time overhead) {
  ThreadTimes &own = sumsOf(workers[id]);
  own.useful += static_cast<double>(base);
  spendMore(own, static_cast<double>(base), static_cast<double>(work - base), workers[id].slowdown);
  own.overhead += static_cast<double>(overhead);
  occupy(id, work + overhead);
  if (!context.listener)
    return;
  Member &worker = workers[id];
  worker.segment = {id, activity, worker.place, clock.real(), 0};
  if (activity == Activity::Locked)
    worker.segment.lock = worker.release != nobody ? worker.release : worker.stack.back().lock;
  worker.segmentCharge =
      overhead > 0 ? static_cast<double>(overhead) / static_cast<double>(work + overhead) : 0;
}

/// What to spend for `overhead` of the runtime's that others' computing does not lengthen.
template <typename Member> Time SegmentEngine<Member>::apart(const Actor &actor, Time overhead) {
  if (overhead == 0)
    return 0;
  const Time readings = clock.readingsFor(overhead);
  const auto more = static_cast<double>(readings - overhead);
  sumsOf(actor).overhead -= more;
  sumsOf(actor).memory += more; // of which the clock says that it was relieved
  return readings;
}

/// `count` executions of `child` as one piece, after what is owed. Returns true: `id` is busy.
template <typename Member>
bool SegmentEngine<Member>::spendFused(std::uint32_t id, const TimedChild &child,
                                       std::uint64_t count) {
  Member &worker = workers[id];
  const auto times = static_cast<Time>(count);
  const bool holds = !worker.isEmpty() && worker.stack.back().heldLock() != nobody;
  Time overhead = std::exchange(worker.owed, 0);
  if (!child.traits.isPlain()) {
    overhead += context.costs.overhead(child.node) * times;
    if (child.traits.hasSection || child.traits.kind() == NodeKind::Section)
      context.tally.addFused(timed.tree, child.node, static_cast<double>(count) * executions,
                             worker.slowdown.factor);
  }
  spend(id, holds ? Activity::Locked : Activity::Compute, child.length * times,
        scaled(child.length, worker.slowdown.factor) * times, overhead);
  return true;
}

/// Returns whether `id` is busy; if not, it has paid and goes on: nobody else acts meanwhile.
template <typename Member> bool SegmentEngine<Member>::payOwed(std::uint32_t id) {
  const Time owed = std::exchange(workers[id].owed, 0);
  if (keepsLosses)
    keepReady(id, owed);
  if (!context.listener && clock.pass(owed, id)) {
    if (keepsLosses)
      addLosses(id);
    sumsOf(workers[id]).overhead += static_cast<double>(owed);
    return false;
  }
  spend(id, Activity::Overhead, 0, 0, owed);
  return true;
}

/// Tells the listener what the thread has been doing until now.
template <typename Member> void SegmentEngine<Member>::endSegment(const Member &worker) {
  Interval segment = worker.segment;
  segment.start = timed.grid.ticks(segment.start);
  segment.end = timed.grid.ticks(clock.real());
  Interval charge = segment;
  charge.activity = Activity::Overhead;
  charge.lock = noLock;
  charge.place.whole = false;
  charge.end = segment.start + (segment.end - segment.start) * worker.segmentCharge;
  if (charge.end > charge.start)
    context.listener->interval(charge);
  segment.start = charge.end;
  if (segment.end > segment.start)
    context.listener->interval(segment);
}

template <typename Member> void SegmentEngine<Member>::await(std::uint32_t id, bool seeksTasks) {
  if (clock.isPinned())
    clock.yield(id, clock.real() + context.charges.blockTime);
  else if (seeksTasks && context.charges.waitersYield()) // it does not fall asleep
    clock.yield(id, Clock::forever);
}

template <typename Member> void SegmentEngine<Member>::reportWait(std::uint32_t id, Place place) {
  const double since = workers[id].waitsSince, now = clock.real();
  if (context.listener && now > since)
    context.listener->interval(
        {id, Activity::BarrierWait, place, timed.grid.ticks(since), timed.grid.ticks(now)});
}

/// Of trees that do not fit the cache, each thread reads another part, which is more streams than
/// the processor follows by itself: what its chunk needs so many iterations later is fetched ahead.
static constexpr std::ptrdiff_t farAhead = 8;

/// The next iteration of the loop in the top frame, as a frame of its own.
template <typename Member> void SegmentEngine<Member>::enterIteration(Member &worker) {
  auto &frame = worker.stack.back();
  const TimedChild &task = *frame.at.child;
  ++frame.begin;
  frame.at = frame.at.next();
  if (frame.at.end - frame.at.child > farAhead)
    timed.fetch(frame.at.child[farAhead]);
  worker.stack.emplace_back().at = firstChild(timed, task);
}

//===- Locks --------------------------------------------------------------===//

/// Returns true: `id` is busy or waits.
template <typename Member>
bool SegmentEngine<Member>::acquire(std::uint32_t id, const TimedChild &locked) {
  if (locks.acquire(locked, {id, workers[id].account}, clock.real()))
    startLocked(id, locked, context.charges.lockPair);
  else if (context.charges.yields) // until it has the lock
    clock.yield(id, Clock::forever);
  return true;
}

template <typename Member> void SegmentEngine<Member>::release(std::uint32_t lock) {
  const double now = clock.real();
  const auto heir = locks.release(lock, now);
  if (!heir)
    return;
  Member &worker = workers[heir->thread];
  if (context.listener && now > heir->since)
    context.listener->interval({heir->thread, Activity::LockWait, worker.place,
                                timed.grid.ticks(heir->since), timed.grid.ticks(now), lock});
  if (workers.size() > context.cores() && clock.sharesCore(heir->thread))
    return waitForCore(heir->thread, *heir->wants);
  const bool slept = now - heir->since >= context.charges.blockTime;
  if (!heir->wakes)
    return startLocked(heir->thread, *heir->wants, context.charges.handoff(slept, heir->waiting));
  worker.then = Actor::Then::Lock;
  worker.wants = heir->wants;
  worker.spun = !slept;
  spend(heir->thread, Activity::Overhead, 0, 0,
        apart(worker, context.charges.handoff(slept, slept ? heir->waiting : 1)));
}

/// `id` could have the lock of `locked`, but the system lets other threads run.
template <typename Member>
void SegmentEngine<Member>::waitForCore(std::uint32_t id, const TimedChild &locked) {
  Member &worker = workers[id];
  worker.then = Actor::Then::RunAgain;
  worker.spun = false;
  worker.wants = &locked;
  worker.waitsSince = clock.real();
  if (context.listener)
    worker.segment = {id, Activity::LockWait, worker.place, clock.real(), 0, locked.ref};
  worker.segmentCharge = 0;
  clock.awaitCore(clock.real() + context.charges.nextTurn, id);
}

/// The system lets `id` run, which could have had its lock for a while.
template <typename Member> void SegmentEngine<Member>::runAgain(std::uint32_t id) {
  const TimedChild &locked = *workers[id].wants;
  const double waited = clock.real() - workers[id].waitsSince;
  locks.waitedLonger(locked.ref, workers[id].account, waited);
  if (locks.areHandedOn())
    startLocked(id, locked, 0);
  else
    claim(id);
}

/// `id` was woken for the lock that it wants. Who spun has it when the word has reached it, but
/// the others that spin on the word, too, keep it from going on.
template <typename Member> void SegmentEngine<Member>::claim(std::uint32_t id) {
  const TimedChild &locked = *workers[id].wants;
  if (!locks.acquireAwake(locked, {id, workers[id].account}, clock.real()))
    return;
  const std::uint32_t waiting = locks.waiting(locked.ref) + 1;
  startLocked(id, locked, workers[id].spun ? context.charges.crowding(waiting) : 0);
}

template <typename Member>
void SegmentEngine<Member>::startLocked(std::uint32_t id, const TimedChild &locked, Time overhead) {
  Member &worker = workers[id];
  if (locked.childCount == 0) {
    worker.release = locked.ref;
    return spend(id, Activity::Locked, locked.length, scaled(locked.length, worker.slowdown.factor),
                 apart(worker, overhead));
  }
  auto &body = worker.stack.emplace_back();
  body.lock = locked.ref;
  body.at = firstChild(timed, locked);
  spend(id, Activity::Overhead, 0, 0, apart(worker, overhead));
}

template class SegmentEngine<Thread>;
template class SegmentEngine<Worker>;

} // namespace prophet
