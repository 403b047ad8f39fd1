//===- TaskEngineLoops.cpp - Loops of the task engine ---------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/TaskEngine.h"
#include "predictor/emulator/TaskLoops.h"

#include <utility>

namespace prophet {

/// `id` begins to split the loop `section`, on top of the frame that waits for it.
void TaskEngine::pushRange(std::uint32_t id, const TimedChild &section, std::uint32_t group) {
  const std::uint64_t iterations = timed.iterations(section.node);
  if (iterations == 0)
    return;
  TaskFrame range{TaskFrame::Kind::Range};
  range.section = &section;
  range.group = group;
  range.end = iterations;
  range.at = firstChild(timed, section);
  if (paradigm == Paradigm::Tbb)
    range.piece = newPiece(TbbPiece::whole(sizeOf(id)));
  if (paradigm == Paradigm::Cilk)
    range.grain = cilkGrain(iterations, sizeOf(id));
  if (paradigm == Paradigm::Tasks) { // the range is one of tasks, not of iterations
    range.countsTasks = true;
    range.end = TaskloopPlan(context.options.runtime, iterations, sizeOf(id)).tasks;
  }
  workers[id].stack.push_back(range);
}

bool TaskEngine::stepRange(std::uint32_t id) {
  Worker &worker = workers[id];
  TaskFrame &frame = worker.stack.back();
  const std::uint64_t left = frame.end - frame.begin;
  if (left == 0) {
    if (worker.owed > 0)
      return payOwed(id);
    if (frame.piece != nobody)
      endPiece(frame.piece);
    frame.isTask ? endTask(id) : worker.stack.pop_back();
    return false;
  }
  if (paradigm == Paradigm::Tasks)
    return !frame.countsTasks ? runIterations(id, frame.end)
           : isLibgomp()      ? spawnTaskloop(id)
                              : splitTaskloop(id);
  if (paradigm == Paradigm::Cilk)
    return left > frame.grain ? splitRange(id) : runIterations(id, frame.end);
  return stepPiece(id);
}

/// Cilk runs the first half as a child and leaves the second for thieves.
bool TaskEngine::splitRange(std::uint32_t id) {
  Worker &worker = workers[id];
  if (!payCreation(id))
    return true;
  TaskFrame &frame = worker.stack.back();
  const std::uint64_t middle = frame.begin + (frame.end - frame.begin) / 2;
  TaskFrame child = frame;
  child.isTask = true;
  child.end = middle;
  if (context.listener)
    child.since = clock.real();
  frame.begin = middle;
  frame.at = positionOf(frame.section->node, middle, frame.at.child);
  openFrame(id);
  worker.stack.push_back(child);
  return false;
}

/// The next task of libomp's taskloop; of many, half of them as one task that creates them
/// (`__kmp_taskloop_recur`).
bool TaskEngine::splitTaskloop(std::uint32_t id) {
  Worker &worker = workers[id];
  if (!payCreation(id))
    return true;
  TaskFrame &frame = worker.stack.back();
  const TaskloopPlan plan(context.options.runtime, timed.iterations(frame.section->node),
                          sizeOf(id));
  // The creator's tasks, whoever creates them (`__kmp_task_dup_alloc`); it waits for all of them.
  const std::uint32_t creator = frame.isTask ? records.parentOf(worker.record) : worker.record;
  TaskEntry task{nullptr, frame.group, creator, id};
  if (context.listener)
    task.since = clock.real();
  if (frame.end - frame.begin > plan.linear) {
    task.begin = frame.begin + (frame.end - frame.begin) / 2;
    task.end = frame.end;
    task.countsTasks = true;
    frame.end = task.begin;
  } else {
    task.begin = plan.start(frame.begin);
    task.end = plan.start(++frame.begin);
  }
  if (roomFor(worker) == 0)
    return startTask(id, task, nobody);
  push(id, task);
  return false;
}

/// libgomp creates all tasks of a taskloop. Then it queues them together, or runs one after the
/// other where there is no room for all (`GOMP_taskloop`).
bool TaskEngine::spawnTaskloop(std::uint32_t id) {
  Worker &worker = workers[id];
  const std::uint64_t tasks = worker.stack.back().end;
  if (!payOnce(id, worker.charges->tasks.create * static_cast<Time>(tasks)))
    return true;
  TaskFrame &frame = worker.stack.back();
  const TaskloopPlan plan(context.options.runtime, timed.iterations(frame.section->node),
                          sizeOf(id));
  if (frame.begin == 0) // of single tasks one more is queued
    frame.isFull = roomFor(worker) <= tasks;
  const auto next = [&] {
    TaskEntry task{nullptr, frame.group, worker.record, id};
    if (context.listener)
      task.since = clock.real();
    task.begin = plan.start(frame.begin);
    task.end = plan.start(++frame.begin);
    return task;
  };
  if (frame.isFull)
    return startTask(id, next(), nobody);
  while (frame.begin < frame.end)
    push(id, next());
  return false;
}

Position TaskEngine::positionOf(NodeId section, std::uint64_t iteration,
                                const TimedChild *hint) const {
  const auto children = timed.childrenOf(section);
  const TimedChild *child = timed.childAt(section, iteration, hint ? hint : children.data());
  return {child, children.data() + children.size(), timed.first(child) + child->repeat - iteration};
}

/// Runs iterations of the top frame up to `end`, or up to one in which others can be met.
bool TaskEngine::runIterations(std::uint32_t id, std::uint64_t end) {
  Worker &worker = workers[id];
  TaskFrame &frame = worker.stack.back();
  const std::uint64_t first = frame.begin;
  const Piece piece = takeIterations(frame, end, worker.slowdown.factor,
                                     [&](const TimedChild &task) { return fuses(task, worker); });
  if (piece.count > 0) {
    spend(id, Activity::Compute, piece.base, piece.work,
          piece.overhead + std::exchange(worker.owed, 0));
    if (context.listener)
      tellWhole(id, loopOf(id, frame), first, piece.count);
    return true;
  }
  enterIteration(worker);
  if (context.listener)
    tellIteration(id, first);
  return false;
}

} // namespace prophet
