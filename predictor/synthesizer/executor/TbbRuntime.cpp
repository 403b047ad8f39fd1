//===- TbbRuntime.cpp - Runs by oneTBB ------------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/FakeDelay.h"
#include "predictor/synthesizer/executor/TbbWalk.h"

#include <algorithm>
#include <chrono>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>

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
  const bool share = widestTeam(run) > tbb::info::default_concurrency();
  return TbbWalk(plan, run, share ? shortestTurn : longInterrupt, costs).execute();
}

UnitCosts measureUnitCosts(const Plan &plan) {
  constexpr std::uint64_t enough = 200'000;
  constexpr int repetitions = 7; // the fastest counts
  Run serial{};
  serial.nsPerUnit = 0;
  serial.sites.assign(plan.sites(), {Sharing::Serial, 0, 1, 1.0});
  double least = 1e300;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    const auto begin = std::chrono::steady_clock::now();
    const std::uint64_t visits = TbbWalk(plan, serial, longInterrupt, {}).walk(enough);
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
    least = std::min(least, time.count() / std::max(static_cast<double>(visits), 1.0));
  }
  return {least, 0};
}

bool wakesThreads(const Plan &) { return false; }

} // namespace synthesizer
