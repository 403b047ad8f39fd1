//===- TaskEngine.cpp - Event by event emulation of tasks -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/TaskEngine.h"

#include <cassert>

namespace prophet {

TaskEngine::TaskEngine(const RegionContext &context)
    : SegmentEngine(context), paradigm(context.options.paradigm), dice(context.options.seed),
      spawns(findSpawningNodes(timed, context.chains, paradigm)) {}

bool TaskEngine::isFor(NodeId section) const {
  if (spawns[section])
    return true;
  for (const Child &child : timed.tree.childrenOf(section))
    if (spawns[child.node])
      return true;
  return false;
}

ThreadTimes TaskEngine::run(const Region &opened) {
  begin(opened);
  region = opened.start.child->node;
  size = context.teamSize(region);
  charges = &context.charges.team(size);
  const Time fork = (opened.asleep ? charges->asleep : charges->spinning).fork;
  joinCost = charges->waits(0).join;
  finished = false;
  Worker worker;
  worker.factor = context.factor(region, size);
  worker.charges = charges;
  worker.place = {context.site(region)};
  workers.assign(size, worker);
  workers[0].then = Worker::Then::StartTeam;
  sums.teamWait += static_cast<double>(fork) * (size - 1);
  spend(0, Activity::Overhead, 0, 0, fork);
  while (!clock.idle()) {
    act(clock.next());
    clock.retire();
  }
  assert(finished && "a deadlock; unsupported() refuses such trees");
  if (size > 1)
    context.tally.siteElapsed[context.site(region)] += clock.real() * executions;
  return finish(region);
}

/// The team is there: one worker executes the section's code or, in a worksharing loop, all do.
void TaskEngine::startTeam() {
  if (size == 1) {
    workers[0].then = Worker::Then::FinishRegion;
    context.tally.siteElapsed[context.site(region)] +=
        (clock.real() + static_cast<double>(joinCost)) * executions;
    spendFused(0, region, 1);
    return;
  }
  groups.assign(0, {});
  records.assign(size, {nobody, 0});
  idle.clear();
  loaded.clear();
  shared.clear();
  sharedCount = 0;
  loop.reset();
  if (!spawns[region])
    return startShares();
  for (std::uint32_t id = 0; id < size; ++id) {
    workers[id].record = id;
    if (id > 0)
      goIdle(id);
  }
  pushSpawner(0, region);
  workers[0].stack.front().isRegion = true;
  startNow(0);
}

/// `id` is the last one in the region: it ends it.
void TaskEngine::finishRegion(std::uint32_t id) {
  finished = true;
  while (!idle.empty()) {
    const std::uint32_t last = idle.back();
    idle.pop_back();
    workers[last].idleAt = nobody;
    endWait(last);
  }
  workers[id].then = Worker::Then::LeaveTeam;
  sums.teamWait += static_cast<double>(joinCost) * (size - 1);
  spend(id, Activity::Overhead, 0, 0, joinCost);
}

void TaskEngine::act(std::uint32_t id) {
  Worker &worker = workers[id];
  switch (wake(id)) {
  case Worker::Then::StartTeam:
    return startTeam();
  case Worker::Then::FinishRegion:
    return finishRegion(id);
  case Worker::Then::LeaveTeam:
    return;
  case Worker::Then::Lock:
    return claim(id);
  case Worker::Then::RunAgain:
    return runAgain(id);
  case Worker::Then::Go:
    break;
  }
  for (bool busy = finished; !busy;)
    busy = worker.isEmpty() ? findWork(id, false) : step(id);
}

/// Steps return true when `id` is busy or has to wait.
bool TaskEngine::step(std::uint32_t id) {
  switch (workers[id].stack.back().kind) {
  case TaskFrame::Kind::Sequence:
  case TaskFrame::Kind::Serial:
  case TaskFrame::Kind::Spawner:
    return stepChildren(id);
  case TaskFrame::Kind::Range:
    return stepRange(id);
  case TaskFrame::Kind::Share:
    return stepShare(id);
  }
  return true;
}

/// Whether `node` is one piece of time for `worker`: nobody else can meet it inside.
bool TaskEngine::fuses(NodeId node, const Worker &worker) const {
  if (timed.hasLock(node))
    return false;
  if (!timed.hasSection(node) && timed.kind(node) != NodeKind::Section)
    return true;
  return size <= context.cores() && (worker.inner > 0 || !spawns[node]);
}

/// The next child of a task, of what holds a lock, or of a section.
bool TaskEngine::stepChildren(std::uint32_t id) {
  Worker &worker = workers[id];
  TaskFrame &frame = worker.stack.back();
  if (frame.at.left == 0)
    return endFrame(id);
  const NodeId node = frame.at.child->node;
  const NodeKind kind = timed.kind(node);
  if (kind == NodeKind::Task && frame.kind == TaskFrame::Kind::Spawner)
    return spawn(id);
  if (fuses(node, worker)) {
    const std::uint64_t count = frame.at.left;
    frame.at.left = 1;
    frame.at = frame.at.next();
    return spendFused(id, node, count);
  }
  if (kind == NodeKind::L && worker.owed > 0)
    return payOwed(id);
  frame.at = frame.at.next();
  if (kind == NodeKind::Section) {
    enterSection(id, node);
  } else if (kind == NodeKind::L) {
    return acquire(id, node);
  } else {
    TaskFrame body{TaskFrame::Kind::Sequence};
    body.at = firstChild(timed.tree, node);
    worker.stack.push_back(body);
  }
  return false;
}

/// A section inside the region: it spawns into the same team or runs on this worker alone.
void TaskEngine::enterSection(std::uint32_t id, NodeId section) {
  Worker &worker = workers[id];
  if (worker.inner == 0 && isSpawning(timed, context.chains, paradigm, section))
    return pushSpawner(id, section);
  const bool parallel = context.chains.parallel(section);
  if (parallel)
    worker.owed += sectionOverhead(timed, context.options, context.charges, section);
  TaskFrame serial{TaskFrame::Kind::Serial};
  serial.section = section;
  serial.at = firstChild(timed.tree, section);
  serial.since = clock.real();
  serial.isInner = parallel && context.options.paradigm == Paradigm::OpenMP;
  worker.inner += serial.isInner;
  worker.stack.push_back(serial);
}

/// `id` executes what `section` spawns, and waits for it.
void TaskEngine::pushSpawner(std::uint32_t id, NodeId section) {
  TaskFrame frame{TaskFrame::Kind::Spawner};
  frame.section = section;
  frame.since = clock.real();
  frame.group = groups.take();
  const bool isLoop = timed.tree.sites[context.site(section)].kind == SiteKind::ParallelFor;
  if (!isLoop)
    frame.at = firstChild(timed.tree, section);
  workers[id].stack.push_back(frame);
  if (isLoop)
    pushLoop(id, section, frame.group);
}

/// The top frame has no children left.
bool TaskEngine::endFrame(std::uint32_t id) {
  Worker &worker = workers[id];
  const TaskFrame frame = worker.stack.back();
  if (frame.kind == TaskFrame::Kind::Spawner)
    return join(id);
  const bool isSeen = frame.lock != nobody || frame.isTask || frame.kind == TaskFrame::Kind::Serial;
  if (isSeen && worker.owed > 0)
    return payOwed(id);
  worker.stack.pop_back();
  if (frame.kind == TaskFrame::Kind::Serial) {
    worker.inner -= frame.isInner;
    leaveSection(frame);
  }
  if (frame.lock != nobody)
    release(frame.lock);
  if (frame.isTask)
    endTask(id, frame);
  return false;
}

void TaskEngine::leaveSection(const TaskFrame &frame) {
  context.tally.siteElapsed[context.site(frame.section)] +=
      (clock.real() - frame.since) * executions;
}

/// The end of a section waits for its tasks.
bool TaskEngine::join(std::uint32_t id) {
  if (!payOnce(id, charges->tasks.wait))
    return true;
  Worker &worker = workers[id];
  const std::uint32_t group = worker.stack.back().group;
  if (groups[group].pending > 0) {
    if (paradigm == Paradigm::Cilk) {
      park(worker, group);
      return false;
    }
    const bool busy = findWork(id, paradigm != Paradigm::Tbb);
    if (worker.idleAt != nobody)
      groups[group].waiter = id;
    return busy;
  }
  const TaskFrame ended = worker.stack.back();
  worker.stack.pop_back();
  groups.give(group);
  if (ended.isRegion) {
    finishRegion(id);
    return true;
  }
  leaveSection(ended);
  return false;
}

} // namespace prophet
