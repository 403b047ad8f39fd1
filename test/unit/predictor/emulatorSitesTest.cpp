//===- emulatorSitesTest.cpp - Sites with settings of their own -----------===//
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

using namespace prophet;
using namespace prophet::test;

namespace {

constexpr Schedule Static{};
constexpr Schedule StaticOne{Schedule::Kind::StaticChunk, 1};
constexpr Schedule DynamicOne{Schedule::Kind::Dynamic, 1};

EmulationOptions with(std::vector<SiteSettings> sites, unsigned threads) {
  EmulationOptions options;
  options.threads = threads;
  options.sites = std::move(sites);
  return options;
}

/// A section of a new site with tasks of these lengths.
NodeId loopOf(TreeMaker &make, const std::vector<double> &lengths) {
  const auto site = make.site();
  std::vector<Child> tasks;
  for (double length : lengths)
    tasks.push_back({make.work(length), 1});
  return make.section(site, tasks);
}

TEST(Sites, EachRunsUnderItsOwnSchedule) {
  TreeMaker make;
  const std::vector<double> lengths{4, 3, 2, 1};
  const Tree &tree = make.root(
      {{loopOf(make, lengths), 1}, {loopOf(make, lengths), 1}, {loopOf(make, lengths), 1}});
  // static: (4 3) (2 1); static,1: (4 2) (3 1); dynamic,1: 0 runs 4, 1 runs 2 and 1 from its end
  // of the pile and then steals 3.
  const EmulationOptions options = with({{Static}, {StaticOne}, {DynamicOne}}, 2);
  EXPECT_EQ(ticks(tree, options), 7 + 6 + 6);
  const Estimate estimate = emulate(tree, options);
  EXPECT_EQ(estimate.sites[0].ticks, 7);
  EXPECT_EQ(estimate.sites[1].ticks, 6);
  EXPECT_EQ(estimate.sites[2].ticks, 6);
}

TEST(Sites, ACentralQueueWhereDynamicIsMonotonic) {
  // 1 1 1 1 4 4 on three threads. The queue gives 0: 1, 1; 1: 1, 4; 2: 1, 4. Under stealing the
  // last thread owns (4 4), and loses one of them at 2.
  TreeMaker make;
  const Tree &tree = make.root({{loopOf(make, {1, 1, 1, 1, 4, 4}), 1}});
  EXPECT_EQ(ticks(tree, with({{{Schedule::Kind::Dynamic, 1, true}}}, 3)), 5);
  EXPECT_EQ(ticks(tree, with({{{Schedule::Kind::Dynamic, 2, true}}}, 3)), 8);
  EXPECT_EQ(ticks(tree, with({{DynamicOne}}, 3)), 6);
}

TEST(Sites, ATeamHasNoMoreThreadsThanItsSiteAsksFor) {
  TreeMaker make;
  const Tree &tree = make.root({{loopOf(make, {6, 6, 6, 6}), 1}, {loopOf(make, {6, 6, 6, 6}), 1}});
  EXPECT_EQ(ticks(tree, with({{Static, 2}, {Static, 0}}, 4)), 12 + 6);
  EXPECT_EQ(ticks(tree, with({{Static, 1}, {Static, 8}}, 2)), 24 + 12); // never more than T
}

TEST(Sites, ThreadsThatATeamLeavesOutCountAsSerial) {
  TreeMaker make;
  const Tree &tree = make.root({{loopOf(make, {6, 6}), 1}});
  const Estimate estimate = emulate(tree, with({{Static, 2}}, 4));
  EXPECT_DOUBLE_EQ(estimate.loss.useful, 0.5);
  EXPECT_DOUBLE_EQ(estimate.loss.serial, 0.5);
}

TEST(Sites, CoresAreSharedByTheTeamThatThereIs) { // three threads on two cores, then two
  TreeMaker make;
  const Tree &tree = make.root({{loopOf(make, {6, 6, 6}), 1}, {loopOf(make, {6, 6, 6}), 1}});
  EmulationOptions options = with({{Static, 3}, {Static, 2}}, 8);
  options.cores = 2;
  EXPECT_EQ(ticks(tree, options), 9 + 12);
}

TEST(Sites, OverheadsAreThoseOfTheTeamsSize) {
  TreeMaker make;
  const Tree &tree = make.root({{loopOf(make, {8, 8, 8, 8}), 1}, {loopOf(make, {8, 8}), 1}});
  EmulationOptions options = with({{Static, 2}, {Static, 0}}, 4);
  options.overheads.active.fork = TeamCost({{1, 0}, {2, 10}, {4, 100}});
  options.overheads.staticBlock.chunk = TeamCost({{1, 0}, {2, 1}, {4, 5}});
  EXPECT_EQ(ticks(tree, options), 10 + 1 + 16 + 100 + 5 + 8);
}

TEST(Sites, BurdenIsThatOfTheTeamsSize) {
  TreeMaker make;
  const NodeId loop = loopOf(make, {8, 8, 8, 8});
  make.tree.sites[0].burden = {{2, 1.5}, {4, 3}};
  const Tree &tree = make.root({{loop, 1}});
  EmulationOptions options = with({{Static, 2}}, 4);
  options.useBurden = true;
  EXPECT_EQ(ticks(tree, options), 24);
}

TEST(Sites, InsideATeamOfOneALargerTeamIsTheFirstActiveLevel) {
  TreeMaker make;
  const auto outer = make.site();
  const NodeId inner = loopOf(make, {5, 5});
  const NodeId task = make.task({{make.u(1), 1}, {inner, 1}});
  const Tree &tree = make.root({{make.section(outer, {{task, 3}}), 1}});
  EXPECT_EQ(ticks(tree, with({{Static, 1}, {Static, 0}}, 2)), 3 * (1 + 5));
  EXPECT_EQ(ticks(tree, with({{Static, 1}, {Static, 1}}, 2)), 33);
  EXPECT_EQ(ticks(tree, with({{Static, 0}, {Static, 0}}, 2)), 22); // inner loops run serially
}

TEST(Sites, LoopsOfOneRegionHaveTheFirstOnesTeam) { // nowait: threads flow into the second loop
  TreeMaker make;
  const auto first = make.site(SiteKind::ParallelFor, true), second = make.site();
  const NodeId a = make.work(10), b = make.work(2);
  const NodeId one = make.section(first, {{a, 1}, {b, 1}}),
               two = make.section(second, {{b, 1}, {a, 1}});
  const Tree &tree = make.root({{one, 1}, {two, 1}});
  EXPECT_EQ(ticks(tree, with({{Static, 2}, {Static, 1}}, 4)), 12);
  EXPECT_EQ(ticks(tree, with({{Static, 1}, {Static, 2}}, 4)), 24);
}

TEST(Sites, InnerLoopsOfOneRegionHaveTheFirstOnesTeamToo) {
  TreeMaker make;
  const auto outer = make.site(), first = make.site(SiteKind::ParallelFor, true);
  const auto second = make.site();
  const NodeId a = make.work(10), b = make.work(2);
  const NodeId task = make.task({{make.section(first, {{a, 1}, {b, 1}}), 1},
                                 {make.u(1), 1},
                                 {make.section(second, {{b, 1}, {a, 1}}), 1}});
  const Tree &tree = make.root({{make.section(outer, {{task, 2}}), 1}});
  EmulationOptions options = with({{Static, 2}, {Static, 1}, {Static, 2}}, 4);
  options.maxActiveLevels = 2;
  EXPECT_EQ(ticks(tree, options), 12 + 1 + 12);
  options.sites[1].numThreads = 2;
  EXPECT_EQ(ticks(tree, options), 12 + 1);
}

TEST(Sites, LocksAreChargedInATeamOfOne) {
  TreeMaker make;
  const auto site = make.site();
  const NodeId task = make.task({{make.l(0, 10), 1}});
  const Tree &tree = make.root({{make.section(site, {{task, 3}}), 1}});
  EmulationOptions options = with({{Static, 1}}, 4);
  options.overheads.lockPair = 2;
  EXPECT_EQ(ticks(tree, options), 36);
}

TEST(Sites, AChunkOfNothingIsRefused) {
  TreeMaker make;
  const Tree &tree = make.root({{loopOf(make, {1}), 1}});
  EXPECT_TRUE(unsupported(tree, with({{{Schedule::Kind::Dynamic, 0}}}, 2)));
  EXPECT_FALSE(unsupported(tree, with({{DynamicOne}}, 2)));
}

} // namespace
