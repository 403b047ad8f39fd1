//===- Charges.h - Where overheads are charged ------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that knows what an emulated construct costs and which loop
// schedule a runtime really uses. Both engines ask here.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Emulator.h"
#include "predictor/emulator/GuidedSchedule.h"
#include "predictor/emulator/TimedTree.h"

#include <map>

namespace prophet {

/// How a runtime deals out one loop.
enum class Dealing : std::uint8_t { Block, RoundRobin, Queue, Steal, Guided };

struct LoopPlan {
  Dealing dealing;
  std::uint64_t chunk;                      ///< >= 1; unused by Block
  Shrinking shrinking = Shrinking::Libgomp; ///< of Guided
};

/// How the runtime of `options` deals out a section of site number `site` of `tree` with
/// `iterations` to `threads`.
LoopPlan planLoop(const Tree &tree, std::uint32_t site, const EmulationOptions &options,
                  std::uint64_t iterations, unsigned threads);

/// How many chunks `iterations` make under `plan`.
std::uint64_t chunkCount(LoopPlan plan, std::uint64_t iterations, unsigned threads);

/// What the chunks of a section of worksharing cost its threads, in all, ns.
struct ChunkCosts {
  double ns = 0;      ///< those that take them
  double turnsNs = 0; ///< the least that tasks and chunks take together, for turns at one counter
};

/// Of site number `site` in a team of `threads`. Nothing where loops are tasks.
ChunkCosts chunkCosts(const Tree &tree, std::uint32_t site, const EmulationOptions &options,
                      std::uint64_t iterations, unsigned threads);

/// What OpenMP's constructs cost in teams of one size, in virtual time.
struct TeamCharges {
  struct Loop {
    Time start; ///< per thread
    Time chunk; ///< per chunk
    Time turn;  ///< the least that a chunk takes its thread, where all ask at one counter
  };
  /// Of threads that wait.
  struct Waits {
    Time fork, join;
  } spinning, asleep;
  double blockTime; ///< how long a thread waits before it sleeps
  struct Tasks {
    Time create, steal, wait;
  } tasks;
  Loop loops[5];

  /// Of a thread that has been waiting for `waited`.
  const Waits &waits(double waited) const { return waited >= blockTime ? asleep : spinning; }

  const Loop &loop(Dealing dealing) const { return loops[static_cast<std::size_t>(dealing)]; }
};

/// Overheads::* for the teams of one run.
class Charges {
public:
  Charges(const EmulationOptions &options, TimeGrid grid, double timebaseHz);

  Time lockPair;
  Time serializedRegion;
  bool yields;      ///< libomp's threads do where there are more than cores: for locks always, else
                    ///< until they sleep
  double nextTurn;  ///< Overheads::nextTurn(), in real time
  double balancing; ///< Overheads::balancing(), in real time
  double blockTime; ///< EmulationOptions::blockTime()

  /// Whether threads that wait for their team, or for a lock, are runnable meanwhile.
  bool waitersYield() const { return yields && nextTurn > 0 && blockTime > 0; }
  static bool waitersYield(const EmulationOptions &options);

  /// \pre `size` is one of EmulationOptions::teamSizes.
  const TeamCharges &team(unsigned size) const { return teams.at(size); }
  /// Of one thread.
  const TeamCharges &alone() const { return teams.begin()->second; }

  /// Of a lock that goes to one of `waiting` >= 1 threads, which `slept`.
  Time handoff(bool slept, std::uint32_t waiting) const {
    const Handoffs &costs = slept ? asleep : spinning;
    return waiting < costs.known.size() ? costs.known[waiting] : costs.among(waiting);
  }
  /// What it takes longer than to one that spins alone.
  Time crowding(std::uint32_t waiting) const {
    return std::max<Time>(0, handoff(false, waiting) - handoff(false, 1));
  }

  /// What a serialised region costs beyond its tasks.
  Time serialized(LoopPlan plan, std::uint64_t iterations) const;

  /// An upper bound, in ticks, of what all constructs of `timed` cost together under `options`, on
  /// any clock, where no thread is relieved (EmulationOptions::relief).
  static double bound(const EmulationOptions &options, const TimedTree &timed);
  /// The same by the chunks that there are of each loop, which takes longer to find out.
  static double tightBound(const EmulationOptions &options, const TimedTree &timed);

private:
  /// By the number of threads that wait: a team of n was measured while n - 1 did.
  struct Handoffs {
    TeamCost cost;
    TimeGrid grid{};
    double ticksPerNs = 1;
    std::vector<Time> known{}; ///< for as many as wait where teams do not nest

    Time among(std::uint32_t waiting) const {
      return grid.ofCost(cost.at(waiting + 1) * ticksPerNs);
    }
  };
  Handoffs spinning, asleep;
  std::map<unsigned, TeamCharges> teams; ///< by size; that of one is always there
};

} // namespace prophet
