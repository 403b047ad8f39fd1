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

#include "test/fuzz/TreeReaderCheck.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <random>
#include <string>

using namespace prophet;

static std::string contentsOf(const char *name) {
  std::ifstream file(std::string(PROPHET_TEST_INPUTS "/") + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

namespace {
/// Damages text in the ways files and hand-written trees go wrong.
class Mutator {
public:
  explicit Mutator(unsigned seed) : random(seed) {}

  std::string mutate(std::string text) {
    for (unsigned n = 1 + below(3); n > 0; --n)
      change(text);
    return text;
  }

private:
  std::size_t below(std::size_t limit) { return random() % limit; }

  void change(std::string &text) {
    static const char *const Pieces[] = {"-1",          "1e999",       "18446744073709551615",
                                         "4294967296",  "null",        "{}",
                                         "[]",          "\"L\"",       "\"task\"",
                                         "\"section\"", "\"root\"",    "[0, 1]",
                                         "0.5",         "\"\\u0000\"", "\xff",
                                         ",",           "]",           "}",
                                         "1e308"};
    if (text.empty())
      return;
    std::size_t at = below(text.size());
    switch (below(6)) {
    case 0:
      text[at] = static_cast<char>(random());
      break;
    case 1:
      text.resize(at);
      break;
    case 2:
      text.erase(at, 1 + below(12));
      break;
    case 3:
      text.insert(at, text.substr(below(text.size()), 1 + below(40)));
      break;
    case 4:
      text.insert(at, Pieces[below(std::size(Pieces))]);
      break;
    case 5: { // another number where one was: still JSON, rarely still a tree
      std::size_t digit = text.find_first_of("0123456789", at);
      if (digit != text.npos)
        text[digit] = static_cast<char>('0' + below(10));
      break;
    }
    }
  }

  std::mt19937 random;
};
} // namespace

TEST(TreeReaderMutations, eachIsAcceptedOrGetsOneErrorLine) {
  constexpr int Files = 12000;
  const std::string seeds[] = {contentsOf("mandel.json"), contentsOf("figure7.json"),
                               contentsOf("billion.json")};
  Mutator mutator(2012);
  int accepted = 0;
  for (int i = 0; i < Files; ++i)
    accepted += checkReader(mutator.mutate(seeds[i % std::size(seeds)]));
  // Both outcomes are met often, or the test would not be worth its time.
  EXPECT_GT(accepted, Files / 20);
  EXPECT_LT(accepted, Files / 2);
}
