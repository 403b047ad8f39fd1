//===- TbbRuntime.cpp - Runs by oneTBB ------------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/FakeDelay.h"
#include "predictor/synthesizer/executor/Scheduling.h"
#include "predictor/synthesizer/executor/TbbWalk.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace synthesizer {

const char *const runtimeName = "oneTBB";

void prepareRuntime() {}

void warmUp(const Run &run) {
  tbb::task_arena arena(widestTeam(run));
  arena.execute(
      [&] { tbb::parallel_for(0, 64 * widestTeam(run), [](int) { spinFor(5e4, shortestTurn); }); });
}

Times execute(const Plan &plan, const Run &run, UnitCosts costs) {
  if (!run.spin)
    giveUp("oneTBB runs trees with threads that spin, not in virtual time");
  const auto threads = static_cast<std::size_t>(widestTeam(run));
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  const bool share = threads > usableCores();
  return TbbWalk(plan, run, share ? shortestTurn : longInterrupt, costs).execute();
}

} // namespace synthesizer
