//===- emulatorBehaviourTest.cpp - What emulated programs do --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorTrees.h"
#include "predictor/emulator/Emulator.h"

#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

constexpr Schedule dynamicOne{Schedule::Kind::Dynamic, 1};

EmulationOptions on(unsigned threads, Schedule schedule = {}) {
  EmulationOptions options;
  options.threads = threads;
  options.schedule = schedule;
  return options;
}

double ticks(const Tree &tree, const EmulationOptions &options) {
  return emulate(tree, options).ticks;
}

TEST(Program, SerialPartsBoundTheSpeedup) { // Amdahl: 20 of 100 serial, 4 threads: 20 + 80/4
  TreeMaker make;
  const Tree &tree = make.root({{make.u(20), 1}, {make.loop({20, 20, 20, 20}), 1}});
  const Estimate estimate = emulate(tree, on(4));
  EXPECT_EQ(estimate.speedup, 2.5);
  EXPECT_DOUBLE_EQ(estimate.loss.serial, 20 * 3 / 160.0);
  EXPECT_DOUBLE_EQ(estimate.sites[0].speedup, 4);
}

TEST(Program, RepeatedSectionsTakeAsLongEachTime) {
  TreeMaker make;
  const Tree &tree = make.root({{make.loop({7, 3}), 1000}, {make.u(5), 2}});
  EXPECT_EQ(ticks(tree, on(2)), 7010);
}

TEST(Program, AnEmptyLoopTakesNoTime) {
  TreeMaker make;
  const Tree &tree = make.root({{make.loop({}), 3}, {make.u(5), 1}});
  for (Schedule schedule : {Schedule{}, {Schedule::Kind::StaticChunk, 1}, dynamicOne})
    EXPECT_EQ(ticks(tree, on(4, schedule)), 5);
}

TEST(Program, WithoutAnyTimeIsAsFastAsSerial) {
  TreeMaker make;
  const Estimate estimate = emulate(make.root({{make.loop({0, 0}), 1}}), on(4));
  EXPECT_EQ(estimate.speedup, 1);
  EXPECT_EQ(estimate.loss.useful, 1);
}

/// Two loops of two tasks, (10, 2) and (2, 10), the first perhaps with nowait, `gap` between them.
Tree twoLoops(bool nowait, double gap) {
  TreeMaker make;
  const auto first = make.site(SiteKind::ParallelFor, nowait), second = make.site();
  const NodeId a = make.work(10), b = make.work(2);
  const NodeId one = make.section(first, {{a, 1}, {b, 1}});
  const NodeId two = make.section(second, {{b, 1}, {a, 1}});
  return make.root({{one, 1}, {make.u(gap), 1}, {two, 1}});
}

TEST(Nowait, ThreadsFlowIntoTheNextLoop) {
  EXPECT_EQ(ticks(twoLoops(false, 0), on(2)), 20);
  EXPECT_EQ(ticks(twoLoops(true, 0), on(2)), 12);
}

TEST(Nowait, EveryThreadRunsWhatLittleIsBetween) {
  EXPECT_EQ(ticks(twoLoops(true, 5), on(2)), 17);           // 5 ns
  EXPECT_EQ(ticks(twoLoops(true, 5000), on(2)), 5000 + 20); // 5 us: regions of their own
}

TEST(Nowait, SitesAreTimedFromFirstArrivalToLastLeave) {
  const Estimate estimate = emulate(twoLoops(true, 0), on(2));
  EXPECT_EQ(estimate.sites[0].ticks, 10);
  EXPECT_EQ(estimate.sites[1].ticks, 10); // from 2 to 12
}

TEST(Nowait, CodeBetweenLoopsMayBeInPieces) {
  TreeMaker make;
  const auto first = make.site(SiteKind::ParallelFor, true), second = make.site();
  const NodeId a = make.work(10), b = make.work(2);
  const NodeId one = make.section(first, {{a, 1}, {b, 1}});
  const NodeId two = make.section(second, {{b, 1}, {a, 1}});
  const Tree &tree = make.root({{one, 1}, {make.u(200), 2}, {make.u(600), 1}, {two, 1}});
  EXPECT_EQ(ticks(tree, on(2)), 12 + 1000); // 1 us in all
}

TEST(Nowait, CodeBetweenLoopsCountsToNoSite) {
  const Estimate estimate = emulate(twoLoops(true, 5), on(2));
  EXPECT_EQ(estimate.sites[0].ticks, 10);
  EXPECT_EQ(estimate.sites[1].ticks, 10); // from 2 + 5 to 17
}

TEST(Nowait, InnerTeamsTakeChunksByNumberWhoeverTheirThreadsWere) {
  // Two outer threads with inner teams of two, which end at 1 and 2; then one of them forks a team
  // of four at 9. Its members run 1, 2, 3 and 4 by number, and number 1 another 3: until 9 + 5.
  TreeMaker make;
  const auto outer = make.site(), pair = make.site();
  const auto queue = make.site(SiteKind::ParallelFor, true), last = make.site();
  const NodeId one = make.work(1), two = make.work(2), three = make.work(3), none = make.work(0);
  const NodeId flows = make.section(queue, {{one, 1}, {two, 1}, {three, 1}, {make.work(4), 1}});
  const NodeId ends = make.section(last, {{none, 1}, {three, 1}, {none, 2}});
  const NodeId first =
      make.task({{make.section(pair, {{one, 2}}), 1}, {make.u(8), 1}, {flows, 1}, {ends, 1}});
  const NodeId second = make.task({{make.section(pair, {{two, 2}}), 1}});
  make.root({{make.section(outer, {{first, 1}, {second, 1}}), 1}});
  EmulationOptions options = on(4);
  options.cores = 16;
  options.maxActiveLevels = 2;
  options.sites = {{{}, 2}, {{}, 2}, {{Schedule::Kind::Dynamic, 1, true}, 0}, {{}, 0}};
  EXPECT_EQ(ticks(make.tree, options), 14);
}

TEST(Nowait, ALoopFollowsItself) { // thread 0 is busy 30, thread 1 is busy 3
  TreeMaker make;
  const auto site = make.site(SiteKind::ParallelFor, true);
  const NodeId loop = make.section(site, {{make.work(10), 1}, {make.work(1), 1}});
  EXPECT_EQ(ticks(make.root({{loop, 3}}), on(2)), 30);
  // Thread 1 has run all of the second loop by 12 (see the next test); thread 0 comes to the third
  // at 10 and runs its own 10.
  EXPECT_EQ(ticks(make.tree, on(2, dynamicOne)), 20);
}

TEST(Nowait, ALateThreadsBlockIsStolenWhole) {
  // Two loops (10, 1). Thread 1 ends the first at 1, finds thread 0's pile used up, goes on: runs
  // its own task of the second to 2, takes thread 0's whole (10) to 12.
  TreeMaker make;
  const auto site = make.site(SiteKind::ParallelFor, true);
  const NodeId loop = make.section(site, {{make.work(10), 1}, {make.work(1), 1}});
  EXPECT_EQ(ticks(make.root({{loop, 2}}), on(2, dynamicOne)), 12);
}

TEST(Locks, WaitersGoInTurn) {
  // All want the lock at once: 0 has it to 10, 1 to 20, 2 to 30; 0 is back at 10 and waits for 2.
  TreeMaker make;
  const auto site = make.site();
  const NodeId task = make.task({{make.l(0, 10), 1}});
  const Tree &tree = make.root({{make.section(site, {{task, 6}}), 1}});
  const Estimate estimate = emulate(tree, on(3));
  EXPECT_EQ(estimate.ticks, 60);
  EXPECT_DOUBLE_EQ(estimate.loss.lock, (10.0 + 20 + 20 * 3) / 180);
}

TEST(Locks, DifferentLocksDoNotMeet) {
  TreeMaker make;
  const auto site = make.site();
  const NodeId a = make.task({{make.l(0, 10), 1}}), b = make.task({{make.l(1, 10), 1}});
  EXPECT_EQ(ticks(make.root({{make.section(site, {{a, 1}, {b, 1}}), 1}}), on(2)), 10);
}

TEST(Locks, AreHeldAcrossInnerOnes) {
  // Outer lock: 5, inner lock 3, 2. The other thread wants only the inner lock, at 0 for 6.
  TreeMaker make;
  const auto site = make.site();
  const NodeId outer = make.l(0, {{make.u(5), 1}, {make.l(1, 3), 1}, {make.u(2), 1}});
  const NodeId a = make.task({{outer, 1}}), b = make.task({{make.l(1, 6), 1}, {make.l(0, 1), 1}});
  const Tree &tree = make.root({{make.section(site, {{a, 1}, {b, 1}}), 1}});
  EXPECT_EQ(ticks(tree, on(2)), 12); // inner at 6 to 9, outer to 11; the other then to 12
}

TEST(Locks, InSerialisedInnerLoopsStillMeet) {
  TreeMaker make;
  const auto outer = make.site(), inner = make.site();
  const NodeId locked = make.task({{make.l(0, 10), 1}});
  const NodeId task = make.task({{make.section(inner, {{locked, 2}}), 1}});
  const Estimate estimate = emulate(make.root({{make.section(outer, {{task, 2}}), 1}}), on(2));
  EXPECT_EQ(estimate.ticks, 40);
  EXPECT_EQ(estimate.sites[1].ticks, 30 + 40); // thread 0's from 0 to 30, thread 1's to 40
}

TEST(Cores, ThreadsShareThem) { // three equal threads on two cores: each at 2/3
  TreeMaker make;
  const Tree &tree = make.root({{make.loop({10, 10, 10}), 1}});
  EmulationOptions options = on(3);
  options.cores = 2;
  EXPECT_DOUBLE_EQ(ticks(tree, options), 15);
}

TEST(Cores, AThreadThatWaitsGivesItsShareToOthers) {
  // 4, 10 and 10 on two cores: at 2/3 to 4 (real 6), then full speed.
  TreeMaker make;
  const Tree &tree = make.root({{make.loop({4, 10, 10}), 1}});
  EmulationOptions options = on(3);
  options.cores = 2;
  EXPECT_DOUBLE_EQ(ticks(tree, options), 12);
}

TEST(Sections, AreDealtAsTheCompilerLowersThem) {
  // Clang: like schedule(static), blocks (10, 1) and (1). GCC: the first free thread takes next.
  TreeMaker make;
  const auto site = make.site(SiteKind::Sections);
  const NodeId one = make.work(1);
  make.root({{make.section(site, {{make.work(10), 1}, {one, 1}, {one, 1}}), 1}});
  EmulationOptions options = on(2, dynamicOne);
  EXPECT_EQ(ticks(make.tree, options), 11);
  options.runtime = OmpRuntime::Libgomp;
  EXPECT_EQ(ticks(make.tree, options), 10);
}

TEST(Depth, TenThousandLevelsAreNoRecursion) {
  TreeMaker make;
  const auto site = make.site();
  NodeId node = make.u(1);
  for (int level = 0; level < 10'000; ++level)
    node = make.section(site, {{make.task({{node, 1}}), 1}});
  const Tree &tree = make.root({{node, 1}});
  EmulationOptions options = on(2);
  EXPECT_EQ(ticks(tree, options), 1);
  options.maxActiveLevels = 20'000;
  EXPECT_EQ(ticks(tree, options), 1);
}

TEST(Cost, ABillionIterationsInRunsAreExact) {
  // 5*10^8 of 2, then 5*10^8 of 4 on 4 threads. static: the last block is 10^9; static,1 and the
  // queue: a quarter of 3*10^9.
  TreeMaker make;
  const auto site = make.site();
  const std::uint64_t half = 500'000'000;
  make.root({{make.section(site, {{make.work(2), half}, {make.work(4), half}}), 1}});
  EXPECT_EQ(ticks(make.tree, on(4)), 1e9);
  EXPECT_EQ(ticks(make.tree, on(4, {Schedule::Kind::StaticChunk, 1})), 7.5e8);
  EmulationOptions queue = on(4, dynamicOne);
  queue.runtime = OmpRuntime::Libgomp;
  EXPECT_EQ(ticks(make.tree, queue), 7.5e8);
  EXPECT_NEAR(ticks(make.tree, on(4, dynamicOne)), 7.5e8, 8); // stealing ends within two tasks
}

/// Every schedule, in both runtimes' meaning.
std::vector<EmulationOptions> everySchedule(unsigned threads) {
  std::vector<EmulationOptions> all;
  for (OmpRuntime runtime : {OmpRuntime::Libomp, OmpRuntime::Libgomp})
    for (Schedule schedule : {Schedule{}, {Schedule::Kind::StaticChunk, 1}, dynamicOne})
      all.emplace_back(on(threads, schedule)).runtime = runtime;
  return all;
}

/// 10^12 tasks of 1 tick: would take hours one by one.
constexpr std::uint64_t trillion = 1'000'000'000'000;

TEST(Cost, InnerLoopsOfATrillionIterationsAreExact) {
  TreeMaker make;
  const auto outer = make.site(), inner = make.site();
  const NodeId task = make.task({{make.section(inner, {{make.work(1), trillion}}), 1}});
  const Tree &tree = make.root({{make.section(outer, {{task, 2}}), 1}});
  for (EmulationOptions options : everySchedule(4)) {
    options.maxActiveLevels = 2;
    for (unsigned cores : {2, 4, 8}) { // each outer iteration has a team of four
      options.cores = cores;
      EXPECT_EQ(ticks(tree, options), 2 * trillion / cores) << options.schedule.str();
    }
  }
}

TEST(Cost, NowaitLoopsOfATrillionIterationsAreExact) {
  TreeMaker make;
  const auto first = make.site(SiteKind::ParallelFor, true), second = make.site();
  const NodeId task = make.work(1);
  const Tree &tree = make.root({{make.section(first, {{make.work(7), 1}, {task, trillion - 1}}), 1},
                                {make.section(second, {{task, trillion - 6}}), 1}});
  for (const EmulationOptions &options : everySchedule(4)) {
    const double most = options.schedule.kind == Schedule::Kind::Dynamic ? 0 : 6;
    const double elapsed = ticks(tree, options); // dynamic: 2 * 10^12 ticks of work in all
    EXPECT_GE(elapsed, trillion / 2) << options.schedule.str();
    EXPECT_LE(elapsed, trillion / 2 + most) << options.schedule.str();
  }
}

TEST(Sites, GainIsTheProgramWithOnlyThisSiteParallel) {
  TreeMaker make;
  const auto a = make.site(), outer = make.site(), inner = make.site();
  const NodeId eight = make.work(8);
  const NodeId first = make.section(a, {{eight, 3}});
  const NodeId nested = make.section(inner, {{eight, 2}});
  const NodeId second = make.section(outer, {{make.task({{nested, 1}, {make.u(1), 1}}), 3}});
  const Tree &tree = make.root({{first, 1}, {make.u(10), 1}, {second, 2}});
  const Estimate whole = emulate(tree, on(3)); // serial: 24 + 10 + 2 * 51
  EXPECT_DOUBLE_EQ(whole.ticks, 8 + 10 + 2 * 17);
  EXPECT_DOUBLE_EQ(whole.sites[a].gain, 136.0 / (8 + 10 + 102));
  EXPECT_DOUBLE_EQ(whole.sites[outer].gain, 136.0 / (24 + 10 + 34));
  EXPECT_DOUBLE_EQ(whole.sites[inner].gain, 136.0 / (24 + 10 + 6 * 9)); // 16 becomes 8, six times
  EXPECT_DOUBLE_EQ(whole.sites[inner].serialTicks, 96);
  EXPECT_DOUBLE_EQ(whole.sites[inner].ticks, 96); // serialised: no faster
}

TEST(Sites, OnlyOneParallelLeavesTheOthersAsTheyAre) {
  TreeMaker make;
  const auto outer = make.site(), inner = make.site();
  const NodeId nested = make.section(inner, {{make.work(8), 2}});
  const Tree &tree = make.root({{make.section(outer, {{make.task({{nested, 1}}), 3}}), 2}});
  EmulationOptions options = on(2);
  options.onlySite = inner;
  const Estimate estimate = emulate(tree, options);
  EXPECT_EQ(estimate.ticks, 48);
  EXPECT_EQ(estimate.sites[inner].ticks, 48);
  EXPECT_EQ(estimate.sites[outer].ticks, 48); // serial, but of parallel parts
  EXPECT_DOUBLE_EQ(estimate.sites[inner].gain, 2);
}

} // namespace
