//===- TaskEngineSteal.cpp - Deques and thieves ---------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/TaskEngine.h"

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
  const bool isPaid = payOnce(id, charges->tasks.create);
  if (isPaid)
    workers[id].stack.back().paid = false;
  return isPaid;
}

/// How many more tasks `creator` can leave to others.
std::uint64_t TaskEngine::roomFor(const Worker &creator) const {
  if (isLibgomp())
    return roomInQueue();
  return isLibomp() ? dequeCapacity - creator.taskCount : ~std::uint64_t(0);
}

/// The top frame's next child is a task.
bool TaskEngine::spawn(std::uint32_t id) {
  Worker &worker = workers[id];
  if (!payCreation(id))
    return true;
  TaskFrame &frame = worker.stack.back();
  TaskEntry entry{frame.at.child->node, 1, frame.group, worker.record, id};
  const std::uint64_t room = roomFor(worker);
  const bool isFull = room == 0;
  if (paradigm == Paradigm::Cilk || isFull) {
    frame.at = frame.at.next();
    if (paradigm == Paradigm::Cilk && frame.at.left > 0)
      openFrame(id);
    return startTask(id, entry, nobody);
  }
  if (charges->tasks.create == 0) // all of them at this moment
    entry.count = frame.at.left;
  entry.count = std::min(entry.count, room);
  frame.at.left -= entry.count - 1;
  frame.at = frame.at.next();
  push(id, entry);
  return false;
}

void TaskEngine::push(std::uint32_t id, const TaskEntry &entry) {
  Worker &worker = workers[id];
  groups[entry.group].pending += entry.count;
  (isLibgomp() ? sharedCount : worker.taskCount) += entry.count;
  std::deque<TaskEntry> &tasks = isLibgomp() ? shared : worker.tasks;
  const bool extends = !tasks.empty() && !entry.isRange && !tasks.back().isRange &&
                       tasks.back().node == entry.node && tasks.back().group == entry.group &&
                       tasks.back().creator == entry.creator;
  if (extends)
    tasks.back().count += entry.count;
  else
    tasks.push_back(entry);
  if (!isLibgomp())
    setLoaded(id, true);
  for (std::uint64_t n = 0; n < entry.count && rouseFor(&entry); ++n)
    ;
}

/// `id` begins with one of `entry`'s tasks, whose end `group` (or nobody) hears of.
bool TaskEngine::startTask(std::uint32_t id, const TaskEntry &entry, std::uint32_t group) {
  Worker &worker = workers[id];
  TaskFrame frame{entry.isRange ? TaskFrame::Kind::Range : TaskFrame::Kind::Sequence};
  frame.isTask = true;
  frame.group = group;
  if (!entry.isRange && fuses(entry.node, worker)) {
    worker.stack.push_back(frame);
    return spendFused(id, entry.node, 1);
  }
  if (isOpenMP()) {
    frame.outerRecord = worker.record;
    worker.record = newRecord(entry.creator);
  }
  if (entry.isRange) {
    frame.section = entry.node;
    frame.group = entry.group;
    frame.begin = entry.begin;
    frame.end = entry.end;
    frame.divisor = entry.divisor;
    frame.piece = entry.piece;
    if (entry.piece != nobody)
      beginPiece(entry.piece, entry.maker != id);
    frame.isUndeferred = group == nobody;
    if (!(isOpenMP() && entry.divisor > 0)) // else it counts tasks
      frame.at = positionOf(entry.node, entry.begin, nullptr);
  } else {
    frame.at = firstChild(timed.tree, entry.node);
  }
  worker.stack.push_back(frame);
  return false;
}

/// The task whose frame was on top of `id`'s stack is done.
void TaskEngine::endTask(std::uint32_t id, const TaskFrame &ended) {
  Worker &worker = workers[id];
  if (ended.outerRecord != nobody) {
    records.give(worker.record);
    worker.record = ended.outerRecord;
  }
  if (paradigm != Paradigm::Cilk) {
    if (ended.group == nobody || ended.isUndeferred)
      return;
    sharedCount -= isLibgomp();
    TaskGroup &group = groups[ended.group];
    if (--group.pending == 0 && group.waiter != nobody)
      rouse(group.waiter);
    return;
  }
  if (worker.isEmpty())
    return endStrand(worker);
  TaskFrame &parent = worker.stack.back();
  if (!parent.open)
    return;
  parent.open = false;
  worker.open.pop_back();
  if (worker.open.empty())
    setLoaded(id, false);
}

//===- Continuations ------------------------------------------------------===//

/// What is left of the frame on top can be stolen while a child of it runs.
void TaskEngine::openFrame(std::uint32_t id) {
  Worker &worker = workers[id];
  worker.stack.back().open = true;
  worker.open.push_back(worker.stack.size() - 1);
  setLoaded(id, true);
  rouseFor(nullptr);
}

/// `worker` is done with what it executed; the last one to come to a section's end goes on there.
void TaskEngine::endStrand(Worker &worker) {
  TaskGroup &group = groups[worker.strandGroup];
  worker.stack.clear();
  worker.base = 0;
  worker.strandGroup = nobody;
  if (--group.pending > 0 || !group.isParked)
    return;
  group.isParked = false;
  worker.stack.swap(group.parked);
  worker.strandGroup = group.parkedFor;
}

/// `worker` leaves the section's end to whoever ends the section's last task.
void TaskEngine::park(Worker &worker, std::uint32_t number) {
  TaskGroup &group = groups[number];
  worker.stack.erase(worker.stack.begin(),
                     worker.stack.begin() + static_cast<std::ptrdiff_t>(worker.base));
  group.parked.clear();
  group.parked.swap(worker.stack);
  group.parkedFor = worker.strandGroup;
  group.isParked = true;
  worker.base = 0;
  worker.strandGroup = nobody;
}

/// Takes the oldest continuation of a random victim, with all that called it.
bool TaskEngine::stealContinuation(std::uint32_t id) {
  if (loaded.empty())
    return false;
  const std::uint32_t from = loaded[dice.below(loaded.size())];
  Worker &thief = workers[id], &victim = workers[from];
  const std::size_t above = victim.open.front() + 1;
  victim.open.pop_front();
  if (victim.open.empty())
    setLoaded(from, false);
  TaskFrame &stolen = victim.stack[above - 1];
  stolen.open = false;
  ++groups[stolen.group].pending;
  thief.strandGroup = victim.strandGroup;
  victim.strandGroup = stolen.group;
  const auto middle = victim.stack.begin() + static_cast<std::ptrdiff_t>(above);
  thief.stack.clear();
  thief.base = 0;
  if (above - victim.base <= victim.stack.size() - above) { // the shorter part moves
    thief.stack.assign(victim.stack.begin() + static_cast<std::ptrdiff_t>(victim.base), middle);
    victim.base = above;
  } else {
    std::vector<TaskFrame> upper(middle, victim.stack.end());
    victim.stack.erase(middle, victim.stack.end());
    thief.stack.swap(victim.stack);
    thief.base = victim.base;
    victim.stack.swap(upper);
    victim.base = 0;
    for (std::size_t &place : victim.open)
      place -= above;
  }
  thief.owed += charges->tasks.steal;
  return true;
}

//===- Stealing -----------------------------------------------------------===//

/// Gives `id` something to do, or makes it idle. \returns whether it is busy or idle.
bool TaskEngine::findWork(std::uint32_t id, bool constrained) {
  if (paradigm == Paradigm::Cilk) {
    if (stealContinuation(id))
      return false;
  } else if (isLibgomp()) {
    if (const auto entry = takeShared(id, constrained)) {
      workers[id].owed += entry->maker == id ? 0 : charges->tasks.steal;
      return startTask(id, *entry, entry->group);
    }
  } else if (const auto own = takeOwn(id, constrained)) {
    return startTask(id, *own, own->group);
  } else if (const auto stolen = steal(id, constrained)) {
    workers[id].owed += charges->tasks.steal;
    return startTask(id, *stolen, stolen->group);
  }
  goIdle(id);
  return true;
}

/// One of the tasks at `place` of `id`'s deque.
TaskEntry TaskEngine::remove(std::uint32_t id, std::deque<TaskEntry>::iterator place) {
  Worker &worker = workers[id];
  const TaskEntry entry = *place;
  --worker.taskCount;
  if (--place->count == 0)
    worker.tasks.erase(place);
  if (worker.tasks.empty())
    setLoaded(id, false);
  return entry;
}

/// The newest of its own tasks, if that may run.
std::optional<TaskEntry> TaskEngine::takeOwn(std::uint32_t id, bool constrained) {
  Worker &worker = workers[id];
  if (worker.tasks.empty() || (constrained && !isAllowed(worker.tasks.back(), worker)))
    return std::nullopt;
  return remove(id, std::prev(worker.tasks.end()));
}

std::optional<TaskEntry> TaskEngine::steal(std::uint32_t id, bool constrained) {
  Worker &thief = workers[id];
  if (isLibomp() && thief.lastVictim != nobody)
    if (auto entry = stealFrom(thief.lastVictim, thief, constrained))
      return entry;
  thief.lastVictim = nobody;
  if (loaded.empty())
    return std::nullopt;
  const std::size_t first = dice.below(loaded.size());
  for (std::size_t n = 0; n < loaded.size(); ++n) {
    const std::uint32_t victim = loaded[(first + n) % loaded.size()];
    if (victim == id)
      continue;
    if (auto entry = stealFrom(victim, thief, constrained)) {
      thief.lastVictim = victim;
      return entry;
    }
  }
  return std::nullopt;
}

/// The oldest task of `victim`, if `thief` may run it: libomp looks no further.
std::optional<TaskEntry> TaskEngine::stealFrom(std::uint32_t victim, const Worker &thief,
                                               bool constrained) {
  auto &tasks = workers[victim].tasks;
  if (tasks.empty() || (constrained && !isAllowed(tasks.front(), thief)))
    return std::nullopt;
  const TaskEntry stolen = remove(victim, tasks.begin());
  if (isLibomp() && !tasks.empty()) // somebody may have wanted what lay behind it
    rouseFor(&tasks.front());
  return stolen;
}

/// OpenMP's task scheduling constraint: who waits in a tied task runs only descendants of it
/// (`__kmp_task_is_allowed`).
bool TaskEngine::isAllowed(const TaskEntry &entry, const Worker &worker) const {
  const std::uint32_t level = records[worker.record].level;
  std::uint32_t creator = entry.creator;
  while (creator != worker.record && records[creator].level > level)
    creator = records[creator].parent;
  return creator == worker.record;
}

//===- Idleness -----------------------------------------------------------===//

/// Keeps `loaded`, the workers from whom something can be stolen.
void TaskEngine::setLoaded(std::uint32_t id, bool isLoaded) {
  std::uint32_t &place = workers[id].loadedAt;
  if (isLoaded == (place != nobody))
    return;
  if (isLoaded) {
    place = static_cast<std::uint32_t>(loaded.size());
    loaded.push_back(id);
    return;
  }
  loaded[place] = loaded.back();
  workers[loaded[place]].loadedAt = place;
  loaded.pop_back();
  place = nobody;
}

void TaskEngine::goIdle(std::uint32_t id) {
  workers[id].waitsSince = clock.real();
  workers[id].idleAt = static_cast<std::uint32_t>(idle.size());
  idle.push_back(id);
}

/// An idle worker acts again.
void TaskEngine::rouse(std::uint32_t id) {
  Worker &worker = workers[id];
  idle[worker.idleAt] = idle.back();
  workers[idle[worker.idleAt]].idleAt = worker.idleAt;
  idle.pop_back();
  worker.idleAt = nobody;
  if (!worker.isEmpty() && worker.stack.back().kind == TaskFrame::Kind::Spawner)
    groups[worker.stack.back().group].waiter = nobody;
  endWait(id);
  startNow(id);
}

/// `id` stops being idle.
void TaskEngine::endWait(std::uint32_t id) {
  sums.barrierWait += clock.real() - workers[id].waitsSince;
  reportWait(id, workers[id].place);
}

/// A random one of the idle workers that may run `entry` (or a continuation) comes for it.
bool TaskEngine::rouseFor(const TaskEntry *entry) {
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

std::uint32_t TaskEngine::newRecord(std::uint32_t parent) {
  const std::uint32_t id = records.take();
  records[id] = {parent, records[parent].level + 1};
  return id;
}

} // namespace prophet
