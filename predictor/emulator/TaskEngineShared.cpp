//===- TaskEngineShared.cpp - libgomp's one queue of tasks ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libgomp (task.c) has one queue for a team. At a barrier a thread takes the oldest
// task; in a taskwait it takes the newest of those that it waits for, and no other.
// A team of one thread, as of a serialised region, has such a queue as well: where
// others wait for a lock, it matters when its tasks are run.
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/TaskEngine.h"

#include <algorithm>
#include <optional>

namespace prophet {

namespace {

/// The newest of the tasks that `group` waits for.
std::deque<TaskEntry>::iterator newestOf(std::deque<TaskEntry> &tasks, std::uint32_t group) {
  const auto newest = std::find_if(tasks.rbegin(), tasks.rend(),
                                   [&](const TaskEntry &entry) { return entry.group == group; });
  return newest == tasks.rend() ? tasks.end() : std::prev(newest.base());
}

} // namespace

/// A task that `id` may run: `isWaiting` for what its top frame spawned, or at a barrier.
std::optional<TaskEntry> TaskEngine::takeShared(std::uint32_t id, bool isWaiting) {
  std::deque<TaskEntry> &shared = teamOf(id).shared;
  const auto place = isWaiting ? newestOf(shared, workers[id].stack.back().group) : shared.begin();
  if (place == shared.end())
    return std::nullopt;
  return takeOne(shared, place, isWaiting ? Which::Newest : Which::Oldest);
}

//===- Teams of one -------------------------------------------------------===//

/// `id`, alone in its team, executes what `section` spawns. All that costs is owed beforehand.
void TaskEngine::pushLone(std::uint32_t id, const TimedChild &section) {
  Worker &worker = workers[id];
  worker.owed += sectionOverhead(timed, context.options, context.charges, section.node);
  TaskFrame frame{TaskFrame::Kind::Spawner};
  frame.isAlone = true;
  frame.section = &section;
  frame.at = firstChild(timed, section);
  frame.since = clock.real();
  frame.group = newGroup(section, worker);
  worker.stack.push_back(frame);
  if (worker.lone.size() <= worker.inner)
    worker.lone.resize(worker.inner + 1);
}

/// The top frame's next child is a task: it is left for the wait, while there is room.
bool TaskEngine::spawnAlone(std::uint32_t id) {
  Worker &worker = workers[id];
  TaskFrame &frame = worker.stack.back();
  LoneQueue &lone = worker.lone[worker.inner];
  TaskEntry entry{frame.at.child, frame.group, worker.record, id};
  entry.begin = frame.begin;
  const std::uint64_t room = roomInQueue(lone.count, 1);
  if (room == 0) {
    ++frame.begin;
    frame.at = frame.at.next();
    return startTask(id, entry, nobody);
  }
  entry.count = std::min(frame.at.left, room);
  frame.begin += entry.count;
  frame.at.left -= entry.count - 1;
  frame.at = frame.at.next();
  groups[entry.group].pending += entry.count;
  lone.count += entry.count;
  lone.waiting.push_back(entry);
  return false;
}

/// The section ends with a wait, in which its tasks are run.
bool TaskEngine::joinAlone(std::uint32_t id) {
  Worker &worker = workers[id];
  const TaskFrame ended = worker.stack.back();
  if (groups[ended.group].pending > 0) {
    std::deque<TaskEntry> &waiting = worker.lone[worker.inner].waiting;
    const TaskEntry entry = takeOne(waiting, newestOf(waiting, ended.group), Which::Newest);
    const bool isBusy = startTask(id, entry, entry.group);
    worker.stack.back().isAlone = true;
    return isBusy;
  }
  if (worker.owed > 0)
    return payOwed(id);
  worker.stack.pop_back();
  groups.give(ended.group);
  leaveSection(ended);
  return false;
}

} // namespace prophet
