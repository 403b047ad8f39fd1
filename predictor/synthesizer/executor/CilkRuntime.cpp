//===- CilkRuntime.cpp - Runs by OpenCilk ---------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/CilkWalk.h"
#include "predictor/synthesizer/executor/FakeDelay.h"
#include "predictor/synthesizer/executor/Scheduling.h"

#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <string>

namespace synthesizer {

const char *const runtimeName = "OpenCilk";
const bool keepsThreads = false;

/// A process has as many workers as CILK_NWORKERS said when it began.
static void checkWorkers(const Run &run) {
  const auto wanted = static_cast<unsigned>(widestTeam(run)), workers = __cilkrts_get_nworkers();
  if (workers != wanted && !run.sites.empty())
    giveUp(("OpenCilk offers " + std::to_string(workers) + " worker" + (workers == 1 ? "" : "s") +
            " where " + std::to_string(wanted) + (wanted == 1 ? " is" : " are") + " needed")
               .c_str());
}

void prepareRuntime(const Plan &) {}

UnitCosts measureUnitCosts(const Plan &plan) {
  const auto walk = [](const Plan &calls, const Run &run) {
    CilkWalk(calls, run, longInterrupt, {}).execute();
  };
  const auto construct = [] {
    cilk_for (int i = 0; i < 1; ++i)
      asm volatile("");
  };
  return {measureAccess(plan), costOfCall(Sharing::Taskloop, walk, construct)};
}

void warmUp(const Run &run) {
  checkWorkers(run);
  const int pieces = 64 * widestTeam(run);
  cilk_for (int i = 0; i < pieces; ++i)
    spinFor(5e4, shortestTurn);
}

Times execute(const Plan &plan, const Run &run, UnitCosts costs) {
  if (!run.spin)
    giveUp("OpenCilk runs trees with threads that spin, not in virtual time");
  const bool share = static_cast<unsigned>(widestTeam(run)) > usableCores();
  return CilkWalk(plan, run, share ? shortestTurn : longInterrupt, costs).execute();
}

} // namespace synthesizer
