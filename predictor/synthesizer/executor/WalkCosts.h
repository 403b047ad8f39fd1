//===- WalkCosts.h - What the walk over a tree costs ------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/synthesizer/executor/FakeDelay.h"
#include "predictor/synthesizer/executor/Plan.h"

#include <algorithm>
#include <utility>

namespace synthesizer {

/// What the walk over a tree costs, in ns (Parallel Prophet §IV-E).
struct UnitCosts {
  /// OVERHEAD_ACCESS_NODE: what running a part of the tree takes beyond its delays. It can be below
  /// 0, where delays are short: the processor hides a part of what each takes beside its time.
  double accessNode = 0;
  double recursiveCall = 0; ///< OVERHEAD_RECURSIVE_CALL: a section, beyond the runtime's construct
};

/// How much of the plan's tree is run to find out, and how often; the fastest counts.
inline constexpr int measurements = 7;
inline constexpr std::uint64_t measuredVisits = 50'000;
inline constexpr double measuredDelays = 3e6, ///< in all, in ns
    longestMeasured = 1000;                   ///< of one

/// The first on the plan's own tree, since it depends on how much of that is in the caches, and on
/// how long its delays are.
/// \pre some run of the plan spins
UnitCosts measureUnitCosts(const Plan &plan);

/// Of the first run that spins. \pre there is one
inline double nsPerUnit(const Plan &plan) {
  return std::ranges::find(plan.runs, true, &Run::spin)->nsPerUnit;
}

/// What each of the nodes that `work` looks at takes, in ns, beside its delays.
/// \param work runs a part of the tree; returns at how many nodes it has looked, and the delays in
/// it
template <typename Work> double costOfVisit(const Work &work) {
  double least = 1e300;
  for (int i = 0; i < measurements; ++i) {
    forgetSurplus();
    const double begin = now();
    const auto [visits, delays] = work();
    const double time = now() - begin - delays;
    least = std::min(least, time / std::max(static_cast<double>(visits), 1.0));
  }
  return least;
}

/// What `work` takes, in ns.
template <typename Work> double fastest(const Work &work) {
  double least = 1e300;
  for (int i = 0; i < measurements; ++i) {
    const double begin = now();
    work();
    least = std::min(least, now() - begin);
  }
  return least;
}

/// A run of one thread with so many sites.
inline Run serialRun(std::size_t sites, Sharing sharing) {
  Run run{};
  run.nsPerUnit = run.cores = run.levels = 1;
  run.sites.assign(sites, {sharing, 0, 1, 1.0});
  return run;
}

/// What opening a section takes, in ns, beyond the runtime's own construct and what the walk over
/// its nodes takes: of a section of one empty task.
/// \param walk runs a plan once
/// \param construct one thread's construct around one empty iteration, written out
template <typename Walk, typename Construct>
double costOfCall(Sharing sharing, const Walk &walk, const Construct &construct) {
  constexpr int calls = 500;
  Plan plan;
  plan.nodes = {{Kind::Compute, 0, 0, {}, {}, 0},
                {Kind::Task, 0, 0, {{0, 1}}, {}, 0},
                {Kind::Section, 0, 0, {{1, 1}}, {0}, 1}};
  plan.program = {{2, calls, std::nullopt}};
  const auto walked = [&](Sharing how) {
    const Run run = serialRun(1, how);
    return fastest([&] { walk(plan, run); });
  };
  const double bare = fastest([&] {
    for (int i = 0; i < calls; ++i)
      construct();
  });
  return std::max(0.0, (walked(sharing) - bare - walked(Sharing::Serial)) / calls);
}

} // namespace synthesizer
