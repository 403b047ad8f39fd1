//===- PartsTest.cpp - What the threads of a team did ---------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/openmp/Parts.h"

#include <gtest/gtest.h>

using openmp_overheads::beyondIterations, openmp_overheads::Part;

TEST(Parts, CostWhatTheyTakeBeyondTheirIterations) {
  const std::vector<Part> plain = {{1000, 100}, {1000, 100}};
  EXPECT_EQ(beyondIterations({{1500, 100}, {1500, 100}}, plain), 500);
  EXPECT_EQ(beyondIterations({{1500, 100}, {1300, 100}}, plain), 400);
  EXPECT_EQ(beyondIterations({{2300, 200}, {300, 0}}, plain), 300); // one came too late for any
  EXPECT_EQ(beyondIterations({{1500, 100}, {}}, {{1000, 100}, {}}), 500); // a team of one
  EXPECT_EQ(beyondIterations({{}}, {{}}), 0);
  EXPECT_EQ(beyondIterations({{900, 80}, {900, 100}}, plain), 0); // 100 more, 100 less
}

TEST(Parts, CostTheSameOnCoresOfWhichOneIsSlow) {
  // 10 and 30 ns an iteration, and 5 ns a chunk of one: 35 chunks of 15 ns, 15 of 35 ns.
  const std::vector<Part> plain = {{250, 25}, {750, 25}}, dealt = {{525, 35}, {525, 15}};
  EXPECT_EQ(beyondIterations(dealt, plain), 25 * 5); // though the team takes 225 ns less
}
