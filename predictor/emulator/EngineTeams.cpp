//===- EngineTeams.cpp - Teams and loops of the event engine --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Engine.h"
#include "predictor/emulator/Pinning.h"

#include <algorithm>

namespace prophet {

void Engine::openRegion(std::uint32_t master, Position start, bool asleep) {
  Team &team = openTeam(master, start.child->node, asleep);
  pushLoop(team, start, 0).since = clock.real();
}

/// The `number`th thread of team `id`, with nothing to do yet.
Thread &Engine::enlist(std::uint32_t id, unsigned number) {
  const Team &team = teams[id];
  Thread &thread = workers[team.members[number]];
  thread.team = id;
  thread.number = number;
  thread.charges = team.charges;
  thread.stack.push_back({Frame::Kind::Worker});
  return thread;
}

void Engine::startTeam(std::uint32_t master) {
  const std::uint32_t id = workers[master].team;
  addMembers(teams[id]);
  if (isFlat(teams[id]))
    return startFlat(id);
  if (isPooled(teams[id]))
    return startPooled(id);
  for (unsigned number = 0; number < teams[id].size; ++number) {
    Thread &thread = enlist(id, number);
    enterLoop(thread, thread.stack.back(), 0);
    startNow(teams[id].members[number]);
  }
}

//===- Loops without events -----------------------------------------------===//

/// Whether nothing of what `team` does in the loop of `section` is to be seen from outside.
bool Engine::isFlat(const Team &team, NodeId section) const {
  if (timed.hasLock(section))
    return false;
  // How long inner sections take that run serially depends on when they run where cores are shared.
  return !timed.hasSection(section) || (!oversubscribable && team.level >= deepestTeam);
}

/// The same of all loops of its region. By the clock's readings a thread's work takes as long as on
/// a core of its own, so what the loops of one team look like does not depend on other teams. Where
/// threads stay on their cores, that is so for what is dealt out beforehand.
bool Engine::isFlat(const Team &team) const {
  if (context.listener)
    return false;
  for (Position at = team.loops.front().at;;) {
    if (!isFlat(team, at.child->node))
      return false;
    if (clock.isPinned() && context.plan(at.child->node, team.size).dealing >= Dealing::Queue)
      return false; // who takes how much depends on who shares a core with whom
    const auto link = context.chains.next(at);
    if (!link)
      return true;
    if (oversubscribable || isRelieved) // a site's elapsed time is real time
      return false;
    at = link->section;
  }
}

/// What becomes of a region of the one loop of `team`; those that are run again are kept.
const Engine::FlatRegion &Engine::flatRegion(const Team &team) {
  const Loop &loop = team.loops.front();
  const bool isKept = timed.executions[loop.section] > 1;
  FlatRegion &region = flatRegions[isKept ? loop.section : timed.tree.root]; // which is no section
  if (!isKept || region.finish.size() != team.size || region.factor != loop.slowdown.factor) {
    region.factor = loop.slowdown.factor;
    region.finish.assign(team.size, 0);
    region.shares = runFlatLoop(context, loop.section, team.size, region.factor, region.finish);
  }
  return region;
}

/// Whether the only loop of `team`, on whose threads' cores others may be, has so many chunks, and
/// so even ones, that its threads take something of it as long as there is something.
bool Engine::isPooled(const Team &team) {
  const Loop &loop = team.loops.front();
  if (context.listener || !clock.isPinned() || !isFlat(team, loop.section) ||
      context.chains.next(loop.at) || !isSharedOut(context, loop.section, team.size))
    return false;
  const std::vector<Time> &finish = flatRegion(team).finish;
  double sum = 0;
  for (const Time time : finish)
    sum += static_cast<double>(time);
  return static_cast<double>(*std::ranges::max_element(finish)) * team.size <=
         sum * (1 + 1.0 / manyChunks);
}

/// Has `team`, whose threads start now, go through the loops of its region, the last of which is
/// then the only one that is left; `finish`: when they are through. Returns the overhead.
double Engine::passThrough(Team &team, std::vector<Time> &finish) {
  const auto now = static_cast<double>(clock.now());
  finish.assign(team.size, clock.now());
  double overhead = 0;
  for (;;) {
    const Loop &loop = team.loops.front();
    const FlatShares shares =
        runFlatLoop(context, loop.section, team.size, loop.slowdown.factor, finish);
    const auto base = static_cast<double>(timed.length[loop.section]);
    sums.useful += base;
    spendMore(base, shares.work - base, loop.slowdown);
    overhead += shares.overhead;
    addInside(context, loop.section, loop.slowdown.factor, executions);
    const auto link = context.chains.next(loop.at);
    if (!link)
      return overhead;
    const auto last = static_cast<double>(*std::ranges::max_element(finish));
    context.tally.addSection(timed, loop.section,
                             (clock.real() + (last - now) - loop.since) * executions);
    Loop &after = pushLoop(team, link->section, link->gap);
    for (Time &time : finish)
      time += after.gap;
    overhead += static_cast<double>(after.gap) * team.size;
    after.since = clock.real() + (static_cast<double>(*std::ranges::min_element(finish)) - now);
    team.loops.pop_front();
    ++team.firstLoop;
  }
}

/// The one loop of `team`, in the tally; returns when its threads are through, from its start.
std::vector<Time> Engine::passLoop(const Team &team) {
  const FlatRegion &region = flatRegion(team);
  const Loop &loop = team.loops.front();
  const auto base = static_cast<double>(timed.length[loop.section]);
  sums.useful += base;
  spendMore(base, region.shares.work - base, loop.slowdown);
  sums.overhead += region.shares.overhead;
  addInside(context, loop.section, loop.slowdown.factor, executions);
  return region.finish;
}

/// Starts the team number `id`, whose threads take what there is in pieces.
void Engine::startPooled(std::uint32_t id) {
  Team &team = teams[id];
  team.pool = 0;
  for (const Time time : passLoop(team))
    team.pool += time;
  team.piece = std::max<Time>(1, team.pool / (manyChunks * team.size));
  for (unsigned number = 0; number < team.size; ++number) {
    enlist(id, number).then = Actor::Then::TakePiece;
    startNow(team.members[number]);
  }
}

void Engine::takePiece(std::uint32_t id) {
  Thread &thread = workers[id];
  Team &team = teams[thread.team];
  if (team.pool == 0)
    return reachBarrier(id);
  const Time piece = std::min(team.pool, team.piece);
  team.pool -= piece;
  thread.then = Actor::Then::TakePiece;
  clock.schedule(clock.now() + piece, id);
}

/// Starts the team number `id`, of which each thread next comes to the barrier.
void Engine::startFlat(std::uint32_t id) {
  Team &team = teams[id];
  std::vector<Time> finish;
  if (context.chains.next(team.loops.front().at)) {
    sums.overhead += passThrough(team, finish);
  } else {
    finish = passLoop(team);
    for (Time &time : finish)
      time += clock.now();
  }
  for (unsigned number = 0; number < team.size; ++number) {
    enlist(id, number).then = Actor::Then::ReachBarrier;
    clock.schedule(finish[number], team.members[number]);
  }
}

/// The barrier at a region's end. The last thread to come sets the master free.
void Engine::reachBarrier(std::uint32_t id) {
  Team &team = teams[workers[id].team];
  const unsigned size = team.size;
  workers[id].waitsSince = clock.real();
  team.arrivals += clock.real();
  if (++team.atBarrier < size)
    return await(id);
  sums.barrierWait += clock.real() * size - team.arrivals;
  for (unsigned number = size; number-- > 0;) {
    const std::uint32_t member = team.members[number];
    reportWait(member, {context.site(team.loops.back().section)});
    if (number > 0)
      workers[member].stack.clear();
  }
  if (id != team.members.front()) // as the others do since they came
    await(id);
  freeThreads.insert(team.members.begin() + 1, team.members.end());
  const std::uint32_t master = team.members.front();
  joinTeam(master, clock.real() - workers[master].waitsSince);
}

/// The master goes on behind the region.
void Engine::leaveRegion(std::uint32_t master) {
  Thread &thread = workers[master];
  const Position last = teams[thread.team].loops.back().at;
  thread.stack.pop_back();
  if (!thread.stack.empty())
    thread.stack.back().at = last.next();
  leaveTeam(master);
}

} // namespace prophet
