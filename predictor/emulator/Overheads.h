//===- Overheads.h - What OpenMP's constructs cost --------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The overhead table of the fast-forward emulator (Parallel Prophet §IV-C adds
// constant factors; §VII-B found that they are not constant, so here they
// depend on the team's size and on how threads wait). bench/openmp_overheads
// measures such a table in the manner of EPCC's syncbench and schedbench and
// prints the JSON that readOverheads takes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Result.h"

#include <string>
#include <utility>
#include <vector>

namespace prophet {

/// Whose dynamic schedule: LLVM's is static_steal (nonmonotonic), GNU's one central queue
/// (monotonic).
enum class OmpRuntime : unsigned char { Libomp, Libgomp };

/// A cost in nanoseconds that depends on the number of threads in the team: linear in log2(threads)
/// between the given points, constant before the first. After the last it goes on with the last
/// slope, but not with that from one thread to more: a team of one is serialised, another thing.
class TeamCost {
public:
  using Point = std::pair<unsigned, double>; ///< (threads, ns)

  TeamCost() = default;                                              ///< costs nothing
  TeamCost(double ns) : points{{1, ns}} {}                           ///< the same for every team
  TeamCost(std::vector<Point> points) : points(std::move(points)) {} ///< ascending in threads

  /// Nanoseconds in a team of `threads` >= 1; never negative.
  double at(unsigned threads) const;
  bool isZero() const;
  /// Every cost times `factor` >= 0.
  TeamCost scaled(double factor) const;

private:
  std::vector<Point> points;
};

/// Costs that depend on how threads wait (OMP_WAIT_POLICY).
struct WaitCosts {
  TeamCost fork;        ///< from the region's encounter to its last thread's start
  TeamCost join;        ///< from the last thread's end to the master's going on
  TeamCost lockHandoff; ///< from a release to the start of a thread that waited for the lock
};

/// Costs of one loop schedule.
struct LoopCosts {
  TeamCost start; ///< per thread and loop
  TeamCost chunk; ///< per chunk, for the thread that takes it
};

struct Overheads {
  WaitCosts active, passive;
  LoopCosts staticBlock;       ///< schedule(static): a thread's block is its one chunk
  LoopCosts staticChunk;       ///< schedule(static,c)
  LoopCosts queue;             ///< dynamic from one central queue
  LoopCosts steal;             ///< dynamic as libomp's static_steal
  double lockPair = 0;         ///< taking and releasing a free lock
  double serializedRegion = 0; ///< a parallel region below max_active_levels

  bool isNone() const;
  /// Every cost times `factor` >= 0.
  Overheads scaled(double factor) const;
  static Overheads none() { return {}; }
  /// What bench/openmp_overheads measured on the development machine.
  static Overheads typical(OmpRuntime runtime);
};

/// Reads what bench/openmp_overheads printed to the file `path`. An error where the file cannot be
/// read, is no such table, or was measured with another OpenMP runtime than `runtime`.
Result<Overheads> readOverheads(const std::string &path, OmpRuntime runtime);

} // namespace prophet
