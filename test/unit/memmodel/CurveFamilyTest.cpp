//===- CurveFamilyTest.cpp - Latency by bandwidth -------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/CurveFamily.h"

#include <gtest/gtest.h>

using namespace prophet::memmodel;

TEST(CurveFamily, aCurveIsMadeMonotone) {
  const std::vector<CurvePoint> noisy = {{10, 100}, {1, 80}, {5, 90}, {4, 92}, {9, 200}, {10, 100}};
  const std::vector<CurvePoint> expected = {{1, 80}, {4, 91}, {5, 91}, {10, 100}};
  EXPECT_EQ(monotone(noisy), expected); // (9, 200): behind saturation
  EXPECT_TRUE(monotone({}).empty());
}

TEST(CurveFamily, betweenReadSharesBothCurvesCountAtTheSamePartOfTheirLimit) {
  const CurveFamily curves({{1, {{0, 80}, {20, 120}}}, {0.5, {{0, 90}, {10, 190}}}});
  EXPECT_DOUBLE_EQ(curves.mostBandwidth(0.75), 15);
  EXPECT_DOUBLE_EQ(curves.latency(7.5, 0.75), (100 + 140) / 2.0);
  EXPECT_DOUBLE_EQ(curves.latency(5, 0.2), 140); // no curve for fewer reads
  EXPECT_DOUBLE_EQ(curves.idleLatency(), 80);
}

TEST(CurveFamily, aRunOfFallingLatenciesHasItsMean) {
  std::vector<double> values = {20, 30, 4, 40, 40}; // 30 and 4 are 17, which 20 is more than
  poolViolators(values);
  EXPECT_EQ(values, (std::vector<double>{18, 18, 18, 40, 40}));
}

TEST(CurveFamily, beyondItsReadSharesTheNearestCurveCounts) {
  const CurveFamily curves({{0.75, {{0, 80}, {20, 120}}}, {0.5, {{0, 90}, {10, 190}}}});
  EXPECT_DOUBLE_EQ(curves.mostBandwidth(1), 20);
  EXPECT_DOUBLE_EQ(curves.latency(10, 1), 100);
  EXPECT_DOUBLE_EQ(curves.idleLatency(), 80);
}
