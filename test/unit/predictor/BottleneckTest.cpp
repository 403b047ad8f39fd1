//===- BottleneckTest.cpp - Why more threads are no use --------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/Bottleneck.h"

#include "emulatorTrees.h"

#include <gtest/gtest.h>

using namespace prophet;
using test::TreeMaker;

static double ticksOn(const Tree &tree, EmulationOptions options, unsigned threads) {
  options.threads = threads;
  return emulate(tree, options).ticks;
}

/// What keeps `many` threads from being faster than `few`.
static Bottleneck between(const Tree &tree, EmulationOptions options, unsigned few, unsigned many) {
  const Emulator emulator(tree);
  options.threads = few;
  const Estimate onFew = emulator.run(options);
  options.threads = many;
  const Estimate onMany = emulator.run(options);
  StalledProgram program{tree, emulator, options, few, many, onFew, onMany};
  program.hurts = onMany.speedup < 0.98 * onFew.speedup;
  return findBottleneck(program);
}

/// Regions whose start and end cost `costs`.
static EmulationOptions forking(TeamCost costs) {
  EmulationOptions options;
  options.overheads.active.fork = std::move(costs);
  return options;
}

TEST(Bottleneck, isWhatMakesItSlowerNotTheIdleness) {
  TreeMaker make; // two iterations, so 62 of 64 threads idle, while the team costs 2000
  make.root({{make.section(make.site(), {{make.work(1000), 2}}), 100}});
  const EmulationOptions options = forking(TeamCost({{1, 0}, {2, 100}, {64, 2000}}));
  EXPECT_EQ(ticksOn(make.tree, options, 2), 100 * (1000 + 100));
  EXPECT_EQ(ticksOn(make.tree, options, 64), 100 * (1000 + 2000));
  EXPECT_EQ(between(make.tree, options, 2, 64).cause, "overhead");
}

TEST(Bottleneck, isNoOverheadThatAllTeamsHave) {
  TreeMaker make; // without it 64 threads are no faster than 50, either
  make.root({{make.section(make.site(), {{make.work(1000), 50}}), 1}});
  const EmulationOptions options = forking(TeamCost({{1, 0}, {2, 300}, {50, 300}, {64, 300}}));
  EXPECT_EQ(ticksOn(make.tree, options, 50), 1300);
  EXPECT_EQ(ticksOn(make.tree, options, 64), 1300);
  EXPECT_EQ(between(make.tree, options, 50, 64).cause, "imbalance");
}

TEST(Bottleneck, isNoLittleThingWhereMostOfTheWorkCannotBeDivided) {
  TreeMaker make;
  // Two iterations of 10000, and 1000 of 1 whose region costs 100 more on four threads than on
  // two: without that it would gain 250 of 10500, while the two cost 5000 too much.
  make.root({{make.section(make.site(), {{make.work(10000), 2}}), 1},
             {make.section(make.site(), {{make.work(1), 1000}}), 1}});
  const EmulationOptions options = forking(TeamCost({{1, 0}, {2, 0}, {4, 125}}));
  EXPECT_EQ(ticksOn(make.tree, options, 2), 10500);
  EXPECT_EQ(ticksOn(make.tree, options, 4), 10000 + 250 + 2 * 125);
  EXPECT_EQ(between(make.tree, options, 2, 4).cause, "imbalance");
}

TEST(Bottleneck, isTheCoresWhereALockMakesFewThreadsSlowToo) {
  TreeMaker make;
  // 80 iterations of 20 and 10 under a lock: on two cores 40 x 30, on more 80 x 10 and the first
  // one's 20. Without the lock more threads than cores gain nothing, either.
  const NodeId task = make.task({{make.u(20), 1}, {make.l(0, 10), 1}});
  make.root({{make.section(make.site(), {{task, 80}}), 1}});
  EmulationOptions options;
  options.cores = 2;
  const Bottleneck bottleneck = between(make.tree, options, 2, 8);
  EXPECT_EQ(bottleneck.cause, "cores");
  EXPECT_FALSE(bottleneck.lock);
}

TEST(Bottleneck, isTheLockWithoutWhichManyThreadsAreFastest) {
  TreeMaker make;
  // A loop under lock 0 alone; lock 1 is waited for by more threads, in a loop of fewer iterations.
  const NodeId long0 = make.l(0, 100), short1 = make.l(1, 10);
  const NodeId task = make.task({{make.u(100), 1}, {long0, 1}});
  const NodeId other = make.task({{make.u(10), 1}, {short1, 1}});
  make.root({{make.section(make.site(), {{other, 64}}), 1},
             {make.section(make.site(), {{task, 64}}), 1}});
  const Bottleneck bottleneck = between(make.tree, {}, 2, 16);
  EXPECT_EQ(bottleneck.cause, "lock");
  EXPECT_EQ(bottleneck.lock, 0u);
}

TEST(Bottleneck, isNamedWhereSeveralHoldItBackAlike) {
  TreeMaker make; // eight threads keep the lock busy, and the eight cores
  const NodeId task = make.task({{make.u(70), 1}, {make.l(0, 10), 1}});
  make.root({{make.section(make.site(), {{task, 48}}), 1}});
  EmulationOptions options;
  options.cores = 8;
  EXPECT_EQ(ticksOn(make.tree, options, 8), 550);
  options.cores = 0;
  EXPECT_EQ(ticksOn(make.tree, options, 16), 550) << "without a want of cores";
  options.cores = 8;
  EXPECT_EQ(between(make.tree, options, 8, 16).cause, "lock");
}

TEST(Bottleneck, isSerialCodeOnlyWhereMoreThreadsGainWithoutIt) {
  for (const std::uint64_t count : {8, 800}) {
    TreeMaker make;
    make.root({{make.u(80000), 1}, {make.section(make.site(), {{make.work(10), count}}), 1}});
    EXPECT_EQ(between(make.tree, {}, 8, 16).cause, count == 8 ? "imbalance" : "serial");
  }
}

TEST(Bottleneck, isSlowerMemory) {
  TreeMaker make;
  make.tree.sites.resize(1);
  make.tree.sites[0].burden = {{2, 1}, {4, 2}, {8, 4}};
  make.root({{make.section(0, {{make.work(10), 80}}), 1}});
  EmulationOptions options;
  options.useBurden = true;
  EXPECT_EQ(ticksOn(make.tree, options, 4), 400);
  EXPECT_EQ(between(make.tree, options, 2, 8).cause, "memory");
}

TEST(Bottleneck, isNothingInAProgramWithoutLength) {
  TreeMaker make;
  make.root({{make.section(make.site(), {{make.work(0), 8}}), 1}});
  EXPECT_EQ(between(make.tree, {}, 2, 4).cause, "");
}
