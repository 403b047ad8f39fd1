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
#include "predictor/emulator/TimedTree.h"

namespace prophet {

/// How a runtime deals out one loop.
enum class Dealing : std::uint8_t { Block, RoundRobin, Queue, Steal };

struct LoopPlan {
  Dealing dealing;
  std::uint64_t chunk; ///< >= 1; unused by Block
};

/// How the runtime of `options` deals out a section of `kind` with `iterations` to `threads`.
LoopPlan planLoop(SiteKind kind, const EmulationOptions &options, std::uint64_t iterations,
                  unsigned threads);

/// How many chunks `iterations` make under `plan`.
std::uint64_t chunkCount(LoopPlan plan, std::uint64_t iterations, unsigned threads);

/// Factor by which memory contention lengthens a section's computation with `threads` threads
/// (Parallel Prophet §V): between two counts the site gives, linear; beyond them the nearest one's,
/// where one thread has factor 1. 1 where the site gives none.
double burdenFactor(const Site &site, unsigned threads);

/// Overheads::* for one team size, in virtual time.
class Charges {
public:
  Charges(const EmulationOptions &options, TimeGrid grid, double timebaseHz);

  struct Loop {
    Time start; ///< per thread
    Time chunk; ///< per chunk
  };

  Time fork, join;
  Time lockPair, lockHandoff;
  Time serializedRegion;

  /// In a team of the size asked for, or, `alone`, on the one thread of a serialised region.
  const Loop &loop(Dealing dealing, bool alone = false) const {
    return loops[alone][static_cast<std::size_t>(dealing)];
  }

  /// What a serialised region costs beyond its tasks.
  Time serialized(LoopPlan plan, std::uint64_t iterations) const;

  /// An upper bound, in ticks, of what all constructs of `timed` cost together under `options`.
  static double bound(const EmulationOptions &options, const TimedTree &timed);

private:
  Loop loops[2][4];
};

} // namespace prophet
