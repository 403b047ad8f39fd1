//===- CrewTest.cpp - Windows that a host disturbs ------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/memory/Crew.h"

#include <gtest/gtest.h>
#include <limits>
#include <vector>

using namespace memory_figures;

namespace {

/// Windows one after another, by how far apart their parts are; each has its number as a rate.
struct Windows {
  std::vector<double> apart;
  unsigned taken = 0, repeats = 20;

  double steadiestOfThem() {
    return steadiest(repeats,
                     [this] {
                       const double number = taken++;
                       return Paces{{number}, apart.at(static_cast<std::size_t>(number))};
                     })
        .rates.at(0);
  }
};

} // namespace

TEST(Steadiest, IsTheFirstWindowThatIsSteady) {
  Windows windows{{0.2}};
  EXPECT_EQ(windows.steadiestOfThem(), 0);
  EXPECT_EQ(windows.taken, 1u);
  windows = {{std::numeric_limits<double>::infinity(), 0.3, 0.25}};
  EXPECT_EQ(windows.steadiestOfThem(), 2);
  EXPECT_EQ(windows.taken, 3u);
}

TEST(Steadiest, IsTheLeastUnsteadyOfAFew) {
  Windows windows{{0.9, 0.4, 2, 0.5, 0.1}};
  EXPECT_EQ(windows.steadiestOfThem(), 1);
  EXPECT_EQ(windows.taken, 4u);
  EXPECT_EQ(windows.repeats, 17u);
}

TEST(Steadiest, IsLookedForWhileThereAreRepeats) {
  Windows windows{{0.9, 0.4, 0.1}};
  windows.repeats = 1;
  EXPECT_EQ(windows.steadiestOfThem(), 1);
  EXPECT_EQ(windows.taken, 2u);
  EXPECT_EQ(windows.repeats, 0u);
}
