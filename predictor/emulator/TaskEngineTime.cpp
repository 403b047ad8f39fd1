//===- TaskEngineTime.cpp - Segments and locks of the task engine ---------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/TaskEngine.h"

namespace prophet {

/// `id` is busy for `work` (`base` without the burden factor) and `overhead`.
void TaskEngine::spend(std::uint32_t id, Activity activity, Time base, Time work, Time overhead) {
  sums.useful += static_cast<double>(base);
  sums.memory += static_cast<double>(work - base);
  sums.overhead += static_cast<double>(overhead);
  clock.schedule(clock.now() + work + overhead, id);
  if (!context.listener)
    return;
  Worker &worker = workers[id];
  worker.segment = {id, activity, Place{context.site(region)}, clock.real(), 0};
  worker.segmentCharge =
      overhead > 0 ? static_cast<double>(overhead) / static_cast<double>(work + overhead) : 0;
}

bool TaskEngine::payOwed(std::uint32_t id) {
  const Time owed = workers[id].owed;
  workers[id].owed = 0;
  spend(id, Activity::Overhead, 0, 0, owed);
  return true;
}

/// `count` executions of `node` as one piece, after what is owed. Returns true: `id` is busy.
bool TaskEngine::spendFused(std::uint32_t id, NodeId node, std::uint64_t count) {
  Worker &worker = workers[id];
  const auto times = static_cast<Time>(count);
  const bool holds = !worker.isEmpty() && worker.stack.back().lock != nobody;
  const Time overhead = context.costs.overhead(node) * times + worker.owed;
  worker.owed = 0;
  if (timed.hasSection(node) || timed.kind(node) == NodeKind::Section)
    context.tally.addFused(timed.tree, node, static_cast<double>(count) * executions, factor);
  spend(id, holds ? Activity::Locked : Activity::Compute, timed.length[node] * times,
        context.costs.work(node, factor) * times, overhead);
  return true;
}

/// Tells the listener what the worker has been doing until now.
void TaskEngine::endSegment(Worker &worker) {
  Interval segment = worker.segment;
  segment.start = timed.grid.ticks(segment.start);
  segment.end = timed.grid.ticks(clock.real());
  worker.segment.start = clock.real();
  Interval charge = segment;
  charge.activity = Activity::Overhead;
  charge.end = segment.start + (segment.end - segment.start) * worker.segmentCharge;
  if (charge.end > charge.start)
    context.listener->interval(charge);
  segment.start = charge.end;
  if (segment.end > segment.start)
    context.listener->interval(segment);
}

/// `id` stops being idle.
void TaskEngine::endWait(std::uint32_t id) {
  Worker &worker = workers[id];
  sums.barrierWait += clock.real() - worker.waitsSince;
  if (!context.listener)
    return;
  if (clock.real() > worker.waitsSince)
    context.listener->interval({id, Activity::BarrierWait, Place{context.site(region)},
                                timed.grid.ticks(worker.waitsSince),
                                timed.grid.ticks(clock.real())});
  worker.segment = {id, Activity::Compute, Place{context.site(region)}, clock.real(), 0};
}

void TaskEngine::acquire(std::uint32_t id, NodeId node) {
  if (locks.acquire(timed.tree.nodes[node].ref, id, node, clock.real()))
    startLocked(id, node, context.charges.lockPair);
}

void TaskEngine::release(std::uint32_t lock) {
  const auto heir = locks.release(lock, clock.real());
  if (!heir)
    return;
  Worker &worker = workers[heir->thread];
  const double now = clock.real();
  sums.lockWait += now - heir->since;
  if (context.listener && now > heir->since)
    context.listener->interval({heir->thread, Activity::LockWait, Place{context.site(region)},
                                timed.grid.ticks(heir->since), timed.grid.ticks(now), lock});
  const Time handoff = charges->waits(now - heir->since).lockHandoff;
  if (!heir->wakes)
    return startLocked(heir->thread, heir->node, handoff);
  worker.then = Worker::Then::Lock;
  worker.wants = heir->node;
  spend(heir->thread, Activity::Overhead, 0, 0, handoff);
}

/// `id` was woken for the lock that it wants.
void TaskEngine::claim(std::uint32_t id) {
  const NodeId node = workers[id].wants;
  if (locks.acquireAwake(timed.tree.nodes[node].ref, id, node, clock.real()))
    startLocked(id, node, 0);
}

void TaskEngine::startLocked(std::uint32_t id, NodeId node, Time overhead) {
  const Node &locked = timed.tree.nodes[node];
  if (locked.childCount == 0) {
    workers[id].release = locked.ref;
    return spend(id, Activity::Locked, timed.length[node], context.costs.work(node, factor),
                 overhead);
  }
  TaskFrame body{TaskFrame::Kind::Sequence};
  body.lock = locked.ref;
  body.at = firstChild(timed.tree, node);
  workers[id].stack.push_back(body);
  spend(id, Activity::Overhead, 0, 0, overhead);
}

} // namespace prophet
