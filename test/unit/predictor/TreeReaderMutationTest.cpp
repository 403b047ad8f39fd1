//===- TreeReaderMutationTest.cpp - Damaged trees ---------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bounded, seeded sister of test/fuzz: thousands of damaged copies of real
// trees, the same ones in every run.
//
//===----------------------------------------------------------------------===//

#include "mutator.h"
#include "test/fuzz/TreeReaderCheck.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

using namespace prophet;
using namespace prophet::test;

static std::string contentsOf(const char *name) {
  std::ifstream file(std::string(PROPHET_TEST_INPUTS "/") + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

constexpr const char *Pieces[] = {"-1",          "1e999",       "18446744073709551615",
                                  "4294967296",  "null",        "{}",
                                  "[]",          "\"L\"",       "\"task\"",
                                  "\"section\"", "\"root\"",    "[0, 1]",
                                  "0.5",         "\"\\u0000\"", "\xff",
                                  ",",           "]",           "}",
                                  "1e308"};

TEST(TreeReaderMutations, eachIsAcceptedOrGetsOneErrorLine) {
  constexpr int Files = 12000;
  const std::string seeds[] = {contentsOf("mandel.json"), contentsOf("figure7.json"),
                               contentsOf("billion.json")};
  Mutator mutator(2012, Pieces);
  int accepted = 0;
  for (int i = 0; i < Files; ++i)
    accepted += checkReader(mutator.mutate(seeds[i % std::size(seeds)]));
  // Both outcomes are met often, or the test would not be worth its time.
  EXPECT_GT(accepted, Files / 20);
  EXPECT_LT(accepted, Files / 2);
}
