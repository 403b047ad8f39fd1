//===- emulatorSelfNestingTest.cpp - Sites inside themselves --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorTasks.h"
#include "predictor/tree/SelfNesting.h"

#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

TEST(SelfNesting, ASiteTakesTheTimeOfItsOutermostExecutions) {
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const NodeId inner = make.section(site, {{make.work(20), 2}});
  const NodeId left = make.task({{make.u(10), 1}, {inner, 1}});
  const Tree &tree = make.root({{make.section(site, {{left, 1}, {make.work(50), 1}}), 1}});
  EXPECT_FALSE(splitSelfNested(tree)) << "nothing is both inside and outside";
  for (const Paradigm paradigm : All) {
    const SiteEstimate found = emulate(tree, with(paradigm, 2)).sites[0];
    EXPECT_EQ(found.serialTicks, 100); // not 140
    EXPECT_EQ(found.ticks, 50);        // one runs 50, the other 10 and twice 20
    EXPECT_EQ(found.speedup, 2);
  }
}

/// A loop of two iterations with a loop of four of 10 of the same site, and three such loops alone.
Tree aLoopInsideAndOutside() {
  TreeMaker make;
  const auto site = make.site();
  const NodeId leaf = make.section(site, {{make.work(10), 4}});
  const NodeId outer = make.section(site, {{make.task({{leaf, 1}}), 2}});
  return make.root({{outer, 1}, {leaf, 3}});
}

TEST(SelfNesting, ANodeCanBeInsideItsOwnSiteAndOutside) {
  const Tree tree = aLoopInsideAndOutside();
  const Estimate found = emulate(tree, with(Paradigm::OpenMP, 2));
  EXPECT_EQ(found.ticks, 40 + 3 * 20);
  EXPECT_EQ(found.sites[0].serialTicks, 80 + 3 * 40);
  EXPECT_EQ(found.sites[0].ticks, 40 + 3 * 20);
  EXPECT_EQ(found.sites[0].gain, 2);
  EmulationOptions nested = with(Paradigm::OpenMP, 2);
  nested.maxActiveLevels = 2;
  nested.cores = 4;
  EXPECT_EQ(emulate(tree, nested).sites[0].ticks, 20 + 3 * 20);
}

TEST(SelfNesting, OnlyNodesThatAreBothAreSplit) {
  const Tree tree = aLoopInsideAndOutside();
  const auto split = splitSelfNested(tree);
  ASSERT_TRUE(split);
  EXPECT_EQ(split->nodes.size(), tree.nodes.size() + 1) << "the leaf, but not its task";
  EXPECT_EQ(split->serialLengths().back(), tree.serialLengths().back());
}

TEST(SelfNesting, WhatIsAroundARegionCounts) { // a { b { a } }, and b { a } beside it; a is serial
  TreeMaker make;
  const auto a = make.site(), b = make.site();
  const NodeId leaf = make.section(a, {{make.work(10), 2}});
  const NodeId region = make.section(b, {{make.task({{leaf, 1}}), 2}});
  const NodeId around = make.section(a, {{make.task({{region, 1}}), 1}});
  const Tree &tree = make.root({{around, 1}, {region, 1}});
  EmulationOptions options = with(Paradigm::OpenMP, 2);
  options.exceptSite = a;
  const Estimate found = emulate(tree, options);
  EXPECT_EQ(found.ticks, 20 + 20);
  EXPECT_EQ(found.sites[a].serialTicks, 40 + 2 * 20);
  EXPECT_EQ(found.sites[a].ticks, 20 + 2 * 20);
  EXPECT_EQ(found.sites[b].serialTicks, 40 + 40);
  EXPECT_EQ(found.sites[b].ticks, 20 + 20);
}

TEST(SelfNesting, SitesInsideEachOtherAreToldApart) { // a { b { a { b } } } in turns, to depth 12
  TreeMaker make;
  const std::uint32_t sites[] = {make.site(SiteKind::Tasks), make.site(SiteKind::Tasks)};
  std::vector<NodeId> all{make.section(sites[0], {{make.work(8), 1}})};
  for (unsigned depth = 1; depth < 12; ++depth)
    all.push_back(make.section(sites[depth % 2], {{make.task({{all.back(), 1}}), 1}}));
  std::vector<Child> calls; // the program calls all of them
  for (const NodeId section : all)
    calls.push_back({section, 1});
  const Tree &tree = make.root(calls);
  const Estimate found = emulate(tree, with(Paradigm::OpenMP, 2));
  EXPECT_EQ(found.serialTicks, 12 * 8);
  EXPECT_EQ(found.sites[0].serialTicks, 12 * 8); // all begin with it, or have it inside
  EXPECT_EQ(found.sites[1].serialTicks, 11 * 8); // all but the shortest
  EXPECT_EQ(found.sites[0].ticks, 12 * 8);
  EXPECT_EQ(found.sites[1].ticks, 11 * 8);
}

} // namespace
