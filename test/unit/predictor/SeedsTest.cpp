//===- SeedsTest.cpp - Estimates of programs that steal at random ---------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/Seeds.h"

#include "emulatorTrees.h"
#include "predictor/verbs/Estimates.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>

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
  EXPECT_EQ(draws.speedup, 2);
  EXPECT_EQ(draws.range, std::pair(2.0, 2.0));
  EXPECT_EQ(draws.median, 7u);
}
