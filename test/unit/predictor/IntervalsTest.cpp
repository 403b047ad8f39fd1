//===- IntervalsTest.cpp - Where a speedup lies ---------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/Intervals.h"
#include "emulatorTrees.h"

#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

/// A site's factor on a team of two, and of that of one that computes while the other does not.
struct Given final : BurdenModel {
  double factor, most, mostAlone;
  std::vector<std::shared_ptr<const BurdenModel>> others{};
  std::shared_ptr<const BurdenModel> elsewhere;

  explicit Given(double factor, double most = 0, double mostAlone = 0)
      : factor(factor), most(most > 0 ? most : factor), mostAlone(mostAlone) {}

  BurdenFactors factors(const EmulationOptions &) const override { return {{{2, factor}}}; }
  BurdenFactors heaviest(const EmulationOptions &) const override { return {{{2, most}}}; }
  BurdenFactors whileComputing(const EmulationOptions &) const override { return {{}}; }
  BurdenFactors heaviestWhileComputing(const EmulationOptions &) const override {
    return mostAlone > 0 ? BurdenFactors{{{1, mostAlone}, {2, most}}} : BurdenFactors{{}};
  }
  std::vector<std::shared_ptr<const BurdenModel>> otherCaches() const override { return others; }
  std::shared_ptr<const BurdenModel> otherPlaces() const override { return elsewhere; }
  std::vector<std::string> warnings(const EmulationOptions &) const override { return {}; }
  std::vector<std::optional<Roofline>> rooflines(const EmulationOptions &) const override {
    return {{}};
  }
};

/// What opens the interval of a loop of such tasks on two threads.
std::vector<IntervalPart> partsOf(const std::shared_ptr<Given> &model,
                                  const std::vector<double> &tasks, bool useBurden = true) {
  TreeMaker make;
  Subject subject{std::make_shared<Tree>(make.root({{make.loop(tasks), 1}})), {}, {}};
  subject.options.useBurden = useBurden;
  subject.options.burdenModel = model;
  const Emulator emulator(*subject.tree);
  PredictionPoint point;
  point.threads = 2;
  point.estimate = emulator.run(subject.optionsFor(2, point.choice).burdened());
  const std::vector<Subject> none;
  Intervals(subject, emulator, none).set(point);
  for (const IntervalPart &part : point.intervalParts) {
    EXPECT_LE(point.interval.first, part.range.first);
    EXPECT_GE(point.interval.second, part.range.second);
  }
  return point.intervalParts;
}

} // namespace

TEST(Intervals, HaveWhatACacheKeepsAtLeastAndAtMost) {
  const auto model = std::make_shared<Given>(1.25);
  EXPECT_TRUE(partsOf(model, {100, 100}).empty());
  model->others = {std::make_shared<Given>(1.6), std::make_shared<Given>(1)};
  const auto parts = partsOf(model, {100, 100});
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].source, OpenedBy::Cache);
  EXPECT_NEAR(parts[0].range.first, 2 / 1.6, 1e-9);
  EXPECT_NEAR(parts[0].range.second, 2, 1e-9);
  EXPECT_TRUE(partsOf(model, {100, 100}, false).empty());
  model->others = {std::make_shared<Given>(1.3)}; // the estimate is in it
  const auto slower = partsOf(model, {100, 100});
  ASSERT_EQ(slower.size(), 1u);
  EXPECT_NEAR(slower[0].range.second, 2 / 1.25, 1e-9);
}

TEST(Intervals, HaveWhatOtherPlacesOfTheCoresGain) {
  const auto model = std::make_shared<Given>(1.25);
  model->elsewhere = std::make_shared<Given>(1.6);
  model->others = {std::make_shared<Given>(1)};
  const auto parts = partsOf(model, {100, 100});
  ASSERT_EQ(parts.size(), 2u); // the widest first
  EXPECT_EQ(parts[0].source, OpenedBy::Cache);
  EXPECT_EQ(parts[1].source, OpenedBy::Places);
  EXPECT_NEAR(parts[1].range.first, 2 / 1.6, 1e-9);
  EXPECT_NEAR(parts[1].range.second, 2 / 1.25, 1e-9);
}

TEST(Intervals, HaveNoCacheWhereItOnlyRounds) {
  const auto model = std::make_shared<Given>(1.25);
  model->others = {std::make_shared<Given>(1.25 + 1e-11), std::make_shared<Given>(1.25 - 1e-11)};
  EXPECT_TRUE(partsOf(model, {1e6, 1e6}).empty());
  model->others = {std::make_shared<Given>(1.25 + 1e-4), std::make_shared<Given>(1.25)};
  EXPECT_EQ(partsOf(model, {1e6, 1e6}).size(), 1u);
}

TEST(Intervals, HaveTheHeaviestBurdens) {
  const auto parts = partsOf(std::make_shared<Given>(1.25, 2), {100, 100});
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].source, OpenedBy::Memory);
  EXPECT_NEAR(parts[0].range.first, 1, 1e-9);
  EXPECT_NEAR(parts[0].range.second, 1.6, 1e-9);
  // Of tasks of 100 and 300 the second one's last 200 are computed alone, without a burden.
  const auto uneven = partsOf(std::make_shared<Given>(1.25, 2, 1), {100, 300});
  ASSERT_EQ(uneven.size(), 1u);
  EXPECT_NEAR(uneven[0].range.first, 400 / (100 * 2 + 200.), 1e-9);
  EXPECT_NEAR(uneven[0].range.second, 400 / (300 * 1.25), 1e-9);
}
