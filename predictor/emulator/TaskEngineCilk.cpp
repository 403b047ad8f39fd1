//===- TaskEngineCilk.cpp - Continuations and their thieves ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/TaskEngine.h"

#include <utility>

namespace prophet {

/// What is left of the frame on top can be stolen while a child of it runs.
void TaskEngine::openFrame(std::uint32_t id) {
  Worker &worker = workers[id];
  worker.stack.back().open = true;
  worker.open.push_back(worker.stack.size() - 1);
  setLoaded(teamOf(id), worker.number, true);
  rouseFor(teamOf(id), nullptr);
}

/// The child of the frame on top has run: it goes on there, unless a thief does.
void TaskEngine::closeFrame(std::uint32_t id) {
  Worker &worker = workers[id];
  if (!std::exchange(worker.stack.back().open, false))
    return;
  worker.open.pop_back();
  if (worker.open.empty())
    setLoaded(teamOf(id), worker.number, false);
}

/// `id` is done with what it executed; the last one to come to a section's end goes on there.
void TaskEngine::endStrand(std::uint32_t id) {
  Worker &worker = workers[id];
  const std::uint32_t number = worker.strandGroup;
  TaskGroup &group = groups[number];
  worker.stack.clear();
  worker.base = 0;
  worker.strandGroup = nobody;
  if (--group.pending > 0 || !group.isParked)
    return;
  group.isParked = false;
  worker.stack.swap(group.parked);
  worker.strandGroup = group.parkedFor;
  if (context.listener)
    tellResumed(id, number);
}

/// `id` leaves the section's end to whoever ends the section's last task.
void TaskEngine::park(std::uint32_t id, std::uint32_t number) {
  Worker &worker = workers[id];
  TaskGroup &group = groups[number];
  if (context.listener)
    tellParked(id, number);
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
  TaskTeam &team = teamOf(id);
  if (team.loaded.empty())
    return false;
  const std::uint32_t from = team.loaded[dice.below(team.loaded.size())];
  Worker &thief = workers[id], &victim = workers[team.members[from]];
  const std::size_t above = victim.open.front() + 1;
  victim.open.pop_front();
  if (victim.open.empty())
    setLoaded(team, from, false);
  if (context.listener)
    tellStolen(id, team.members[from], above);
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
    victim.open.lower(above);
  }
  thief.owed += thief.charges->tasks.steal;
  return true;
}

} // namespace prophet
