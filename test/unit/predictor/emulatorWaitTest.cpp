//===- emulatorWaitTest.cpp - How threads wait ----------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorBothWays.h"
#include "emulatorTrees.h"
#include "predictor/emulator/Emulator.h"
#include "predictor/emulator/Listener.h"

#include <gtest/gtest.h>
#include <limits>

using namespace prophet;
using namespace prophet::test;

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Two threads; the tree's clock counts nanoseconds.
EmulationOptions waiting(WaitPolicy policy, OmpRuntime runtime = OmpRuntime::Libomp) {
  EmulationOptions options;
  options.waitPolicy = policy;
  options.runtime = runtime;
  options.overheads.active = {1000, 2000, 70};
  options.overheads.passive = {30000, 40000, 5000};
  options.overheads.lockPair = 7;
  return options;
}

/// Two regions of 10 on two threads, and `gap` between them.
Tree twoRegions(double gap) {
  TreeMaker make;
  const NodeId region = make.loop({10, 10});
  return make.root({{region, 1}, {make.u(gap), 1}, {region, 1}});
}

TEST(BlockTime, IsTheRuntimes) {
  EXPECT_EQ(waiting(WaitPolicy::Default).blockTime(), 200e6);
  EXPECT_EQ(waiting(WaitPolicy::Active).blockTime(), never);
  EXPECT_EQ(waiting(WaitPolicy::Passive).blockTime(), 0);
  EmulationOptions libgomp = waiting(WaitPolicy::Default, OmpRuntime::Libgomp);
  EXPECT_DOUBLE_EQ(libgomp.blockTime(), 8.3e6);
  libgomp.cores = 1; // a hundred turns instead of 300,000
  EXPECT_DOUBLE_EQ(libgomp.blockTime(), 8.3e6 / 3000);
  libgomp.waitPolicy = WaitPolicy::Active;
  EXPECT_DOUBLE_EQ(libgomp.blockTime(), 8.3e6 / 300);
  libgomp.cores = 2;
  EXPECT_EQ(libgomp.blockTime(), never);
  libgomp.waitPolicy = WaitPolicy::Default;
  libgomp.overheads.spinTurn = 10; // on another machine
  EXPECT_EQ(libgomp.blockTime(), 3e6);
  libgomp.givenBlockTime = 5;
  EXPECT_EQ(libgomp.blockTime(), 5);
}

TEST(BlockTime, BetweenRegionsDecidesWhetherThreadsAreAwake) { // twice 3000 + 10, or 29000 more
  EXPECT_EQ(ticks(twoRegions(199e6), waiting(WaitPolicy::Default)), 199e6 + 6020);
  EXPECT_EQ(ticks(twoRegions(200e6), waiting(WaitPolicy::Default)), 200e6 + 6020 + 29000);
  EXPECT_EQ(ticks(twoRegions(200e6), waiting(WaitPolicy::Active)), 200e6 + 6020);
  EXPECT_EQ(ticks(twoRegions(100), waiting(WaitPolicy::Passive)), 100 + 2 * 70010);
  const EmulationOptions libgomp = waiting(WaitPolicy::Default, OmpRuntime::Libgomp);
  EXPECT_EQ(ticks(twoRegions(8e6), libgomp), 8e6 + 6020);
  EXPECT_EQ(ticks(twoRegions(9e6), libgomp), 9e6 + 6020 + 29000);
}

TEST(BlockTime, OfRegionsInARowCountsForTheFirst) { // of the second three, one sleeps
  TreeMaker make;
  const NodeId region = make.loop({10, 10});
  make.root({{region, 3}, {make.u(500), 2}, {region, 3}});
  EmulationOptions options = waiting(WaitPolicy::Default);
  options.givenBlockTime = 1000;
  EXPECT_EQ(ticks(make.tree, options), 1000 + 6 * 3010 + 29000);
  options.givenBlockTime = 1001;
  EXPECT_EQ(ticks(make.tree, options), 1000 + 6 * 3010);
}

TEST(BlockTime, CountsThroughSerialCodeThatHoldsRegions) {
  // outer runs serially twice: 300, inner region, 400. Before the first region nobody waits, the
  // second starts 400 + 300 after it, the third 400 + 100 after that.
  TreeMaker make;
  const auto outer = make.site(), inner = make.site();
  const NodeId region = make.section(inner, {{make.work(10), 2}});
  const NodeId task = make.task({{make.u(300), 1}, {region, 1}, {make.u(400), 1}});
  make.root({{make.section(outer, {{task, 2}}), 1}, {make.u(100), 1}, {region, 1}});
  EmulationOptions options = waiting(WaitPolicy::Default);
  options.onlySite = inner;
  const double awake = 1400 + 100 + 3 * 3010;
  options.givenBlockTime = 701;
  EXPECT_EQ(ticks(make.tree, options), awake);
  options.givenBlockTime = 700;
  EXPECT_EQ(ticks(make.tree, options), awake + 29000);
  EXPECT_EQ(emulate(make.tree, options).sites[outer].ticks, 1400 + 2 * 3010 + 29000);
  options.givenBlockTime = 500;
  EXPECT_EQ(ticks(make.tree, options), awake + 2 * 29000);
}

TEST(BlockTime, SparesOnlyTheFirstOfARunsRegions) {
  // Of 1000 forks, each behind 300 of serial code, 999 wake threads up: also where loops flow into
  // each other (a region of 3000 + 2 * 10).
  for (const bool flows : {false, true}) {
    TreeMaker make;
    const auto outer = make.site(), inner = make.site();
    make.tree.sites[inner].nowait = flows;
    const NodeId region = make.section(inner, {{make.work(10), 2}});
    const NodeId pair = make.task({{make.u(300), 1}, {region, 1}, {region, 1}});
    const NodeId one = make.task({{make.u(300), 1}, {region, 1}});
    const NodeId loop = make.section(outer, {{flows ? pair : one, 1000}});
    make.root({{loop, 1}});
    EmulationOptions options = waiting(WaitPolicy::Default);
    options.onlySite = inner;
    options.givenBlockTime = 300;
    const double each = 300 + 3010 + (flows ? 10 : 0);
    EXPECT_EQ(ticks(make.tree, options), 1000 * each + 999 * 29000);
    options.givenBlockTime = 301;
    EXPECT_EQ(ticks(make.tree, options), 1000 * each);
  }
}

TEST(BlockTime, MakesTheMasterSleepAtTheBarrier) { // it waits 90 for the other thread
  TreeMaker make;
  const Tree &tree = make.root({{make.loop({10, 100}), 1}});
  EmulationOptions options = waiting(WaitPolicy::Default);
  options.givenBlockTime = 91;
  EXPECT_EQ(ticks(tree, options), 3000 + 100);
  options.givenBlockTime = 90;
  EXPECT_EQ(ticks(tree, options), 1000 + 100 + 40000);
  options.cores = 1; // to 10 both at half speed
  options.givenBlockTime = 91;
  EXPECT_EQ(ticks(tree, options), 3000 + 110);
}

TEST(BlockTime, MakesThreadsSleepAtALock) {
  // 0: 7 + 100, and 1 waits for it. Then 0 waits at the barrier, in both cases longer.
  TreeMaker make;
  const auto site = make.site();
  const Tree &tree = make.root({{make.section(site, {{make.task({{make.l(0, 100), 1}}), 2}}), 1}});
  EmulationOptions options = waiting(WaitPolicy::Default);
  options.givenBlockTime = 108;
  EXPECT_EQ(ticks(tree, options), 1000 + 107 + 70 + 100 + 40000);
  options.givenBlockTime = 107;
  EXPECT_EQ(ticks(tree, options), 1000 + 107 + 5000 + 100 + 40000);
}

TEST(BlockTime, IsHeededInWhatASiteGainsAlone) {
  // Alone the regions of site 0 are 2000 apart, with site 1 parallel 500 at most.
  TreeMaker make;
  const auto first = make.site(), second = make.site();
  const NodeId a = make.section(first, {{make.work(1000), 2}});
  const NodeId b = make.section(second, {{make.work(500), 2}});
  make.root({{a, 1}, {make.u(500), 1}, {b, 1}, {make.u(500), 1}, {a, 1}});
  EmulationOptions options = waiting(WaitPolicy::Default);
  options.givenBlockTime = 1500;
  const Estimate estimate = emulate(make.tree, options);
  EXPECT_EQ(estimate.ticks, 1000 + 2 * 4000 + 3500);
  EXPECT_EQ(estimate.sites[first].gain, 6000 / (2000.0 + 2 * 4000 + 29000));
  EXPECT_EQ(estimate.sites[second].gain, 6000 / (5000.0 + 3500));
}

//===- Threads that share cores -------------------------------------------===//

/// Three threads on two cores. One computes for 400. On the other core the first holds the lock for
/// 100 and goes on as `after` says, and the third holds it for 300. A turn there comes after
/// `turn`.
double sharingTicks(OmpRuntime runtime, double turn, const std::vector<Child> &after,
                    TreeMaker &make, const std::vector<Child> &behind = {}) {
  std::vector<Child> first{{make.l(0, 100), 1}}, third{{make.l(0, 300), 1}};
  first.insert(first.end(), after.begin(), after.end());
  third.insert(third.end(), behind.begin(), behind.end());
  const NodeId loop = make.section(
      make.site(), {{make.task(first), 1}, {make.work(400), 1}, {make.task(third), 1}});
  make.root({{loop, 1}});
  EmulationOptions options;
  options.threads = 3;
  options.cores = 2;
  options.runtime = runtime;
  options.waitPolicy = WaitPolicy::Passive; // who is through sleeps
  // A slice is twice that on two cores; of one half is left, in the mean, or all of it.
  options.overheads.baseSlice = runtime == OmpRuntime::Libomp ? turn / 2 : turn;
  return ticks(make.tree, options);
}

TEST(NextTurn, IsAwaitedForALockBesideAThreadThatComputes) {
  TreeMaker none, some;
  // From 100 to 250 three threads share the cores, the first one's 100 last 150.
  EXPECT_DOUBLE_EQ(sharingTicks(OmpRuntime::Libomp, 0, {{none.u(100), 1}}, none), 450);
  // From 150 to 225 they do: the first one's last 50 take 75, 250 of the third's are left.
  EXPECT_DOUBLE_EQ(sharingTicks(OmpRuntime::Libomp, 50, {{some.u(100), 1}}, some), 475);
}

TEST(NextTurn, ComesAsSoonAsNobodyComputesOnTheCore) { // at 120, not at 150
  TreeMaker make;
  EXPECT_DOUBLE_EQ(sharingTicks(OmpRuntime::Libomp, 50, {{make.u(20), 1}}, make), 420);
}

TEST(NextTurn, LeavesLibgompsLockToWhoAsksForIt) {
  // The first asks again at 120. libomp's lock is the third's, which begins then and has it
  // until 420; the first waits for a turn until 470. libgomp's is free, and the third begins at
  // 220.
  TreeMaker libomp, libgomp;
  EXPECT_DOUBLE_EQ(sharingTicks(OmpRuntime::Libomp, 50, {{libomp.u(20), 1}, {libomp.l(0, 100), 1}},
                                libomp, {{libomp.u(100), 1}}),
                   570);
  EXPECT_DOUBLE_EQ(sharingTicks(OmpRuntime::Libgomp, 50,
                                {{libgomp.u(20), 1}, {libgomp.l(0, 100), 1}}, libgomp,
                                {{libgomp.u(100), 1}}),
                   620);
}

TEST(NextTurn, IsWaitingForTheLock) {
  TreeMaker make;
  sharingTicks(OmpRuntime::Libomp, 50, {{make.u(100), 1}}, make);
  EmulationOptions options;
  options.threads = 3;
  options.cores = 2;
  options.waitPolicy = WaitPolicy::Passive;
  options.overheads.baseSlice = 25;
  const Estimate estimate = emulate(make.tree, options);
  EXPECT_NEAR(estimate.loss.lock * 3 * 475, 150, 1e-9);
}

TEST(NextTurn, IsLongerWithMoreCores) {
  Overheads table;
  table.baseSlice = 700;
  EXPECT_EQ(table.nextTurn(1, false), 350);
  EXPECT_EQ(table.nextTurn(2, false), 700);
  EXPECT_EQ(table.nextTurn(7, false), 1050);
  EXPECT_EQ(table.nextTurn(64, false), 1400);
  EXPECT_EQ(table.scaled(0).nextTurn(2, false), 700);
}

TEST(NextTurn, OfWhoGaveItAwayComesAfterAWholeSlice) {
  Overheads table;
  table.baseSlice = 700;
  EXPECT_EQ(table.nextTurn(2, true), 1400);
}

/// Four threads on two cores: 0 and 2 on one, 1 and 3 on the other. `tasks` by thread.
double fourTicks(OmpRuntime runtime, TreeMaker &make, const std::vector<Child> &tasks,
                 double baseSlice = 1, double blockTime = 0) {
  make.root({{make.section(make.site(), tasks), 1}});
  EmulationOptions options;
  options.threads = 4;
  options.cores = 2;
  options.runtime = runtime;
  options.overheads.baseSlice = baseSlice;
  options.givenBlockTime = blockTime;
  return ticks(make.tree, options);
}

/// Thread 0 holds the lock for 100, 1 and 3 wait for it and hold it for nothing, 2 computes.
std::vector<Child> twoWaitForOne(TreeMaker &make) {
  const NodeId waits = make.task({{make.l(0, 1e-6), 1}});
  return {{make.task({{make.l(0, 100), 1}}), 1}, {waits, 1}, {make.work(100), 1}, {waits, 1}};
}

TEST(LostCores, AreThoseOnWhichThreadsOnlyYield) {
  // Threads 0 and 2 share one core, since libomp's waiters keep the other. libgomp's sleep.
  TreeMaker llvm, gnu, none;
  EXPECT_NEAR(fourTicks(OmpRuntime::Libomp, llvm, twoWaitForOne(llvm)), 200, 1e-3);
  EXPECT_NEAR(fourTicks(OmpRuntime::Libgomp, gnu, twoWaitForOne(gnu)), 100, 1e-3);
  EXPECT_NEAR(fourTicks(OmpRuntime::Libomp, none, twoWaitForOne(none), 0), 100, 1e-3);
}

TEST(LostCores, AreNoneWhereSomebodyComputes) {
  TreeMaker make; // thread 1 waits, but 3 computes
  const NodeId waits = make.task({{make.l(0, 1e-6), 1}}), holds = make.task({{make.l(0, 100), 1}});
  EXPECT_NEAR(fourTicks(OmpRuntime::Libomp, make,
                        {{holds, 1}, {waits, 1}, {make.work(100), 1}, {make.work(100), 1}}),
              150, 1e-3);
}

TEST(LostCores, AreKeptByThreadsThatLookForTasks) {
  // Threads 0 and 2 share a core. Where 2 takes the creator's task, 1 and 3 look for another one.
  const auto times = [](double blockTime) {
    TreeMaker make;
    const auto site = make.site(SiteKind::Tasks);
    make.root({{make.section(site, {{make.work(100), 1}, {make.u(100), 1}}), 1}});
    EmulationOptions options;
    options.threads = 4;
    options.cores = 2;
    options.overheads.baseSlice = 1;
    options.givenBlockTime = blockTime;
    double longest = 0;
    for (options.seed = 1; options.seed <= 20; ++options.seed)
      longest = std::max(longest, emulate(make.tree, options).ticks);
    return longest;
  };
  EXPECT_EQ(times(0), 100);
  EXPECT_EQ(times(1), 200); // who looks for tasks does not sleep after 1
}

} // namespace
