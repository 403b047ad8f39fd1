//===- emulatorCyclicSetTest.cpp - The next victim ------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/CyclicSet.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace prophet;

TEST(CyclicSet, isTheSetThatItStandsFor) {
  std::mt19937 random(1);
  for (const std::size_t size : {1, 2, 63, 64, 65, 128, 4096, 4097, 9000}) {
    CyclicSet set(size);
    std::set<std::size_t> plain;
    for (std::size_t number = 0; number < size; ++number)
      plain.insert(plain.end(), number);
    for (int step = 0; step < 20000; ++step) {
      const std::size_t number = random() % size;
      // Mostly erased, so that words and their summaries become empty.
      if (random() % 8 == 0) {
        set.insert(number);
        plain.insert(number);
      } else {
        set.erase(number);
        plain.erase(number);
      }
      const std::size_t from = random() % (size + 1);
      const auto found = plain.lower_bound(from);
      ASSERT_EQ(set.atOrAfter(from), found == plain.end() ? std::nullopt : std::optional(*found))
          << size << " " << from;
    }
  }
}
