//===- GrammarMutationTest.cpp - Random pragma lines ----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bounded, seeded sister of test/fuzz/GrammarFuzz.cpp: the same lines in
// every run.
//
//===----------------------------------------------------------------------===//
#include "test/fuzz/GrammarCheck.h"

#include "gtest/gtest.h"

#include <random>

using namespace prophet;

namespace {

TEST(GrammarMutations, EachIsADirectiveOrHasOneProblem) {
  constexpr int Lines = 200000;
  std::mt19937 Random(2012);
  // Whole clauses after a directive, so that long lines are met that are right.
  const std::string Starts[] = {std::string("\x00\x01", 2),
                                std::string("\x00\x02", 2),
                                std::string("\x00\x03", 2),
                                "\x05",
                                "\x07",
                                ""};
  int Accepted = 0;
  for (int I = 0; I != Lines; ++I) {
    std::string Line = Starts[Random() % std::size(Starts)];
    for (unsigned Clauses = Random() % 4; Clauses > 0; --Clauses) {
      Line += static_cast<char>(12 + Random() % 14); // from name to default
      for (unsigned char Sign : {30u, 26u + unsigned(Random()) % 22, 31u})
        Line += static_cast<char>(Sign | (Random() % 2 << 7));
    }
    for (unsigned Changes = Random() % 3; Changes > 0 && !Line.empty(); --Changes)
      Line[Random() % Line.size()] = static_cast<char>(Random() % (GrammarWords + 2));
    Accepted += checkGrammar(Line);
  }
  // Both outcomes are met often, or the test would not be worth its time.
  EXPECT_GT(Accepted, Lines / 20);
  EXPECT_LT(Accepted, Lines / 2);
}

TEST(GrammarMutations, EveryLineOfOpenMPIsReadOrLeftAlone) {
  constexpr int Lines = 200000;
  std::mt19937 Random(2012);
  int Meant = 0;
  for (int I = 0; I != Lines; ++I) {
    std::string Line;
    for (unsigned Tokens = Random() % 12; Tokens > 0; --Tokens)
      Line += static_cast<char>(Random() % (OpenMPWords + 1u) | (Random() % 2 << 7));
    Meant += checkOpenMPGrammar(Line);
  }
  EXPECT_GT(Meant, Lines / 20);
  EXPECT_LT(Meant, Lines / 2);
}

} // namespace
