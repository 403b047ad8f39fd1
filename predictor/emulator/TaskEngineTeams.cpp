//===- TaskEngineTeams.cpp - Teams whose members share tasks --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A region's team, and the teams that its workers open inside tasks and iterations.
// Each has its own deques or queue, which the outer team's stay beside: while a
// worker is the master of an inner team, others may take what it left in its outer
// team's deque, but it takes nothing itself.
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/TaskEngine.h"

#include <utility>

namespace prophet {

void TaskEngine::openRegion(std::uint32_t master, Position start, bool asleep) {
  const NodeId section = start.child->node;
  TaskTeam &team = openTeam(master, section, asleep);
  Worker &worker = workers[master];
  team.section = start.child;
  team.spawns = spawnsIn(start);
  team.outerTask = {worker.record, worker.inner, worker.base, std::exchange(worker.lone, {})};
  const bool isChain = context.chains.next(start).has_value();
  worker.inner = team.size == 1 && isChain; // as a serialised region's thread
  worker.base = worker.stack.size();
  if (isChain || (team.size > 1 && !(traits[section] & IsSpawner)))
    pushLoop(team, start, 0).since = clock.real();
}

/// The team is there: one worker executes the section's code or, in worksharing loops, all do.
void TaskEngine::startTeam(std::uint32_t master) {
  TaskTeam &team = teamOf(master);
  if (team.size == 1 && team.loops.empty())
    return startAlone(master);
  addMembers(team);
  if (team.deques.size() < team.size)
    team.deques.resize(team.size);
  for (std::uint32_t number = 0; number < team.size; ++number) {
    team.deques[number].lastVictim = nobody;
    Worker &worker = workers[team.members[number]];
    worker.team = workers[master].team;
    worker.number = number;
    worker.charges = team.charges;
    worker.slowdown = slowdownOf(team, team.section->node);
    worker.account = team.account;
    worker.place = {team.section->ref};
    worker.record = records.takeRoot();
  }
  if (!team.loops.empty())
    return startShares(team);
  for (std::uint32_t number = 1; number < team.size; ++number)
    goIdle(team.members[number]);
  pushSpawner(master, *team.section);
  workers[master].stack.front().isRegion = true;
  startNow(master);
}

/// The region's team is `master` alone.
void TaskEngine::startAlone(std::uint32_t master) {
  const TaskTeam &team = teamOf(master);
  const TimedChild &section = *team.section;
  Worker &worker = workers[master];
  worker.slowdown = slowdownOf(team, section.node);
  // What the section is charged as one inside another region, which it is not.
  const Time excess = traits[section.node] & IsSpawner ? 0 : context.charges.serializedRegion;
  worker.owed -= excess;
  const bool isFused = deepestTeam == 0 || !(traits[section.node] & OpensTeam);
  const Time around = team.charges->waits(0).join - (isFused ? excess : 0);
  context.tally.addSection(timed, section,
                           (clock.real() + static_cast<double>(around)) * executions);
  if (!isFused) {
    worker.record = records.takeRoot();
    pushSerial(master, section);
    worker.stack.back().isRegion = true;
    return startNow(master);
  }
  worker.then = Worker::Then::FinishRegion;
  spendFused(master, section, 1);
  if (context.listener)
    tellWhole(master, section, 0, tasksOf(section));
}

/// Every member takes its share of the region's first worksharing loop.
void TaskEngine::startShares(const TaskTeam &team) {
  for (const std::uint32_t id : team.members) {
    Worker &worker = workers[id];
    worker.stack.push_back({TaskFrame::Kind::Share});
    enterLoop(worker, worker.stack.back(), 0);
    startNow(id);
  }
}

bool TaskEngine::stepShare(std::uint32_t id) {
  Worker &worker = workers[id];
  TaskFrame &frame = worker.stack.back();
  if (frame.begin < frame.end)
    return runIterations(id, frame.end);
  TaskTeam &team = teams[worker.team];
  switch (takeTurn(id, team.loop(frame.loop), frame)) {
  case Turn::Busy:
    return true;
  case Turn::Chunk:
    return false;
  case Turn::Over:
    if (leaveLoop(id))
      return false;
    break;
  }
  worker.stack.pop_back();
  worker.waitsSince = clock.real();
  if (++team.atBarrier < team.size)
    return false; // at the barrier it runs the tasks of others
  finishTeam(id);
  return true;
}

/// `last` is the last one of its team that had something to do.
void TaskEngine::finishTeam(std::uint32_t last) {
  TaskTeam &team = teamOf(last);
  finished = team.outer.team == nobody;
  // OpenCilk's region is left by whoever ends its last task.
  const std::uint32_t master = isOpenMP() ? team.members.front() : last;
  const bool isThere = master == last || workers[master].idleAt != nobody;
  // Threads that wait for tasks look for them, and sleep only at once or never.
  const double waited =
      team.spawns || master == last ? 0 : clock.real() - workers[master].waitsSince;
  if (!finished)
    freeMembers(team, last);
  while (!team.idle.empty()) {
    const std::uint32_t id = team.idle.back();
    team.idle.pop_back();
    workers[id].idleAt = nobody;
    endWait(id);
  }
  if (isThere)
    joinTeam(master, waited);
  else // it is about to see that others did what it was roused for
    workers[master].then = Worker::Then::FinishRegion;
}

/// All but the master of `team` may be in other teams from now on; but who was roused, and has not
/// seen yet that there is nothing to do, only then.
void TaskEngine::freeMembers(const TaskTeam &team, std::uint32_t last) {
  for (std::uint32_t number = 1; number < team.size; ++number) {
    const std::uint32_t id = team.members[number];
    Worker &worker = workers[id];
    records.give(worker.record);
    worker.team = nobody;
    if (team.spawns || id == last) // the others have been waiting for their next team
      await(id);
    if (id == last || worker.idleAt != nobody)
      freeThreads.insert(id);
  }
}

/// `master` goes on behind its region.
void TaskEngine::leaveRegion(std::uint32_t master) {
  Worker &worker = workers[master];
  const TaskTeam &team = teams[worker.team];
  if (team.loops.empty() && team.size > 1) // the time of loops is counted where they end
    context.tally.addSection(timed, *team.section, clock.real() * executions);
  if (team.outer.team != nobody)
    records.give(worker.record);
  if (!team.loops.empty() && !worker.stack.empty()) // where other loops are in the region
    worker.stack.back().at = team.loops.back().at.next();
  worker.record = team.outerTask.record;
  worker.inner = team.outerTask.inner;
  worker.base = team.outerTask.base;
  worker.lone = std::move(teams[worker.team].outerTask.lone);
  leaveTeam(master);
}

} // namespace prophet
