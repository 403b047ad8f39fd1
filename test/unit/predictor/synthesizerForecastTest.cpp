//===- synthesizerForecastTest.cpp - How long runs will take --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// bench/virtual_seconds.py puts forecasts beside what runs took; the bounds here are
// a few times what it measured.
//
//===----------------------------------------------------------------------===//

#include "emulatorTrees.h"
#include "predictor/synthesizer/Forecast.h"

#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

EmulationOptions on(unsigned threads, OmpRuntime runtime = OmpRuntime::Libomp,
                    unsigned levels = 1) {
  EmulationOptions options;
  options.threads = threads;
  options.runtime = runtime;
  options.maxActiveLevels = levels;
  return options;
}

/// What `of` says of the forecast for `tree`.
template <typename Of> double ask(const Tree &tree, const EmulationOptions &options, const Of &of) {
  const TimedTree timed(tree, TimedTree::gridFor(2 * tree.serialLengths()[tree.root]));
  const Chains chains(timed, options);
  return of(Forecast(timed, chains));
}

double seconds(const Tree &tree, const EmulationOptions &options) {
  return ask(tree, options, [&](const Forecast &forecast) {
    const auto time = forecast.virtualTime(options);
    return time.once + time.run;
  });
}

double threads(const Tree &tree, const EmulationOptions &options) {
  return ask(tree, options, [&](const Forecast &forecast) { return forecast.threads(options); });
}

/// A loop of `outer` iterations, each a section of `site` of four tasks.
Tree inALoop(std::uint64_t outer, SiteKind kind) {
  TreeMaker make;
  const auto loop = make.site(), site = make.site(kind);
  const NodeId inner = make.section(site, {{make.work(1000), 4}});
  return make.root({{make.section(loop, {{make.task({{inner, 1}}), outer}}), 1}});
}

TEST(Forecast, InnerLoopsOpenNoTeamsBelowTheirLevel) {
  const Tree tree = inALoop(100'000, SiteKind::ParallelFor);
  EXPECT_GT(seconds(tree, on(64)), 0.01); // it takes 0.06 s
  EXPECT_LT(seconds(tree, on(64)), 0.2);
  EXPECT_GT(seconds(tree, on(64, OmpRuntime::Libomp, 2)), 100);
}

TEST(Forecast, TeamsCostMoreTheMoreThreadsThereAre) {
  const Tree tree = inALoop(1000, SiteKind::ParallelFor);
  EXPECT_LT(seconds(tree, on(8, OmpRuntime::Libomp, 2)), 0.1); // it takes 0.04 s,
  EXPECT_GT(seconds(tree, on(64, OmpRuntime::Libomp, 2)), 1);  // 2.3 s,
  EXPECT_LT(seconds(tree, on(64, OmpRuntime::Libomp, 2)), 5);
  EXPECT_GT(seconds(tree, on(64, OmpRuntime::Libgomp, 2)), 1.5); // and 3.4 s
}

TEST(Forecast, SectionsOfTasksShareTheTeamTheyAreIn) {
  const Tree tree = inALoop(10'000, SiteKind::Tasks);
  EXPECT_LT(seconds(tree, on(64)), 1); // it takes 0.07 s
  EXPECT_LT(seconds(tree, on(64, OmpRuntime::Libgomp)), 1);
}

TEST(Forecast, OutermostSectionsOfTasksCostTheSquareOfTheirThreads) {
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const Tree &tree = make.root({{make.section(site, {{make.work(1000), 4}}), 1000}});
  EXPECT_GT(seconds(tree, on(64, OmpRuntime::Libgomp)), 5); // it takes 14 s,
  EXPECT_LT(seconds(tree, on(64, OmpRuntime::Libgomp)), 45);
  EXPECT_GT(seconds(tree, on(2000, OmpRuntime::Libgomp)), 1000);
  EXPECT_LT(seconds(tree, on(64)), 3); // 0.8 s
  EXPECT_GT(seconds(tree, on(1000)), 100);
}

TEST(Forecast, LoopsWithNowaitShareTheTeamOfTheFirst) {
  const auto secondsOf = [](bool nowait) {
    TreeMaker make;
    const auto site = make.site(SiteKind::ParallelFor, nowait);
    return seconds(make.root({{make.section(site, {{make.work(1000), 64}}), 1000}}), on(64));
  };
  EXPECT_GT(secondsOf(false), 20 * secondsOf(true));
}

TEST(Forecast, CountsTheThreadsOfTeamsThatThereMayBeAtOnce) {
  const Tree tree = inALoop(10, SiteKind::ParallelFor);
  EXPECT_EQ(threads(tree, on(64)), 64);
  EXPECT_EQ(threads(tree, on(64, OmpRuntime::Libomp, 2)), 10 * 64);
  EXPECT_EQ(threads(tree, on(4, OmpRuntime::Libomp, 2)), 4 * 4);
  EXPECT_EQ(threads(tree, on(1, OmpRuntime::Libomp, 2)), 1);
  EmulationOptions tasks = on(64, OmpRuntime::Libomp, 2);
  tasks.paradigm = Paradigm::Tasks;
  EXPECT_EQ(threads(tree, tasks), 64);
}

} // namespace
