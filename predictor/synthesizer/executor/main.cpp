//===- main.cpp - Runs program trees by a real runtime --------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   openmp-executor-RUNTIME PARENT < PLAN, tbb-executor PARENT < PLAN, cilk-executor PARENT < PLAN
//
// Runs every run of the plan on standard input (Plan.h) and prints one JSON object: {"runtime",
// "priority", "wakeup_ns", "runs": [{"units", "groups", "overhead_units", "wall_seconds",
// "foreign_cores", "waited_share"}]}. Ends with its parent, process PARENT. `units` is the time the
// run took, `groups` its parts: virtual, or real without what walking the tree cost, which is
// `overhead_units`.
//
//===----------------------------------------------------------------------===//

#include "memmodel/openmp/Guard.h"
#include "memmodel/openmp/Process.h"
#include "predictor/synthesizer/executor/Runtime.h"
#include "predictor/synthesizer/executor/Scheduling.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>

using namespace synthesizer;

namespace {

const char *program = ""; ///< the name that it was called by

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

std::string readInput() {
  std::string text;
  char block[65536];
  ssize_t got;
  while ((got = read(STDIN_FILENO, block, sizeof block)) > 0)
    text.append(block, static_cast<std::size_t>(got));
  if (got < 0)
    synthesizer::giveUp("the plan cannot be read from standard input");
  return text;
}

/// The highest priority over other programs that the process gets.
const char *takePriority(bool realtime) {
  if (realtime && takeRealtimePriority())
    return "realtime";
  return takeHighPriority() ? "high" : "normal";
}

} // namespace

void synthesizer::giveUp(const char *why) {
  std::fprintf(stderr, "%s: %s\n", program, why);
  std::_Exit(2);
}

int main(int argc, char **argv) {
  program = argv[0];
  if (const char *slash = std::strrchr(program, '/'))
    program = slash + 1;
  if (argc != 2)
    giveUp("one argument is needed, the process that waits for the results");
  if (!openmp_overheads::endWith(std::atoi(argv[1])))
    giveUp("nobody waits for the results");
  std::string problem;
  const std::optional<Plan> plan = readPlan(readInput(), problem);
  if (!plan)
    giveUp(("the plan cannot be read: " + problem).c_str());
  if (plan->pin > 0)
    pinTo(plan->pin);
  const bool spins = std::ranges::any_of(plan->runs, &Run::spin);
  const char *priority = spins ? takePriority(plan->realtime) : "normal";
  if (!spins)
    takeTurnsOnOneCore(wakesThreads(*plan));
  prepareRuntime(*plan);
  const UnitCosts costs = spins ? measureUnitCosts(*plan) : UnitCosts();
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
  if (keepsThreads && std::fflush(stdout) == 0)
    std::_Exit(0);
  return 0;
}
