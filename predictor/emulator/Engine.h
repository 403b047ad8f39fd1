//===- Engine.h - Event by event emulation of a region ----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Discrete events over virtual time, for everything that closed forms do not
// cover: locks, inner teams, more threads than cores, listeners. Where nobody meets
// inside the loops of a team, a thread has one event for each, at its end of it.
// A thread acts, which takes no time, until it has to spend time or to wait. At
// one moment the lowest-numbered thread acts first. Threads walk the tree with
// stacks of their own, so depth costs memory but no recursion.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/FlatLoop.h"
#include "predictor/emulator/TeamEngine.h"

#include <unordered_map>

namespace prophet {

class Engine : TeamEngine<Thread> {
public:
  explicit Engine(const RegionContext &context);

  /// Adds the executions of `region` to the tally; returns one.
  ThreadTimes run(const Region &region);

private:
  /// Through sections that run serially: there can be more threads than cores.
  const bool stepsInside;

  bool fuses(const TimedChild &child, const Thread &thread) const;

  void act(std::uint32_t id);
  bool stepSequence(std::uint32_t id);
  bool stepSerial(std::uint32_t id);
  bool stepWorker(std::uint32_t id);
  bool enterSection(std::uint32_t id);

  bool isFlat(const Team &team, NodeId section) const;
  bool isFlat(const Team &team) const;
  Thread &enlist(std::uint32_t team, unsigned number);
  void startFlat(std::uint32_t team);
  static bool isSelfScheduled(const Loop &loop);
  void addLoop(const Loop &loop, const FlatShares &shares);
  double longestChunk(const Loop &loop) const;
  void divide(const Team &team, Loop &loop);
  void preview(Team &team, std::uint32_t loop);
  Turn takePart(std::uint32_t id, Frame &frame);
  Turn takeShare(std::uint32_t id, Loop &loop, Frame &frame);
  Turn takePiece(std::uint32_t id, Loop &loop, Frame &frame);

  /// One loop's region, as its threads run it who all come at the same moment.
  struct FlatRegion {
    double factor;
    std::vector<Time> finish; ///< when they are through, by number
    FlatShares shares;
    double longestChunk;
  };
  const FlatRegion &flatRegion(const Team &team, const Loop &loop);
  std::unordered_map<NodeId, FlatRegion> flatRegions; ///< by section

  void openRegion(std::uint32_t master, Position start, bool asleep);
  void startTeam(std::uint32_t master);
  void reachBarrier(std::uint32_t id);
  void leaveRegion(std::uint32_t master);
};

} // namespace prophet
