//===- SeedsTest.cpp - Estimates of what is random ------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Seeds.h"

#include "emulatorTrees.h"
#include "predictor/verbs/Estimates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

using namespace prophet;
using test::TreeMaker;

/// A recursion of uneven halves, six deep, whose tasks all have leaves of their own length.
static Tree unevenTasks(double scale) {
  TreeMaker make;
  const std::uint32_t site = make.site(SiteKind::Tasks);
  NodeId task = make.work(50 * scale), other = make.work(9 * scale);
  for (int depth = 0; depth < 6; ++depth) {
    const NodeId section = make.section(site, {{task, 1}, {other, 2}, {make.u(3 * scale), 1}});
    other = std::exchange(task, make.task({{make.u((1 + depth) * scale), 1}, {section, 1}}));
  }
  return make.root({{make.section(site, {{task, 2}, {other, 1}}), 1}});
}

/// The speedups under five seeds from `first` on, ascending.
static std::array<double, 5> speedups(const Tree &tree, unsigned threads, std::uint64_t first) {
  EmulationOptions options;
  options.paradigm = Paradigm::Cilk;
  options.threads = threads;
  std::array<double, 5> result;
  for (std::size_t i = 0; i < result.size(); ++i) {
    options.seed = first + i;
    result[i] = emulate(tree, options).speedup;
  }
  std::ranges::sort(result);
  return result;
}

static PredictRequest requestFor(unsigned threads, std::uint64_t seed) {
  PredictWords words;
  words.threads = std::to_string(threads);
  words.seed = std::to_string(seed);
  words.paradigm = "cilk";
  words.overheads = "none";
  words.memory = "none";
  return *words.resolve(2);
}

static Prediction predictionOf(const Tree &tree, const PredictRequest &request) {
  return *predict(std::make_shared<Tree>(tree), "tree", request);
}

TEST(Seeds, anEstimateIsTheRunInTheMiddleOfFive) {
  const Tree tree = unevenTasks(1);
  bool differ = false;
  for (unsigned threads : {2u, 3u, 4u, 6u})
    for (std::uint64_t seed : {1, 2, 50}) {
      const auto five = speedups(tree, threads, seed);
      const PredictionPoint point = predictionOf(tree, requestFor(threads, seed)).points.front();
      EXPECT_EQ(point.estimate.speedup, five[2]);
      EXPECT_EQ(point.interval, std::pair(five[0], five[4]));
      EXPECT_GE(point.seed, seed);
      EXPECT_LE(point.seed, seed + 4);
      differ |= five[0] < five[2] && five[2] < five[4];
    }
  EXPECT_TRUE(differ) << "the tree leaves nothing to chance";
}

TEST(Seeds, allFiguresAreOfThatRun) {
  const Tree tree = unevenTasks(1);
  const Prediction prediction = predictionOf(tree, requestFor(4, 1));
  const PredictionPoint &point = prediction.points.front();
  const Estimate again = emulate(tree, optionsOf(prediction, point));
  EXPECT_EQ(point.estimate.ticks, again.ticks);
  EXPECT_EQ(point.estimate.sites[0].ticks, again.sites[0].ticks);
  EXPECT_EQ(point.estimate.waterfall.program.imbalance, again.waterfall.program.imbalance);
}

TEST(Seeds, ofWhatIsChangedAreComparedByTheirMediansToo) {
  PredictRequest request = requestFor(4, 1);
  request.whatIfs.push_back(*parseWhatIf("site site0: length=2x"));
  const Prediction prediction = predictionOf(unevenTasks(1), request);
  EXPECT_EQ(prediction.points[0].estimate.speedup, speedups(unevenTasks(1), 4, 1)[2]);
  const Estimate &changed = prediction.whatIfs[0].points[0].estimate;
  EXPECT_DOUBLE_EQ(changed.serialTicks / changed.ticks / 2, speedups(unevenTasks(2), 4, 1)[2] / 4);
}

TEST(Seeds, ofEqualRunsTheMiddleOneIsTaken) {
  TreeMaker make;
  make.root({{make.section(make.site(SiteKind::Tasks), {{make.work(10), 4}}), 1}});
  EmulationOptions options;
  options.paradigm = Paradigm::Tbb;
  options.threads = 2;
  options.seed = 5;
  const Draws draws = drawSeeds(Emulator(make.tree), options);
  EXPECT_EQ(draws.estimate.speedup, 2);
  EXPECT_EQ(draws.range, std::pair(2.0, 2.0));
  EXPECT_EQ(draws.typical, 7u);
}

/// A loop around loops of two, unevenly, for two threads a team on two cores, of libomp's waiters.
static EmulationOptions crowded() {
  EmulationOptions options;
  options.threads = options.cores = options.maxActiveLevels = 2;
  options.overheads.baseSlice = 700'000;
  return options;
}

static Tree nestedLoops(std::uint64_t repeats, bool areLocked = false) {
  TreeMaker make;
  const auto outer = make.site(), inner = make.site();
  std::vector<Child> tasks;
  for (const double length : {9e6, 4e6, 7e6}) {
    const NodeId task = areLocked ? make.task({{make.l(0, 2e6), 1}}) : make.work(2e6);
    const NodeId loop = make.section(inner, {{make.work(length), 1}, {task, repeats}});
    tasks.push_back({make.task({{make.u(1e6), 1}, {loop, 1}}), 3});
  }
  return make.root({{make.section(outer, tasks), 1}});
}

TEST(Seeds, ofPlacedThreadsTheMeansCount) {
  const Tree tree = nestedLoops(1);
  const Emulator emulator(tree);
  EmulationOptions options = crowded();
  ASSERT_EQ(emulator.chance(options), Chance::Placement);
  const Draws draws = drawSeeds(emulator, options);
  std::vector<double> speedups;
  double ticks = 0, idle = 0, inner = 0;
  for (options.seed = 1; options.seed <= 31; ++options.seed) {
    const Estimate run = emulator.run(options);
    speedups.push_back(run.speedup);
    ticks += run.ticks / 31;
    idle += run.waterfall.program.imbalance / 31;
    inner += run.sites[1].ticks / 31;
  }
  const Estimate &estimate = draws.estimate;
  EXPECT_DOUBLE_EQ(estimate.ticks, ticks);
  EXPECT_NEAR(estimate.speedup, estimate.serialTicks / ticks, 1e-12);
  EXPECT_NEAR(estimate.waterfall.program.imbalance, idle, 1e-6 * idle);
  EXPECT_DOUBLE_EQ(estimate.sites[1].ticks, inner);
  EXPECT_EQ(estimate.waterfall.program.sum(), estimate.waterfall.threadTicks);
  EXPECT_DOUBLE_EQ(estimate.loss.sum(), 1);
  std::ranges::sort(speedups);
  EXPECT_EQ(draws.range, std::pair(speedups.front(), speedups.back()));
  EXPECT_LT(draws.range.first, draws.range.second) << "the tree leaves nothing to chance";
  options.seed = draws.typical;
  EXPECT_EQ(emulator.speedup(options), speedups[15]);
}

TEST(Seeds, ofPlacedThreadsAreFewerWhereARunTakesLong) {
  const Tree tree = nestedLoops(100'000, true);
  const EmulationOptions options = crowded();
  const Emulator emulator(tree);
  EXPECT_GT(emulator.steps(options), 0.8e6);
  EXPECT_LE(drawSeeds(emulator, options).typical, 5u);
}

TEST(Seeds, meansOfEqualRunsAreTheirFigures) {
  TreeMaker make;
  const auto site = make.site();
  const NodeId locked = make.task({{make.u(10), 1}, {make.l(1, 30), 1}});
  make.root({{make.section(site, {{locked, 4}}), 1}, {make.u(7), 1}});
  EmulationOptions options;
  const Estimate run = emulate(make.tree, options);
  const std::vector<Estimate> runs(3, run);
  const Estimate mean = meanOf(runs, 2);
  EXPECT_EQ(mean.ticks, run.ticks);
  EXPECT_EQ(mean.waterfall.waitFor(1), run.waterfall.waitFor(1));
  EXPECT_EQ(mean.waterfall.locks.size(), run.waterfall.locks.size());
  EXPECT_EQ(mean.sites[site].gain, run.sites[site].gain);
}

TEST(Seeds, matterWhereSomethingIsRandom) {
  const Tree tree = nestedLoops(1);
  const Emulator emulator(tree);
  EmulationOptions options = crowded();
  options.waitPolicy = WaitPolicy::Passive; // threads sleep
  EXPECT_EQ(emulator.chance(options), Chance::None);
  options = crowded();
  options.runtime = OmpRuntime::Libgomp; // they do, too
  EXPECT_EQ(emulator.chance(options), Chance::None);
  options = crowded();
  options.overheads.baseSlice = 0;
  EXPECT_EQ(emulator.chance(options), Chance::None);
  options = crowded();
  options.maxActiveLevels = 1; // a core for each thread
  EXPECT_EQ(emulator.chance(options), Chance::None);
  options.threads = 4;
  EXPECT_EQ(emulator.chance(options), Chance::Placement);
  options.paradigm = Paradigm::Tbb;
  EXPECT_EQ(emulator.chance(options), Chance::Stealing);
}
