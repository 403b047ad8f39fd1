//===- EngineTeams.cpp - Teams and loops of the event engine --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Engine.h"

namespace prophet {

/// Gives `team` threads of higher numbers than its master's and than each other's: of threads that
/// act at one moment the lower-numbered goes first.
void Engine::addMembers(Team &team) {
  auto next = freeThreads.upper_bound(team.members[0]);
  while (team.members.size() < team.size)
    if (next != freeThreads.end()) {
      team.members.push_back(*next);
      next = freeThreads.erase(next);
    } else {
      team.members.push_back(static_cast<std::uint32_t>(workers.size()));
      workers.emplace_back();
    }
}

/// `master` meets the parallel section at `start`: it forks a team, which takes a while, and longer
/// where its threads are `asleep`.
void Engine::openTeam(std::uint32_t master, Position start, bool asleep) {
  const std::uint32_t id = teams.take();
  Thread &thread = workers[master];
  Team &team = teams[id];
  const bool outermost = thread.stack.empty();
  team.size = context.teamSize(start.child->node);
  team.level = (outermost ? 0 : teams[thread.team].level) + (team.size > 1);
  team.charges = &context.charges.team(team.size);
  team.factor = outermost ? 0 : thread.factor;
  team.outer = {thread.team, thread.number, thread.factor, thread.charges, thread.place};
  thread.place = {context.site(start.child->node)};
  team.members.assign(1, master);
  team.atBarrier = 0;
  team.arrivals = 0;
  team.firstLoop = 0;
  pushLoop(team, start, 0).since = clock.real();
  thread.team = id;
  thread.number = 0;
  thread.charges = team.charges;
  thread.then = Thread::Then::StartTeam;
  const Time fork = (asleep ? team.charges->asleep : team.charges->spinning).fork;
  sums.teamWait += static_cast<double>(fork) * (team.size - 1);
  spend(master, Activity::Overhead, 0, 0, fork);
}

void Engine::startTeam(std::uint32_t master) {
  const std::uint32_t id = workers[master].team;
  addMembers(teams[id]);
  for (unsigned number = 0; number < teams[id].size; ++number) {
    const std::uint32_t member = teams[id].members[number];
    Thread &thread = workers[member];
    thread.team = id;
    thread.number = number;
    thread.charges = teams[id].charges;
    thread.stack.push_back({Frame::Kind::Worker});
    enterLoop(thread, thread.stack.back(), 0);
    startNow(member);
  }
}

/// The barrier at a region's end. The last thread to come sets the master free.
void Engine::reachBarrier(std::uint32_t id) {
  Team &team = teams[workers[id].team];
  const unsigned size = team.size;
  workers[id].waitsSince = clock.real();
  team.arrivals += clock.real();
  if (++team.atBarrier < size)
    return;
  sums.barrierWait += clock.real() * size - team.arrivals;
  for (unsigned number = size; number-- > 0;) {
    const std::uint32_t member = team.members[number];
    reportWait(member, {context.site(team.loops.back().section)});
    if (number > 0)
      workers[member].stack.clear();
  }
  freeThreads.insert(team.members.begin() + 1, team.members.end());
  const std::uint32_t master = team.members.front();
  workers[master].then = Thread::Then::LeaveTeam;
  workers[master].place.count = 0;
  const Time join = team.charges->waits(clock.real() - workers[master].waitsSince).join;
  sums.teamWait += static_cast<double>(join) * (size - 1);
  spend(master, Activity::Overhead, 0, 0, join);
}

/// The master goes on behind the region.
void Engine::leaveTeam(std::uint32_t master) {
  Thread &thread = workers[master];
  Team &team = teams[thread.team];
  const Loop &last = team.loops.back();
  closeLoop(last);
  thread.stack.pop_back();
  if (!thread.stack.empty())
    thread.stack.back().at = last.at.next();
  team.loops.clear();
  teams.give(thread.team);
  thread.team = team.outer.team;
  thread.number = team.outer.number;
  thread.factor = team.outer.factor;
  thread.charges = team.outer.charges;
  thread.place = team.outer.place;
}

Loop &Engine::pushLoop(Team &team, Position at, Time gap) {
  const NodeId section = at.child->node;
  const unsigned size = team.size;
  team.loops.push_back({at, section, gap, TeamLoop(context, section, size),
                        team.level <= 1 ? context.factor(section, size) : team.factor});
  // One thread's run of the gap is the serial program's; the others' is charged as overhead.
  sums.useful += static_cast<double>(gap);
  sums.overhead -= static_cast<double>(gap);
  return team.loops.back();
}

void Engine::enterLoop(Thread &thread, Frame &frame, std::uint64_t number) {
  Team &team = teams[thread.team];
  const Loop &loop = team.loop(number);
  frame = {Frame::Kind::Worker};
  frame.loop = number;
  thread.factor = loop.factor;
  thread.place = {context.site(loop.section)};
  thread.owed += loop.gap;
}

/// Takes `thread`'s next chunk of `loop`, if there is one.
bool Engine::takeChunk(Loop &loop, const Thread &thread, Frame &frame) {
  const auto chunk = loop.chunks.take(thread.number, frame.turn++);
  if (!chunk)
    return false;
  frame.begin = chunk->first;
  frame.end = chunk->second;
  const auto children = timed.tree.childrenOf(loop.section);
  const bool ahead = frame.at.left > 0 && timed.first(frame.at.child) <= frame.begin;
  const Child *child =
      timed.childAt(loop.section, frame.begin, ahead ? frame.at.child : children.data());
  frame.at = {child, children.data() + children.size(),
              timed.first(child) + child->repeat - frame.begin};
  return true;
}

/// `id` is through with its loop: it goes on to the next of the region, or waits at its end.
bool Engine::leaveLoop(std::uint32_t id) {
  Thread &thread = workers[id];
  Team &team = teams[thread.team];
  Frame &frame = thread.stack.back();
  Loop &loop = team.loop(frame.loop);
  ++loop.left;
  const auto link = context.chains.next(loop.at);
  if (!link) {
    reachBarrier(id);
    return true;
  }
  const std::uint64_t number = frame.loop + 1;
  if (loop.left == team.size) {
    closeLoop(loop);
    if (number == team.firstLoop + team.loops.size())
      pushLoop(team, link->section, link->gap);
    team.loops.pop_front(); // threads leave loops in order: it is the first
    ++team.firstLoop;
  } else if (number == team.firstLoop + team.loops.size()) {
    pushLoop(team, link->section, link->gap);
  }
  enterLoop(thread, frame, number);
  return false;
}

void Engine::closeLoop(const Loop &loop) {
  context.tally.siteElapsed[timed.tree.nodes[loop.section].ref] +=
      (clock.real() - loop.since) * executions;
}

} // namespace prophet
