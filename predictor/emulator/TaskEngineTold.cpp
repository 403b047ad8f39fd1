//===- TaskEngineTold.cpp - What listeners hear of tasks ------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which tasks and iterations a thread is in, and who took what from whom. Pieces of
// loops are not told, only the iterations that are run of them. A frame that a
// thief takes with its continuation carries the task that it is of to its row.
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/TaskEngine.h"

namespace prophet {

/// The loop of `frame`, a Range or Share of `id`'s.
const TimedChild &TaskEngine::loopOf(std::uint32_t id, const TaskFrame &frame) {
  return frame.kind == TaskFrame::Kind::Share ? *teamOf(id).loop(frame.loop).at.child
                                              : *frame.section;
}

/// How many tasks or iterations an execution of `section` has.
std::uint64_t TaskEngine::tasksOf(const TimedChild &section) const {
  std::uint64_t count = 0;
  for (const TimedChild &child : timed.childrenOf(section))
    count += child.traits.kind() == NodeKind::Task ? child.repeat : 0;
  return count;
}

/// `id` begins with the first of `entry`'s tasks, whose frame is on top.
void TaskEngine::tellTask(std::uint32_t id, const TaskEntry &entry, bool isWhole) {
  workers[id].stack.back().since = clock.real();
  if (entry.maker != id)
    context.listener->takes(id, entry.maker, timed.grid.ticks(entry.since), realTicks());
  const TimedChild &section = *groups[entry.group].section;
  if (isWhole)
    tellWhole(id, section, entry.begin, 1);
  else if (!entry.isRange())
    tellBegin(id, section, entry.begin);
}

/// `id`'s top frame is task or iteration `number` of `section`, and begins.
void TaskEngine::tellBegin(std::uint32_t id, const TimedChild &section, std::uint64_t number) {
  TaskFrame &frame = workers[id].stack.back();
  frame.isTold = true;
  frame.section = &section;
  frame.begin = number;
  context.listener->taskBegins(id, placeOf(frame), realTicks());
}

/// ... and ends.
void TaskEngine::tellEnd(std::uint32_t id) { context.listener->taskEnds(id, realTicks()); }

/// `id`'s top frame is iteration `number` of the loop below it.
void TaskEngine::tellIteration(std::uint32_t id, std::uint64_t number) {
  const std::vector<TaskFrame> &stack = workers[id].stack;
  tellBegin(id, loopOf(id, stack[stack.size() - 2]), number);
}

/// The segment that `id` has just begun is `count` tasks or iterations from beginning to end.
void TaskEngine::tellWhole(std::uint32_t id, const TimedChild &section, std::uint64_t first,
                           std::uint64_t count) {
  workers[id].segment.place = {section.ref, first, count, true};
}

/// The tasks of `id`'s frames below place `above` stop at `since`.
void TaskEngine::tellLeft(std::uint32_t id, std::size_t above, double since) {
  const Worker &worker = workers[id];
  std::size_t count = 0;
  for (std::size_t place = worker.base; place < above; ++place)
    count += worker.stack[place].isTold;
  if (count > 0)
    context.listener->tasksLeave(id, count, since);
}

/// `thief` is about to take the frames of `victim` below place `above`, where a child of theirs is.
void TaskEngine::tellStolen(std::uint32_t thief, std::uint32_t victim, std::size_t above) {
  const Worker &from = workers[victim];
  const double since = timed.grid.ticks(from.stack[above].since);
  tellLeft(victim, above, since);
  context.listener->takes(thief, victim, since, realTicks());
  for (std::size_t place = from.base; place < above; ++place)
    if (from.stack[place].isTold)
      context.listener->taskResumes(thief, placeOf(from.stack[place]), realTicks());
}

/// `id` is about to leave its stack to whoever ends the last task of `group`.
void TaskEngine::tellParked(std::uint32_t id, std::uint32_t group) {
  parkings[group] = {id, clock.real()};
  tellLeft(id, workers[id].stack.size(), realTicks());
}

/// `id` goes on with what was parked in `group`.
void TaskEngine::tellResumed(std::uint32_t id, std::uint32_t group) {
  const Parking &parking = parkings[group];
  if (parking.worker != id)
    context.listener->takes(id, parking.worker, timed.grid.ticks(parking.since), realTicks());
  for (const TaskFrame &frame : workers[id].stack)
    if (frame.isTold)
      context.listener->taskResumes(id, placeOf(frame), realTicks());
}

} // namespace prophet
