//===- emulator_speed.cpp - What emulation costs --------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One estimate of a program on 12 threads, unless a name says otherwise.
// items_per_second is tasks (iterations) a second. `inNodes`, `inThreads`,
// `inLocks`, `inDepth` and `inSteals` vary one size and end in a fit to n log n: a BigO
// row, and its RMS, the part of the measured times that the fit leaves.
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Emulator.h"
#include "predictor/emulator/StaticSteal.h"
#include "predictor/support/Memory.h"
#include "test/unit/predictor/emulatorTrees.h"

#include <benchmark/benchmark.h>
#include <cmath>
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

constexpr Schedule statically{Schedule::Kind::Static, 0}, staticOne{Schedule::Kind::StaticChunk, 1},
    dynamicOne{Schedule::Kind::Dynamic, 1};
constexpr Schedule schedules[] = {statically, staticOne, dynamicOne};
constexpr OmpRuntime libomp = OmpRuntime::Libomp, libgomp = OmpRuntime::Libgomp;

/// Times one estimate of `tree`, which has `tasks` tasks.
void estimate(benchmark::State &state, const Tree &tree, const EmulationOptions &options,
              double tasks) {
  const Emulator emulator(tree);
  for (auto _ : state)
    benchmark::DoNotOptimize(emulator.run(options).ticks);
  state.counters["items_per_second"] = benchmark::Counter(
      tasks * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.SetComplexityN(state.range(0));
}

//===- Trees --------------------------------------------------------------===//

class Lengths {
public:
  double next() { return static_cast<double>(1000 + random() % 100'000); }

private:
  std::mt19937_64 random{1};
};

/// A loop of `tasks` iterations in ten runs of equal ones.
Tree tenRuns(std::uint64_t tasks) {
  TreeMaker make;
  std::vector<Child> runs;
  for (int run = 0; run < 10; ++run)
    runs.push_back({make.work(1000 + 777 * (run % 4)), tasks / 10});
  const auto site = make.site();
  return make.root({{make.section(site, runs), 1}});
}

/// A loop of iterations that all differ. Where `locks` > 0 each ends with `lockedShare` of its
/// length under one of them, in turn.
Tree distinctLoop(std::int64_t tasks, std::uint32_t locks = 0, double lockedShare = 0) {
  Lengths lengths;
  TreeMaker make;
  std::vector<Child> children;
  for (std::int64_t i = 0; i < tasks; ++i) {
    const double length = lengths.next();
    std::vector<Child> parts{{make.u(length), 1}};
    if (locks > 0)
      parts.push_back({make.l(static_cast<std::uint32_t>(i % locks), length * lockedShare), 1});
    children.push_back({make.task(parts), 1});
  }
  const auto site = make.site();
  return make.root({{make.section(site, children), 1}});
}

/// `outer` iterations around a loop of `inner` distinct ones.
Tree nestedLoops(std::int64_t outer, std::int64_t inner) {
  Lengths lengths;
  TreeMaker make;
  const auto outside = make.site(), inside = make.site();
  std::vector<Child> children;
  for (std::int64_t i = 0; i < inner; ++i)
    children.push_back({make.work(lengths.next()), 1});
  const NodeId loop = make.section(inside, children);
  const NodeId iteration = make.task({{loop, 1}});
  return make.root({{make.section(outside, {{iteration, static_cast<std::uint64_t>(outer)}}), 1}});
}

/// `calls` calls of a recursion, each of which works and then spawns two on the halves of what is
/// left.
Tree recursion(std::int64_t calls) {
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  Lengths lengths;
  const auto call = [&](auto &self, std::int64_t below) -> NodeId {
    std::vector<Child> parts{{make.u(lengths.next()), 1}};
    if (below > 0) {
      std::vector<Child> calls{{self(self, (below - 1) / 2), 1}};
      if (below > 1)
        calls.push_back({self(self, below - 2 - (below - 1) / 2), 1});
      parts.push_back({make.section(site, calls), 1});
    }
    return make.task(parts);
  };
  return make.root({{make.section(site, {{call(call, calls - 1), 1}}), 1}});
}

/// A section inside a task inside a section ..., `depth` of them, each with as many `leaves` beside
/// the task that goes on.
Tree tower(std::int64_t depth, std::uint64_t leaves, SiteKind kind = SiteKind::Tasks,
           bool hasLock = false) {
  TreeMaker make;
  const auto site = make.site(kind);
  const NodeId work = make.u(1000), leaf = make.task({{hasLock ? make.l(0, 100) : work, 1}});
  const auto level = [&](NodeId task) {
    return leaves > 0 ? make.section(site, {{task, 1}, {leaf, leaves}})
                      : make.section(site, {{task, 1}});
  };
  NodeId task = leaf;
  for (std::int64_t below = 1; below < depth; ++below)
    task = make.task({{work, 1}, {level(task), 1}});
  return make.root({{level(task), 1}});
}

//===- Lock-free loops ----------------------------------------------------===//

/// Compressed: the trip count must not matter. What `prophet predict --threads 1-12` does.
void compressed(benchmark::State &state, OmpRuntime runtime) {
  const Tree tree = tenRuns(static_cast<std::uint64_t>(state.range(0)));
  for (auto _ : state) {
    const Emulator emulator(tree);
    for (const Schedule &schedule : schedules)
      for (unsigned threads = 1; threads <= 12; ++threads)
        benchmark::DoNotOptimize(emulator.run(on(threads, schedule, runtime)).ticks);
  }
}
BENCHMARK_CAPTURE(compressed, libomp, libomp)
    ->RangeMultiplier(1000)
    ->Range(1000, 1'000'000'000'000);
BENCHMARK_CAPTURE(compressed, libgomp, libgomp)
    ->RangeMultiplier(1000)
    ->Range(1000, 1'000'000'000'000);

/// Incompressible.
void distinct(benchmark::State &state, Schedule schedule, OmpRuntime runtime) {
  estimate(state, distinctLoop(state.range(0)), on(12, schedule, runtime),
           static_cast<double>(state.range(0)));
}
void sizes(benchmark::internal::Benchmark *benchmark) {
  benchmark->RangeMultiplier(10)->Range(1000, 1'000'000)->Complexity(benchmark::oNLogN);
}
BENCHMARK_CAPTURE(distinct, static / inNodes, statically, libomp)->Apply(sizes);
BENCHMARK_CAPTURE(distinct, static1 / inNodes, staticOne, libomp)->Apply(sizes);
BENCHMARK_CAPTURE(distinct, queue / inNodes, dynamicOne, libgomp)->Apply(sizes);
BENCHMARK_CAPTURE(distinct, steal / inNodes, dynamicOne, libomp)->Apply(sizes);

/// Compressed, in teams of up to 4096.
void teams(benchmark::State &state, Schedule schedule, OmpRuntime runtime) {
  const auto threads = static_cast<unsigned>(state.range(0));
  estimate(state, tenRuns(1'000'000'000), on(threads, schedule, runtime), 1e9);
}
void teamSizes(benchmark::internal::Benchmark *benchmark) {
  benchmark->RangeMultiplier(4)->Range(16, 4096)->Complexity(benchmark::oNLogN);
}
BENCHMARK_CAPTURE(teams, static / inThreads, statically, libomp)->Apply(teamSizes);
BENCHMARK_CAPTURE(teams, static1 / inThreads, staticOne, libomp)->Apply(teamSizes);
BENCHMARK_CAPTURE(teams, queue / inThreads, dynamicOne, libgomp)->Apply(teamSizes);
BENCHMARK_CAPTURE(teams, steal / inThreads, dynamicOne, libomp)->Apply(teamSizes);

/// The steals of that loop alone: how many there are, and what one takes.
void steals(benchmark::State &state) {
  const auto threads = static_cast<unsigned>(state.range(0));
  Runs runs;
  for (int run = 0; run < 10; ++run)
    runs.push_back({1000 + 777 * (run % 4), 100'000'000});
  std::uint64_t count = 0;
  for (auto _ : state) {
    std::vector<Time> finish(threads);
    count = runSteal(runs, finish);
  }
  const auto steals = static_cast<double>(count);
  const double log = std::log2(threads);
  state.counters["steals"] = steals;
  state.counters["per_T_log2T"] = steals / (threads * log * log);
  state.counters["items_per_second"] = benchmark::Counter(
      steals * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.SetComplexityN(static_cast<benchmark::IterationCount>(count));
}
BENCHMARK(steals)
    ->Name("steals/inSteals")
    ->RangeMultiplier(4)
    ->Range(16, 4096)
    ->Complexity(benchmark::oNLogN);

//===- Locks --------------------------------------------------------------===//

/// Distinct iterations with a critical section: two events a task. `share` of an iteration's length
/// is locked: 0.01 leaves the lock mostly free, 0.5 saturates it.
void locked(benchmark::State &state, Schedule schedule, double share) {
  estimate(state, distinctLoop(state.range(0), 1, share), on(12, schedule),
           static_cast<double>(state.range(0)));
}
BENCHMARK_CAPTURE(locked, free / static / inNodes, statically, 0.01)->Apply(sizes);
BENCHMARK_CAPTURE(locked, free / steal / inNodes, dynamicOne, 0.01)->Apply(sizes);
BENCHMARK_CAPTURE(locked, contended / static / inNodes, statically, 0.5)->Apply(sizes);
BENCHMARK_CAPTURE(locked, contended / steal / inNodes, dynamicOne, 0.5)->Apply(sizes);

/// 10^5 distinct iterations on more and more threads that all want one lock.
void lockedTeams(benchmark::State &state) {
  estimate(state, distinctLoop(100'000, 1, 0.5),
           on(static_cast<unsigned>(state.range(0)), staticOne), 1e5);
}
BENCHMARK(lockedTeams)->Name("lockedTeams/inThreads")->Apply(teamSizes);

/// The same, with a lock that is mostly free, on twelve cores, where threads that yield stay.
/// `isRelieved`: who computes is the faster the fewer others do.
void crowdedTeams(benchmark::State &state, bool isRelieved) {
  EmulationOptions options = on(static_cast<unsigned>(state.range(0)), staticOne);
  options.cores = 12;
  options.useBurden = isRelieved;
  options.burdens = options.whileComputing = {{{1, 1}, {options.cores, 1.2}}};
  estimate(state, distinctLoop(100'000, 1, 0.01), options, 1e5);
}
BENCHMARK_CAPTURE(crowdedTeams, constant / inThreads, false)->Apply(teamSizes);
BENCHMARK_CAPTURE(crowdedTeams, relieved / inThreads, true)->Apply(teamSizes);

/// As many iterations as locks, each with one of its own: tables by lock must not be searched.
void manyLocks(benchmark::State &state) {
  const auto locks = static_cast<std::uint32_t>(state.range(0));
  estimate(state, distinctLoop(locks, locks, 0.5), on(12, dynamicOne), locks);
}
BENCHMARK(manyLocks)->Name("manyLocks/inLocks")->Apply(sizes);

/// Iterations of two shapes in runs, half of each locked: as many events, of a tree that the cache
/// holds.
void lockedRuns(benchmark::State &state, Schedule schedule, OmpRuntime runtime) {
  TreeMaker make;
  const auto shape = [&](double length) {
    return make.task({{make.u(length), 1}, {make.l(0, length), 1}});
  };
  const NodeId one = shape(1000), other = shape(1700);
  std::vector<Child> runs;
  for (std::int64_t i = 0; i < state.range(0) / 1000; ++i)
    runs.insert(runs.end(), {{one, 700}, {other, 300}});
  const auto site = make.site();
  make.root({{make.section(site, runs), 1}});
  estimate(state, make.tree, on(12, schedule, runtime), static_cast<double>(state.range(0)));
}
BENCHMARK_CAPTURE(lockedRuns, static, statically, libomp)->Arg(1'000'000);
BENCHMARK_CAPTURE(lockedRuns, queue, dynamicOne, libgomp)->Arg(1'000'000);
BENCHMARK_CAPTURE(lockedRuns, steal, dynamicOne, libomp)->Arg(1'000'000);

//===- Nesting and tasks --------------------------------------------------===//

/// 1000 iterations around loops of `range` iterations: on one level; on two, with twelve threads
/// each on twelve cores, the inner loops event by event.
void nested(benchmark::State &state, unsigned levels) {
  EmulationOptions options = on(12, dynamicOne);
  options.maxActiveLevels = levels;
  estimate(state, nestedLoops(1000, state.range(0)), options,
           1000 * static_cast<double>(state.range(0)));
}
BENCHMARK_CAPTURE(nested, oneLevel, 1)->Arg(1000);
void innerSizes(benchmark::internal::Benchmark *benchmark) {
  benchmark->RangeMultiplier(10)->Range(10, 1000)->Complexity(benchmark::oNLogN);
}
BENCHMARK_CAPTURE(nested, twoLevels / inNodes, 2)->Apply(innerSizes);

void recursive(benchmark::State &state, Paradigm paradigm) {
  EmulationOptions options = on(12, statically);
  options.paradigm = paradigm;
  estimate(state, recursion(state.range(0)), options, static_cast<double>(state.range(0)));
}
BENCHMARK_CAPTURE(recursive, openmp / inNodes, Paradigm::OpenMP)->Apply(sizes);
BENCHMARK_CAPTURE(recursive, tbb / inNodes, Paradigm::Tbb)->Apply(sizes);
BENCHMARK_CAPTURE(recursive, cilk / inNodes, Paradigm::Cilk)->Apply(sizes);

/// `leaves` beside each call: others than the one that goes on have something to steal, and look
/// whether they may.
void deep(benchmark::State &state, Paradigm paradigm, OmpRuntime runtime, std::uint64_t leaves) {
  EmulationOptions options = on(12, statically, runtime);
  options.paradigm = paradigm;
  estimate(state, tower(state.range(0), leaves), options,
           static_cast<double>(state.range(0)) * static_cast<double>(1 + leaves));
}
void depths(benchmark::internal::Benchmark *benchmark) {
  benchmark->RangeMultiplier(10)->Range(100, 100'000)->Complexity(benchmark::oNLogN);
}
BENCHMARK_CAPTURE(deep, openmp / inDepth, Paradigm::OpenMP, libomp, 0)->Apply(depths);
BENCHMARK_CAPTURE(deep, tbb / inDepth, Paradigm::Tbb, libomp, 0)->Apply(depths);
BENCHMARK_CAPTURE(deep, cilk / inDepth, Paradigm::Cilk, libomp, 0)->Apply(depths);
BENCHMARK_CAPTURE(deep, leaves / openmp / inDepth, Paradigm::OpenMP, libomp, 1)->Apply(depths);
BENCHMARK_CAPTURE(deep, leaves / libgomp / inDepth, Paradigm::OpenMP, libgomp, 1)->Apply(depths);
BENCHMARK_CAPTURE(deep, leaves / tbb / inDepth, Paradigm::Tbb, libomp, 1)->Apply(depths);
BENCHMARK_CAPTURE(deep, leaves / cilk / inDepth, Paradigm::Cilk, libomp, 1)->Apply(depths);

/// The same of loops, each in a team of its own: as many threads as levels, on two cores.
void deepTeams(benchmark::State &state, bool hasLock) {
  EmulationOptions options = on(2, statically);
  options.maxActiveLevels = 1u << 30;
  estimate(state, tower(state.range(0), 1, SiteKind::ParallelFor, hasLock), options,
           static_cast<double>(state.range(0)));
}
BENCHMARK_CAPTURE(deepTeams, free / inDepth, false)->Apply(depths);
BENCHMARK_CAPTURE(deepTeams, locked / inDepth, true)->Apply(depths);

} // namespace

int main(int count, char **words) {
  prophet::keepFreedMemory(); // as the program does
  benchmark::Initialize(&count, words);
  if (benchmark::ReportUnrecognizedArguments(count, words))
    return 1;
  benchmark::RunSpecifiedBenchmarks();
}
