//===- TaskEngine.cpp - Event by event emulation of tasks -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/TaskEngine.h"

#include <algorithm>
#include <cassert>

namespace prophet {

TaskEngine::TaskEngine(const RegionContext &context)
    : TeamEngine(context), paradigm(context.options.paradigm), dice(context.options.seed),
      traits(findSpawnTraits(timed, context.chains, context.options)) {
  if (paradigm != Paradigm::OpenMP) // everything is tasks of one team
    deepestTeam = std::min(deepestTeam, 1u);
}

bool TaskEngine::spawnsIn(NodeId section) const {
  const auto children = timed.tree.childrenOf(section);
  return (traits[section] & Spawns) ||
         std::any_of(children.begin(), children.end(),
                     [&](const Child &child) { return traits[child.node] & Spawns; });
}

bool TaskEngine::spawnsIn(const Position &start) const {
  return anySection(start, [&](NodeId section) { return spawnsIn(section); });
}

bool TaskEngine::isFor(const Position &start) const {
  const unsigned level = context.teamSize(start.child->node) > 1;
  return anySection(start, [&](NodeId section) {
    if (!(traits[section] & HoldsTasks))
      return false;
    return spawnsIn(section) || level < deepestTeam ||
           (level > 0 && defersAlone() && timed.hasLock(section));
  });
}

ThreadTimes TaskEngine::run(const Region &opened) {
  const NodeId section = opened.start.child->node;
  begin(opened);
  workers.reserve(context.teamSize(section)); // they are not cheap to move
  workers.assign(1, {});
  freeThreads.clear();
  roused.clear();
  rousedInTasks = 0;
  groups.assign(0, {});
  records.clear();
  stepsInside = (context.teamSize(section) > context.cores() || deepestTeam > 1) &&
                !context.takesInnerWhole();
  finished = false;
  openRegion(0, opened.start, opened.asleep);
  while (!clock.idle()) {
    act(clock.next());
    clock.retire();
  }
  assert(finished && "a deadlock; unsupported() refuses such trees");
  return finish();
}

void TaskEngine::act(std::uint32_t id) {
  if (workers[id].comes > 0)
    id = nextRoused(id);
  switch (wake(id)) {
  case Worker::Then::StartTeam:
    return startTeam(id);
  case Worker::Then::FinishRegion:
    finished = teamOf(id).outer.team == nobody;
    return joinTeam(id, 0);
  case Worker::Then::LeaveTeam:
    leaveRegion(id);
    break;
  case Worker::Then::Lock:
    return claim(id);
  case Worker::Then::RunAgain:
    return runAgain(id);
  case Worker::Then::ReachBarrier: // the other engine's
  case Worker::Then::Go:
    break;
  }
  Worker &worker = workers[id];
  if (worker.team == nobody && !finished) { // what it was to look for was done by others
    freeThreads.insert(id);
    return;
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

/// Whether `child` is one piece of time for `worker`: nobody else can meet it inside.
bool TaskEngine::fuses(const TimedChild &child, const Worker &worker) const {
  if (child.traits.isPlain())
    return true;
  if (child.traits.hasLock)
    return false;
  if ((traits[child.node] & OpensTeam) && teams[worker.team].level < deepestTeam)
    return false;
  return !stepsInside && (worker.inner > 0 || !(traits[child.node] & Spawns));
}

/// Whether `worker` opens a team for `section`.
bool TaskEngine::opens(NodeId section, const Worker &worker) const {
  return isParallel(section, worker) && !(traits[section] & IsSpawner);
}

/// The next child of a task, of what holds a lock, or of a section.
bool TaskEngine::stepChildren(std::uint32_t id) {
  Worker &worker = workers[id];
  TaskFrame &frame = worker.stack.back();
  if (frame.at.left == 0)
    return endFrame(id);
  const TimedChild &child = *frame.at.child;
  const NodeKind kind = child.traits.kind();
  if (kind == NodeKind::Task && frame.kind == TaskFrame::Kind::Spawner)
    return frame.isAlone ? spawnAlone(id) : spawn(id);
  if (fuses(child, worker)) {
    const std::uint64_t count = frame.at.left;
    frame.at.left = 1;
    if (kind == NodeKind::Section)
      frame.isInRegion = isInRegionOf(frame.at, worker);
    frame.at = frame.at.next();
    return spendFused(id, child, count);
  }
  const bool isTeam = kind == NodeKind::Section && !frame.isInRegion && opens(child.node, worker);
  if ((kind == NodeKind::L || isTeam) && worker.owed > 0)
    return payOwed(id);
  const Position start = frame.at;
  frame.at = start.next();
  if (isTeam) {
    openRegion(id, start, context.charges.blockTime <= 0);
    return true;
  }
  if (kind == NodeKind::Section) {
    frame.isInRegion = isInRegionOf(start, worker);
    enterSection(id, child);
  } else if (kind == NodeKind::L) {
    return acquire(id, child);
  } else {
    worker.stack.emplace_back().at = firstChild(timed, child);
  }
  return false;
}

/// A section inside the region: it spawns into the same team or runs on this worker alone.
void TaskEngine::enterSection(std::uint32_t id, const TimedChild &section) {
  const bool isSpawner = traits[section.node] & IsSpawner;
  if (workers[id].inner == 0 && isSpawner)
    pushSpawner(id, section);
  else if (defersAlone() && isSpawner)
    pushLone(id, section);
  else
    pushSerial(id, section);
}

void TaskEngine::pushSerial(std::uint32_t id, const TimedChild &section) {
  Worker &worker = workers[id];
  const bool parallel = context.chains.parallel(section.node);
  if (parallel)
    worker.owed += sectionOverhead(timed, context.options, context.charges, section.node);
  TaskFrame &serial = worker.stack.emplace_back(TaskFrame::Kind::Serial);
  serial.section = &section;
  serial.at = firstChild(timed, section);
  serial.since = clock.real();
  serial.isInner = parallel && context.options.paradigm == Paradigm::OpenMP;
  worker.inner += serial.isInner;
}

/// For the tasks that `section` spawns.
std::uint32_t TaskEngine::newGroup(const TimedChild &section, const Worker &spawner) {
  const std::uint32_t id = groups.take();
  groups[id].section = &section;
  groups[id].slowdown = spawner.slowdown;
  groups[id].account = spawner.account;
  return id;
}

/// `id` executes what `section` spawns, and waits for it.
void TaskEngine::pushSpawner(std::uint32_t id, const TimedChild &section) {
  const std::uint32_t group = newGroup(section, workers[id]);
  TaskFrame &frame = workers[id].stack.emplace_back(TaskFrame::Kind::Spawner);
  frame.section = &section;
  frame.since = clock.real();
  frame.group = group;
  if (timed.tree.sites[section.ref].kind == SiteKind::ParallelFor)
    return pushRange(id, section, group);
  frame.at = firstChild(timed, section);
  // Tasks of a large recursion lie far apart; the first two are about to run.
  for (const TimedChild *task = frame.at.child; task < frame.at.end && task < frame.at.child + 2;
       ++task)
    timed.fetch(*task);
}

/// The top frame has no children left.
bool TaskEngine::endFrame(std::uint32_t id) {
  Worker &worker = workers[id];
  if (worker.stack.back().kind == TaskFrame::Kind::Spawner)
    return worker.stack.back().isAlone ? joinAlone(id) : join(id);
  const TaskFrame &frame = worker.stack.back();
  const bool isSeen = frame.lock != nobody || frame.isTask || frame.kind == TaskFrame::Kind::Serial;
  if (isSeen && worker.owed > 0)
    return payOwed(id);
  if (frame.isTask) {
    endTask(id);
    return false;
  }
  if (frame.kind == TaskFrame::Kind::Serial) {
    worker.inner -= frame.isInner;
    leaveSection(frame);
    const bool isRegion = frame.isRegion;
    worker.stack.pop_back();
    if (isRegion)
      finishTeam(id);
    return isRegion;
  }
  const std::uint32_t lock = frame.lock;
  const bool isTold = frame.isTold;
  worker.stack.pop_back();
  if (lock != nobody)
    release(lock);
  if (isTold)
    tellEnd(id);
  return false;
}

void TaskEngine::leaveSection(const TaskFrame &frame) {
  context.tally.addSection(timed, *frame.section, (clock.real() - frame.since) * executions);
}

/// The end of a section waits for its tasks.
bool TaskEngine::join(std::uint32_t id) {
  if (!payOnce(id, workers[id].charges->tasks.wait))
    return true;
  Worker &worker = workers[id];
  const std::uint32_t group = worker.stack.back().group;
  if (groups[group].pending > 0) {
    if (paradigm == Paradigm::Cilk) {
      park(id, group);
      return false;
    }
    const bool busy = findWork(id, paradigm != Paradigm::Tbb);
    if (worker.idleAt != nobody)
      groups[group].waiter = id;
    return busy;
  }
  groups.give(group);
  const bool isRegion = worker.stack.back().isRegion;
  if (!isRegion)
    leaveSection(worker.stack.back());
  worker.stack.pop_back();
  if (isRegion)
    finishTeam(id);
  return isRegion;
}

} // namespace prophet
