//===- CacheReachTest.cpp - How long a last-level cache keeps how much ----===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/calibration/CacheReach.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace prophet;

namespace {

using Passes = std::map<unsigned, double>; // GB/s by KiB

/// Cores with 512 KiB each and so many MiB together.
memmodel::Machine cores(double mib) {
  memmodel::Machine machine;
  machine.caches = {{1, 32768, 1, 0, {}}, {2, 524288, 1, 0, {}}, {3, mib * (1 << 20), 4, 0, {}}};
  return machine;
}

CacheEnd endAt(unsigned threads, bool isUp, double ns, double size) {
  return {{threads, 0}, isUp, {ns, size}};
}

TEST(CacheReach, EndsHalfWayToTheMemorysPace) {
  // 1/20 ns a byte, then 1/10, then 3/20: half way at 1/10.
  const double far = 20 / 3.;
  auto point = partWay(0.5, Passes{{1024, 20}, {2048, 10}, {4096, far}}, 0, 0, far);
  ASSERT_TRUE(point);
  EXPECT_NEAR(point->size, 2 << 20, 1e-3);
  EXPECT_NEAR(point->ns, (2 << 20) / 10., 1e-3);
  // The inner cache does not count; the size is half way in the logarithm.
  point = partWay(0.5, Passes{{512, 80}, {1024, 20}, {4096, far}}, 1 << 20, 0, far);
  ASSERT_TRUE(point);
  EXPECT_NEAR(point->size, 2 << 20, 1e-3);
  // The memory's pace counts, also where no pass has it.
  point = partWay(0.5, Passes{{1024, 20}, {2048, 10}, {4096, 8}}, 0, 0, far);
  ASSERT_TRUE(point);
  EXPECT_NEAR(point->size, 2 << 20, 1e-3);
  EXPECT_FALSE(partWay(0.5, Passes{{1024, 20}, {4096, 14}}, 0, 0, far)); // they do not get there
  EXPECT_FALSE(partWay(0.5, Passes{{1024, 20}, {4096, 14}}, 0, 0, 14));  // it is no slower
  EXPECT_FALSE(partWay(0.5, Passes{{1024, 20}, {4096, far}}, 0, 0, 0));
  EXPECT_FALSE(partWay(0.5, {}, 0, 0, far));
  EXPECT_NEAR(passesInCache(Passes{{512, 80}, {1024, 20}, {2048, 10}}, 1 << 20), 20, 1e-9);
  EXPECT_EQ(passesInCache({}, 0), 0);
}

TEST(CacheReach, EndsGraduallyOnTheWay) {
  // As above: a quarter of the way from 1/20 ns to 3/20 is 3/40, half an octave up, and so on.
  const Passes passes{{1024, 20}, {2048, 10}, {4096, 20 / 3.}};
  const auto quarter = partWay(0.25, passes, 0, 0, 20 / 3.);
  const auto most = partWay(0.75, passes, 0, 0, 20 / 3.);
  ASSERT_TRUE(quarter && most);
  EXPECT_NEAR(quarter->size, (1 << 20) * std::sqrt(2), 1e-3);
  EXPECT_NEAR(quarter->ns, (1 << 20) * std::sqrt(2) * 3 / 40, 1e-3);
  EXPECT_NEAR(most->size, (2 << 20) * std::sqrt(2), 1e-3);
  EXPECT_NEAR(most->ns, (2 << 20) * std::sqrt(2) / 8, 1e-3);
  EXPECT_FALSE(partWay(0.75, Passes{{1024, 20}, {2048, 10}, {4096, 9}}, 0, 0, 20 / 3.));
}

TEST(CacheReach, IsOfAPassWithItsPauses) {
  // The same with 2/5 ns a byte besides: ends where it did, after five times as long.
  const auto point =
      partWay(0.5, Passes{{1024, 1 / .45}, {2048, 2}, {4096, 1 / .55}}, 0, 0.4, 20 / 3.);
  ASSERT_TRUE(point);
  EXPECT_NEAR(point->size, 2 << 20, 1e-3);
  EXPECT_NEAR(point->ns, (2 << 20) / 2., 1e-3);
  // Pauses that are longer than all, by noise.
  EXPECT_FALSE(partWay(0.5, Passes{{1024, 20}, {4096, 20}}, 0, 0.06, 20 / 3.));
}

TEST(CacheReach, IsOfEachNumberOfThreadsAndPause) {
  std::map<std::string, Passes> figures;
  figures["reach.1.0.down"] = {{1024, 20}, {2048, 20}, {4096, 10}, {8192, 20 / 3.}};
  figures["reach.1.64.up"] = {{1024, 1 / 1.05}, {2048, 1 / 1.1}, {4096, 1 / 1.15}};
  figures["reach.1.far"] = {{65536, 20 / 3.}};
  figures["reach.4.0.up"] = {{4096, 80}, {8192, 40}, {16384, 80 / 3.}};
  figures["reach.4.64.up"] = {{4096, 1 / .2625}, {8192, 1 / .275}, {16384, 1 / .2875}};
  figures["reach.4.far"] = {{65536, 80 / 3.}};
  figures["reach.8.0.up"] = {{8192, 80}, {16384, 20}}; // where nobody knows the memory's pace
  for (const char *name :
       {"reach.", "reach.1", "reach.0.1.up", "reach.1.", "reach.1..up", "reach.1.x.up", "reach.1.0",
        "reach.1.0.", "reach.1.0.on", "reach.-1.0.up", "shared"})
    figures[name] = figures["reach.1.0.down"];
  const auto ends = endsOf(figures, cores(16));
  ASSERT_EQ(ends.size(), 4u);
  EXPECT_EQ(ends[0].passes, std::pair(1u, 0u));
  EXPECT_FALSE(ends[0].isUp);
  EXPECT_NEAR(ends[0].point.size, (4 << 20) - (512 << 10), 1e-2);
  EXPECT_NEAR(ends[0].point.ns, (4 << 20) / 10., 1e-2);
  ASSERT_TRUE(ends[0].quarters);
  EXPECT_NEAR(ends[0].quarters->first.size, (2 << 20) * std::sqrt(2) - (512 << 10), 1e-2);
  EXPECT_NEAR(ends[0].quarters->second.ns, (4 << 20) * std::sqrt(2) / 8, 1e-2);
  EXPECT_EQ(ends[1].passes, std::pair(1u, 64u));
  EXPECT_TRUE(ends[1].isUp);
  EXPECT_NEAR(ends[1].point.size, (2 << 20) - (512 << 10), 1e-2);
  EXPECT_NEAR(ends[1].point.ns, (2 << 20) * 1.1, 1e-2); // a pause of 1 ns a byte
  EXPECT_NEAR(ends[2].point.size, 6 << 20, 1e-2);
  EXPECT_NEAR(ends[2].point.ns, (8 << 20) / 40., 1e-2);
  EXPECT_EQ(ends[3].passes, std::pair(4u, 64u));
  EXPECT_NEAR(ends[3].point.size, 6 << 20, 1e-2); // four threads wait at once
  EXPECT_NEAR(ends[3].point.ns, (8 << 20) * .275, 1e-2);
  EXPECT_EQ(endsOf(figures, cores(4)).size(), 2u); // four cores' own are half of that
}

TEST(CacheReach, IsBetweenBothWaysOfWhichTheMedianCounts) {
  EXPECT_TRUE(reachOf({{}, {}}).ends.empty());
  EXPECT_EQ(reachOf({{}, {}}).spread, 1);
  std::vector<std::vector<CacheEnd>> windows;
  for (const double far : {1., 1., 1., 1., 90.}) // one window is of another world
    windows.push_back({endAt(1, false, far, 100 * far), endAt(1, true, 4 * far, 400 * far),
                       endAt(2, true, 1, 900)}); // one way only: nobody knows the other
  const MeasuredReach reach = reachOf(windows);
  ASSERT_EQ(reach.ends.size(), 1u);
  EXPECT_NEAR(reach.ends.at({1, 0}).ns, 2, 1e-9);
  EXPECT_NEAR(reach.ends.at({1, 0}).size, 200, 1e-9);
  EXPECT_NEAR(reach.spread, 45, 1e-9); // nine of ten ends: one that is far off is not left out...
  windows.insert(windows.end(), 6, windows.front());
  EXPECT_NEAR(reachOf(windows).spread, 2, 1e-9); // ...two of twenty-two are
}

TEST(CacheReach, EndsAsGraduallyAsPassesLeaveIt) {
  const memmodel::Reach size({{1, 600}}), time({{8, 1000}, {8, 1}});
  const auto sigma = [](const memmodel::Reach &reach, const std::vector<CacheEnd> &ends,
                        unsigned caches = 1) { return sigmaOf({ends, {}}, reach, caches); };
  const auto passing = [](unsigned threads, memmodel::ReachPoint quarter,
                          memmodel::ReachPoint most) {
    CacheEnd end = endAt(threads, true, 8, 600);
    end.quarters = {quarter, most};
    return end;
  };
  EXPECT_FALSE(sigma(size, {}));
  EXPECT_FALSE(sigma(size, {endAt(1, true, 8, 600)}));
  // From 500 to 720, and from 7 ns to twice as much: quartiles of a normal distribution.
  EXPECT_NEAR(*sigma(size, {passing(1, {1, 500}, {9, 720})}), std::log(1.44) / 1.349, 1e-9);
  EXPECT_NEAR(*sigma(time, {passing(1, {7, 500}, {14, 720})}), std::log(2) / 1.349, 1e-9);
  EXPECT_NEAR(*sigma(size, {passing(1, {1, 500}, {9, 500}), passing(1, {1, 500}, {9, 720}),
                            passing(1, {1, 10}, {9, 9000})}),
              std::log(1.44) / 1.349, 1e-9);
  // Of four caches each has a quarter of what is gone through; of one thread it has all.
  const memmodel::Reach both({{8, 1000}, {8, 150}, {16, 75}});
  EXPECT_NEAR(*sigma(both, {passing(4, {8, 600}, {16, 300 * 4})}, 4), std::log(2) / 1.349, 1e-9);
  EXPECT_NEAR(*sigma(both, {passing(1, {8, 600}, {8, 2000})}, 4), std::log(2) / 1.349, 1e-9);
}

TEST(CacheReach, IsOfAsManyCachesAsThreadsFillTogether) {
  using Ends = decltype(MeasuredReach::ends);
  const auto caches = [](const Ends &ends) { return cachesOf({ends, 1}); };
  EXPECT_EQ(caches({}), 1u);
  EXPECT_EQ(caches({{{1, 0}, {300, 6}}}), 1u);
  EXPECT_EQ(caches({{{2, 0}, {300, 6}}}), 1u);
  EXPECT_EQ(caches({{{1, 0}, {300, 6}}, {{2, 0}, {150, 6}}}), 1u);
  EXPECT_EQ(caches({{{1, 0}, {300, 6}}, {{2, 0}, {250, 10}}}), 1u);
  EXPECT_EQ(caches({{{1, 0}, {300, 6}}, {{2, 0}, {300, 10.5}}}), 2u);
  EXPECT_EQ(caches({{{1, 0}, {300, 6}}, {{2, 0}, {300, 60}}}), 2u); // they have no more
  EXPECT_EQ(caches({{{1, 0}, {300, 6}}, {{16, 0}, {75, 24}}}), 4u); // four threads share one
  EXPECT_EQ(caches({{{1, 0}, {300, 6}}, {{16, 0}, {75, 48}}}), 8u);
  EXPECT_EQ(caches({{{1, 0}, {300, 6}}, {{16, 0}, {75, 36}}}), 4u); // six do not go into 16
  EXPECT_EQ(caches({{{1, 0}, {300, 6}}, {{4, 0}, {75, 18}}}), 2u);
  // One thread finds less in time: what two find that are back earlier may be in one...
  const Ends fading{{{1, 0}, {300, 6}}, {{1, 5}, {600, 3}}, {{1, 15}, {900, 2}}};
  const auto with = [&](double ns, double size) {
    Ends ends = fading;
    ends[{2, 0}] = {ns, size};
    return caches(ends);
  };
  EXPECT_EQ(with(240, 12), 1u);
  EXPECT_EQ(with(270, 6), 1u);
  EXPECT_EQ(with(270, 12), 2u); // ...but not if they are not
  EXPECT_EQ(with(600, 6.5), 2u);
  EXPECT_EQ(with(600, 6), 1u);
  // Where it finds nothing a little later, a little does not make many caches of one.
  const auto atWall = [&](double ns, double size) {
    return caches(
        {{{1, 0}, {640, 74}}, {{1, 5}, {650, 35}}, {{1, 15}, {620, 17}}, {{2, 0}, {ns, size}}});
  };
  EXPECT_EQ(atWall(630, 115), 1u);
  EXPECT_EQ(atWall(640, 115), 1u);
  EXPECT_EQ(atWall(640, 140), 2u);
}

} // namespace
