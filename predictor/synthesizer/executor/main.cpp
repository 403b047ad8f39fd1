//===- main.cpp - Runs program trees by a real OpenMP runtime -------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   openmp-executor-RUNTIME PLAN
//
// Runs every run of the plan in a file (Plan.h) and prints one JSON object: {"runtime", "priority",
// "wakeup_ns", "runs": [{"units", "groups", "overhead_units", "wall_seconds", "foreign_cores",
// "waited_share"}]}. `units` is the time the run took, `groups` its parts: virtual, or real without
// what walking the tree cost, which is `overhead_units`.
//
//===----------------------------------------------------------------------===//

#include "memmodel/openmp/Guard.h"
#include "predictor/synthesizer/executor/Scheduling.h"
#include "predictor/synthesizer/executor/Spinning.h"
#include "predictor/synthesizer/executor/Turnstile.h"
#include "predictor/synthesizer/executor/Walk.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>

using namespace synthesizer;

namespace {

int widestTeam(const Run &run) {
  int most = 1;
  for (const SiteSettings &site : run.sites)
    most = std::max(most, site.threads);
  return most;
}

/// Has OpenMP make its threads, and the system put them on cores of their own.
void warmUp(const Run &run) {
#pragma omp parallel num_threads(widestTeam(run))
  spinFor(1e6, shortestTurn);
}

/// Whether threads that tasks are for are woken up by the runtime, and not by the turnstile.
#ifdef __clang__
bool wakesThreads(const Plan &) { return false; }
#else
bool wakesThreads(const Plan &plan) {
  return std::ranges::any_of(plan.runs, [](const Run &run) {
    return std::ranges::any_of(run.sites, [](auto &site) { return isSpawning(site.sharing); });
  });
}
#endif

Times execute(const Plan &plan, const Run &run, UnitCosts costs) {
  if (!run.spin) {
    Turnstile turnstile(plan.locks, run.cores);
    return Walk(plan, run, turnstile).execute();
  }
  const bool share = run.levels > 1 || widestTeam(run) > omp_get_num_procs();
  Spinning spinning(plan.locks, run.nsPerUnit, share ? shortestTurn : longInterrupt, costs);
  return Walk(plan, run, spinning).execute();
}

void print(const Times &times, double wallSeconds, const openmp_overheads::Guard &guard) {
  std::printf("\n  {\"units\": %.17g, \"groups\": [", times.whole);
  const char *separator = "";
  for (double group : times.groups) {
    std::printf("%s%.17g", separator, group);
    separator = ", ";
  }
  std::printf("], \"overhead_units\": %.17g, \"wall_seconds\": %.6f, \"foreign_cores\": %.3f, "
              "\"waited_share\": %.4f}",
              times.overhead, wallSeconds, guard.foreignCores(), guard.waitedShare());
}

/// The highest priority over other programs that the process gets.
const char *takePriority(bool realtime) {
  if (realtime && takeRealtimePriority())
    return "realtime";
  return takeHighPriority() ? "high" : "normal";
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
  if (plan->pin > 0)
    pinTo(plan->pin);
  const bool spins = std::ranges::any_of(plan->runs, &Run::spin);
  const char *priority = spins ? takePriority(plan->realtime) : "normal";
  const UnitCosts costs = spins ? measureUnitCosts(*plan) : UnitCosts();
  if (!spins)
    takeTurnsOnOneCore(wakesThreads(*plan));
  omp_set_dynamic(0);
  std::printf("{\"runtime\": \"%s\", \"priority\": \"%s\", \"wakeup_ns\": %.0f, \"runs\": [",
              runtimeName, priority, spins ? measureWakeUp() : 0);
  const char *separator = "";
  for (const Run &run : plan->runs) {
    std::printf("%s", separator);
    separator = ",";
    if (run.spin)
      warmUp(run);
    const openmp_overheads::Guard guard;
    const auto begin = std::chrono::steady_clock::now();
    const Times times = execute(*plan, run, costs);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    print(times, wall.count(), guard);
  }
  std::printf("]}\n");
  return 0;
}
