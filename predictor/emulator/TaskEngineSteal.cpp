//===- TaskEngineSteal.cpp - Deques and thieves ---------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/TaskEngine.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace prophet {

//===- Spawning -----------------------------------------------------------===//

/// Whether `cost`, of the top frame's next step, is paid; if not, `id` is busy with that.
bool TaskEngine::payOnce(std::uint32_t id, Time cost) {
  Worker &worker = workers[id];
  TaskFrame &frame = worker.stack.back();
  if (!std::exchange(frame.paid, true))
    worker.owed += cost;
  return worker.owed <= 0 || !payOwed(id);
}

/// The same for the creation of its next task.
bool TaskEngine::payCreation(std::uint32_t id) {
  const bool isPaid = payOnce(id, workers[id].charges->tasks.create);
  if (isPaid)
    workers[id].stack.back().paid = false;
  return isPaid;
}

/// How many more tasks `creator` can leave to others.
std::uint64_t TaskEngine::roomFor(const Worker &creator) const {
  const TaskTeam &team = teams[creator.team];
  if (isLibgomp())
    return roomInQueue(team.sharedCount, team.size);
  return isLibomp() ? dequeCapacity - team.deques[creator.number].count : ~std::uint64_t(0);
}

/// The top frame's next child is a task.
bool TaskEngine::spawn(std::uint32_t id) {
  Worker &worker = workers[id];
  if (!payCreation(id))
    return true;
  TaskFrame &frame = worker.stack.back();
  TaskEntry entry{frame.at.child, frame.group, worker.record, id};
  entry.begin = frame.begin;
  const std::uint64_t room = roomFor(worker);
  const bool isFull = room == 0;
  if (paradigm == Paradigm::Cilk || isFull) {
    ++frame.begin;
    frame.at = frame.at.next();
    if (paradigm == Paradigm::Cilk && frame.at.left > 0)
      openFrame(id);
    return startTask(id, entry, nobody);
  }
  if (worker.charges->tasks.create == 0) // all of them at this moment
    entry.count = frame.at.left;
  entry.count = std::min(entry.count, room);
  frame.begin += entry.count;
  frame.at.left -= entry.count - 1;
  frame.at = frame.at.next();
  if (context.listener)
    entry.since = clock.real();
  push(id, entry);
  return false;
}

void TaskEngine::push(std::uint32_t id, const TaskEntry &entry) {
  TaskTeam &team = teamOf(id);
  TaskDeque &own = team.deques[workers[id].number];
  groups[entry.group].pending += entry.count;
  (isLibgomp() ? team.sharedCount : own.count) += entry.count;
  std::deque<TaskEntry> &tasks = isLibgomp() ? team.shared : own.tasks;
  if (!tasks.empty() && tasks.back().isExtendedBy(entry))
    tasks.back().count += entry.count;
  else
    tasks.push_back(entry);
  if (!isLibgomp())
    setLoaded(team, workers[id].number, true);
  for (std::uint64_t n = 0; n < entry.count && rouseFor(team, &entry); ++n)
    ;
}

/// `id` begins with one of `entry`'s tasks, whose end `group` (or nobody) hears of.
bool TaskEngine::startTask(std::uint32_t id, const TaskEntry &entry, std::uint32_t group) {
  Worker &worker = workers[id];
  if (worker.isEmpty()) // at a barrier, perhaps behind another loop
    std::tie(worker.slowdown, worker.account) =
        std::tie(groups[entry.group].slowdown, groups[entry.group].account);
  TaskFrame &frame = worker.stack.emplace_back();
  frame.isTask = true;
  frame.group = group;
  if (!entry.isRange() && fuses(*entry.task, worker)) {
    spendFused(id, *entry.task, 1);
    if (context.listener)
      tellTask(id, entry, true);
    return true;
  }
  if (isOpenMP()) {
    frame.outerRecord = worker.record;
    worker.record = records.takeChild(entry.creator);
  }
  if (entry.isRange()) {
    beginRange(id, entry);
  } else {
    frame.at = firstChild(timed, *entry.task);
    timed.fetch(*(frame.at.end - 1)); // of a recursion, the section that calls it again
  }
  if (context.listener)
    tellTask(id, entry, false);
  return false;
}

/// `id`'s top frame is the piece `entry` of a loop.
void TaskEngine::beginRange(std::uint32_t id, const TaskEntry &entry) {
  TaskFrame &frame = workers[id].stack.back();
  frame.kind = TaskFrame::Kind::Range;
  frame.section = groups[entry.group].section;
  frame.isUndeferred = frame.group == nobody;
  frame.group = entry.group;
  frame.begin = entry.begin;
  frame.end = entry.end;
  frame.countsTasks = entry.countsTasks;
  frame.piece = entry.piece;
  if (entry.piece != nobody)
    beginPiece(entry.piece, entry.maker != id);
  if (!entry.countsTasks) // else it counts tasks
    frame.at = positionOf(frame.section->node, entry.begin, nullptr);
}

/// The task (or piece of a loop) of the top frame is done.
void TaskEngine::endTask(std::uint32_t id) {
  Worker &worker = workers[id];
  const TaskFrame &frame = worker.stack.back();
  const std::uint32_t group = frame.isUndeferred ? nobody : frame.group;
  const std::uint32_t outerRecord = frame.outerRecord;
  const bool isAlone = frame.isAlone, isTold = frame.isTold;
  worker.stack.pop_back();
  if (isTold)
    tellEnd(id);
  if (outerRecord != nobody) {
    records.give(worker.record);
    worker.record = outerRecord;
  }
  if (paradigm == Paradigm::Cilk)
    return worker.isEmpty() ? endStrand(id) : closeFrame(id);
  if (group == nobody)
    return;
  if (isAlone)
    --worker.lone[worker.inner].count;
  else
    teamOf(id).sharedCount -= isLibgomp();
  TaskGroup &waiting = groups[group];
  if (--waiting.pending == 0 && waiting.waiter != nobody)
    rouse(waiting.waiter);
}

//===- Stealing -----------------------------------------------------------===//

/// Gives `id` something to do, or makes it idle. \returns whether it is busy or idle.
bool TaskEngine::findWork(std::uint32_t id, bool constrained) {
  if (paradigm == Paradigm::Cilk) {
    if (stealContinuation(id))
      return false;
  } else if (isLibgomp()) {
    if (const auto entry = takeShared(id, constrained)) {
      workers[id].owed += entry->maker == id ? 0 : workers[id].charges->tasks.steal;
      return startTask(id, *entry, entry->group);
    }
  } else if (const auto own = takeOwn(id, constrained)) {
    return startTask(id, *own, own->group);
  } else if (const auto stolen = steal(id, constrained)) {
    workers[id].owed += workers[id].charges->tasks.steal;
    return startTask(id, *stolen, stolen->group);
  }
  goIdle(id);
  return true;
}

/// The `which` of the tasks at `place` of `team`'s deque `number`.
TaskEntry TaskEngine::remove(TaskTeam &team, std::uint32_t number,
                             std::deque<TaskEntry>::iterator place, Which which) {
  TaskDeque &deque = team.deques[number];
  const TaskEntry entry = takeOne(deque.tasks, place, which);
  --deque.count;
  if (deque.tasks.empty())
    setLoaded(team, number, false);
  return entry;
}

/// The newest of its own tasks, if that may run.
std::optional<TaskEntry> TaskEngine::takeOwn(std::uint32_t id, bool constrained) {
  const Worker &worker = workers[id];
  TaskTeam &team = teams[worker.team];
  std::deque<TaskEntry> &tasks = team.deques[worker.number].tasks;
  if (tasks.empty() || (constrained && !isAllowed(tasks.back(), worker)))
    return std::nullopt;
  return remove(team, worker.number, std::prev(tasks.end()), Which::Newest);
}

std::optional<TaskEntry> TaskEngine::steal(std::uint32_t id, bool constrained) {
  const Worker &thief = workers[id];
  const TaskTeam &team = teams[thief.team];
  std::uint32_t &lastVictim = teams[thief.team].deques[thief.number].lastVictim;
  if (isLibomp() && lastVictim != nobody)
    if (auto entry = stealFrom(lastVictim, thief, constrained))
      return entry;
  lastVictim = nobody;
  if (team.loaded.empty())
    return std::nullopt;
  const std::size_t first = dice.below(team.loaded.size());
  for (std::size_t n = 0; n < team.loaded.size(); ++n) {
    const std::uint32_t victim = team.loaded[(first + n) % team.loaded.size()];
    if (victim == thief.number)
      continue;
    if (auto entry = stealFrom(victim, thief, constrained)) {
      lastVictim = victim;
      return entry;
    }
  }
  return std::nullopt;
}

/// The oldest task of the member `victim`, if `thief` may run it: libomp looks no further.
std::optional<TaskEntry> TaskEngine::stealFrom(std::uint32_t victim, const Worker &thief,
                                               bool constrained) {
  TaskTeam &team = teams[thief.team];
  std::deque<TaskEntry> &tasks = team.deques[victim].tasks;
  if (tasks.empty() || (constrained && !isAllowed(tasks.front(), thief)))
    return std::nullopt;
  const TaskEntry stolen = remove(team, victim, tasks.begin(), Which::Oldest);
  if (isLibomp() && !tasks.empty()) // somebody may have wanted what lay behind it
    rouseFor(team, &tasks.front());
  return stolen;
}

/// OpenMP's task scheduling constraint: who waits in a tied task runs only descendants of it
/// (`__kmp_task_is_allowed`).
bool TaskEngine::isAllowed(const TaskEntry &entry, const Worker &worker) const {
  return records.descends(entry.creator, worker.record);
}

//===- Idleness -----------------------------------------------------------===//

/// Keeps `loaded`, the members from whom something can be stolen.
void TaskEngine::setLoaded(TaskTeam &team, std::uint32_t number, bool isLoaded) {
  std::vector<std::uint32_t> &loaded = team.loaded;
  std::uint32_t &place = team.deques[number].loadedAt;
  if (isLoaded == (place != nobody))
    return;
  if (isLoaded) {
    place = static_cast<std::uint32_t>(loaded.size());
    loaded.push_back(number);
    return;
  }
  loaded[place] = loaded.back();
  team.deques[loaded[place]].loadedAt = place;
  loaded.pop_back();
  place = nobody;
}

void TaskEngine::goIdle(std::uint32_t id) {
  TaskTeam &team = teamOf(id);
  Worker &worker = workers[id];
  if (worker.isEmpty()) // it does not wait in what it ran last
    worker.account = team.loops.empty() ? team.account : team.loops.back().account;
  worker.waitsSince = clock.real();
  worker.idleAt = static_cast<std::uint32_t>(team.idle.size());
  team.idle.push_back(id);
  await(id, team.spawns);
}

/// An idle worker acts again.
void TaskEngine::rouse(std::uint32_t id) {
  Worker &worker = workers[id];
  std::vector<std::uint32_t> &idle = teams[worker.team].idle;
  idle[worker.idleAt] = idle.back();
  workers[idle[worker.idleAt]].idleAt = worker.idleAt;
  idle.pop_back();
  worker.idleAt = nobody;
  if (!worker.isEmpty() && worker.stack.back().kind == TaskFrame::Kind::Spawner)
    groups[worker.stack.back().group].waiter = nobody;
  endWait(id);
  startNow(id);
  if (isLibomp()) {
    ++worker.comes;
    worker.rousedAt = static_cast<std::uint32_t>(roused.size());
    roused.push_back(id);
    rousedInTasks += !worker.isEmpty();
  }
}

/// Who acts in the place of `id`, which was roused: of the workers that look for tasks at one
/// moment any may be first, and it matters where some of them may not run all.
std::uint32_t TaskEngine::nextRoused(std::uint32_t id) {
  --workers[id].comes;
  std::uint32_t place = workers[id].rousedAt;
  if (roused.size() > 1 && rousedInTasks > 0)
    place = static_cast<std::uint32_t>(dice.below(roused.size()));
  else if (place == nobody) // it came in another's place before
    place = 0;
  const std::uint32_t first = roused[place];
  roused[place] = roused.back();
  workers[roused[place]].rousedAt = place;
  roused.pop_back();
  workers[first].rousedAt = nobody;
  rousedInTasks -= !workers[first].isEmpty();
  return first;
}

/// `id` stops being idle.
void TaskEngine::endWait(std::uint32_t id) {
  sumsOf(workers[id]).barrierWait += clock.real() - workers[id].waitsSince;
  reportWait(id, workers[id].place);
}

/// A random one of `team`'s idle workers that may run `entry` (or a continuation) comes for it.
bool TaskEngine::rouseFor(TaskTeam &team, const TaskEntry *entry) {
  const std::vector<std::uint32_t> &idle = team.idle;
  if (idle.empty())
    return false;
  const std::size_t first = dice.below(idle.size());
  for (std::size_t n = 0; n < idle.size(); ++n) {
    const std::uint32_t id = idle[(first + n) % idle.size()];
    const Worker &worker = workers[id];
    if (entry && !worker.isEmpty() &&
        ((isLibomp() && !isAllowed(*entry, worker)) ||
         (isLibgomp() && entry->group != worker.stack.back().group)))
      continue;
    rouse(id);
    return true;
  }
  return false;
}

} // namespace prophet
