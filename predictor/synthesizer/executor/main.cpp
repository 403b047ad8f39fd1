//===- main.cpp - Runs program trees by a real OpenMP runtime -------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   openmp-executor-RUNTIME PLAN
//
// Runs every run of the plan in a file (Plan.h) and prints one JSON object: {"runtime", "runs":
// [{"units", "wall_seconds", "foreign_cores", "waited_share"}]}. `units` is the time
// the run took: virtual, or real without what walking the tree cost.
//
//===----------------------------------------------------------------------===//

#include "memmodel/openmp/Guard.h"
#include "predictor/synthesizer/executor/Spinning.h"
#include "predictor/synthesizer/executor/Turnstile.h"
#include "predictor/synthesizer/executor/Walk.h"

#include <chrono>
#include <cstdio>
#include <fstream>

using namespace synthesizer;

namespace {

/// Has OpenMP make its threads, and the system put them on cores of their own.
void warmUp(const Run &run) {
  int most = 1;
  for (const SiteSettings &site : run.sites)
    most = std::max(most, site.threads);
#pragma omp parallel num_threads(most)
  spinFor(1e6);
}

double execute(const Plan &plan, const Run &run) {
  if (!run.spin) {
    Turnstile turnstile(plan.locks, run.cores);
    return Walk(plan, run, turnstile).execute();
  }
  warmUp(run);
  Spinning spinning(plan.locks, run.nsPerUnit, measureVisit(plan, run));
  return Walk(plan, run, spinning).execute();
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2)
    giveUp("one argument is needed, the plan's file");
  std::ifstream file(argv[1]);
  if (!file)
    giveUp("the plan's file cannot be opened");
  std::string problem;
  const std::optional<Plan> plan = readPlan(file, problem);
  if (!plan)
    giveUp(("the plan cannot be read: " + problem).c_str());
  omp_set_dynamic(0);
  std::printf("{\"runtime\": \"%s\", \"runs\": [", runtimeName);
  for (const Run &run : plan->runs) {
    const openmp_overheads::Guard guard;
    const auto begin = std::chrono::steady_clock::now();
    const double units = execute(*plan, run);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    std::printf("%s\n  {\"units\": %.17g, \"wall_seconds\": %.6f, \"foreign_cores\": %.3f, "
                "\"waited_share\": %.4f}",
                &run == plan->runs.data() ? "" : ",", units, wall.count(), guard.foreignCores(),
                guard.waitedShare());
  }
  std::printf("]}\n");
  return 0;
}
