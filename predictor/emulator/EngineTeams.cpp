//===- EngineTeams.cpp - Teams and loops of the event engine --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Engine.h"

namespace prophet {

void Engine::openRegion(std::uint32_t master, Position start, bool asleep) {
  Team &team = openTeam(master, start.child->node, asleep);
  pushLoop(team, start, 0).since = clock.real();
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
