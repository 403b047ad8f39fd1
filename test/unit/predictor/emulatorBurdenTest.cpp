//===- emulatorBurdenTest.cpp - Factors on lengths, fixed and momentary ---===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorTrees.h"
#include "predictor/emulator/Emulator.h"
#include "predictor/emulator/Listener.h"

#include <gtest/gtest.h>
#include <random>

using namespace prophet;
using namespace prophet::test;

namespace {

TEST(Burden, IsInterpolatedBetweenThreadCounts) {
  TreeMaker make;
  const auto site = make.site(), other = make.site();
  Tree &tree = make.tree;
  EmulationOptions options;
  options.useBurden = true;
  EXPECT_EQ(options.burdenFactor(tree, site, 4), 1);
  tree.sites[site].burden = {{2, 1.2}, {4, 1.6}};
  EXPECT_EQ(options.burdenFactor(tree, site, 1), 1);
  EXPECT_EQ(options.burdenFactor(tree, site, 2), 1.2);
  EXPECT_DOUBLE_EQ(options.burdenFactor(tree, site, 3), 1.4);
  EXPECT_EQ(options.burdenFactor(tree, site, 12), 1.6);
  EXPECT_EQ(options.burdenFactor(tree, other, 12), 1);
  options.burdens = {{{2, 0.75}}, {{2, 3}}}; // in the place of the tree's
  EXPECT_EQ(options.burdenFactor(tree, site, 2), 0.75);
  EXPECT_EQ(options.burdenFactor(tree, other, 2), 3);
  options.useBurden = false;
  EXPECT_EQ(options.burdenFactor(tree, other, 2), 1);
}

TEST(Burden, OfTheOptionsLengthensASite) {
  TreeMaker make;
  const auto site = make.site();
  const Tree &tree = make.root({{make.u(10), 1}, {make.section(site, {{make.work(10), 4}}), 1}});
  EmulationOptions options;
  options.useBurden = true;
  options.burdens = {{{2, 1.5}}};
  EXPECT_EQ(emulate(tree, options).ticks, 10 + 30);
  options.burdens = {{{2, 0.5}}}; // together they have more cache
  EXPECT_EQ(emulate(tree, options).ticks, 10 + 10);
}

/// Twice as slow on four threads, linear below; by the threads that can run at the same time.
class Linear : public BurdenModel {
public:
  static double of(unsigned computing) { return 1 + (computing - 1) / 3.0; }

  BurdenFactors factors(const EmulationOptions &options) const override {
    return {{{options.threads, of(running(options))}}};
  }
  BurdenFactors whileComputing(const EmulationOptions &options) const override {
    BurdenFactors factors(1);
    for (unsigned computing = 1; computing <= running(options); ++computing)
      factors[0][computing] = of(computing);
    return factors;
  }
  BurdenFactors heaviestWhileComputing(const EmulationOptions &options) const override {
    return whileComputing(options);
  }
  BurdenFactors heaviest(const EmulationOptions &options) const override {
    return factors(options);
  }
  std::vector<std::string> warnings(const EmulationOptions &) const override { return {}; }
  std::vector<std::optional<Roofline>> rooflines(const EmulationOptions &) const override {
    return {std::nullopt};
  }

private:
  static unsigned running(const EmulationOptions &options) {
    return options.cores ? std::min(options.cores, options.threads) : options.threads;
  }
};

EmulationOptions burdened(unsigned threads, unsigned cores = 0) {
  EmulationOptions options;
  options.threads = threads;
  options.cores = cores;
  options.useBurden = true;
  options.burdenModel = std::make_shared<Linear>();
  return options;
}

/// Has the emulator go event by event.
class Silent : public EventListener {
  void regionBegins(NodeId, double) override {}
  void interval(const Interval &) override {}
  void regionEnds(double) override {}
};

TEST(MomentaryBurden, IsLessWhileFewerThreadsCompute) {
  TreeMaker make;
  const Tree &tree = make.root({{make.loop({90, 300}), 1}});
  // Two threads: factor 4/3 for 90 each, then the second alone goes on with 210.
  const Estimate estimate = emulate(tree, burdened(2));
  EXPECT_DOUBLE_EQ(estimate.ticks, 90 * 4 / 3.0 + 210);
  EXPECT_DOUBLE_EQ(estimate.waterfall.program.useful, 390);
  EXPECT_NEAR(estimate.waterfall.program.memory, 2 * 30, 1e-6);
  EXPECT_NEAR(estimate.waterfall.program.imbalance, 210, 1e-6);
  EXPECT_EQ(estimate.waterfall.program.sum(), estimate.waterfall.threadTicks);
}

TEST(MomentaryBurden, WhoWaitsForALockDoesNotCompute) {
  TreeMaker make;
  const auto site = make.site();
  const NodeId task = make.task({{make.l(0, 90), 1}});
  const Tree &tree = make.root({{make.section(site, {{task, 4}}), 1}});
  EXPECT_DOUBLE_EQ(emulate(tree, burdened(2)).ticks, 360) << "one at a time";
}

TEST(MomentaryBurden, IsThatOfTheThreadsThatHaveCores) {
  TreeMaker make;
  const Tree &tree = make.root({{make.loop({90, 90, 300}), 1}});
  // Three threads share two cores, at factor 4/3; then the third one goes on alone.
  EXPECT_DOUBLE_EQ(emulate(tree, burdened(3, 2)).ticks, 90 * 1.5 * 4 / 3.0 + 210);
}

TEST(MomentaryBurden, IsTheSameByFormulaAndByEvents) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    TreeMaker make;
    std::vector<double> lengths(1 + random() % 20);
    for (double &length : lengths)
      length = 1 + random() % 1000;
    const Tree &tree = make.root({{make.u(5), 1}, {make.loop(lengths), 1 + random() % 3}});
    const unsigned threads = 2 + random() % 6;
    EmulationOptions options = burdened(threads, random() % 2 ? 0 : 1 + random() % threads);
    options.runtime = random() % 2 ? OmpRuntime::Libomp : OmpRuntime::Libgomp;
    const Schedule schedules[] = {
        {}, {Schedule::Kind::StaticChunk, 2}, {Schedule::Kind::Dynamic, 1}};
    options.schedule = schedules[random() % 3];
    Overheads &costs = options.overheads; // take their time whoever computes
    costs.active.fork = static_cast<double>(random() % 100);
    costs.active.join = static_cast<double>(random() % 100);
    costs.passive = costs.active;
    Silent silent;
    const Emulator emulator(tree);
    const Estimate formula = emulator.run(options), events = emulator.run(options, &silent);
    EXPECT_NEAR(formula.ticks, events.ticks, 1e-6 * formula.ticks) << round;
    const TimeParts &a = formula.waterfall.program, &b = events.waterfall.program;
    EXPECT_NEAR(a.memory, b.memory, 1e-6 * formula.waterfall.threadTicks) << round;
    EXPECT_NEAR(a.imbalance, b.imbalance, 1e-6 * formula.waterfall.threadTicks) << round;
    EXPECT_NEAR(a.cores, b.cores, 1e-6 * formula.waterfall.threadTicks) << round;
  }
}

} // namespace
