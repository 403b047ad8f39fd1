//===- TeamEngine.h - What both event engines do with teams -----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who is in a team, how its master forks and joins it, and how its threads share a
// loop. What they do at the barrier, where tasks may be run, the engines say.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Pool.h"
#include "predictor/emulator/Team.h"

namespace prophet {

/// \tparam Member an Actor with a `team` in which it is the `number`th, and a `stack`.
template <typename Member> class TeamEngine : protected SegmentEngine<Member> {
protected:
  using OwnTeam = typename Member::OwnTeam;
  using Frame = typename decltype(Member::stack)::value_type;
  using Base = SegmentEngine<Member>;
  using Base::clock, Base::context, Base::executions, Base::payOwed, Base::spend, Base::spendMore,
      Base::sums, Base::timed, Base::workers;

  explicit TeamEngine(const RegionContext &context);

  std::set<std::uint32_t> freeThreads;
  Pool<OwnTeam> teams;
  unsigned deepestTeam; ///< sections inside a team of this level run serially

  /// Whether `thread` opens a team for the worksharing loop `section`.
  bool isParallel(NodeId section, const Member &thread) const;

  /// Whether what follows the section at `at`, which `thread` runs alone, is in that one's region.
  bool isInRegionOf(const Position &at, const Member &thread) const;

  /// `master` meets the parallel section `section`: it forks a team, which takes a while, and
  /// longer where its threads are `asleep`; then it is to start the team.
  OwnTeam &openTeam(std::uint32_t master, NodeId section, bool asleep);
  /// Gives `team`, which has its master, the other members.
  void addMembers(OwnTeam &team);
  /// What `team` executes `section` under.
  Slowdown slowdownOf(const Team &team, NodeId section) const;
  /// All are there: `master`, which has waited that long for them, joins its team and leaves it.
  void joinTeam(std::uint32_t master, double waited);
  /// `master` is again what it was before it opened its team.
  void leaveTeam(std::uint32_t master);

  Loop &pushLoop(Team &team, Position at, Time gap);
  void closeLoop(const Loop &loop);
  /// `frame` becomes `thread`'s share of loop `number` of its team's region.
  void enterLoop(Member &thread, Frame &frame, std::uint32_t number);
  /// `id` is through with the loop of its top frame. \returns whether its region has another,
  /// which it enters
  bool leaveLoop(std::uint32_t id);

  enum class Turn : std::uint8_t { Busy, Chunk, Over };
  /// `id` asks for its next chunk of `loop`, unless it has to spend time first (Busy).
  Turn takeTurn(std::uint32_t id, Loop &loop, Frame &frame);

private:
  [[gnu::always_inline]] inline Position seek(const Loop &loop, std::uint64_t iteration,
                                              const Frame &from) const;
};

} // namespace prophet
