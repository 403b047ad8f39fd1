//===- Engine.h - Event by event emulation of a region ----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Discrete events over virtual time, for everything that closed forms do not
// cover: locks, inner teams, `nowait` teams, more threads than cores, listeners.
// A thread acts, which takes no time, until it has to spend time or to wait. At
// one moment the lowest-numbered thread acts first. Threads walk the tree with
// stacks of their own, so depth costs memory but no recursion.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Clock.h"
#include "predictor/emulator/Outline.h"
#include "predictor/emulator/Team.h"

namespace prophet {

class Engine {
public:
  explicit Engine(const RegionContext &context);

  /// Adds the executions of `region` to the tally; returns one.
  ThreadTimes run(const Region &region);

private:
  const RegionContext &context;
  const TimedTree &timed;
  Clock clock;
  std::vector<Thread> threads;
  std::set<std::uint32_t> freeThreads;
  std::vector<Team> teams;
  std::vector<std::uint32_t> freeTeams;
  Locks locks;
  unsigned deepestTeam;  ///< sections inside a team of this level run serially
  bool oversubscribable; ///< there can be more threads than cores
  double executions = 1; ///< of the region
  ThreadTimes sums;      ///< of one execution of it

  bool isParallel(NodeId section, const Thread &thread) const;
  bool fuses(NodeId node, const Thread &thread) const;

  void act(std::uint32_t id);
  bool stepSequence(std::uint32_t id);
  bool stepSerial(std::uint32_t id);
  bool stepWorker(std::uint32_t id);
  bool enterSection(std::uint32_t id);

  void spend(std::uint32_t id, Activity activity, Time base, Time work, Time overhead);
  bool spendFused(std::uint32_t id, NodeId node, std::uint64_t count);
  bool payOwed(std::uint32_t id);
  void endSegment(Thread &thread);

  bool acquire(std::uint32_t id, NodeId node);
  void release(std::uint32_t lock);
  void claim(std::uint32_t id);
  void startLocked(std::uint32_t id, NodeId node, Time overhead);

  void addMembers(Team &team);
  std::uint32_t newTeam();
  void openTeam(std::uint32_t master, Position start, bool asleep);
  void startTeam(std::uint32_t master);
  void reachBarrier(std::uint32_t id);
  void leaveTeam(std::uint32_t master);

  Loop &pushLoop(Team &team, Position at, Time gap);
  void enterLoop(Thread &thread, Frame &frame, std::uint64_t number);
  bool takeChunk(Loop &loop, const Thread &thread, Frame &frame);
  bool leaveLoop(std::uint32_t id);
  void closeLoop(const Loop &loop);
};

} // namespace prophet
