//===- emulatorGrowthTest.cpp - Costs of teams that were not measured -----===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Growth.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>

using namespace prophet;

namespace {

TEST(TeamCost, IsLinearInTheLogarithmBetweenMeasuredTeams) {
  const TeamCost cost({{1, 10}, {2, 100}, {8, 300}});
  EXPECT_EQ(cost.at(1), 10);
  EXPECT_EQ(cost.at(2), 100);
  EXPECT_DOUBLE_EQ(cost.at(4), 200); // 100 a doubling
  EXPECT_EQ(cost.at(8), 300);
  EXPECT_EQ(cost.measured(), 8u);
}

TEST(TeamCost, OfOneFigureIsTheSameForEveryTeam) {
  EXPECT_EQ(TeamCost(7).at(1000), 7);
  EXPECT_EQ(TeamCost(7).measured(), 0u);
  EXPECT_EQ(TeamCost().at(3), 0);
}

TEST(Growth, GoesThroughNothingAndTheOnlyTeam) { // the team of one is serialised
  EXPECT_EQ(TeamCost({{1, 10}, {2, 100}}, Growth::Constant).at(64), 100);
  EXPECT_EQ(TeamCost({{1, 10}, {2, 100}}, Growth::Log).at(64), 600);
  EXPECT_EQ(TeamCost({{1, 10}, {2, 100}}, Growth::Linear).at(64), 6300);
  EXPECT_EQ(TeamCost({{1, 10}}, Growth::Linear).at(64), 10);
}

TEST(Growth, HasTheSlopeBetweenTwoTeams) {
  EXPECT_DOUBLE_EQ(TeamCost({{2, 100}, {4, 160}}, Growth::Log).at(16), 280);
  EXPECT_DOUBLE_EQ(TeamCost({{2, 100}, {4, 160}}, Growth::Linear).at(16), 520);
  EXPECT_EQ(TeamCost({{2, 160}, {4, 100}}, Growth::Linear).at(16), 100); // never less for more
}

TEST(Growth, OfThreeTeamsIsTheLawThatFits) {
  const TeamCost line({{1, 5}, {2, 100}, {4, 300}, {8, 700}}, Growth::Log);
  EXPECT_EQ(line.growth(), Growth::Linear);
  EXPECT_DOUBLE_EQ(line.at(16), 1500);
  const TeamCost tree({{2, 100}, {4, 200}, {8, 300}}, Growth::Linear);
  EXPECT_EQ(tree.growth(), Growth::Log);
  EXPECT_DOUBLE_EQ(tree.at(16), 400);
  const TeamCost flat({{2, 100}, {4, 100}, {8, 100}}, Growth::Linear);
  EXPECT_EQ(flat.at(16), 100);
}

TEST(Growth, KeepsTheKnownLawWhereOthersFitLittleBetter) {
  // A line of slope 320/7 leaves squares of 457, a tree 267: better, but not by half.
  const TeamCost cost({{2, 100}, {4, 220}, {8, 380}}, Growth::Linear);
  EXPECT_EQ(cost.growth(), Growth::Linear);
  EXPECT_NEAR(cost.at(9), 380 + 320.0 / 7, 1e-9);
}

TEST(Growth, IsThatOfTheRuntimesCode) {
  EXPECT_EQ(knownGrowth(OmpRuntime::Libomp, "active.fork"), Growth::Log);
  EXPECT_EQ(knownGrowth(OmpRuntime::Libgomp, "passive.join"), Growth::Linear);
  EXPECT_EQ(knownGrowth(OmpRuntime::Libomp, "active.lock_handoff"), Growth::Constant);
  EXPECT_EQ(knownGrowth(OmpRuntime::Libgomp, "active.lock_handoff"), Growth::Linear);
  EXPECT_EQ(knownGrowth(OmpRuntime::Libgomp, "passive.lock_handoff"), Growth::Constant);
  EXPECT_EQ(knownGrowth(OmpRuntime::Libgomp, "static.start"), Growth::Constant);
  EXPECT_EQ(knownGrowth(OmpRuntime::Libgomp, "tasks.create"), Growth::Linear);
}

TEST(Overheads, AreMeasuredUpToTheSmallestOfTheirLargestTeams) {
  Overheads table;
  EXPECT_EQ(table.measured(), 0u);
  table.active.fork = TeamCost({{1, 10}, {8, 100}});
  table.steal.chunk = TeamCost({{1, 10}, {4, 100}});
  table.active.join = 5;
  EXPECT_EQ(table.measured(), 4u);
  EXPECT_EQ(Overheads::typical(OmpRuntime::Libgomp).measured(), 2u);
}

} // namespace
