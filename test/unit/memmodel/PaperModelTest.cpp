//===- PaperModelTest.cpp - Parallel Prophet's memory model -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/PaperModel.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace prophet::memmodel;

/// 3584 MB/s: above the model's least traffic.
static const SectionCounters Heavy = {1e10, 2e10, 4e8, 2.8e9, 64};

TEST(PaperModel, serialTrafficIsMissedBytesPerSecond) {
  EXPECT_DOUBLE_EQ(serialTraffic(Heavy), 3584);
  SectionCounters counters = Heavy;
  counters.lineBytes = 128;
  EXPECT_DOUBLE_EQ(serialTraffic(counters), 7168);
}

TEST(PaperModel, burdenMatchesTheEquationsToTheDigit) {
  EXPECT_NEAR(*burdenFactor(westmere(), Heavy, 2), 1.063417304503, 1e-12);
  EXPECT_NEAR(*burdenFactor(westmere(), Heavy, 4), 1.526834145255, 1e-12);
  EXPECT_NEAR(*burdenFactor(westmere(), Heavy, 8), 2.220548550278, 1e-12);
  EXPECT_NEAR(*burdenFactor(westmere(), Heavy, 12), 2.831016409895, 1e-12);
}

TEST(PaperModel, equation6GivesTrafficPerThread) {
  EXPECT_DOUBLE_EQ(*trafficPerThread(westmere(), 3584, 2), (1.35 * 3584 + 1758) / 2);
  EXPECT_DOUBLE_EQ(*trafficPerThread(westmere(), 3584, 4), (5756 * std::log(3584) - 38805) / 4);
  EXPECT_FALSE(trafficPerThread(westmere(), 3584, 3));
  EXPECT_EQ(*trafficPerThread(westmere(), 3584, 1), 3584);
}

TEST(PaperModel, equation7GivesStallCycles) {
  EXPECT_DOUBLE_EQ(stallCycles(westmere(), 1), 101481);
  EXPECT_DOUBLE_EQ(stallCycles(westmere(), 2000), 101481 * std::pow(2000, -0.964));
}

TEST(PaperModel, oneThreadHasNoBurden) { EXPECT_EQ(*burdenFactor(westmere(), Heavy, 1), 1); }

TEST(PaperModel, fewMissesPerInstructionHaveNoBurden) {
  SectionCounters counters = Heavy;
  counters.instructions = 4.1e11; // 0.00098 misses per instruction
  EXPECT_EQ(*burdenFactor(westmere(), counters, 12), 1);
}

TEST(PaperModel, littleSerialTrafficHasNoBurden) {
  SectionCounters counters = Heavy;
  counters.llcMisses = 2.2e8; // 1971 MB/s
  EXPECT_EQ(*burdenFactor(westmere(), counters, 12), 1);
}

TEST(PaperModel, aTrafficFormulaOutOfItsRangeHasNoBurden) {
  Coefficients machine = westmere();
  machine.psi.at(12).offset = -60000; // negative at 3584 MB/s
  EXPECT_EQ(*burdenFactor(machine, Heavy, 12), 1);
}

TEST(PaperModel, rulesForEdgesLeaveTheEdgesOut) {
  const double twelve = 2.831016409895;
  SectionCounters counters = Heavy;
  counters.instructions = 4e11; // 0.001 misses per instruction: not fewer
  EXPECT_NEAR(*burdenFactor(westmere(), counters, 12), twelve, 1e-12);
  Coefficients machine = westmere();
  machine.leastTraffic = 3584; // not less
  EXPECT_NEAR(*burdenFactor(machine, Heavy, 12), twelve, 1e-12);
  machine.leastTraffic = 3585;
  EXPECT_EQ(*burdenFactor(machine, Heavy, 12), 1);
  machine = westmere();
  machine.leastMissRate = 0.05; // of 0.04
  EXPECT_EQ(*burdenFactor(machine, Heavy, 12), 1);
  machine = westmere();
  machine.psi.at(2) = {TrafficLine::Shape::Linear, 1, -3584}; // nothing is left
  EXPECT_EQ(*burdenFactor(machine, Heavy, 2), 1);
}

TEST(PaperModel, belowTheMeasuredThreadCountsTheFactorIsInterpolatedFromOne) {
  Coefficients machine = westmere();
  machine.psi.erase(2);
  EXPECT_NEAR(*burdenFactor(machine, Heavy, 3), 1 + 0.526834145255 * 2 / 3, 1e-12);
}

TEST(PaperModel, burdenIsNeverBelowOne) {
  Coefficients machine = westmere();
  machine.psi.at(2) = {TrafficLine::Shape::Linear, 4, 0}; // more traffic each than alone
  EXPECT_EQ(*burdenFactor(machine, Heavy, 2), 1);
}

TEST(PaperModel, betweenMeasuredThreadCountsTheFactorIsInterpolated) {
  double four = *burdenFactor(westmere(), Heavy, 4), eight = *burdenFactor(westmere(), Heavy, 8);
  EXPECT_DOUBLE_EQ(*burdenFactor(westmere(), Heavy, 5), four + (eight - four) / 4);
}

TEST(PaperModel, beyondTheMeasuredThreadCountsThereIsNoAnswer) {
  EXPECT_FALSE(burdenFactor(westmere(), Heavy, 13));
}

TEST(InterpolateBurden, isLinearBetweenPointsAndConstantBeyond) {
  const std::map<unsigned, double> factors = {{2, 1.1}, {4, 1.5}};
  EXPECT_EQ(interpolateBurden(factors, 1), 1);
  EXPECT_DOUBLE_EQ(interpolateBurden(factors, 2), 1.1);
  EXPECT_DOUBLE_EQ(interpolateBurden(factors, 3), 1.3);
  EXPECT_DOUBLE_EQ(interpolateBurden(factors, 64), 1.5);
  EXPECT_EQ(interpolateBurden({}, 8), 1);
}
