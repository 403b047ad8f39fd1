//===- OverlapTest.cpp - What computing hides of a stream -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/Overlap.h"

#include <gtest/gtest.h>
#include <random>

using namespace prophet::memmodel;

namespace {

using Points = std::vector<OverlapPoint>;

} // namespace

TEST(Overlap, IsLinearBetweenPointsAndAsTheLastOneBehindIt) {
  const Overlap overlap(Points{{0.5, 0.75}, {1, 0.5}, {3, 0.125}});
  EXPECT_EQ(overlap.shows(0), 1);
  EXPECT_EQ(overlap.shows(0.25), 0.875);
  EXPECT_EQ(overlap.shows(0.5), 0.75);
  EXPECT_EQ(overlap.shows(0.75), 0.625);
  EXPECT_EQ(overlap.shows(2), 0.3125);
  EXPECT_EQ(overlap.shows(3), 0.125);
  EXPECT_EQ(overlap.shows(100), 0.125);
  EXPECT_EQ(overlap.showsNs(3, 4), 4 * 0.625);
  EXPECT_EQ(overlap.showsNs(3, 0), 0);
}

TEST(Overlap, ThatWasNotMeasuredIsNone) {
  EXPECT_EQ(Overlap().shows(7), 1);
  EXPECT_EQ(Overlap().showsNs(7, 3), 3);
}

TEST(Overlap, HasPointsOfLoopsThatAreNoFasterForComputingMoreOrForSlowerStreams) {
  EXPECT_EQ(asOverlap({{2, 0.5}, {1, 0.75}}), (Points{{1, 0.75}, {2, 0.5}}));
  EXPECT_EQ(asOverlap({{0.25, 0.125}}), (Points{{0.25, 0.75}})); // as long as the stream
  EXPECT_EQ(asOverlap({{1, 0.5}, {1.25, 0}}), (Points{{1, 0.5}, {1.25, 0.25}}));
  EXPECT_EQ(asOverlap({{1, 0.25}, {2, 0.75}}), (Points{{1, 0.25}, {2, 0.5}}));
  EXPECT_EQ(asOverlap({{1, 0.5}, {8, 4}}), (Points{{1, 0.5}, {8, 1}}));
  EXPECT_EQ(asOverlap({{4, 0}, {5, 0.5}}), (Points{{4, 0}, {5, 0}}));
  EXPECT_EQ(asOverlap({{4, -0.5}}), (Points{{4, 0}})); // by noise
  EXPECT_EQ(asOverlap({{1, 0.5}, {1, 0.25}, {0, 0.25}}), (Points{{1, 0.5}}));
  EXPECT_TRUE(asOverlap({}).empty());
}

TEST(Overlap, NeverFallsWithEither) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> share;
    Points measured;
    for (int i = 0; i < 5; ++i)
      measured.push_back({4 * share(random), 1.2 * share(random)});
    const Overlap overlap(asOverlap(measured));
    double byComputing = 0, byStream = 0;
    for (double ns = 0; ns < 20; ns += 0.05) {
      const double more = ns + overlap.showsNs(ns, 3), slower = overlap.showsNs(3, ns);
      EXPECT_GE(more, byComputing - 1e-12) << seed << " " << ns;
      EXPECT_GE(slower, byStream - 1e-12) << seed << " " << ns;
      EXPECT_GE(more, std::max(ns, 3.0) - 1e-12) << seed << " " << ns; // as long as the longer one
      byComputing = more;
      byStream = slower;
    }
  }
}
