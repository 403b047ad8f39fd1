//===- EngineTeams.cpp - Teams and loops of the event engine --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Engine.h"
#include "predictor/emulator/Pinning.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

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
  thread.stack.emplace_back(Frame::Kind::Worker);
  return thread;
}

void Engine::startTeam(std::uint32_t master) {
  const std::uint32_t id = workers[master].team;
  addMembers(teams[id]);
  if (isFlat(teams[id]))
    return startFlat(id);
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
  return !timed.hasSection(section) || (!stepsInside && team.level >= deepestTeam);
}

/// Whether the one loop of `team`'s region takes one event of each thread. By the clock's readings
/// a thread's work takes as long as on a core of its own, so what the loop looks like does not
/// depend on other teams. Where threads stay on their cores, that is so for what is dealt out
/// beforehand.
bool Engine::isFlat(const Team &team) const {
  const Loop &loop = team.loops.front();
  return !context.listener && isFlat(team, loop.section) && !context.chains.next(loop.at) &&
         (!clock.isPinned() || !isSelfScheduled(loop));
}

/// Who takes how much of it depends on when the others come, and where threads stay on their cores,
/// on who shares one with whom.
bool Engine::isSelfScheduled(const Loop &loop) {
  return loop.chunks.plan.dealing >= Dealing::Queue;
}

/// What becomes of `loop` where all threads of `team` come at once; loops that are run again are
/// kept.
const Engine::FlatRegion &Engine::flatRegion(const Team &team, const Loop &loop) {
  const bool isKept = timed.executions[loop.section] > 1;
  FlatRegion &region = flatRegions[isKept ? loop.section : timed.tree.root]; // which is no section
  if (!isKept || region.finish.size() != team.size || region.factor != loop.slowdown.factor) {
    region.factor = loop.slowdown.factor;
    region.finish.assign(team.size, 0);
    const double onCore = clock.isPinned() ? std::max(1.0, 1.0 * team.size / context.cores()) : 1;
    region.shares =
        runFlatLoop(context, loop.section, team.size, region.factor, region.finish, onCore);
    region.longestChunk = longestChunk(loop);
  }
  return region;
}

/// What threads do in `loop`, in the tally.
void Engine::addLoop(const Loop &loop, const FlatShares &shares) {
  const auto base = static_cast<double>(timed.length[loop.section]);
  ThreadTimes &own = sums[loop.account];
  own.useful += base;
  spendMore(own, base, shares.work - base, loop.slowdown);
  own.overhead += shares.overhead + shares.turns;
  addInside(context, loop.section, loop.slowdown.factor, executions);
}

/// An upper bound of how long a chunk of `loop` is; of `guided`, one of the last.
double Engine::longestChunk(const Loop &loop) const {
  Time longest = 0;
  for (const TimedChild &task : timed.childrenOf(loop.section))
    longest = std::max(longest, task.length);
  return static_cast<double>(longest) * loop.slowdown.factor *
         static_cast<double>(loop.chunks.plan.chunk);
}

/// Has the threads of `team`, on whose cores others may be, take `loop` in pieces, if it has so
/// many chunks, and so even ones, that they take something of it as long as there is something.
void Engine::divide(const Team &team, Loop &loop) {
  if (!isSharedOut(context, loop.section, team.size))
    return;
  const FlatRegion &region = flatRegion(team, loop);
  const double all = std::accumulate(region.finish.begin(), region.finish.end(), 0.0);
  const auto longest = static_cast<double>(*std::ranges::max_element(region.finish));
  const FlatShares &shares = region.shares;
  const auto sum = static_cast<Time>(shares.work + shares.overhead + shares.turns);
  const Time piece = std::max<Time>(1, sum / (manyChunks * team.size));
  if (longest * team.size > all * (1 + 1.0 / manyChunks) ||
      region.longestChunk > static_cast<double>(piece))
    return;
  addLoop(loop, shares);
  loop.pool = sum;
  loop.piece = piece;
}

/// Finds out how long the threads of `team` take for loop `number`, to which the first of them
/// comes, if that is known by now.
void Engine::preview(Team &team, std::uint32_t number) {
  Loop &loop = team.loop(number);
  if (context.listener || !isFlat(team, loop.section))
    return;
  if (isSelfScheduled(loop) && clock.isPinned())
    return divide(team, loop);
  const bool isKnown = team.nextKnown == number && !clock.isPinned();
  if (isSelfScheduled(loop) && !isKnown)
    return;
  // The code between two loops takes all threads as long: it only matters how far apart they are.
  const std::vector<Time> come =
      isKnown && number > 0 ? team.through : std::vector<Time>(team.size);
  if (isSelfScheduled(loop)) {
    team.through = come;
    addLoop(loop,
            runFlatLoop(context, loop.section, team.size, loop.slowdown.factor, team.through));
    loop.shares.resize(team.size);
    std::ranges::transform(team.through, come, loop.shares.begin(), std::minus<>());
  } else { // it takes them as long whenever they come
    const FlatRegion &region = flatRegion(team, loop);
    addLoop(loop, region.shares);
    loop.shares = region.finish;
    team.through.resize(team.size);
    std::ranges::transform(come, loop.shares, team.through.begin(), std::plus<>());
  }
  team.nextKnown += isKnown;
}

/// `id` is busy with all that it does in `loop`, unless it has done so.
Engine::Turn Engine::takeShare(std::uint32_t id, Loop &loop, Frame &frame) {
  if (std::exchange(frame.turn, 0) != onItsWay)
    return Turn::Over;
  loop.since = std::min(loop.since, clock.real());
  occupy(id, loop.shares[workers[id].number]);
  return Turn::Busy;
}

/// `id` is busy with the next piece of `loop`, if there is one.
Engine::Turn Engine::takePiece(std::uint32_t id, Loop &loop, Frame &frame) {
  if (std::exchange(frame.turn, 0) == onItsWay)
    loop.since = std::min(loop.since, clock.real());
  if (loop.pool == 0)
    return Turn::Over;
  const Time piece = std::min(loop.pool, loop.piece);
  loop.pool -= piece;
  occupy(id, piece);
  return Turn::Busy;
}

/// Starts the team number `id`, of which each thread next comes to the barrier.
void Engine::startFlat(std::uint32_t id) {
  const Team &team = teams[id];
  const FlatRegion &region = flatRegion(team, team.loops.front());
  addLoop(team.loops.front(), region.shares);
  for (unsigned number = 0; number < team.size; ++number) {
    Thread &thread = enlist(id, number);
    thread.then = Actor::Then::ReachBarrier;
    thread.account = team.loops.front().account;
    occupy(team.members[number], region.finish[number]);
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
  sums[team.loops.back().account].barrierWait += clock.real() * size - team.arrivals;
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
