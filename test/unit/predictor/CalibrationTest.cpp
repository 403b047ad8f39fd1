//===- CalibrationTest.cpp - From rounds to what was measured -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/calibration/Rounds.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <iterator>
#include <ranges>

using namespace prophet;

namespace {

Round roundOf(double foreign, double waited, double ns) {
  return {"libomp", foreign, waited, 0, 0, {{"fork", {{1, 10}, {2, ns}}}}};
}

TEST(Round, IsReadFromWhatAProgramPrinted) {
  auto round = parseRound(R"({"runtime": "libgomp", "foreign_cores": 0.2, "waited_share": 0.01,
      "pace": 7.5, "handover": 61.5, "figures": {"fork": {"1": 60, "2": 411.5}, "lock_pair": {"1": -7}}})",
                          "p");
  ASSERT_TRUE(round);
  EXPECT_EQ(round->runtime, "libgomp");
  EXPECT_EQ(round->pace, 7.5);
  EXPECT_EQ(round->handoverNs, 61.5);
  EXPECT_EQ(round->figures["fork"][2], 411.5);
  EXPECT_EQ(round->figures["lock_pair"][1], -7);
  EXPECT_TRUE(round->isQuiet());
}

TEST(Round, ThatIsWrongIsRefused) {
  const std::string start = R"({"runtime": "libomp", "foreign_cores": 0, "waited_share": 0)";
  for (const std::string &text :
       {std::string(), std::string("[]"), start + "}", start + R"(, "figures": {}})",
        start + R"(, "pace": "1", "figures": {"a": {"1": 1}}})",
        start + R"(, "handover": "1", "figures": {"a": {"1": 1}}})",
        start + R"(, "figures": {"a": {"x": 1}}})", start + R"(, "figures": {"a": {"1": "1"}}})"})
    EXPECT_EQ(parseRound(text, "p").error().message,
              "p: printed no measurements; install Prophet again")
        << text;
}

TEST(Rounds, OnlyQuietOnesCount) {
  Rounds rounds;
  for (double ns : {100., 110., 120., 130.})
    rounds.add(roundOf(0.1, 0.01, ns));
  rounds.add(roundOf(0.3, 0.01, 9000)); // another program ran
  rounds.add(roundOf(0.1, 0.05, 9000)); // its threads had to wait
  EXPECT_EQ(rounds.tried(), 6u);
  EXPECT_EQ(rounds.counted(), 4u);
  EXPECT_FALSE(rounds.disturbed());
  const Figure fork = rounds.figures().at("fork").at(2);
  EXPECT_DOUBLE_EQ(fork.ns, 115);
  EXPECT_DOUBLE_EQ(fork.iqr, 15); // 107.5 to 122.5
}

TEST(Rounds, WithoutQuietOnesTheLeastDisturbedCount) {
  for (const double pace : {0, 7}) {
    Rounds rounds;
    for (double load : {0.9, 0.4, 0.6, 0.5}) {
      rounds.add(roundOf(load, 0, 1000 * load));
      Round last = roundOf(load, 0, 1000 * load);
      last.pace = pace;
      rounds.add(last);
    }
    EXPECT_TRUE(rounds.disturbed());
    EXPECT_EQ(rounds.counted(), 3u);
    EXPECT_DOUBLE_EQ(rounds.figures().at("fork").at(2).ns, 400); // 400, 400, 500
  }
}

Round roundAt(double pace, double ns) {
  Round round = roundOf(0, 0, ns);
  round.pace = pace;
  return round;
}

TEST(Rounds, OnSharedCoresDoNotCount) {
  Rounds rounds;
  for (double ns : {500., 510., 520.})
    rounds.add(roundAt(6, ns));
  EXPECT_EQ(rounds.quiet(), 3u); // nobody knows better
  for (double ns : {100., 110., 120.})
    rounds.add(roundAt(10, ns));
  EXPECT_EQ(rounds.quiet(), 3u);
  EXPECT_DOUBLE_EQ(rounds.figures().at("fork").at(2).ns, 110);
  rounds.add(roundAt(7.6, 130)); // the clock's frequency is not always the same
  EXPECT_EQ(rounds.quiet(), 4u);
  EXPECT_EQ(rounds.tried(), 7u);
}

TEST(Rounds, OnCoresThatAreRarelySoFastDoNotCount) {
  Rounds rounds;
  for (double ns : {500., 510., 520., 530., 540.})
    rounds.add(roundAt(6, ns));
  rounds.add(roundAt(10, 100));
  EXPECT_EQ(rounds.quiet(), 5u);
  EXPECT_DOUBLE_EQ(rounds.figures().at("fork").at(2).ns, 520);
}

TEST(Rounds, OfDisturbedOnesThePaceIsNotUsual) {
  Rounds rounds;
  rounds.add(roundAt(10, 100));
  for (unsigned i = 0; i < FewestRounds; ++i) {
    Round disturbed = roundAt(6, 500);
    disturbed.foreignCores = 1;
    rounds.add(disturbed);
  }
  EXPECT_EQ(rounds.quiet(), 1u);
}

TEST(Rounds, AreSharedCoresByThePaceOfOthers) {
  Rounds rounds;
  for (unsigned i = 0; i < FewestRounds; ++i)
    rounds.add(roundAt(6, 500));
  for (unsigned i = 1; i < FewestRounds; ++i)
    rounds.expectAlike(roundAt(10, 0));
  EXPECT_EQ(rounds.quiet(), FewestRounds);
  rounds.expectAlike(roundAt(10, 0)); // as many now
  EXPECT_EQ(rounds.quiet(), 0u);
  EXPECT_TRUE(rounds.disturbed());
  EXPECT_EQ(rounds.counted(), FewestRounds);
  Rounds unknown; // of programs that measure no pace
  unknown.add(roundOf(0, 0, 500));
  unknown.expectAlike(roundAt(10, 0));
  EXPECT_EQ(unknown.quiet(), 1u);
}

TEST(Rounds, OnCoresThatAreElsewhereDoNotCount) {
  const auto roundWith = [](double handoverNs, double ns) {
    Round round = roundAt(10, ns);
    round.handoverNs = handoverNs;
    return round;
  };
  Rounds rounds;
  for (double ns : {500., 510.})
    rounds.add(roundWith(240, ns));
  for (double handover : {60., 66., 79.}) // neighbours, more or less
    rounds.add(roundWith(handover, 100));
  rounds.add(roundWith(32, 900)); // on one core
  EXPECT_EQ(rounds.quiet(), 3u);
  auto elsewhere = rounds.elsewhere();
  std::ranges::sort(elsewhere);
  EXPECT_EQ(elsewhere, (std::vector<double>{32, 240, 240}));
  EXPECT_DOUBLE_EQ(rounds.figures().at("fork").at(2).ns, 100);
  rounds.add(roundWith(0, 130)); // nobody knows
  EXPECT_EQ(rounds.quiet(), 4u);
  Round slow = roundWith(32, 700);
  slow.pace = 5;
  rounds.add(slow); // no more than where it is
  EXPECT_EQ(rounds.elsewhere().size(), 3u);
  for (unsigned i = 0; i < 2; ++i)
    rounds.expectAlike(roundWith(230, 0)); // other programs' are as many there
  EXPECT_EQ(rounds.elsewhere().size(), 4u);
  for (unsigned i = 0; i < 9; ++i) { // another program's threads have other cores
    Round other = roundWith(60, 0);
    other.runtime = "memory";
    rounds.expectAlike(other);
  }
  EXPECT_EQ(rounds.elsewhere().size(), 4u);
  EXPECT_DOUBLE_EQ(rounds.figures().at("fork").at(2).ns, 500);
}

TEST(Rounds, AFigureIsNeverBelowNothing) {
  Rounds rounds;
  rounds.add(roundOf(0, 0, -3));
  EXPECT_EQ(rounds.figures().at("fork").at(2).ns, 0);
}

} // namespace
