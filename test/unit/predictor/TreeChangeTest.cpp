//===- TreeChangeTest.cpp - Trees with other lengths ----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/tree/TreeChange.h"

#include "emulatorTrees.h"
#include "predictor/tree/TreeCheck.h"

#include <gtest/gtest.h>
#include <random>

using namespace prophet;
using test::TreeMaker;

static Tree changed(const Tree &tree, const TreeChange &change) {
  auto result = changeTree(tree, change);
  EXPECT_TRUE(result) << result.error().message;
  EXPECT_FALSE(findTreeProblem(*result));
  return *result;
}

static double serialOf(const Tree &tree) { return tree.serialLengths()[tree.root]; }

/// 100, then 10 iterations of 6 and 4 under lock 0, then 50.
static const Tree &plain(TreeMaker &make) {
  const auto site = make.site();
  const NodeId task = make.task({{make.u(6), 1}, {make.l(0, 4), 1}});
  return make.root({{make.u(100), 1}, {make.section(site, {{task, 10}}), 1}, {make.u(50), 1}});
}

TEST(TreeChange, scalesWhatItNames) {
  TreeMaker make;
  const Tree &tree = plain(make);
  EXPECT_EQ(serialOf(changed(tree, {})), 250);
  EXPECT_EQ(serialOf(changed(tree, {.sites = {}, .locks = {}, .serial = 0.5})), 175);
  EXPECT_EQ(serialOf(changed(tree, {.sites = {{0, {4, 1}}}, .locks = {}})), 550);
  EXPECT_EQ(serialOf(changed(tree, {.sites = {{0, {1, 0.25}}}, .locks = {}})), 175);
  EXPECT_EQ(serialOf(changed(tree, {.sites = {{0, {4, 0.25}}}, .locks = {}})), 250);
  EXPECT_EQ(serialOf(changed(tree, {.sites = {}, .locks = {{0, {0.5, false}}}})), 230);
  EXPECT_EQ(serialOf(changed(tree, {.sites = {}, .locks = {{0, {0, false}}}})), 210);
  EXPECT_EQ(serialOf(changed(tree, {.sites = {}, .locks = {{0, {1, true}}}})), 250);
}

TEST(TreeChange, aLockOfLengthNoneIsNotTaken) {
  TreeMaker make;
  const Tree &tree = plain(make);
  for (TreeChange::OfLock lock : {TreeChange::OfLock{0, false}, TreeChange::OfLock{1, true}}) {
    const Tree without = changed(tree, {.sites = {}, .locks = {{0, lock}}});
    for (const Node &node : without.nodes)
      EXPECT_NE(node.kind, NodeKind::L);
  }
}

TEST(TreeChange, aRemovedLockLeavesTheLocksInsideIt) {
  TreeMaker make;
  const auto site = make.site();
  const NodeId inner = make.l(1, 3);
  const NodeId held = make.l(0, {{make.u(2), 1}, {inner, 1}});
  make.root({{make.section(site, {{make.task({{held, 2}}), 1}}), 1}});
  const Tree without = changed(make.tree, {.sites = {}, .locks = {{0, {1, true}}}});
  EXPECT_EQ(serialOf(without), 10);
  for (const Node &node : without.nodes)
    if (node.kind == NodeKind::Task) {
      EXPECT_EQ(node.childCount, 4u); // 2, L 3, 2, L 3
    } else if (node.kind == NodeKind::L) {
      EXPECT_EQ(node.ref, 1u);
    }
  // Half as long while it is held: so is what the inner lock guards.
  EXPECT_EQ(serialOf(changed(make.tree, {.sites = {}, .locks = {{0, {0.5, false}}}})), 5);
}

TEST(TreeChange, aNodeInSeveralPlacesIsSplit) {
  TreeMaker make;
  const auto first = make.site(), second = make.site();
  const NodeId shared = make.u(10);
  const NodeId task = make.task({{shared, 1}});
  make.root(
      {{shared, 1}, {make.section(first, {{task, 3}}), 1}, {make.section(second, {{task, 3}}), 1}});
  EXPECT_EQ(serialOf(changed(make.tree, {.sites = {{0, {1, 2}}}, .locks = {}})), 100);
  EXPECT_EQ(serialOf(changed(make.tree, {.sites = {{0, {1, 2}}}, .locks = {}, .serial = 0})), 90);
  EXPECT_EQ(serialOf(changed(make.tree, {.sites = {{0, {1, 2}}, {1, {1, 3}}}, .locks = {}})), 160);
}

TEST(TreeChange, aFactorCountsOnceWhereSectionsOfASiteNest) {
  TreeMaker make;
  const auto site = make.site();
  const NodeId inner = make.section(site, {{make.work(10), 2}});
  make.root({{make.section(site, {{make.task({{make.u(5), 1}, {inner, 1}}), 1}}), 1}});
  EXPECT_EQ(serialOf(changed(make.tree, {.sites = {{0, {1, 2}}}, .locks = {}})), 50);
}

TEST(TreeChange, tasksAreTakenEvenly) {
  TreeMaker make;
  make.root({{make.loop({1, 2, 3, 4, 5, 6}), 1}});
  // Of 6 tasks the half: rounding sums up, so every second one stays.
  EXPECT_EQ(serialOf(changed(make.tree, {.sites = {{0, {0.5, 1}}}, .locks = {}})), 1 + 3 + 5);
  EXPECT_EQ(serialOf(changed(make.tree, {.sites = {{0, {1e-6, 1}}}, .locks = {}})), 1);
  EXPECT_EQ(serialOf(changed(make.tree, {.sites = {{0, {1.5, 1}}}, .locks = {}})),
            2 * 1 + 2 + 2 * 3 + 4 + 2 * 5 + 6);
}

TEST(TreeChange, whatIsTooLargeIsRefused) {
  TreeMaker make;
  make.site();
  const NodeId task = make.work(1);
  make.root({{make.section(0, {{task, std::uint64_t(1) << 60}}), 1}});
  auto result = changeTree(make.tree, {.sites = {{0, {1000, 1}}}, .locks = {}});
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("too large"), std::string::npos);
}
