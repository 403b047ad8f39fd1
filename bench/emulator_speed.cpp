//===- emulator_speed.cpp - What emulation costs --------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// items_per_second is tasks (iterations) a second, over all estimates of a pass.
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Emulator.h"
#include "test/unit/predictor/emulatorTrees.h"

#include <benchmark/benchmark.h>
#include <random>

using namespace prophet;
using namespace prophet::test;

namespace {

EmulationOptions on(unsigned threads, Schedule schedule, OmpRuntime runtime = OmpRuntime::Libomp) {
  EmulationOptions options;
  options.threads = threads;
  options.schedule = schedule;
  options.runtime = runtime;
  options.overheads = Overheads::typical(runtime);
  return options;
}

constexpr Schedule schedules[] = {
    {Schedule::Kind::Static, 0}, {Schedule::Kind::StaticChunk, 1}, {Schedule::Kind::Dynamic, 1}};

void count(benchmark::State &state, double tasks) {
  state.counters["items_per_second"] = benchmark::Counter(
      tasks * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

/// What `prophet predict` does with a loop of 10^9 iterations in ten runs: three schedules on 1 to
/// 12 threads. 36 estimates a pass.
void tenRuns(benchmark::State &state, OmpRuntime runtime) {
  TreeMaker make;
  std::vector<Child> runs;
  for (int run = 0; run < 10; ++run)
    runs.push_back({make.work(1000 + 777 * (run % 4)), 100'000'000});
  const auto site = make.site();
  make.root({{make.section(site, runs), 1}});
  for (auto _ : state) {
    const Emulator emulator(make.tree);
    for (const Schedule &schedule : schedules)
      for (unsigned threads = 1; threads <= 12; ++threads)
        benchmark::DoNotOptimize(emulator.run(on(threads, schedule, runtime)).ticks);
  }
}
BENCHMARK_CAPTURE(tenRuns, libomp, OmpRuntime::Libomp)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tenRuns, libgomp, OmpRuntime::Libgomp)->Unit(benchmark::kMillisecond);

constexpr int distinct = 1'000'000;

/// A loop of iterations that all differ; a locked part of `lockedShare` of the length ends each.
Tree distinctLoop(bool locked, double lockedShare) {
  std::mt19937_64 random(1);
  TreeMaker make;
  std::vector<Child> tasks;
  for (int i = 0; i < distinct; ++i) {
    const double length = static_cast<double>(1000 + random() % 100'000);
    std::vector<Child> parts{{make.u(length), 1}};
    if (locked)
      parts.push_back({make.l(0, length * lockedShare), 1});
    tasks.push_back({make.task(parts), 1});
  }
  const auto site = make.site();
  return make.root({{make.section(site, tasks), 1}});
}

/// One estimate of a million distinct iterations on 12 threads.
void distinctTasks(benchmark::State &state, Schedule schedule, OmpRuntime runtime) {
  const Tree tree = distinctLoop(false, 0);
  const Emulator emulator(tree);
  for (auto _ : state)
    benchmark::DoNotOptimize(emulator.run(on(12, schedule, runtime)).ticks);
  count(state, distinct);
}
BENCHMARK_CAPTURE(distinctTasks, static, schedules[0], OmpRuntime::Libomp);
BENCHMARK_CAPTURE(distinctTasks, static1, schedules[1], OmpRuntime::Libomp);
BENCHMARK_CAPTURE(distinctTasks, queue, schedules[2], OmpRuntime::Libgomp);
BENCHMARK_CAPTURE(distinctTasks, steal, schedules[2], OmpRuntime::Libomp);

/// The same with a critical section in every iteration: two events a task. `share` per mille of an
/// iteration's length is locked; 10 leaves the lock mostly free, 500 saturates it.
void lockedTasks(benchmark::State &state, Schedule schedule) {
  const Tree tree = distinctLoop(true, static_cast<double>(state.range(0)) / 1000);
  const Emulator emulator(tree);
  for (auto _ : state)
    benchmark::DoNotOptimize(emulator.run(on(12, schedule)).ticks);
  count(state, distinct);
}
BENCHMARK_CAPTURE(lockedTasks, static, schedules[0])->Arg(10)->Arg(500);
BENCHMARK_CAPTURE(lockedTasks, dynamic1, schedules[2])->Arg(10)->Arg(500);

/// A million iterations of two shapes in 2000 runs, half of each locked: the same events out of the
/// cache.
void lockedRuns(benchmark::State &state, Schedule schedule, OmpRuntime runtime) {
  TreeMaker make;
  const auto shape = [&](double length) {
    return make.task({{make.u(length), 1}, {make.l(0, length), 1}});
  };
  const NodeId one = shape(1000), other = shape(1700);
  std::vector<Child> runs;
  for (int i = 0; i < 1000; ++i)
    runs.insert(runs.end(), {{one, 700}, {other, 300}});
  const auto site = make.site();
  make.root({{make.section(site, runs), 1}});
  const Emulator emulator(make.tree);
  for (auto _ : state)
    benchmark::DoNotOptimize(emulator.run(on(12, schedule, runtime)).ticks);
  count(state, 1'000'000);
}
BENCHMARK_CAPTURE(lockedRuns, static, schedules[0], OmpRuntime::Libomp);
BENCHMARK_CAPTURE(lockedRuns, queue, schedules[2], OmpRuntime::Libgomp);
BENCHMARK_CAPTURE(lockedRuns, steal, schedules[2], OmpRuntime::Libomp);

/// Two active levels, twelve threads each on twelve cores: 1000 iterations around loops of 1000.
void innerTeams(benchmark::State &state) {
  TreeMaker make;
  const auto outer = make.site(), inner = make.site();
  std::vector<Child> runs;
  for (int i = 0; i < 1000; ++i)
    runs.push_back({make.work(1000 + 37 * i), 1});
  const NodeId loop = make.section(inner, runs);
  make.root({{make.section(outer, {{make.task({{loop, 1}}), 1000}}), 1}});
  EmulationOptions options = on(12, schedules[2]);
  options.maxActiveLevels = 2;
  const Emulator emulator(make.tree);
  for (auto _ : state)
    benchmark::DoNotOptimize(emulator.run(options).ticks);
  count(state, 1'000'000);
}
BENCHMARK(innerTeams);

} // namespace

BENCHMARK_MAIN();
