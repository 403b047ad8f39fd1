//===- SpanTest.cpp - What no number of threads beats ------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/Span.h"

#include "emulatorTrees.h"
#include "predictor/emulator/Emulator.h"

#include <gtest/gtest.h>

using namespace prophet;
using test::TreeMaker;

static EmulationOptions levels(unsigned count) {
  EmulationOptions options;
  options.maxActiveLevels = count;
  return options;
}

TEST(Span, isTheLongestChain) {
  TreeMaker make;
  // Figure 7's loops: of two, around (10, 5) and (5, 10); 3 of serial code.
  const NodeId first = make.task({{make.loop({10, 5}), 1}});
  const NodeId second = make.task({{make.loop({5, 10}), 1}});
  make.root({{make.u(3), 1}, {make.section(make.site(), {{first, 1}, {second, 1}}), 1}});
  EXPECT_EQ(findSpan(make.tree, levels(1)).workTicks, 33);
  EXPECT_EQ(findSpan(make.tree, levels(1)).spanTicks, 18);
  EXPECT_EQ(findSpan(make.tree, levels(2)).spanTicks, 13);
  EXPECT_EQ(findSpan(make.tree, levels(1u << 30)).spanTicks, 13);
  EXPECT_DOUBLE_EQ(findSpan(make.tree, levels(1)).speedupBound(), 33.0 / 18);
  EmulationOptions inner = levels(1);
  inner.onlySite = 0;
  EXPECT_EQ(findSpan(make.tree, inner).spanTicks, 3 + 10 + 10);
}

TEST(Span, loopBodiesTakeTheirTimeAsFunctions) {
  TreeMaker make;
  const NodeId task = make.task({{make.u(4), 1}, {make.l(0, 6), 1}});
  const NodeId other = make.task({{make.u(1), 1}, {make.l(0, 1), 1}});
  const auto first = make.site(), second = make.site();
  make.root({{make.u(3), 1},
             {make.section(first, {{task, 4}}), 1},
             {make.section(second, {{other, 2}}), 1}});
  EmulationOptions options = levels(1);
  EXPECT_EQ(findSpan(make.tree, options).spanTicks, 3 + 10 + 2);
  EXPECT_EQ(findSpan(make.tree, options).lockTicks, 3 + 24 + 2);
  EXPECT_EQ(gainOfCores(make.tree, options), 2);
  options.bodyRatios = {2, 0.5};
  EXPECT_EQ(findSpan(make.tree, options).spanTicks, 3 + 20 + 1);
  EXPECT_EQ(findSpan(make.tree, options).lockTicks, 3 + 48 + 1);
  EXPECT_EQ(findSpan(make.tree, options).workTicks, 47) << "of the serial program";
  EXPECT_DOUBLE_EQ(gainOfCores(make.tree, options), 2 * 47.0 / (3 + 80 + 2));
  options.exceptSite = first; // it is no function then
  EXPECT_EQ(findSpan(make.tree, options).spanTicks, 3 + 40 + 1);
  EXPECT_EQ(findSpan(make.tree, options).lockTicks, 3 + 24 + 1);
}

TEST(Spans, OfASpawnersLoopsThatShareATeamIsTheLongerOnes) {
  TreeMaker make;
  const auto tasks = make.site(SiteKind::Tasks);
  const auto first = make.site(SiteKind::ParallelFor, true), second = make.site();
  const NodeId one = make.section(first, {{make.work(10), 1}, {make.work(2), 1}});
  const NodeId other = make.section(second, {{make.work(2), 1}, {make.work(10), 1}});
  const Tree &tree =
      make.root({{make.section(tasks, {{one, 1}, {other, 1}, {make.work(3), 1}}), 1}});
  EmulationOptions options; // two threads: 10 and 2 on the first, 2 and 10 on the second
  options.maxActiveLevels = 2;
  EXPECT_EQ(findSpan(tree, options).spanTicks, 10 + 3); // the task is spawned behind both
  EXPECT_EQ(findSpan(tree, options).workTicks, 27);
}

TEST(Span, tasksGoToTheTeamTheyAreIn) {
  TreeMaker make;
  // A recursion three deep: 1 tick, then two tasks; leaves of 5.
  const std::uint32_t site = make.site(SiteKind::Tasks);
  NodeId task = make.work(5);
  for (int depth = 0; depth < 3; ++depth)
    task = make.task({{make.u(1), 1}, {make.section(site, {{task, 2}}), 1}});
  make.root({{make.section(site, {{task, 1}}), 1}});
  EXPECT_EQ(findSpan(make.tree, levels(1)).workTicks, 1 + 2 + 4 + 8 * 5);
  EXPECT_EQ(findSpan(make.tree, levels(1)).spanTicks, 1 + 1 + 1 + 5);
  EmulationOptions options = levels(1);
  options.threads = 8;
  EXPECT_GE(emulate(make.tree, options).ticks, 8);
  EXPECT_LT(emulate(make.tree, options).ticks, 22) << "the chain of one thread per outermost task";
}

TEST(Span, tasksInASerializedLoopAreSerial) {
  TreeMaker make;
  const NodeId spawns =
      make.task({{make.section(make.site(SiteKind::Tasks), {{make.work(4), 3}}), 1}});
  const NodeId outer = make.task({{make.section(make.site(), {{spawns, 2}}), 1}});
  make.root({{make.section(make.site(), {{outer, 2}}), 1}});
  EXPECT_EQ(findSpan(make.tree, levels(1)).spanTicks, 24);
  EXPECT_EQ(findSpan(make.tree, levels(2)).spanTicks, 4);
  EmulationOptions taskloops = levels(1);
  taskloops.paradigm = Paradigm::Tasks;
  EXPECT_EQ(findSpan(make.tree, taskloops).spanTicks, 4);
}

TEST(Span, aLockIsHeldByOneThreadAtATime) {
  TreeMaker make;
  const NodeId task = make.task({{make.u(6), 1}, {make.l(1, 4), 1}});
  make.root({{make.u(10), 1}, {make.section(make.site(), {{task, 10}}), 1}});
  const Span span = findSpan(make.tree, levels(1));
  EXPECT_EQ(span.spanTicks, 20);
  EXPECT_EQ(span.lock, 1u);
  EXPECT_EQ(span.lockTicks, 50);
  EXPECT_DOUBLE_EQ(span.speedupBound(), 110.0 / 50);
}

TEST(Span, nowaitLoopsOverlap) {
  TreeMaker make;
  const auto first = make.site(SiteKind::ParallelFor, true), second = make.site();
  make.root({{make.section(first, {{make.work(10), 1}}), 1},
             {make.section(second, {{make.work(4), 2}}), 1}});
  EXPECT_EQ(findSpan(make.tree, levels(1)).spanTicks, 10);
}

TEST(Span, codeBetweenNowaitLoopsCanRunBesideALock) {
  TreeMaker make;
  // Thread 1 holds the lock from 0 to 10 in the first loop, while thread 0 comes through the code
  // between to the second one, and holds it from 10 to 20.
  const auto first = make.site(SiteKind::ParallelFor, true), second = make.site();
  const NodeId locked = make.task({{make.l(0, 10), 1}});
  make.root({{make.section(first, {{make.task({}), 1}, {locked, 1}}), 1},
             {make.u(5), 1},
             {make.section(second, {{locked, 1}}), 1}});
  EXPECT_EQ(emulate(make.tree, levels(1)).ticks, 20);
  EXPECT_EQ(findSpan(make.tree, levels(1)).lockTicks, 20);
  EXPECT_EQ(findSpan(make.tree, levels(1)).spanTicks, 15);
}

TEST(Span, muchCodeSeparatesNowaitLoops) {
  TreeMaker make;
  make.tree.timebaseHz = 1e9;
  const auto first = make.site(SiteKind::ParallelFor, true), second = make.site();
  for (const double gap : {1000.0, 1001.0}) {
    make.root({{make.section(first, {{make.task({{make.l(0, 10), 1}}), 1}}), 1},
               {make.u(gap), 1},
               {make.section(second, {{make.work(10), 1}}), 1}});
    const bool separate = gap > 1000;
    EXPECT_EQ(findSpan(make.tree, levels(1)).spanTicks, gap + (separate ? 20 : 10));
    EXPECT_EQ(findSpan(make.tree, levels(1)).lockTicks, 10 + (separate ? gap : 0));
  }
}

TEST(Span, aTeamOfOneIsNoLevel) {
  TreeMaker make;
  // One thread runs both outer iterations; the loops in them have teams.
  const auto inner = make.site(), outer = make.site();
  const NodeId task = make.task({{make.section(inner, {{make.work(5), 2}}), 1}});
  make.root({{make.section(outer, {{task, 2}}), 1}});
  EmulationOptions options = levels(1);
  EXPECT_EQ(findSpan(make.tree, options).spanTicks, 10) << "two outer iterations side by side";
  options.sites.resize(2);
  options.sites[outer].numThreads = 1;
  EXPECT_EQ(emulate(make.tree, options).ticks, 10) << "two inner loops, one after the other";
  EXPECT_EQ(findSpan(make.tree, options).spanTicks, 10);
  make.root({{make.section(outer, {{task, 1}}), 1}});
  EXPECT_EQ(emulate(make.tree, options).ticks, 5);
  EXPECT_EQ(findSpan(make.tree, options).spanTicks, 5);
}

TEST(Span, aLoopBehindNowaitHasTheTeamOfTheOneBefore) {
  TreeMaker make;
  // The first loop's team of one goes on to the second one, whose inner loop then has a team.
  const auto inner = make.site(), alone = make.site(SiteKind::ParallelFor, true);
  const auto outer = make.site();
  const NodeId task = make.task({{make.section(inner, {{make.work(5), 2}}), 1}});
  make.root({{make.section(alone, {{make.work(3), 1}}), 1}, {make.section(outer, {{task, 1}}), 1}});
  EmulationOptions options = levels(1);
  EXPECT_EQ(findSpan(make.tree, options).spanTicks, 10);
  options.sites.resize(3);
  options.sites[alone].numThreads = 1;
  EXPECT_EQ(emulate(make.tree, options).ticks, 3 + 5);
  EXPECT_EQ(findSpan(make.tree, options).spanTicks, 5) << "not 10, in a team of the second's own";
}
