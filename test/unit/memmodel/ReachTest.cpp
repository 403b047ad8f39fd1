//===- ReachTest.cpp - How long a cache keeps how much --------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/Reach.h"
#include "memmodel/PartsReplay.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace prophet::memmodel;

namespace {

using Points = std::vector<ReachPoint>;
using Lines = std::vector<Reference>;

Lines lines(std::uint32_t count, bool isWrite = false, std::uint32_t first = 0) {
  Lines result;
  for (std::uint32_t i = 0; i < count; ++i)
    result.push_back({first + i, AccessClass::Stream, isWrite});
  return result;
}

/// A private cache of one line, and a shared one that keeps 1000 lines for 40 ns, and 3 for 60.
CacheSizes fading(unsigned sharers = 4) { return {1, 5000, sharers, {{40, 1000}, {60, 3}}}; }

} // namespace

TEST(Reach, IsLinearInLogarithmsBetweenPoints) {
  const Reach reach({{1, 1000}, {100, 10}, {1000, 10}});
  EXPECT_EQ(reach.after(0), 1000);
  EXPECT_EQ(reach.after(1), 1000);
  EXPECT_NEAR(reach.after(10), 100, 1e-9);
  EXPECT_NEAR(reach.after(500), 10, 1e-9);
  EXPECT_NEAR(reach.after(8000), 10 / 4., 1e-9); // goes on as it fell, by a factor of 100 in 1000
  EXPECT_EQ(Reach({{5, 7}}).after(1e9), 7);      // a cache that nobody else fills
  EXPECT_NEAR(Reach({{1, 9}, {2, 1}}).after(4), 0.25, 1e-9);       // by the square at most
  EXPECT_NEAR(Reach({{1, 10}, {1000, 9}}).after(4000), 4.5, 1e-9); // by the root at least
}

TEST(Reach, KeepsASizeUntilItHasLess) {
  const Reach reach({{1, 1000}, {100, 10}, {1000, 10}, {2000, 5}});
  EXPECT_EQ(reach.keeps(1001), 0);
  EXPECT_NEAR(reach.keeps(1000), 1, 1e-12);
  EXPECT_NEAR(reach.keeps(100), 10, 1e-9);
  EXPECT_NEAR(reach.keeps(10), 1000, 1e-9); // the last time that it has so much
  EXPECT_TRUE(std::isinf(Reach({{5, 7}}).keeps(7)));
  EXPECT_EQ(Reach({{5, 7}}).keeps(8), 0);
  for (const double size : {900., 40., 9., 6., 4., 0.01})
    EXPECT_NEAR(reach.after(reach.keeps(size)) / size, 1, 1e-9) << size;
}

/// Whether these are the points, but for rounding.
void expectNear(const Points &actual, const Points &expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_NEAR(actual[i].ns / expected[i].ns, 1, 1e-6) << i;
    EXPECT_NEAR(actual[i].size / expected[i].size, 1, 1e-6) << i;
  }
}

TEST(Reach, IsMadeOfWhatWasMeasured) {
  EXPECT_TRUE(asReach({}).empty());
  expectNear(asReach({{5, 60}}), {{5, 60}});
  expectNear(asReach({{9, 20}, {3, 60}, {5, 60}}), {{3, 60}, {5, 60}, {9, 20}});
  expectNear(asReach({{5, 60}, {5, 20}}), {{5, 60}, {5, 20}}); // time alone decides
  // The second has more than the first, which is faster: a factor of 1.44. Both keep their pace.
  expectNear(asReach({{3, 50}, {5, 72}, {9, 20}}), {{3.6, 60}, {25 / 6., 60}, {9, 20}});
  // The second takes less time than the first, and is slower, by a factor of 1.44.
  expectNear(asReach({{7.2, 60}, {5, 20}}), {{6, 50}, {6, 24}});
  // Three of one time by noise: the last two are too far from each other, not from the first.
  expectNear(asReach({{10, 100}, {12.1, 40}, {10, 10}}), {{10, 100}, {11, 400 / 11.}, {11, 11}});
  expectNear(asReach({{4, 60}, {6, 90}}), {{std::sqrt(24.), std::sqrt(5400.)}}); // of one pace
}

TEST(Reach, IsAsNearToWhatWasMeasuredAsCanBe) {
  // No small change of a point along its pace that a Reach may have brings it nearer to all.
  std::mt19937 random(1);
  const auto distance = [](const Points &one, const Points &other) {
    double sum = 0;
    for (std::size_t i = 0; i < one.size(); ++i)
      sum += std::pow(std::log(one[i].size / other[i].size), 2);
    return sum;
  };
  for (int trial = 0; trial < 200; ++trial) {
    Points measured;
    for (double pace = 40; pace > 2; pace /= 1.5 + static_cast<double>(random() % 100) / 50) {
      const double ns = 4 + static_cast<double>(random() % 500) / 100;
      measured.push_back({ns, ns * pace});
    }
    const Points best = asReach(measured);
    ASSERT_EQ(best.size(), measured.size());
    ASSERT_TRUE(isReach(best));
    for (std::size_t i = 0; i < best.size(); ++i)
      EXPECT_NEAR(best[i].size / best[i].ns, measured[i].size / measured[i].ns, 1e-6);
    for (int change = 0; change < 200; ++change) {
      Points other = best;
      const double by = std::exp(static_cast<double>(random() % 201) / 1e4 - 0.01);
      const std::size_t first = random() % best.size();
      for (std::size_t i = first; i < best.size() && i <= first + random() % 4; ++i)
        other[i] = {other[i].ns * by, other[i].size * by};
      EXPECT_TRUE(!isReach(other) || distance(other, measured) > distance(best, measured) - 1e-6);
    }
  }
}

TEST(Reach, IsOfTimesThatNeverFall) {
  EXPECT_TRUE(isReach({}));
  EXPECT_TRUE(isReach({{1, 5}, {2, 5}}));
  EXPECT_TRUE(isReach({{1, 5}, {1, 4}}));
  for (const Points &wrong : {Points{{1, 5}, {0.9, 4}}, {{1, 5}, {2, 6}}, {{0, 5}}, {{1, 0}}})
    EXPECT_FALSE(isReach(wrong));
  const Reach wall({{4, 1000}, {8, 500}, {8, 10}});
  EXPECT_EQ(wall.after(4), 1000);
  EXPECT_NEAR(wall.after(std::sqrt(32.)), std::sqrt(5e5), 1e-9);
  EXPECT_EQ(wall.after(8), 10);
  EXPECT_NEAR(wall.after(16), 2.5, 1e-9);
  EXPECT_NEAR(wall.keeps(499), 8, 1e-9);
  EXPECT_NEAR(wall.keeps(11), 8, 1e-9);
  const Reach steep({{8, 500}, {8, 10}}); // as steeply as it may
  EXPECT_EQ(steep.after(7.9), 500);
  EXPECT_NEAR(steep.after(16), 2.5, 1e-9);
}

TEST(Reach, SaysHowManyTimesItWouldHaveToBe) {
  const Reach size({{5, 60}});
  EXPECT_NEAR(size.times({1e9, 60}), 1, 1e-9);
  EXPECT_NEAR(size.times({1, 90}), 1.5, 1e-9);
  const Reach wall({{4, 1000}, {8, 500}, {8, 10}});
  EXPECT_NEAR(wall.times({8, 100}), 1, 1e-9);
  EXPECT_NEAR(wall.times({12, 100}), 1.5, 1e-9);
  EXPECT_NEAR(wall.times({2, 100}), 0.25, 1e-9);
  EXPECT_NEAR(wall.times({0.1, 2000}), 2, 1e-9);
  EXPECT_NEAR(wall.times({10, 1250}), std::sqrt(12500 / 4000.), 1e-9);
}

TEST(Reach, ASharedCacheLosesWhatIsUsedTooLate) {
  const Lines some = lines(300);
  const std::vector<Piece> once{{0, 0, 10, some}};
  const auto missesAfter = [&](double pause, const CacheSizes &sizes) {
    Replay replay(1, sizes, 1);
    replay.run(once);
    return replay.run(once, pause).fetched();
  };
  EXPECT_EQ(missesAfter(40, fading()), 0);
  EXPECT_EQ(missesAfter(80, fading()), 300);
  EXPECT_EQ(missesAfter(1e9, {1, 300}), 0);
  EXPECT_EQ(missesAfter(1e9, {1, 300, 1, {{40, 480}}}), 0); // its size at all times
}

TEST(Reach, ASharedCacheEndsGradually) {
  // By number, an eighth of the lines has 0.63 times as much (24 of 37.5), one 0.77 (29), 0.86
  // (32), 0.95 (36), 1.05 (39), 1.16 (43), 1.3 (49) and 1.58 (59).
  const auto missesOf = [](std::uint32_t count) {
    const Lines some = lines(count);
    const std::vector<Piece> once{{0, 0, 10, some}};
    std::set<double> fetched;
    for (const std::vector<ReachPoint> &reach : {Points{{40, 300}, {60, 3}}, Points{{40, 300}}}) {
      Replay replay(1, {1, 5000, 1, reach, 0.3}, 1);
      replay.run(once);
      fetched.insert(replay.run(once, 12).fetched());
    }
    EXPECT_EQ(fetched.size(), 1u); // also where nothing is lost by time
    return *fetched.begin();
  };
  for (const auto &[each, lost] :
       {std::pair(24, 0), {25, 1}, {30, 2}, {33, 3}, {37, 4}, {40, 5}, {45, 6}, {59, 7}, {60, 8}})
    EXPECT_EQ(missesOf(8u * each), lost * each) << each;
}

TEST(Reach, ASharedCacheLosesGraduallyByTime) {
  // Of 40 ns an eighth of the lines has 25, one 31, then 34, 38, 42, 46, 52 and 63.
  const Lines some = lines(80);
  const std::vector<Piece> once{{0, 0, 0, some}};
  const auto missesAfter = [&](double pause) {
    Replay replay(1, {1, 5000, 1, {{40, 4000}, {40, 3}}, 0.3}, 1);
    replay.run(once);
    return replay.run(once, pause).fetched();
  };
  for (const auto &[pause, lost] :
       {std::pair(25, 0), {26, 1}, {31, 2}, {35, 3}, {39, 4}, {42, 5}, {47, 6}, {53, 7}, {64, 8}})
    EXPECT_EQ(missesAfter(pause), lost * 10) << pause;
}

/// What one part of such a cache has, written as plainly as can be: the newest last.
class PlainPart {
public:
  PlainPart(Reach reach, double times) : reach(std::move(reach)), times(times) {}

  void use(std::uint32_t line, double now) {
    std::erase_if(lines, [&](const auto &entry) { return entry.first == line; });
    lines.emplace_back(line, now);
  }
  void erase(std::uint32_t line) {
    std::erase_if(lines, [&](const auto &entry) { return entry.first == line; });
  }
  void forget(double now) {
    const auto kept = [&] {
      const double age = now - lines.front().second;
      return std::max(1L, std::lround(times / 8 * reach.after(age / times)));
    };
    while (!lines.empty() && static_cast<long>(lines.size()) > kept())
      lines.erase(lines.begin());
  }
  bool contains(std::uint32_t line) const {
    return std::ranges::any_of(lines, [&](const auto &entry) { return entry.first == line; });
  }

private:
  Reach reach;
  double times;
  std::vector<std::pair<std::uint32_t, double>> lines;
};

TEST(Reach, ASharedCacheIsAsThePlainOne) {
  constexpr double eighths[] = {-1.534, -0.887, -0.489, -0.157, 0.157, 0.489, 0.887, 1.534};
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const double middle = 100.5 + random() % 300; // no time is exactly that
    const Points points{{10, 400}, {middle, 150}, {seed % 2 ? middle : 900, 20}};
    const double sigma = seed % 3 * 0.3;
    SharedCache cache(points, sigma, 1);
    std::vector<PlainPart> plain;
    for (const double eighth : eighths)
      plain.emplace_back(Reach(points), std::exp(sigma * eighth));
    double now = 0;
    for (int step = 0; step < 1500; ++step) {
      now += random() % 50 == 0 ? 700 : random() % 8;
      while (cache.forget(now))
        ;
      for (PlainPart &part : plain)
        part.forget(now);
      const std::uint32_t line = random() % 300;
      if (random() % 10) {
        cache.use(line, now);
        plain[line % 8].use(line, now);
      } else {
        if (cache.contains(line))
          cache.erase(line);
        plain[line % 8].erase(line);
      }
      for (std::uint32_t other = 0; other < 300 && step % 10 == 0; ++other)
        ASSERT_EQ(cache.contains(other), plain[other % 8].contains(other)) << seed << " " << step;
    }
  }
}

TEST(Reach, WhatWasWrittenGoesBackWhenItIsLost) {
  // 300 lines are written; soon others are read, by and by.
  const Lines written = lines(300, true), read = lines(300, false, 300);
  Replay replay(1, fading(), 1);
  EXPECT_EQ(replay.run(std::vector<Piece>{{0, 0, 10, written}}).writeBacks, 0);
  EXPECT_EQ(replay.run(std::vector<Piece>{{0, 0, 100, read}}, 10).writeBacks, 300);
}

TEST(Reach, WhatGoesBackMeanwhileIsNotTheNextOnes) {
  const Lines written = lines(300, true), other = lines(1, false, 999);
  Replay replay(1, fading(), 1);
  replay.run(std::vector<Piece>{{0, 0, 10, written}});
  EXPECT_EQ(replay.run(std::vector<Piece>{{0, 0, 1, other}}, 1000).writeBacks, 0);
}

TEST(Reach, IsOfAsSmallAShareAsTheSample) {
  const Lines some = lines(300); // of 1200
  const std::vector<Piece> once{{0, 0, 10, some}};
  Replay replay(1, {4, 20000, 1, {{40, 4000}, {60, 12}}}, 0.25);
  EXPECT_EQ(replay.run(once).fetched(), 1200);
  EXPECT_EQ(replay.run(once, 40).fetched(), 0);
  EXPECT_EQ(replay.run(once, 120).fetched(), 1200);
  const auto missesAfter = [&](double pause, const std::vector<ReachPoint> &reach) {
    Replay other(1, {4, 20000, 1, reach}, 0.25);
    other.run(once);
    return other.run(once, pause).fetched();
  };
  EXPECT_EQ(missesAfter(45.66, {{40, 4000}, {60, 12}}), 1200); // it keeps 600
  EXPECT_EQ(missesAfter(1e9, {{40, 1930}}), 0);                // its size at all times
  EXPECT_EQ(missesAfter(1e9, {{40, 700}}), 1200);
}

TEST(Reach, ASharedCacheKeepsALineOfEachEighthAtLeast) {
  SharedCache cache({{10, 400}, {900, 20}}, 0.3, 1);
  for (std::uint32_t line = 0; line < 16; ++line)
    cache.use(line, line);
  while (cache.forget(1e9))
    ;
  for (std::uint32_t line = 0; line < 16; ++line)
    EXPECT_EQ(cache.contains(line), line >= 8) << line;
}

TEST(Reach, EachLastLevelCacheHasItsOwn) {
  const Lines left = lines(600), right = lines(600, false, 600);
  const std::vector<Piece> both{{0, 0, 10, left}, {1, 0, 10, right}};
  const auto missesWith = [&](unsigned sharers) {
    Replay replay(2, {1, 5000, sharers, {{40, 960}, {60, 3}}, 0.3}, 1); // 605 at least
    replay.run(both);
    return replay.run(both, 20).fetched();
  };
  EXPECT_EQ(missesWith(1), 0);
  EXPECT_EQ(missesWith(2), 900); // all but those of which there are 1248 or 1517
}

TEST(Reach, SectionsThatGetFasterKeepMore) {
  // Three sections of one task of 100 ns, over the same 300 lines.
  AccessLog log;
  log.references = lines(300);
  for (std::size_t i = 0; i < 3; ++i) {
    log.parts.push_back({0, 1, i, 1});
    log.tasks.push_back({0, 0, 300});
  }
  const Dealing deal = [](std::size_t, std::uint64_t task) { return dealTask(task, 1, 1, 0); };
  const auto replay = [&](const TaskTimes &times) {
    return trafficBySite(log, 1, replayParts(log, 1, fading(), deal, times))[0];
  };
  EXPECT_EQ(replay({{100}}).fetched(), 900);
  EXPECT_EQ(replay({{30}}).fetched(), 300);
  EXPECT_EQ(replay({}).fetched(), 300); // no time counts
  EXPECT_EQ(replay({{30}, 1000, 0}).fetched(), 300);
  EXPECT_EQ(replay({{30}, 0, 100}).fetched(), 900);
  // From the second on they take less, so that the third finds what the second has used.
  std::vector<double> asked;
  replay({{100}, 0, 0, [&](std::size_t part, const Traffic &moved) {
            EXPECT_EQ(part, asked.size());
            asked.push_back(moved.fetched());
            return 0.3;
          }});
  ASSERT_EQ(asked.size(), 3u);
  EXPECT_EQ(asked[0], 300);
  EXPECT_GT(asked[1], 200); // of the last ones some come early enough
  EXPECT_EQ(asked[2], 0);
}
