//===- CurveModelLinesTest.cpp - Irregular lines, and other cores' ----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "linearMachine.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace prophet::memmodel;
using prophet::test::irregular, prophet::test::linearMachine;

TEST(CurveModel, irregularLinesThatAreFewAreNotUnderWayAtOnce) {
  MemorySystem machine = linearMachine(80, 0, 1000);
  const double most = machine.concurrency(AccessClass::Irregular); // 5
  EXPECT_NEAR(most, 5, 1e-12);
  EXPECT_EQ(machine.irregularAtOnce(0), most); // not known
  machine.irregularWindow = 40;
  EXPECT_EQ(machine.irregularAtOnce(0), 1);
  EXPECT_EQ(machine.irregularAtOnce(0.05), 3); // two more among 40 accesses
  EXPECT_EQ(machine.irregularAtOnce(0.1), most);
  EXPECT_EQ(machine.irregularAtOnce(1), most);
  machine.transferNs = 60;
  Traffic moved;
  moved.transfers = moved.transfersAtOnce = 1e5;
  SectionLoad load{1e8, {}, moved, 2};
  EXPECT_NEAR(solve(machine, load).burden, 1 + 1e5 * 60 / most / 1e8, 1e-12);
  load.accesses = 2e6; // one in twenty
  EXPECT_NEAR(solve(machine, load).burden, 1 + 1e5 * 60 / 3 / 1e8, 1e-12);
  load.accesses = 1e15;
  EXPECT_NEAR(solve(machine, load).burden, 1 + 1e5 * 60 / 1e8, 1e-9);
  // From memory as well: 80 ns for each three of them. Without them that is gained.
  SectionLoad misses{1e8, irregular(1e5), {}, 2};
  misses.accesses = 2e6;
  EXPECT_NEAR(solve(machine, misses).burden, 1 - 1e5 * 80 / 3 / 1e8, 1e-12);
}

TEST(CurveModel, irregularLinesOfOtherCoresComeAmongThoseFromMemory) {
  MemorySystem machine = linearMachine(80, 0, 1000);
  machine.irregularWindow = 40;
  machine.transferNs = 60;
  Traffic both = irregular(1e5);
  both.transfers = both.transfersAtOnce = 1e5;
  SectionLoad load{1e8, irregular(1e5), both, 2};
  load.accesses = 4e6; // two in forty: three are under way, but of those from memory two
  EXPECT_NEAR(solve(machine, load).burden, 1 + 1e5 * 60 / 3 / 1e8, 1e-12);
  load.parallel = {};
  EXPECT_NEAR(solve(machine, load).burden, 1 - 1e5 * 80 / 2 / 1e8, 1e-12);
}

TEST(CurveModel, ofIrregularLinesOfOtherCoresOneIsUnderWayAtLeast) {
  MemorySystem machine = linearMachine(80, 0, 1000);
  machine.classGbs[static_cast<std::size_t>(AccessClass::Irregular)] = 0.4; // half a line
  machine.transferNs = 50;
  Traffic moved;
  moved.transfers = moved.transfersAtOnce = 1e5;
  EXPECT_NEAR(solve(machine, {1e8, {}, moved, 2}).burden, 1 + 1e5 * 50 / 1e8, 1e-12);
}

TEST(CurveModel, theWindowIsOfIrregularLinesOnly) {
  MemorySystem machine = linearMachine(80, 0, 1000);
  machine.irregularWindow = 40;
  Traffic strides;
  strides.misses[static_cast<std::size_t>(AccessClass::Stride)] = 1e5; // 7.5 under way at 6 GB/s
  SectionLoad load{1e8, strides, {}, 2};
  load.accesses = 1e9;
  EXPECT_NEAR(solve(machine, load).burden, 1 - 1e5 * 80 / 7.5 / 1e8, 1e-12);
}

TEST(CurveModel, streamsFromTheSharedCacheTakeAsMuchLessAsFromMemory) {
  MemorySystem machine = linearMachine(80, 0, 1000);
  const auto streamNs = [&](double stream, double aheadNs) {
    machine.classGbs[0] = stream;
    machine.sharedHitNs = 4;
    machine.sharedAheadNs = aheadNs;
    Traffic hits;
    hits.sharedHits = hits.sharedAhead = 1e5;
    return (1 - solve(machine, {1e8, hits, {}, 2}).burden) * 1e8 / 1e5;
  };
  EXPECT_NEAR(streamNs(16, 0), 1, 1e-9); // at four times 4 GB/s
  EXPECT_NEAR(streamNs(16, 0.5), 1, 1e-9);
  EXPECT_NEAR(streamNs(16, 2), 2, 1e-9);
  EXPECT_NEAR(streamNs(2, 0), 4, 1e-9); // no more than others
}

TEST(CurveModel, manyThreadsGetNoMoreOfTheSharedCacheThanAllOfThemDo) {
  MemorySystem machine = linearMachine(80, 0, 1000);
  machine.classGbs[0] = 16;
  machine.sharedHitNs = 4;
  machine.sharedAheadNs = 2;
  machine.sharedChasedNs = 20;
  machine.sharedByAll = {8, 64, 32}; // of 8 threads one waits 8 or 16 ns for a line
  const auto takes = [&](double Traffic::*kind, unsigned threads) {
    Traffic hits;
    hits.sharedHits = 1e5;
    hits.*kind = 1e5;
    return (solve(machine, {1e8, {}, hits, threads}).burden - 1) * 1e8 / 1e5;
  };
  EXPECT_NEAR(takes(&Traffic::sharedAhead, 2), 2, 1e-9);
  EXPECT_NEAR(takes(&Traffic::sharedAhead, 3), 3, 1e-9);
  EXPECT_NEAR(takes(&Traffic::sharedAhead, 8), 8, 1e-9);
  EXPECT_NEAR(takes(&Traffic::sharedAhead, 16), 8, 1e-9); // in a second cache
  EXPECT_NEAR(takes(&Traffic::sharedHits, 2), 4, 1e-9);
  EXPECT_NEAR(takes(&Traffic::sharedHits, 3), 6, 1e-9);
  EXPECT_NEAR(takes(&Traffic::sharedHits, 8), 16, 1e-9);
  EXPECT_NEAR(takes(&Traffic::sharedChased, 8), 20, 1e-9);
  Traffic hits; // one thread waits for nobody
  hits.sharedHits = hits.sharedAhead = 1e5;
  EXPECT_NEAR(solve(machine, {1e8, hits, hits, 8}).burden, 1 + 1e5 * (8 - 2) / 1e8, 1e-12);
}

TEST(CurveModel, linesOfOtherCoresOfWhichNothingIsHiddenAreNotAmongThoseThatComputingIsDividedBy) {
  MemorySystem machine = linearMachine(80, 0, 1000);
  machine.classGbs[0] = 20;
  machine.memoryOverlap = Overlap({{1, 0.5}, {2, 0.25}});
  machine.transferAheadNs = 4;
  Traffic stream, moved;
  stream.misses[0] = 1e5;
  moved.transfers = moved.transfersAhead = 3e5;
  // 3.2 ns a line hide 1.6 of 3.2 in the serial run, whatever comes from other cores.
  EXPECT_NEAR(solve(machine, {1e5 * 4.8, stream, moved, 2}).burden, (3.2 + 3 * 4) / 4.8, 1e-12);
}

TEST(CurveModel, computingHidesAPartOfLinesOfOtherCoresThatAreFetchedAhead) {
  MemorySystem machine = linearMachine(80, 0, 1000);
  machine.transferNs = 50;
  machine.transferAheadNs = 4;
  machine.sharedAheadNs = 2;
  machine.sharedOverlap = Overlap({{1, 0.5}});
  machine.transferOverlap = Overlap({{0.5, 0.5}});
  Traffic hits, both;
  hits.sharedHits = hits.sharedAhead = 1e5;
  both = hits;
  both.transfers = both.transfersAhead = 1e5;
  // There are twice as many lines to compute beside, so 1 ns for each, and of both kinds of lines
  // three quarters show.
  const SectionLoad load{1e5 * (2 + 2 * 0.75), hits, both, 2};
  EXPECT_NEAR(solve(machine, load).burden, (2 + 2 * 0.75 + 4 * 0.75) / 3.5, 1e-12);
}

TEST(CurveModel, linesOfOtherCoresTakeWhatIsKnownOfWhatIsDoneWithThem) {
  MemorySystem machine = linearMachine(80, 0, 1000);
  machine.transferNs = 50;
  machine.transferAheadNs = 4;
  const Traffic none;
  Traffic moved;
  moved.transfers = 8e5;
  moved.transfersAhead = 6e5;
  moved.readAhead = 1e5;
  moved.upgradedAhead = 2e5;
  moved.writtenAhead = 2e5; // the others are strides
  const auto burden = [&] { return solve(machine, {1e8, none, moved, 2}).burden; };
  EXPECT_NEAR(burden(), 1 + (2e5 * 50 + 6e5 * 4) / 1e8, 1e-12);
  machine.moved.read.aheadNs = 3;
  machine.moved.upgraded.aheadNs = 5;
  EXPECT_NEAR(burden(), 1 + (2e5 * 50 + 1e5 * 3 + 2e5 * 5 + 3e5 * 4) / 1e8, 1e-12);
  machine.moved.written.aheadNs = 7;
  EXPECT_NEAR(burden(), 1 + (2e5 * 50 + 1e5 * 3 + 2e5 * 5 + 2e5 * 7 + 1e5 * 4) / 1e8, 1e-12);
  // Half of each shows beside as much computing as it takes, 0.25 ns a line.
  machine.moved = {{0.25}, {0.25}, {0.25}};
  machine.transferOverlap = Overlap({{1, 0.5}});
  moved.transfers = 6e5;
  moved.readAhead = 6e5;
  moved.upgradedAhead = moved.writtenAhead = 0;
  EXPECT_NEAR(solve(machine, {1.5e5, none, moved, 2}).burden, 1 + 0.5, 1e-12);
  // Where they are in every fourth task, these compute for an eighth of what one takes: of that a
  // sixteenth is hidden.
  moved.places.at(TaskPlace::First) = {.used = 1e6, .ahead = 1e6};
  moved.places.at(TaskPlace::Between) = {.used = 3e6};
  EXPECT_NEAR(solve(machine, {0.75e5, none, moved, 2}).burden, 1 + 0.9375 * 2, 1e-12);
}

TEST(CurveModel, linesOfOtherCoresAreFittedToASerialRunThatHasThem) {
  MemorySystem machine = linearMachine(80, 0, 1000);
  machine.transferNs = 50;
  machine.transferAheadNs = 4;
  Traffic shared = irregular(1e5);
  shared.transfers = 2e5;
  shared.transfersAhead = 1e5;
  const SectionLoad load{4e6, shared, shared, 2, 1e6}; // 5.4 ms of transfers
  for (const Overlap &overlap : {Overlap(), Overlap({{1, 0.5}})}) {
    machine.transferOverlap = overlap;
    EXPECT_TRUE(solve(machine, load).clamped);
    EXPECT_NEAR(solve(machine, load).burden, 1, 1e-12);
  }
}

TEST(CurveModel, linesOfOtherCoresAreNotFittedToASerialRunThatHadNone) {
  MemorySystem machine = linearMachine(80, 0.5, 20);
  machine.transferNs = 50;
  Traffic shared = irregular(1e6);
  shared.transfers = 2e5;
  const Contention result = solve(machine, {1e7, irregular(1e6), shared, 1, 1e7});
  EXPECT_TRUE(result.clamped);
  EXPECT_NEAR(result.burden, 1 + 2e5 * 50 / 1e7, 1e-12);
}

TEST(CurveModel, fewerHitsAndLinesOfOtherCoresThanTheSerialRunHasAreFittedAsMuch) {
  MemorySystem machine = linearMachine(80, 0, 1000);
  machine.sharedHitNs = 10;
  machine.transferNs = 10;
  Traffic all, half; // which takes twice as long as the run
  all.sharedHits = 2e5;
  half.sharedHits = 1e5;
  EXPECT_NEAR(solve(machine, {1e6, all, half, 1}).burden, 0.5, 1e-12);
  all = half = {};
  all.transfers = 2e5;
  half.transfers = 1e5;
  EXPECT_NEAR(solve(machine, {1e6, all, half, 1}).burden, 0.5, 1e-12);
}
