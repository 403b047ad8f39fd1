//===- Overheads.h - What OpenMP's constructs cost --------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The overhead table of the fast-forward emulator (Parallel Prophet §IV-C adds
// constant factors; §VII-B found that they are not constant, so here they
// depend on the team's size and on how threads wait). `prophet calibrate` measures
// such a table in the manner of EPCC's syncbench, schedbench and taskbench.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Result.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace prophet {

/// Whose dynamic schedule: LLVM's is static_steal (nonmonotonic), GNU's one central queue
/// (monotonic).
enum class OmpRuntime : unsigned char { Libomp, Libgomp };

/// How a cost grows with the team where nothing was measured.
enum class Growth : unsigned char {
  Constant,
  Log,    ///< with log2(threads): trees
  Linear, ///< with threads - 1: one thread after the other
  Divided ///< falls with 1 / threads, up to ten: what all do at the same time
};

/// What is known of a cost's growth.
struct KnownGrowth {
  Growth law = Growth::Constant;
  double perStep = 0; ///< of what a team of two costs, as measured on sixteen cores
};

/// A cost in nanoseconds that depends on the number of threads in the team: linear in log2(threads)
/// between the given points, constant before the first, and by a fitted law behind the last.
class TeamCost {
public:
  using Point = std::pair<unsigned, double>; ///< (threads, ns)

  TeamCost() = default;                    ///< costs nothing
  TeamCost(double ns) : points{{1, ns}} {} ///< the same for every team
  /// `points` ascend in threads.
  TeamCost(std::vector<Point> points, KnownGrowth known = {});

  /// Nanoseconds in a team of `threads` >= 1; never negative.
  double at(unsigned threads) const;
  /// The largest cost of teams of up to `threads`.
  double most(unsigned threads) const;
  bool isZero() const;
  /// Every cost times `factor` >= 0.
  TeamCost scaled(double factor) const;
  /// The largest team that was measured; 0 where the cost is the same for every team.
  unsigned measured() const { return points.size() < 2 ? 0 : points.back().first; }
  Growth growth() const { return law; }

private:
  std::vector<Point> points;
  Growth law = Growth::Constant;
  double perStep = 0; ///< ns per step of `law` behind the last point
};

/// Costs that depend on how threads wait (OMP_WAIT_POLICY).
struct WaitCosts {
  TeamCost fork; ///< from the region's encounter to its last thread's start
  TeamCost join; ///< from the last thread's end to the master's going on
  /// From a release to the start of a thread that waited for the lock, while all others of the team
  /// wait for it; Charges charges it by how many do.
  TeamCost lockHandoff;
};

/// Costs of one loop schedule.
struct LoopCosts {
  TeamCost start; ///< per thread and loop
  TeamCost chunk; ///< per chunk, for the thread that takes it
  /// The shortest time between two chunks, whoever takes them: all ask at one counter. Of `queue`
  /// and `guided`.
  TeamCost interval{};
  /// What a chunk costs more that goes on in memory where the one before it ended, in one stream,
  /// with more lines than the first cache has: asking for it ends the stream. Of `steal`, and part
  /// of burden factors.
  TeamCost restart{};
};

/// Costs of a task.
struct TaskCosts {
  TeamCost create; ///< for the thread that creates it, and its execution's own cost
  TeamCost steal;  ///< for the thread that takes it from another's deque
  TeamCost wait;   ///< of a section's end, beyond the waiting
};

/// Linux's own, in nanoseconds.
inline constexpr double linuxBaseSlice = 700'000;

struct Overheads {
  WaitCosts active, passive;
  LoopCosts staticBlock; ///< schedule(static): a thread's block is its one chunk
  LoopCosts staticChunk; ///< schedule(static,c)
  LoopCosts queue;       ///< dynamic from one central queue
  LoopCosts steal;       ///< dynamic as libomp's static_steal
  LoopCosts guided;      ///< guided, and libomp's auto
  TaskCosts tasks;
  bool disturbed = false; ///< other programs ran while it was measured
  double lockPair = 0;    ///< taking and releasing a free lock
  /// How long Linux lets a thread run, on one core, before it comes back to another (base_slice in
  /// kernel/sched/fair.c, 6.6 and later; 0: at once, and no core is lost). What matters is
  /// nextTurn().
  double baseSlice = 0;
  double serializedRegion = 0; ///< a parallel region below max_active_levels
  /// No cost: one of the turns that libgomp spins before a thread sleeps. 300,000 of them took
  /// 8.3 ms (bench/openmp_block_time).
  double spinTurn = 8.3e6 / 300'000;

  /// On a machine of `cores`: the time, in ns, until a thread gets the core on which another
  /// computes. One that was asleep waits for half of a slice, in the mean; one that `yields` has
  /// given its own away and waits for a whole one.
  double nextTurn(unsigned cores, bool yields) const;
  /// Linux looks for cores with more threads than others in as many ns to twice as many, where all
  /// `cores` are busy.
  static double balancing(unsigned cores);
  bool isNone() const;
  /// Every cost times `factor` >= 0; the system's baseSlice is none of OpenMP's.
  Overheads scaled(double factor) const;
  static Overheads none() { return {}; }
  /// The largest team that every cost was measured in; 0 where none depends on the team. What is
  /// charged to larger ones is extrapolated.
  unsigned measured() const;
  /// What was measured on the development machine.
  static Overheads typical(OmpRuntime runtime);
};

/// Reads the table of overheads in the file `path`. An error where the file cannot be read, is no
/// such table, or was measured with another OpenMP runtime than `runtime`.
Result<Overheads> readOverheads(const std::string &path, OmpRuntime runtime);

/// The same out of a machine file; none where the file has no overheads of `runtime`.
Result<std::optional<Overheads>> readMachineOverheads(const std::string &path, OmpRuntime runtime);

/// "libomp", "libgomp".
const char *runtimeName(OmpRuntime runtime);

/// How a cost of the runtime grows, by its name in a table ("active.fork").
KnownGrowth knownGrowth(OmpRuntime runtime, std::string_view cost);

} // namespace prophet
