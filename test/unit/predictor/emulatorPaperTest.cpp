//===- emulatorPaperTest.cpp - The paper's figures ------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parallel Prophet (IPDPS 2012). The text does not give the numbers in Figures 4
// and 5; those here were chosen and worked by hand.
//
//===----------------------------------------------------------------------===//

#include "emulatorTrees.h"
#include "predictor/emulator/Emulator.h"

#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

EmulationOptions on(unsigned threads, Schedule schedule = {},
                    OmpRuntime runtime = OmpRuntime::Libomp) {
  EmulationOptions options;
  options.threads = threads;
  options.schedule = schedule;
  options.runtime = runtime;
  return options;
}

constexpr Schedule staticOne{Schedule::Kind::StaticChunk, 1};
constexpr Schedule dynamicOne{Schedule::Kind::Dynamic, 1};

/// Figure 4: an outer loop with a lock, and an inner loop in its first iteration only.
Tree figure4() {
  TreeMaker make;
  const auto outer = make.site(), inner = make.site();
  const NodeId ten = make.u(10), locked = make.l(0, 20);
  const NodeId loop = make.section(inner, {{make.work(50), 2}, {make.work(40), 2}});
  const NodeId first = make.task({{ten, 1}, {locked, 1}, {loop, 1}, {ten, 1}});
  const NodeId second = make.task({{ten, 1}, {locked, 1}, {ten, 1}});
  return make.root({{make.section(outer, {{first, 1}, {second, 1}}), 1}});
}

TEST(Figure4, InnerLoopRunsSeriallyByDefault) {
  // 0: U to 10, L to 30, inner loop to 210, U to 220. 1: waits for the lock from 10 to 30, U to 60.
  const Estimate estimate = emulate(figure4(), on(2));
  EXPECT_DOUBLE_EQ(estimate.serialTicks, 260);
  EXPECT_DOUBLE_EQ(estimate.ticks, 220);
  EXPECT_DOUBLE_EQ(estimate.sites[1].ticks, 180);
  EXPECT_DOUBLE_EQ(estimate.loss.lock, 20.0 / 440);
  EXPECT_DOUBLE_EQ(estimate.loss.imbalance, 160.0 / 440);
}

TEST(Figure4, TwoActiveLevelsSplitTheInnerLoop) { // 10 + 20 + (50 + 50 | 40 + 40) + 10
  EmulationOptions options = on(2);
  options.maxActiveLevels = 2;
  options.cores = 4;
  EXPECT_DOUBLE_EQ(emulate(figure4(), options).ticks, 140);
}

TEST(Figure4, BurdenLengthensEveryNodeOfTheSection) { // beta_2 = 1.2
  Tree tree = figure4();
  tree.sites[0].burden = {{2, 1.2}};
  EmulationOptions options = on(2);
  options.useBurden = true;
  const Estimate estimate = emulate(tree, options);
  EXPECT_DOUBLE_EQ(estimate.ticks, 220 * 1.2);
  EXPECT_DOUBLE_EQ(estimate.loss.memory, 260 * 0.2 / (2 * 264));
  EXPECT_DOUBLE_EQ(estimate.loss.useful, 260 / (2 * 264.0));
}

/// Figure 5: three unequal iterations that share a lock.
Tree figure5() {
  TreeMaker make;
  const auto site = make.site();
  const auto iteration = [&](double before, double locked, double after) {
    return Child{make.task({{make.u(before), 1}, {make.l(0, locked), 1}, {make.u(after), 1}}), 1};
  };
  const std::vector<Child> tasks{iteration(10, 30, 60), iteration(20, 20, 10),
                                 iteration(10, 10, 30)};
  return make.root({{make.section(site, tasks), 1}});
}

TEST(Figure5, Static) {
  // 0: I0 10-40 locked, to 100; I1 120-140 locked, to 150. 1: I2 waits 10-40, to 80.
  EXPECT_DOUBLE_EQ(emulate(figure5(), on(2)).ticks, 150);
}

TEST(Figure5, StaticOne) {
  // 0: I0 to 100; I2 110-120 locked, to 150. 1: I1 waits 20-40, to 70.
  EXPECT_DOUBLE_EQ(emulate(figure5(), on(2, staticOne)).ticks, 150);
}

TEST(Figure5, DynamicOneFromACentralQueue) {
  // 1: I1 to 70 takes I2: 80-90 locked, to 120.
  EXPECT_DOUBLE_EQ(emulate(figure5(), on(2, dynamicOne, OmpRuntime::Libgomp)).ticks, 120);
}

TEST(Figure5, DynamicOneByStealing) {
  // 0 owns I0, I1; 1 owns I2: waits 10-40, to 80, steals I1: 100-120 locked, to 130.
  EXPECT_DOUBLE_EQ(emulate(figure5(), on(2, dynamicOne)).ticks, 130);
}

/// Figure 7: an outer loop of two, inner loops (10, 5) and (5, 10).
Tree figure7() {
  TreeMaker make;
  make.site();
  const auto outer = make.site();
  const NodeId a = make.task({{make.loop({10, 5}), 1}});
  const NodeId b = make.task({{make.loop({5, 10}), 1}});
  return make.root({{make.section(outer, {{a, 1}, {b, 1}}), 1}});
}

TEST(Figure7, FourThreadsShareTwoCores) {
  // All four advance at half speed to 5 (real 10); the two longer ones go on at full speed to 10.
  for (WaitPolicy policy : {WaitPolicy::Default, WaitPolicy::Active, WaitPolicy::Passive}) {
    EmulationOptions options = on(2);
    options.cores = 2;
    options.maxActiveLevels = 2;
    options.waitPolicy = policy;
    const Estimate estimate = emulate(figure7(), options);
    EXPECT_EQ(estimate.speedup, 2.0);
    EXPECT_EQ(estimate.ticks, 15.0);
    EXPECT_DOUBLE_EQ(estimate.loss.useful, 1);
  }
}

TEST(Figure7, OneActiveLevelIsBalancedToo) { EXPECT_EQ(emulate(figure7(), on(2)).speedup, 2.0); }

} // namespace
