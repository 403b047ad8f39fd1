//===- TbbRuntime.cpp - Runs by oneTBB ------------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/FakeDelay.h"
#include "predictor/synthesizer/executor/Scheduling.h"
#include "predictor/synthesizer/executor/TbbVirtualWalk.h"
#include "predictor/synthesizer/executor/TbbWalk.h"

#include <algorithm>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

namespace synthesizer {

const char *const runtimeName = "oneTBB";
const bool keepsThreads = true;

/// oneTBB can have as many threads as it may when it is first used, or 256.
void prepareRuntime(const Plan &plan) {
  int most = 1;
  for (const Run &run : plan.runs)
    most = std::max(most, widestTeam(run));
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(most));
  tbb::task_group().wait();
}

UnitCosts measureUnitCosts(const Plan &plan) {
  const auto walk = [](const Plan &calls, const Run &run) {
    TbbWalk(calls, run, longInterrupt, {}).execute();
  };
  const auto construct = [] { tbb::parallel_for(0, 1, [](int) {}); };
  return {measureAccess(plan), costOfCall(Sharing::Taskloop, walk, construct)};
}

void warmUp(const Run &run) {
  tbb::task_arena arena(widestTeam(run));
  arena.execute(
      [&] { tbb::parallel_for(0, 64 * widestTeam(run), [](int) { spinFor(5e4, shortestTurn); }); });
}

Times execute(const Plan &plan, const Run &run, UnitCosts costs) {
  const auto threads = static_cast<std::size_t>(widestTeam(run));
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  if (!run.spin)
    return TbbVirtualWalk(plan, run).execute();
  const bool share = threads > usableCores();
  return TbbWalk(plan, run, share ? shortestTurn : longInterrupt, costs).execute();
}

} // namespace synthesizer
