//===- SteadyPartsTest.cpp - Parts of a log that repeat each other --------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/SteadyParts.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace prophet::memmodel;

namespace {

/// A part for each letter: alike where the letters are, of two tasks with some lines each.
AccessLog logOf(const std::string &letters, bool sharesTasks) {
  AccessLog log;
  std::map<char, AccessLog::Part> known;
  for (const char letter : letters) {
    if (const auto found = known.find(letter); found != known.end() && sharesTasks) {
      log.parts.push_back(found->second);
      continue;
    }
    AccessLog::Part &part = log.parts.emplace_back();
    part = {letter == '.' ? AccessLog::Outside : 0, 2, log.tasks.size(), letter == '.' ? 1u : 2u};
    std::mt19937 random(static_cast<unsigned>(letter));
    for (std::size_t task = 0; task < part.count; ++task) {
      log.tasks.push_back({task, log.references.size(), 30});
      for (int i = 0; i < 30; ++i)
        log.references.push_back({static_cast<std::uint32_t>(random() % 60),
                                  static_cast<AccessClass>(random() % 4), random() % 3 == 0});
    }
    known[letter] = part;
  }
  return log;
}

std::string repeated(int times, const std::string &letters) {
  std::string all;
  for (int i = 0; i < times; ++i)
    all += letters;
  return all;
}

struct Replayed {
  std::vector<Traffic> byPart;
  std::set<std::size_t> parts; ///< those whose tasks were dealt
};

Replayed replayed(const AccessLog &log, const TaskTimes &times = {},
                  const CacheSizes &sizes = {16, 40}) {
  Replayed result;
  const auto deal = [&](std::size_t part, std::uint64_t task) {
    result.parts.insert(part);
    return dealTask(task, 2, 2, 1);
  };
  const PartTraffics byPart = replayParts(log, 2, sizes, deal, times);
  for (std::size_t part = 0; part < byPart.size(); ++part)
    result.byPart.push_back(byPart[part]);
  return result;
}

/// Outer rounds with so many inner ones, which are not as many each time.
std::string nested(int times, bool areAsMany) {
  std::mt19937 random(1);
  std::string all;
  for (int i = 0; i < times; ++i)
    all += repeated(areAsMany ? 50 : static_cast<int>(30 + random() % 40), "A.B.") + "C.";
  return all;
}

TEST(SteadyParts, MoveWhatTheyWouldIfTheyWereReplayed) {
  for (const std::string &letters :
       {repeated(100, "A"), repeated(100, "AB"), repeated(100, "ABAC"), "XY" + repeated(60, "A.BB"),
        repeated(40, "AB") + repeated(40, "ABC") + repeated(40, "BA") + "X", std::string("AABBCC"),
        repeated(5, repeated(20, "A.") + repeated(20, "B")), nested(20, true), nested(20, false)}) {
    const Replayed some = replayed(logOf(letters, true)), all = replayed(logOf(letters, false));
    EXPECT_EQ(some.byPart, all.byPart) << letters;
    EXPECT_EQ(all.parts.size(), letters.size() - std::ranges::count(letters, '.')) << letters;
    if (letters.size() >= 100) {
      EXPECT_LT(some.parts.size(), all.parts.size() / 2) << letters;
    }
  }
}

/// An inner loop's rounds are left out in each of an outer one's, however many there are.
TEST(SteadyParts, AreInnerRoundsAndOuterOnes) {
  const std::string uneven = nested(60, false), even = nested(60, true);
  EXPECT_LT(replayed(logOf(uneven, true)).parts.size(), uneven.size() / 10);
  EXPECT_LT(replayed(logOf(even, true)).parts.size(), even.size() / 20);
}

TEST(SteadyParts, AreReplayedAtTheirEnd) {
  const Replayed some = replayed(logOf(repeated(100, "AB") + "C", true));
  EXPECT_FALSE(some.parts.contains(100));
  for (const std::size_t part : {0, 1, 2, 3, 4, 5, 198, 199, 200}) // three times, and the last one
    EXPECT_TRUE(some.parts.contains(part)) << part;
}

TEST(SteadyParts, AreThoseThatAreDealtAlike) {
  const AccessLog log = logOf(repeated(100, "AB"), true);
  TaskTimes times;
  times.areAlike = [](std::size_t part, std::size_t before) {
    return (part < 60) == (before < 60);
  };
  const Replayed some = replayed(log, times);
  for (const std::size_t part : {58, 59, 60, 61, 62, 63, 198, 199})
    EXPECT_TRUE(some.parts.contains(part)) << part;
  EXPECT_FALSE(some.parts.contains(40));
  EXPECT_FALSE(some.parts.contains(150));
  times.areAlike = [](std::size_t, std::size_t) { return false; };
  EXPECT_EQ(replayed(log, times).parts.size(), 200u);
}

/// A last-level cache keeps lines for as long as fifty rounds take, or twenty with serial code
/// between that the log has nothing of: what was used before a hundred is gone, and what each round
/// uses is there.
TEST(SteadyParts, TakeTheirTime) {
  const CacheSizes sizes{
      .privateLines = 8, .sharedLines = 1000, .reach = {{50e3, 1000}, {51e3, 1}}};
  for (const double between : {0., 1500.})
    for (const std::string &round : {std::string("A"), std::string("A.")})
      for (const int rounds : {15, 30, 100}) {
        TaskTimes times{{1000}, 500, between};
        times.partNs.resize(10000);
        const std::string letters =
            "XY" + repeated(rounds, round) + "X" + repeated(rounds, "AB") + "Y" + repeated(5, "BA");
        const Replayed some = replayed(logOf(letters, true), times, sizes);
        const Replayed all = replayed(logOf(letters, false), times, sizes);
        EXPECT_TRUE(some.byPart == all.byPart) << letters << ", " << between;
        const std::size_t second = 2 + round.size() * static_cast<std::size_t>(rounds);
        EXPECT_EQ(all.byPart[second].fetched() > 0, rounds * (1000 + between) > 50e3)
            << letters << ", " << between;
        EXPECT_LT(some.parts.size(), letters.size() * 3 / 4) << letters;
      }
}

/// However they are dealt, and in whatever order they come, so many references are enough.
TEST(SteadyParts, AreNotReplayedBehindManyReferences) {
  AccessLog log = logOf("ABCDE", true);
  log.tasks.clear();
  for (AccessLog::Part &part : log.parts) {
    part.first = log.tasks.size();
    log.tasks.insert(log.tasks.end(), {{0, 0, 1000}, {1, 0, 1000}});
  }
  log.references.assign(1000, {0, AccessClass::Stream, false});
  const std::vector<AccessLog::Part> kinds(log.parts);
  const std::size_t enough = SteadyParts::EnoughReferences / 2000 + 1;
  std::mt19937 random(1);
  log.parts.clear();
  for (std::size_t i = 0; i < 2 * enough; ++i)
    log.parts.push_back(kinds[i + 10 < 2 * enough ? random() % 4 : 4]);
  TaskTimes times;
  times.areAlike = [](std::size_t, std::size_t) { return false; };
  const Replayed some = replayed(log, times);
  EXPECT_TRUE(some.parts.contains(enough - 1));
  EXPECT_FALSE(some.parts.contains(enough));
  EXPECT_TRUE(some.parts.contains(2 * enough - 10)); // the first one of its kind
  EXPECT_EQ(some.parts.size(), enough + 1);
  EXPECT_EQ(some.byPart.size(), log.parts.size());
}

} // namespace
