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

TEST(Growth, OfTheOnlyTeamIsAPartOfWhatTwoThreadsCost) { // the team of one is serialised
  EXPECT_EQ(TeamCost({{1, 10}, {2, 100}}, {Growth::Constant, 1}).at(64), 100);
  EXPECT_EQ(TeamCost({{1, 10}, {2, 100}}, {Growth::Log, 1}).at(64), 600);
  EXPECT_EQ(TeamCost({{1, 10}, {2, 100}}, {Growth::Log, 0.5}).at(8), 200);
  EXPECT_EQ(TeamCost({{1, 10}, {2, 100}}, {Growth::Linear, 1}).at(64), 6300);
  EXPECT_NEAR(TeamCost({{1, 10}, {4, 400}}, {Growth::Log, 0.5}).at(16), 2000 / 3.,
              1e-9); // 266 2/3 of two
  EXPECT_EQ(TeamCost({{1, 10}}, {Growth::Linear, 1}).at(64), 10);
}

TEST(Growth, OfWhatAllDoAtTheSameTimeGoesDown) {
  const TeamCost one({{1, 5}, {2, 400}}, {Growth::Divided, 2});
  EXPECT_DOUBLE_EQ(one.at(4), 200);
  EXPECT_DOUBLE_EQ(one.at(8), 100);
  EXPECT_DOUBLE_EQ(one.at(10), 80);
  EXPECT_DOUBLE_EQ(one.at(64), 80);                               // then they wait for each other
  const TeamCost two({{2, 400}, {4, 300}}, {Growth::Divided, 2}); // 400 times what 1 / T falls
  EXPECT_NEAR(two.at(5), 280, 1e-9);
  EXPECT_NEAR(two.at(64), 240, 1e-9);
  const TeamCost steep({{2, 400}, {4, 100}}, {Growth::Divided, 2}); // what four cost, divided
  EXPECT_NEAR(steep.at(5), 80, 1e-9);
  EXPECT_NEAR(steep.at(64), 40, 1e-9);
  EXPECT_EQ(TeamCost({{2, 400}, {4, 200}, {8, 100}}, {Growth::Log}).at(64), 100); // others do not
}

TEST(Growth, HasTheSlopeBetweenTwoTeams) {
  EXPECT_DOUBLE_EQ(TeamCost({{2, 100}, {4, 160}}, {Growth::Log}).at(16), 280);
  EXPECT_DOUBLE_EQ(TeamCost({{2, 100}, {4, 160}}, {Growth::Linear}).at(16), 520);
  EXPECT_EQ(TeamCost({{2, 160}, {4, 100}}, {Growth::Linear}).at(16), 100); // never less for more
}

TEST(Growth, OfThreeTeamsIsTheLawThatFits) {
  const TeamCost line({{1, 5}, {2, 100}, {4, 300}, {8, 700}}, {Growth::Log});
  EXPECT_EQ(line.growth(), Growth::Linear);
  EXPECT_DOUBLE_EQ(line.at(16), 1500);
  const TeamCost tree({{2, 100}, {4, 200}, {8, 300}}, {Growth::Linear});
  EXPECT_EQ(tree.growth(), Growth::Log);
  EXPECT_DOUBLE_EQ(tree.at(16), 400);
  const TeamCost flat({{2, 100}, {4, 100}, {8, 100}}, {Growth::Linear});
  EXPECT_EQ(flat.at(16), 100);
}

TEST(Growth, KeepsTheKnownLawWhereOthersFitLittleBetter) {
  // A line of slope 320/7 leaves squares of 457, a tree 267: better, but not by half.
  const TeamCost cost({{2, 100}, {4, 220}, {8, 380}}, {Growth::Linear});
  EXPECT_EQ(cost.growth(), Growth::Linear);
  EXPECT_NEAR(cost.at(9), 380 + 320.0 / 7, 1e-9);
}

TEST(Growth, IsKnownOfTheRuntimes) {
  const auto law = [](OmpRuntime runtime, const char *cost) {
    return knownGrowth(runtime, cost).law;
  };
  EXPECT_EQ(law(OmpRuntime::Libomp, "active.fork"), Growth::Log);
  EXPECT_EQ(law(OmpRuntime::Libgomp, "passive.join"), Growth::Linear);
  EXPECT_EQ(law(OmpRuntime::Libomp, "active.lock_handoff"), Growth::Constant);
  EXPECT_EQ(law(OmpRuntime::Libgomp, "active.lock_handoff"), Growth::Linear);
  EXPECT_EQ(law(OmpRuntime::Libgomp, "passive.lock_handoff"), Growth::Constant);
  EXPECT_EQ(law(OmpRuntime::Libgomp, "static.start"), Growth::Constant);
  EXPECT_EQ(law(OmpRuntime::Libgomp, "tasks.create"), Growth::Linear);
  EXPECT_EQ(law(OmpRuntime::Libomp, "dynamic_queue.interval"), Growth::Divided);
  EXPECT_EQ(law(OmpRuntime::Libgomp, "dynamic_queue.interval"), Growth::Constant);
}

TEST(Growth, MakesOfTwoThreadsAboutWhatSixteenWereMeasuredToCost) {
  // Medians of three calibrations on sixteen virtual cores (docs/emulation.md).
  const auto sixteen = [](OmpRuntime runtime, const char *cost, double two) {
    return TeamCost({{1, 0}, {2, two}}, knownGrowth(runtime, cost)).at(16);
  };
  EXPECT_NEAR(sixteen(OmpRuntime::Libomp, "active.fork", 880), 1554, 0.1 * 1554);
  EXPECT_NEAR(sixteen(OmpRuntime::Libomp, "active.join", 488), 860, 0.1 * 860);
  EXPECT_NEAR(sixteen(OmpRuntime::Libomp, "passive.fork", 8450), 24740, 0.2 * 24740);
  EXPECT_NEAR(sixteen(OmpRuntime::Libomp, "passive.join", 7599), 13940, 0.1 * 13940);
  EXPECT_NEAR(sixteen(OmpRuntime::Libomp, "dynamic_steal.start", 2585), 5594, 0.1 * 5594);
  EXPECT_NEAR(sixteen(OmpRuntime::Libomp, "dynamic_queue.interval", 345), 71, 0.1 * 71);
  EXPECT_NEAR(sixteen(OmpRuntime::Libgomp, "active.fork", 938), 2358, 0.1 * 2358);
  EXPECT_NEAR(sixteen(OmpRuntime::Libgomp, "active.join", 398), 688, 0.1 * 688);
  EXPECT_NEAR(sixteen(OmpRuntime::Libgomp, "passive.fork", 6887), 23420, 0.1 * 23420);
  EXPECT_NEAR(sixteen(OmpRuntime::Libgomp, "passive.join", 6236), 14980, 0.1 * 14980);
  EXPECT_NEAR(sixteen(OmpRuntime::Libgomp, "active.lock_handoff", 227), 308, 0.25 * 308);
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
