//===- OpenMPRuntime.cpp - Runs by libomp or libgomp ----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/openmp/Process.h"
#include "predictor/synthesizer/executor/Spinning.h"
#include "predictor/synthesizer/executor/Turnstile.h"
#include "predictor/synthesizer/executor/Walk.h"

#include <algorithm>
#include <omp.h>

namespace synthesizer {

const char *const runtimeName = openmp_overheads::openmpName;
const bool keepsThreads = false;

void prepareRuntime(const Plan &) { omp_set_dynamic(0); }

void warmUp(const Run &run) {
#pragma omp parallel num_threads(widestTeam(run))
  spinFor(1e6, shortestTurn);
}

Times execute(const Plan &plan, const Run &run, UnitCosts costs) {
  if (!run.spin) {
    Turnstile turnstile(plan.locks, run);
    return Walk(plan, run, turnstile).execute();
  }
  const bool share = run.levels > 1 || widestTeam(run) > omp_get_num_procs();
  Spinning spinning(plan.locks, run.nsPerUnit, share ? shortestTurn : longInterrupt, costs);
  return Walk(plan, run, spinning).execute();
}

#ifdef __clang__
bool wakesThreads(const Plan &) { return false; }
#else
bool wakesThreads(const Plan &plan) {
  return std::ranges::any_of(plan.runs, [](const Run &run) {
    return std::ranges::any_of(run.sites, [](auto &site) { return isSpawning(site.sharing); });
  });
}
#endif

} // namespace synthesizer
