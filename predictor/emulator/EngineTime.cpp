//===- EngineTime.cpp - Segments and locks of the event engine ------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Engine.h"

namespace prophet {

/// `id` is busy for `work` (`base` without the burden factor) and `overhead`.
void Engine::spend(std::uint32_t id, Activity activity, Time base, Time work, Time overhead) {
  sums.useful += static_cast<double>(base);
  sums.memory += static_cast<double>(work - base);
  sums.overhead += static_cast<double>(overhead);
  clock.schedule(clock.now() + work + overhead, id);
  if (!context.listener)
    return;
  Thread &thread = threads[id];
  thread.segment = {id, activity, thread.place, clock.real(), 0};
  if (activity == Activity::Locked)
    thread.segment.lock = thread.release != nobody ? thread.release : thread.stack.back().lock;
  thread.segmentCharge =
      overhead > 0 ? static_cast<double>(overhead) / static_cast<double>(work + overhead) : 0;
}

/// `count` executions of `node` as one piece, after what is owed. Returns true: `id` is busy.
bool Engine::spendFused(std::uint32_t id, NodeId node, std::uint64_t count) {
  Thread &thread = threads[id];
  const auto times = static_cast<Time>(count);
  const bool holds = thread.stack.back().lock != nobody;
  const Time overhead = context.costs.overhead(node) * times + thread.owed;
  thread.owed = 0;
  if (timed.hasSection(node) || timed.kind(node) == NodeKind::Section)
    context.tally.addFused(timed.tree, node, static_cast<double>(count) * executions,
                           thread.factor);
  spend(id, holds ? Activity::Locked : Activity::Compute, timed.length[node] * times,
        context.costs.work(node, thread.factor) * times, overhead);
  return true;
}

bool Engine::payOwed(std::uint32_t id) {
  const Time owed = threads[id].owed;
  threads[id].owed = 0;
  spend(id, Activity::Overhead, 0, 0, owed);
  return true;
}

/// Tells the listener what the thread has been doing until now.
void Engine::endSegment(Thread &thread) {
  Interval segment = thread.segment;
  segment.start = timed.grid.ticks(segment.start);
  segment.end = timed.grid.ticks(clock.real());
  Interval charge = segment;
  charge.activity = Activity::Overhead;
  charge.lock = noLock;
  charge.place.whole = false;
  charge.end = segment.start + (segment.end - segment.start) * thread.segmentCharge;
  if (charge.end > charge.start)
    context.listener->interval(charge);
  segment.start = charge.end;
  if (segment.end > segment.start)
    context.listener->interval(segment);
}

bool Engine::acquire(std::uint32_t id, NodeId node) {
  if (locks.acquire(timed.tree.nodes[node].ref, id, node, clock.real()))
    startLocked(id, node, context.charges.lockPair);
  return true;
}

void Engine::release(std::uint32_t lock) {
  const auto heir = locks.release(lock, clock.real());
  if (!heir)
    return;
  Thread &thread = threads[heir->thread];
  const double now = clock.real();
  sums.lockWait += now - heir->since;
  if (context.listener && now > heir->since)
    context.listener->interval({heir->thread, Activity::LockWait, thread.place,
                                timed.grid.ticks(heir->since), timed.grid.ticks(now), lock});
  const Time handoff = teams[thread.team].charges->waits(now - heir->since).lockHandoff;
  if (!heir->wakes)
    return startLocked(heir->thread, heir->node, handoff);
  thread.then = Thread::Then::Lock;
  thread.wants = heir->node;
  spend(heir->thread, Activity::Overhead, 0, 0, handoff);
}

/// `id` was woken for the lock that it wants.
void Engine::claim(std::uint32_t id) {
  const NodeId node = threads[id].wants;
  if (locks.acquireAwake(timed.tree.nodes[node].ref, id, node, clock.real()))
    startLocked(id, node, 0);
}

void Engine::startLocked(std::uint32_t id, NodeId node, Time overhead) {
  Thread &thread = threads[id];
  const Node &locked = timed.tree.nodes[node];
  if (locked.childCount == 0) {
    thread.release = locked.ref;
    spend(id, Activity::Locked, timed.length[node], context.costs.work(node, thread.factor),
          overhead);
    return;
  }
  Frame body{Frame::Kind::Sequence};
  body.lock = locked.ref;
  body.at = firstChild(timed.tree, node);
  thread.stack.push_back(body);
  spend(id, Activity::Overhead, 0, 0, overhead);
}

} // namespace prophet
