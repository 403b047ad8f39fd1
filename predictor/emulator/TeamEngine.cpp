//===- TeamEngine.cpp - What both event engines do with teams -------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/TeamEngine.h"

#include "predictor/emulator/TaskWorker.h"

namespace prophet {

template <typename Member>
TeamEngine<Member>::TeamEngine(const RegionContext &context)
    : Base(context),
      deepestTeam(context.options.widestTeam() == 1 ? 0 : context.options.maxActiveLevels) {}

template <typename Member>
bool TeamEngine<Member>::isParallel(NodeId section, const Member &thread) const {
  return teams[thread.team].level < deepestTeam && context.chains.parallel(section) &&
         context.teamSize(section) > 1;
}

template <typename Member>
bool TeamEngine<Member>::isInRegionOf(const Position &at, const Member &thread) const {
  return teams[thread.team].level < deepestTeam && context.chains.parallel(at.child->node) &&
         context.chains.next(at);
}

template <typename Member>
typename Member::OwnTeam &TeamEngine<Member>::openTeam(std::uint32_t master, NodeId section,
                                                       bool asleep) {
  const std::uint32_t id = teams.take();
  Member &thread = workers[master];
  OwnTeam &team = teams[id];
  const bool outermost = thread.team == nobody;
  team.size = context.teamSize(section);
  team.level = (outermost ? 0 : teams[thread.team].level) + (team.size > 1);
  team.charges = &context.charges.team(team.size);
  team.slowdown = thread.slowdown;
  team.account = this->accountOf(section);
  team.outer = {thread.team,    thread.number,  thread.slowdown,
                thread.account, thread.charges, thread.place};
  thread.place = {context.site(section)};
  team.members.assign(1, master);
  team.atBarrier = 0;
  team.arrivals = 0;
  team.firstLoop = 0;
  team.nextKnown = 0;
  thread.team = id;
  thread.number = 0;
  thread.charges = team.charges;
  thread.account = team.account;
  thread.then = Actor::Then::StartTeam;
  const Time fork = (asleep ? team.charges->asleep : team.charges->spinning).fork;
  sums[team.account].teamWait += static_cast<double>(fork) * (team.size - 1);
  spend(master, Activity::Overhead, 0, 0, this->apart(thread, fork));
  return team;
}

/// They have higher numbers than its master's and than each other's: of threads that act at one
/// moment the lower-numbered goes first.
template <typename Member> void TeamEngine<Member>::addMembers(OwnTeam &team) {
  auto next = freeThreads.upper_bound(team.members[0]);
  while (team.members.size() < team.size)
    if (next != freeThreads.end()) {
      team.members.push_back(*next);
      next = freeThreads.erase(next);
    } else {
      team.members.push_back(static_cast<std::uint32_t>(workers.size()));
      workers.emplace_back();
    }
  // The system puts a thread that is woken up where nobody is, as long as there is such a core.
  for (unsigned number = 1; number < team.size; ++number)
    clock.place(team.members[number], team.members[0], number);
}

template <typename Member>
Slowdown TeamEngine<Member>::slowdownOf(const Team &team, NodeId section) const {
  return team.isNested() ? team.slowdown : context.slowdown(section, team.size);
}

template <typename Member> void TeamEngine<Member>::joinTeam(std::uint32_t master, double waited) {
  Member &thread = workers[master];
  const Team &team = teams[thread.team];
  thread.then = Actor::Then::LeaveTeam;
  thread.place.count = 0;
  const Time join = team.charges->waits(waited).join;
  thread.account = team.account;
  sums[team.account].teamWait += static_cast<double>(join) * (team.size - 1);
  spend(master, Activity::Overhead, 0, 0, this->apart(thread, join));
}

template <typename Member> void TeamEngine<Member>::leaveTeam(std::uint32_t master) {
  Member &thread = workers[master];
  Team &team = teams[thread.team];
  if (!team.loops.empty())
    closeLoop(team.loops.back());
  team.loops.clear();
  teams.give(thread.team);
  thread.team = team.outer.team;
  thread.number = team.outer.number;
  thread.slowdown = team.outer.slowdown;
  thread.account = team.outer.account;
  thread.charges = team.outer.charges;
  thread.place = team.outer.place;
}

//===- Loops --------------------------------------------------------------===//

template <typename Member> Loop &TeamEngine<Member>::pushLoop(Team &team, Position at, Time gap) {
  const NodeId section = at.child->node;
  const auto useful = static_cast<double>(gap);
  const std::uint32_t account = this->accountOf(section);
  ThreadTimes &own = sums[account];
  if (team.isNested()) {
    gap = scaled(gap, team.slowdown.factor);
    spendMore(own, useful, static_cast<double>(gap) - useful, team.slowdown);
  }
  team.loops.push_back({at, section, gap, TeamLoop(context, section, team.size),
                        slowdownOf(team, section), account});
  // One thread's run of the gap is the serial program's; the others' is charged as overhead.
  own.useful += useful;
  own.overhead -= static_cast<double>(gap);
  return team.loops.back();
}

template <typename Member> void TeamEngine<Member>::closeLoop(const Loop &loop) {
  context.tally.addSection(timed, loop.section, (clock.real() - loop.since) * executions);
}

template <typename Member>
void TeamEngine<Member>::enterLoop(Member &thread, Frame &frame, std::uint32_t number) {
  const Loop &loop = teams[thread.team].loop(number);
  frame = Frame{frame.kind};
  frame.loop = number;
  thread.slowdown = loop.slowdown;
  thread.account = loop.account;
  thread.place = {context.site(loop.section)};
  thread.owed += loop.gap;
}

template <typename Member> bool TeamEngine<Member>::leaveLoop(std::uint32_t id) {
  Member &thread = workers[id];
  Team &team = teams[thread.team];
  Frame &frame = thread.stack.back();
  Loop &loop = team.loop(frame.loop);
  ++loop.left;
  const auto link = context.chains.next(loop.at);
  if (!link)
    return false;
  const std::uint32_t number = frame.loop + 1;
  if (loop.left == team.size) {
    closeLoop(loop);
    if (number == team.loopsEnd())
      pushLoop(team, link->section, link->gap);
    team.loops.pop_front(); // threads leave loops in order: it is the first
    ++team.firstLoop;
  } else if (number == team.loopsEnd()) {
    pushLoop(team, link->section, link->gap);
  }
  enterLoop(thread, frame, number);
  return true;
}

/// Where `iteration` of `loop` is, which `from` does not reach; that is where the thread's last
/// chunk has ended, if it had one. Has what the thread needs of its next chunks come into the
/// cache, if these are as far from each other.
template <typename Member>
Position TeamEngine<Member>::seek(const Loop &loop, std::uint64_t iteration,
                                  const Frame &from) const {
  const auto children = timed.childrenOf(loop.section);
  const TimedChild *const end = children.data() + children.size();
  if (from.at.left == 0 || iteration < from.begin) {
    const TimedChild *child = timed.childAt(loop.section, iteration, children.data());
    return {child, end, timed.first(child) + child->repeat - iteration};
  }
  // Where nothing repeats, iterations and children advance in step.
  const std::uint64_t steps = iteration - from.begin;
  const TimedChild *child = from.at.child;
  if (steps < static_cast<std::uint64_t>(end - child) && timed.first(child + steps) == iteration)
    child += steps;
  else
    child = timed.childAt(loop.section, iteration, child);
  const std::ptrdiff_t stride =
      child - from.at.child + static_cast<std::ptrdiff_t>(loop.chunks.plan.chunk);
  if (stride < (end - child) / 2) {
    timed.fetch(child[stride]); // which mostly was fetched a turn ago
    timed.fetchPair(&child[2 * stride]);
  }
  return {child, end, timed.first(child) + child->repeat - iteration};
}

template <typename Member>
typename TeamEngine<Member>::Turn TeamEngine<Member>::takeTurn(std::uint32_t id, Loop &loop,
                                                               Frame &frame) {
  Member &thread = workers[id];
  thread.owed = std::max(thread.owed, frame.nextTurn - clock.now());
  if (thread.owed > 0 && payOwed(id))
    return Turn::Busy;
  const TeamCharges::Loop &costs = thread.charges->loop(loop.chunks.plan.dealing);
  if (frame.turn == onItsWay) {
    frame.turn = 0;
    loop.since = std::min(loop.since, clock.real());
    thread.owed += costs.start;
    if (thread.owed > 0 && payOwed(id))
      return Turn::Busy;
  }
  const TeamLoop::Chunk chunk = loop.chunks.take(thread.number, frame.turn++);
  if (chunk.isEmpty())
    return Turn::Over;
  const std::uint64_t ahead = chunk.begin - frame.begin;
  if (ahead < frame.at.left) // a chunk that lies behind is, modulo 2^64, further ahead than any
    frame.at.left -= ahead;
  else
    frame.at = seek(loop, chunk.begin, frame);
  frame.begin = chunk.begin;
  frame.end = chunk.end;
  thread.owed += costs.chunk;
  frame.nextTurn = clock.now() + costs.turn;
  return Turn::Chunk;
}

template class TeamEngine<Thread>;
template class TeamEngine<Worker>;

} // namespace prophet
