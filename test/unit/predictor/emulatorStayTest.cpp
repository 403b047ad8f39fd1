//===- emulatorStayTest.cpp - Threads that stay on their cores ------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorBothWays.h"
#include "emulatorPrograms.h"
#include "emulatorTrees.h"
#include "predictor/emulator/Emulator.h"
#include "predictor/emulator/Listener.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <set>

using namespace prophet;
using namespace prophet::test;

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Figure 7 of the paper, an outer loop of two around (10, 5) and (5, 10), on two cores.
double figure7(WaitPolicy policy, OmpRuntime runtime) {
  TreeMaker make;
  const auto outer = make.site(), inner = make.site();
  const auto task = [&](double first, double second) {
    const NodeId loop = make.section(inner, {{make.work(first), 1}, {make.work(second), 1}});
    return Child{make.task({{loop, 1}}), 1};
  };
  make.root({{make.section(outer, {task(10, 5), task(5, 10)}), 1}});
  EmulationOptions options;
  options.threads = options.cores = options.maxActiveLevels = 2;
  options.runtime = runtime;
  options.waitPolicy = policy;
  options.overheads.baseSlice = 1e-6;
  return emulate(make.tree, options).speedup;
}

TEST(StayingThreads, MakeFigure7WhatRealThreadsThatYieldMakeOfIt) {
  // One of 10 is on a core of its own, the others on the other one.
  EXPECT_EQ(figure7(WaitPolicy::Active, OmpRuntime::Libomp), 1.5);
  EXPECT_EQ(figure7(WaitPolicy::Passive, OmpRuntime::Libomp), 2.0);
  EXPECT_EQ(figure7(WaitPolicy::Active, OmpRuntime::Libgomp), 2.0);
}

/// Four threads on two cores, of which the first is the program's, on the first core, and creates
/// the others, on the second. The system's looks at the cores are far away.
double stayingTicks(const std::vector<Child> &program, TreeMaker &make, double blockTime = never) {
  make.root(program);
  EmulationOptions options;
  options.threads = 4;
  options.cores = 2;
  options.overheads.baseSlice = 1;
  options.givenBlockTime = blockTime;
  return ticks(make.tree, options);
}

TEST(StayingThreads, ShareTheirCoreEvenly) {
  TreeMaker one, two;
  EXPECT_DOUBLE_EQ(stayingTicks({{one.loop({100, 100, 100, 100}), 1}}, one), 300);
  // On the second core all are at 20 at 60, two at 50 at 120, and one at 90 at 160.
  EXPECT_DOUBLE_EQ(stayingTicks({{two.loop({100, 20, 90, 50}), 1}}, two), 160);
}

TEST(StayingThreads, AreMovedToCoresWithoutThreads) {
  // The first sleeps 60 after its end at 100. One of the others has 140 / 3 to do, alone. The other
  // two end at 160 + 2 * 140 / 3.
  TreeMaker make;
  EXPECT_NEAR(stayingTicks({{make.loop({100, 100, 100, 100}), 1}}, make, 60), 160 + 280 / 3.0,
              1e-9);
}

TEST(StayingThreads, AreSpreadWhereTheyAreThereAlready) {
  // Once by threes, then by twos: who is created first is known of the program's first region.
  TreeMaker make, repeated;
  EXPECT_DOUBLE_EQ(
      stayingTicks({{make.loop({100, 100, 100, 100}), 1}, {make.loop({100, 100, 100, 100}), 1}},
                   make),
      500);
  EXPECT_DOUBLE_EQ(stayingTicks({{repeated.loop({100, 100, 100, 100}), 7}}, repeated), 1400);
}

TEST(StayingThreads, OfTheFirstRegionAreNewAlsoInsideOfSerialCode) {
  TreeMaker make;
  const NodeId region = make.loop({100, 100, 100, 100});
  const NodeId later = make.loop({100, 100, 100, 100});
  const auto outer = make.site();
  make.root({{make.section(outer, {{make.task({{region, 1}}), 1}}), 1}, {later, 1}});
  EmulationOptions options;
  options.threads = 4;
  options.cores = 2;
  options.overheads.baseSlice = 1;
  options.waitPolicy = WaitPolicy::Active;
  options.exceptSite = outer;
  EXPECT_DOUBLE_EQ(ticks(make.tree, options), 500);
}

TEST(StayingThreads, AreMovedWhenTheSystemLooksAtTheCores) {
  // With 3 to 1 that is within 64 ms: of 300 ms on one core, 100 take place on the other one, or
  // what is left of them.
  std::set<double> all;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    TreeMaker make;
    make.root({{make.loop({100e6, 100e6, 100e6, 100e6}), 1}});
    EmulationOptions options;
    options.threads = 4;
    options.cores = 2;
    options.seed = seed;
    options.overheads.baseSlice = 1;
    options.waitPolicy = WaitPolicy::Active;
    all.insert(ticks(make.tree, options));
  }
  // At t each has done t / 3 of it; two go on by themselves: t + 2 * (100 - t / 3).
  EXPECT_GE(*all.begin(), 200e6);
  EXPECT_LE(*all.rbegin(), 200e6 + 64e6 / 3);
  EXPECT_GT(all.size(), 30u);
}

TEST(StayingThreads, OfLoopsThatAreSharedOutAsTheyGoDoNotMatter) {
  // 50 iterations a thread; but of one a thread, three are on one core.
  for (const std::uint64_t iterations : {200, 4}) {
    TreeMaker make;
    make.root({{make.section(make.site(), {{make.work(10), iterations}}), 1}});
    EmulationOptions options;
    options.threads = 4;
    options.cores = 2;
    options.schedule = {Schedule::Kind::Dynamic, 1};
    options.overheads.baseSlice = 1;
    EXPECT_DOUBLE_EQ(ticks(make.tree, options), iterations == 4 ? 30 : 1000);
  }
}

TEST(StayingThreads, AreTheSameInClosedForm) {
  std::mt19937_64 random(1);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  constexpr Schedule schedules[] = {{Schedule::Kind::Static, 0},
                                    {Schedule::Kind::StaticChunk, 2},
                                    {Schedule::Kind::Dynamic, 1},
                                    {Schedule::Kind::Dynamic, 2, true},
                                    {Schedule::Kind::Guided, 1}};
  for (int program = 0; program < 500; ++program) {
    TreeMaker make;
    std::vector<Child> tasks;
    for (std::uint64_t n = 1 + below(12); n > 0; --n)
      tasks.push_back({make.work(static_cast<double>(1 + below(100))), 1 + below(3)});
    make.root({{make.section(make.site(), tasks), 1}});
    EmulationOptions options;
    options.threads = static_cast<unsigned>(2 + below(9));
    options.cores = static_cast<unsigned>(1 + below(4));
    options.schedule = schedules[below(std::size(schedules))];
    options.overheads.baseSlice = 1;
    options.givenBlockTime = static_cast<double>(below(3) * 50);
    Silent listener;
    const double byEvents = Emulator(make.tree).run(options, &listener).ticks;
    EXPECT_NEAR(emulate(make.tree, options).ticks, byEvents, 1e-9 * byEvents) << program;
  }
}

TEST(StayingThreads, AreNewWhereTheFirstOfThemShareCores) {
  // Before it there is a loop with a core for each thread.
  for (const bool isFirst : {true, false}) {
    TreeMaker make;
    const auto outer = make.site(), inner = make.site(), flat = make.site();
    const NodeId loop = make.section(inner, {{make.work(10), 2}});
    const NodeId nested = make.section(outer, {{make.task({{loop, 1}}), 2}});
    std::vector<Child> program{{nested, 1}};
    if (!isFirst)
      program.insert(program.begin(), {make.section(flat, {{make.work(10), 2}}), 1});
    make.root(program);
    EmulationOptions options;
    options.threads = options.cores = options.maxActiveLevels = 2;
    options.waitPolicy = WaitPolicy::Active;
    options.overheads.baseSlice = 1e-6;
    EXPECT_DOUBLE_EQ(ticks(make.tree, options), isFirst ? 30 : 40);
  }
}

/// Random programs of all kinds, with fewer cores than threads and Linux's slices: nobody is lost.
TEST(StayingThreads, ComeToTheEndOfAnyProgram) {
  std::mt19937_64 random(seedOfPrograms(31337));
  for (std::uint64_t number = 0; number < programsToDraw(600); ++number) {
    SCOPED_TRACE("program " + std::to_string(number));
    Shape shape;
    shape.tasks = number % 2 == 0;
    Program program = drawProgram(random, shape);
    EmulationOptions &options = program.options;
    options.threads = static_cast<unsigned>(2 + random() % 4);
    options.cores = static_cast<unsigned>(1 + random() % options.threads);
    options.maxActiveLevels = static_cast<unsigned>(1 + random() % 3);
    options.runtime = OmpRuntime::Libomp;
    options.waitPolicy = WaitPolicy::Default;
    options.givenBlockTime.reset();
    if (random() % 2 == 0)
      options.givenBlockTime = static_cast<double>(1 + random() % 100'000);
    options.overheads = Overheads::typical(options.runtime);
    const Emulator emulator(program.tree);
    const Estimate estimate = emulator.runWithoutGains(options);
    const double cores = std::max(1u, options.cores);
    EXPECT_GE(estimate.ticks * (1 + 1e-9), estimate.serialTicks / cores * 0.999);
    EXPECT_EQ(estimate.waterfall.program.sum(), estimate.waterfall.threadTicks);
    EXPECT_EQ(emulator.speedup(options), estimate.speedup);
    if (emulator.chance(options) == Chance::None) {
      options.seed += 17;
      EXPECT_EQ(emulator.speedup(options), estimate.speedup);
    }
  }
}

} // namespace
