//===- CurveModelTest.cpp - Memory contention by measured curves ----------===//
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

TEST(CurveModel, solvesTheEquationsToTheDigit) {
  // L = 80 + 2 B and MLP = 4 * 80 / 64 = 5 make B T = 64 D t a quadratic equation.
  const MemorySystem machine = linearMachine(80, 2, 40);
  const double D = 1e6, T1 = 3e7, t = 8;
  const double B1 = 64 * D / T1, Tc = T1 - D * (80 + 2 * B1) / 5;
  const double a = D * 2 / 5, b = Tc + D * 80 / 5;
  const double B = (-b + std::sqrt(b * b + 4 * a * 64 * D * t)) / (2 * a);
  const Contention result = solve(machine, {T1, irregular(D), irregular(D), 8});
  EXPECT_FALSE(result.saturated);
  EXPECT_NEAR(result.gbs / B, 1, 1e-12);
  EXPECT_NEAR(result.latencyNs / (80 + 2 * B), 1, 1e-12);
  EXPECT_NEAR(result.burden / ((Tc + D * (80 + 2 * B) / 5) / T1), 1, 1e-12);
}

TEST(CurveModel, aSaturatedMemoryMovesItsMostAndThreadsWaitForIt) {
  const MemorySystem machine = linearMachine(80, 2, 10);
  const Contention result = solve(machine, {3e7, irregular(1e6), irregular(1e6), 16});
  EXPECT_TRUE(result.saturated);
  EXPECT_EQ(result.gbs, 10);
  EXPECT_DOUBLE_EQ(result.burden, 64e6 * 16 / 10 / 3e7);
  EXPECT_GT(result.latencyNs, 100);
}

TEST(CurveModel, linesThatAreWrittenBackAreTrafficForWhichNoThreadWaits) {
  MemorySystem machine = linearMachine(80, 2, 40);
  machine.curves = CurveFamily({{1, {{0, 80}, {40, 160}}}, {0.5, {{0, 80}, {20, 160}}}});
  // A quarter of the lines is: L = 80 + 8/3 B up to 30 GB/s. The serial run has L = 80 + 2 B.
  const double D = 1e6, T1 = 3e7, t = 3, lines = D * 4 / 3;
  const double B1 = 64 * D / T1, Tc = T1 - D * (80 + 2 * B1) / 5;
  const double a = D * 8 / 3 / 5, b = Tc + D * 80 / 5;
  const double B = (-b + std::sqrt(b * b + 4 * a * 64 * lines * t)) / (2 * a);
  const Contention result = solve(machine, {T1, irregular(D), irregular(D, D / 3), 3});
  EXPECT_NEAR(result.gbs / B, 1, 1e-12);
  EXPECT_NEAR(result.burden / ((Tc + D * (80 + 8. / 3 * B) / 5) / T1), 1, 1e-12);
}

TEST(CurveModel, aSectionThatAloneMovesMoreThanWasMeasuredRaisesTheLimit) {
  MemorySystem machine = linearMachine(80, 0, 20);
  // 25 GB/s, of which few lines are waited for.
  const SectionLoad one{5.12e6, irregular(1e5, 1.9e6), irregular(1e5, 1.9e6), 1};
  EXPECT_TRUE(solve(machine, one).clamped);
  EXPECT_NEAR(solve(machine, one).burden, 1, 1e-12);
  SectionLoad two = one;
  two.threads = 2;
  EXPECT_NEAR(solve(machine, two).gbs, 25, 1e-12);
  EXPECT_NEAR(solve(machine, two).burden, 2, 1e-12);
  // At 25 GB/s latency is as it was at 20, and so on: half of the lines have L = 80 + 2 B / 1.25,
  // and 2.72 ms are computed. So B (3.52e6 + 1.6e4 B) = 64e6.
  machine.curves = linearMachine(80, 2, 20).curves;
  SectionLoad half = one;
  half.parallel = irregular(5e4, 9.5e5);
  EXPECT_NEAR(solve(machine, half).gbs, 16.88577540, 1e-8);
  EXPECT_NEAR(solve(machine, half).burden, 12.5 / 16.88577540, 1e-9);
  // More than the mix may, though less than reading may.
  machine.curves = CurveFamily({{1, {{0, 80}, {40, 80}}}, {0.5, {{0, 80}, {20, 80}}}});
  const SectionLoad mixed{5.12e6, irregular(1e6, 1e6), irregular(1e6, 1e6), 1};
  EXPECT_NEAR(solve(machine, mixed).burden, 1, 1e-12);
}

TEST(CurveModel, aMemoryThatIsFullOfWhatIsWrittenBackMakesNoThreadWait) {
  const MemorySystem machine = linearMachine(80, 1, 20);
  const Contention result = solve(machine, {1e7, irregular(0, 2e6), irregular(0, 2e6), 4});
  EXPECT_TRUE(result.saturated);
  EXPECT_NEAR(result.burden, 64 * 2e6 * 4 / 20 / 1e7, 1e-12);
  EXPECT_EQ(result.latencyNs, 100);
}

TEST(CurveModel, linesMayBeLonger) {
  MemorySystem machine = linearMachine(80, 0, 10);
  machine.lineBytes = 128; // 2.5 irregular ones are under way at 4 GB/s
  EXPECT_NEAR(solve(machine, {1e8, irregular(1e5), {}, 2}).burden, 1 - 1e5 * 80 / 2.5 / 1e8, 1e-12);
  const Contention two = solve(machine, {1e8, irregular(1e5), irregular(1e5), 2});
  EXPECT_NEAR(two.gbs, 2 * 128e5 / 1e8, 1e-12);
  // One thread moves 12.8 GB/s.
  EXPECT_NEAR(solve(machine, {1e7, irregular(1e6), irregular(1e6), 1}).burden, 1, 1e-12);
  machine = linearMachine(80, 0, 1000);
  machine.lineBytes = 128;
  machine.together = {4, 25.6, {}, {}};
  Traffic stream;
  stream.misses[0] = 1e5;
  SectionLoad load{1e8, stream, {}, 2};
  load.together = 4;
  EXPECT_NEAR(solve(machine, load).burden, 1 - 1e5 * 5 / 1e8, 1e-12);
}

TEST(CurveModel, trafficAddsUpAndScalesAllThatItCounts) {
  const Traffic some{{1, 2, 3, 4}, 5, 6, 7, 8, 9, 10, 2, 3, 4, 11, 12};
  Traffic sum{{10, 20, 30, 40}, 50, 60, 70, 80, 90, 100, 20, 30, 40, 110, 120};
  sum += some;
  const Traffic twice = sum.scaled(2);
  EXPECT_EQ(twice.misses, (std::array<double, accessClasses>{22, 44, 66, 88}));
  EXPECT_EQ(twice.writeBacks, 110);
  EXPECT_EQ(twice.sharedHits, 132);
  EXPECT_EQ(twice.sharedAhead, 154);
  EXPECT_EQ(twice.sharedChased, 176);
  EXPECT_EQ(twice.transfers, 198);
  EXPECT_EQ(twice.transfersAhead, 220);
  EXPECT_EQ(twice.readAhead, 44);
  EXPECT_EQ(twice.upgradedAhead, 66);
  EXPECT_EQ(twice.writtenAhead, 88);
  EXPECT_EQ(twice.transfersAtOnce, 242);
  EXPECT_EQ(twice.ownWritten, 264);
}

TEST(CurveModel, fewerMissesOfSeveralThreadsAreASuperlinearSpeedup) {
  const MemorySystem machine = linearMachine(80, 0.1, 1000);
  const Contention result = solve(machine, {3e7, irregular(1e6), irregular(1e5), 4});
  EXPECT_LT(result.burden, 1);
}

TEST(CurveModel, linesOfOtherCoresAddTheirTime) {
  MemorySystem machine = linearMachine(80, 0, 1000);
  machine.transferNs = 50;
  Traffic shared = irregular(1e5);
  shared.transfers = 2e5;
  EXPECT_NEAR(solve(machine, {1e8, irregular(1e5), shared, 2}).burden, 1 + 2e5 * 50 / 1e8, 1e-12);
  shared.transfersAhead = 1.5e5;
  machine.transferAheadNs = 4;
  EXPECT_NEAR(solve(machine, {1e8, irregular(1e5), shared, 2}).burden,
              1 + (5e4 * 50 + 1.5e5 * 4) / 1e8, 1e-12);
  shared.transfersAtOnce = 2e4;
  const double atOnce = machine.concurrency(AccessClass::Irregular);
  EXPECT_GT(atOnce, 1);
  EXPECT_NEAR(solve(machine, {1e8, irregular(1e5), shared, 2}).burden,
              1 + (3e4 * 50 + 2e4 * 50 / atOnce + 1.5e5 * 4) / 1e8, 1e-12);
}

TEST(CurveModel, computingHidesAPartOfStreams) {
  MemorySystem machine = linearMachine(80, 0, 1000);
  machine.classGbs[0] = 20; // 3.2 ns a line
  machine.memoryOverlap = Overlap({{1, 0.5}, {2, 0.25}});
  Traffic stream;
  stream.misses[0] = 1e5;
  const SectionLoad load{1e5 * (3.2 + 1.6), stream, {}, 2}; // as much computing as streaming
  EXPECT_NEAR(solve(machine, load).burden, 3.2 / 4.8, 1e-12);
  const SectionLoad more{1e5 * (4.8 + 3.2 * 0.375), stream, {}, 2}; // between the points
  EXPECT_NEAR(solve(machine, more).burden, 4.8 / 6, 1e-12);
  const SectionLoad most{1e5 * (32 + 0.8), stream, {}, 2};
  EXPECT_NEAR(solve(machine, most).burden, 32 / 32.8, 1e-12);
  EXPECT_FALSE(solve(machine, most).clamped);
  // Half of it: as much computing for each line that is left, since others are where they were.
  SectionLoad fewer = load;
  fewer.parallel.misses[0] = 5e4;
  EXPECT_NEAR(solve(machine, fewer).burden, (3.2 + 0.8) / 4.8, 1e-12);
  // What the memory does not hide, the cache may: 2 ns a line.
  machine.sharedAheadNs = 2;
  machine.sharedOverlap = Overlap({{1.6, 0.125}});
  fewer.parallel.sharedHits = fewer.parallel.sharedAhead = 5e4;
  EXPECT_NEAR(solve(machine, fewer).burden, (3.2 + 0.8 + 0.125) / 4.8, 1e-12);
  // Of irregular lines it hides what calibration's loop does, whatever is computed.
  const double ns = 64 / machine.gbs(AccessClass::Irregular);
  EXPECT_NEAR(solve(machine, {1e5 * (ns + 3.2), irregular(1e5), {}, 2}).burden, 3.2 / (ns + 3.2),
              1e-12);
}

TEST(CurveModel, chasesFromTheSharedCacheComeOneAfterAnother) {
  MemorySystem machine = linearMachine(80, 0, 1000);
  machine.sharedHitNs = 2;
  machine.sharedChasedNs = 36;
  Traffic chased;
  chased.misses[static_cast<std::size_t>(AccessClass::Chase)] = 1e5;
  const double ns = 64 / machine.gbs(AccessClass::Chase); // a line from memory
  SectionLoad load{1e5 * (ns + 10), chased, {}, 2};
  load.parallel.sharedHits = load.parallel.sharedChased = 1e5;
  EXPECT_NEAR(solve(machine, load).burden, (36 + 10) / (ns + 10), 1e-12);
  load.parallel.sharedChased = 25e3; // and three of four that do not
  EXPECT_NEAR(solve(machine, load).burden, (36 * 0.25 + 2 * 0.75 + 10) / (ns + 10), 1e-12);
  machine.sharedChasedNs = 0; // not known
  EXPECT_NEAR(solve(machine, load).burden, (2 + 10) / (ns + 10), 1e-12);
}

TEST(CurveModel, computingHidesMoreOfSeveralStreams) {
  MemorySystem machine = linearMachine(80, 0, 1000);
  machine.classGbs[0] = 20;             // 3.2 ns a line of one
  machine.together = {4, 25.6, {}, {}}; // 2.5 of four
  machine.together->memoryOverlap = Overlap({{1.28, 0.25}});
  Traffic stream;
  stream.misses[0] = 1e5;
  const auto burdenOf = [&](double together, double shows) { // beside 3.2 ns of computing
    SectionLoad load{1e5 * (3.2 + shows), stream, {}, 2};
    load.together = together;
    return solve(machine, load).burden;
  };
  EXPECT_NEAR(burdenOf(1, 3.2), 3.2 / 6.4, 1e-12); // as if none had been measured
  EXPECT_NEAR(burdenOf(4, 0.625), 3.2 / 3.825, 1e-12);
  EXPECT_NEAR(burdenOf(100, 0.625), 3.2 / 3.825, 1e-12);
  const double two = 3.2 + (0.625 - 3.2) * 2 / 3; // 1/2 lies so between 1 and 1/4
  EXPECT_NEAR(burdenOf(2, two), 3.2 / (3.2 + two), 1e-12);
  // From the last-level cache, 2 ns a line.
  machine.sharedAheadNs = 2;
  machine.together->sharedOverlap = Overlap({{1.6, 0.1}});
  SectionLoad load{1e5 * (3.2 + two), stream, {}, 2};
  load.together = 2;
  load.parallel.sharedHits = load.parallel.sharedAhead = 1e5;
  EXPECT_NEAR(solve(machine, load).burden, (3.2 + 2 + (0.2 - 2) * 2 / 3) / (3.2 + two), 1e-12);
}

TEST(CurveModel, computingThatHidesStreamsHidesLessOfSlowerOnes) {
  MemorySystem machine = linearMachine(80, 0, 1000);
  machine.curves = CurveFamily({{1, {{0, 80}, {10, 80}, {15, 160}, {1000, 160}}}});
  machine.classGbs[0] = 20;
  machine.memoryOverlap = Overlap({{0.5, 0.75}, {1, 0.5}, {2, 0.125}});
  Traffic stream;
  stream.misses[0] = 1e5;
  // 6.4 ns of computing a line hide all but 0.4 of 3.2 ns; of 6.4 ns they leave half. So one thread
  // gets 9.4 GB/s, and two would get 18.8 as fast as that, or 13.3 with 160 ns.
  const SectionLoad load{1e5 * 6.8, stream, stream, 2};
  const Contention result = solve(machine, load);
  EXPECT_GT(result.latencyNs, 80);
  EXPECT_LT(result.latencyNs, 160);
  const double streamNs = 3.2 * result.latencyNs / 80;
  const double computing = 6.4 / streamNs;
  EXPECT_NEAR(result.burden, (6.4 + streamNs * (0.5 - 0.375 * (computing - 1))) / 6.8, 1e-9);
}

TEST(CurveModel, aSaturatedMemoryMakesThreadsWaitForStreamsThatAreHiddenElse) {
  MemorySystem machine = linearMachine(80, 0, 10);
  machine.classGbs[0] = 20;
  machine.memoryOverlap = Overlap({{1, 0.5}, {2, 0}});
  Traffic stream;
  stream.misses[0] = 1e5;
  // 32 ns a line hide 3.2, and 6.4; forty threads get one in 256 ns each, which takes 80 / 3.2
  // times 256 - 32 + what 32 ns hide of that.
  const Contention result = solve(machine, {1e5 * 32, stream, stream, 40});
  EXPECT_TRUE(result.saturated);
  EXPECT_NEAR(result.burden, 256 / 32., 1e-12);
  const double streamNs = result.latencyNs / 80 * 3.2;
  EXPECT_NEAR(32 + machine.memoryOverlap.showsNs(32, streamNs), 256, 1e-9);
  EXPECT_GT(result.latencyNs, 80 / 3.2 * (256 - 32));
}

TEST(CurveModel, computingThatSeveralSolutionsHaveIsTheLeast) {
  MemorySystem machine = linearMachine(80, 0, 1000);
  machine.classGbs[0] = 20;
  Traffic stream;
  stream.misses[0] = 1e5;
  // Up to 0.5 all that is computed is hidden, but so is nothing of what is not.
  machine.memoryOverlap = Overlap({{0.5, 0.5}, {1, 0.5}});
  EXPECT_NEAR(solve(machine, {1e5 * 3.2, stream, {}, 2}).burden, 0, 1e-9);
  // A part that rises again: 3.2 computed, 3.2 times 0.9 + 0.1 (1 - 0.1) / 3.9 shown.
  machine.memoryOverlap = Overlap({{0.1, 0.9}, {4, 1}});
  const double shows = 3.2 * (0.9 + 0.1 * 0.9 / 3.9);
  EXPECT_NEAR(solve(machine, {1e5 * (3.2 + shows), stream, {}, 2}).burden, 3.2 / (3.2 + shows),
              1e-9);
}

TEST(CurveModel, computingThatSeveralSolutionsHaveIsNoLessThanTheLeastThatItTakes) {
  MemorySystem machine = linearMachine(80, 0, 1000);
  machine.classGbs[0] = 16; // 4 ns a line, of which up to 2 ns hide as much as they take
  machine.memoryOverlap = Overlap({{0.5, 0.5}, {1, 0.5}});
  Traffic stream;
  stream.misses[0] = 1e5;
  EXPECT_NEAR(solve(machine, {4e5, stream, {}, 2, 1e5}).burden, 1 / 4., 1e-12);
}

TEST(CurveModel, whatIsComputedIsNoLongerThanTheRun) {
  const MemorySystem machine = linearMachine(80, 0, 1000);
  for (const double misses : {0., 1e5}) { // for which there is no time
    const SectionLoad load{1e7, irregular(1e5), irregular(misses), 1, 2e7};
    EXPECT_TRUE(solve(machine, load).clamped);
    EXPECT_NEAR(solve(machine, load).burden, 1, 1e-12);
  }
}

TEST(CurveModel, computingIsNoLessThanTheLeastThatItTakes) {
  MemorySystem machine = linearMachine(80, 0, 1000);
  machine.classGbs[0] = 20;
  machine.memoryOverlap = Overlap({{1, 0.5}});
  Traffic stream;
  stream.misses[0] = 1e5;
  // With 3.2 ns of computing it would take 4.8: of 1.6 ns that show half are left.
  const SectionLoad load{1e5 * 4, stream, stream, 2, 1e5 * 3.2};
  EXPECT_TRUE(solve(machine, load).clamped);
  EXPECT_NEAR(solve(machine, load).burden, 1, 1e-12);
  SectionLoad none = load;
  none.parallel = {};
  EXPECT_NEAR(solve(machine, none).burden, 3.2 / 4, 1e-12);
}

TEST(CurveModel, countsThatExplainMoreThanTheRunAreFitted) {
  const MemorySystem machine = linearMachine(80, 0.5, 20);
  const SectionLoad load{1e7, irregular(1e6), irregular(1e6), 1}; // 16 ns a miss at least
  EXPECT_TRUE(solve(machine, load).clamped);
  EXPECT_NEAR(solve(machine, load).burden, 1, 1e-12);
  const SectionLoad fast{1e6, irregular(1e6), irregular(1e6), 1}; // 64 GB/s
  EXPECT_TRUE(solve(machine, fast).clamped);
  EXPECT_NEAR(solve(machine, fast).burden, 1, 1e-12);
}

TEST(CurveModel, whatTheMemoryWasNotSeenToMoveLeavesABound) {
  MemorySystem machine = linearMachine(80, 0, 20);
  machine.measuredThreads = 4;
  const SectionLoad little{1e9, irregular(1e6), irregular(1e6), 8}; // 0.064 GB/s on one thread
  const SectionLoad much{1e7, irregular(1e5), irregular(1e5), 40};  // 0.64: of 40 threads 25.6
  machine.saturationSeen = false;
  EXPECT_FALSE(solve(machine, little).upperBoundOnly);
  EXPECT_EQ(solve(machine, little).mostBurden, solve(machine, little).burden);
  const Contention open = solve(machine, much);
  EXPECT_TRUE(open.upperBoundOnly);
  EXPECT_FALSE(open.saturated);
  EXPECT_NEAR(open.burden, 1, 1e-12); // if latency stays as it is
  EXPECT_NEAR(open.gbs, 25.6, 1e-9);
  EXPECT_NEAR(open.mostBurden, 25.6 / 20, 1e-12);
  machine.measuredThreads = 40;
  const Contention seen = solve(machine, much);
  EXPECT_FALSE(seen.upperBoundOnly);
  EXPECT_TRUE(seen.saturated);
  EXPECT_NEAR(seen.burden, open.mostBurden, 1e-12);
  EXPECT_EQ(seen.mostBurden, seen.burden);
}

TEST(CurveModel, threadsThatAreDealtChunksLeaveTheMemoryToTheOthers) {
  // Two threads take x = T / T_1 = 1.6 while both compute, one 1. They are dealt chunks for as long
  // as T_1: 1 / x = 1 - 3/8 x / (x + 1), so x x = 1.6.
  const MemorySystem machine = linearMachine(80, 0, 4);
  SectionLoad load{2e7, irregular(1e6), irregular(1e6), 2};
  ASSERT_NEAR(solve(machine, load).burden, 1.6, 1e-12);
  load.dealing.ns = 2e7;
  const Contention two = solve(machine, load);
  EXPECT_NEAR(two.burden, std::sqrt(1.6), 1e-11);
  EXPECT_NEAR(two.mostBurden, std::sqrt(1.6), 1e-11);
  EXPECT_NEAR(two.gbs, 2 * 64e6 / (std::sqrt(1.6) + 1) / 2e7, 1e-11);
  EXPECT_TRUE(two.saturated); // 1.56 compute
  load.dealing.ns = 2e8;      // 1.1
  EXPECT_FALSE(solve(machine, load).saturated);
  // Of three, which take 2.4 while all compute, 1 + 2 x / (x + 1/2) = 2.6 do in the mean where x is
  // 2: 1 / x = 1/1.6 - 0.6 (1/1.6 - 1/2.4).
  load.threads = 3;
  load.dealing.ns = 1e7;
  EXPECT_NEAR(solve(machine, load).burden, 2, 1e-11);
  load.threads = 1; // that share a core
  EXPECT_NEAR(solve(machine, load).burden, 1, 1e-12);
  EXPECT_NEAR(solve(machine, load).gbs, 64e6 / 3e7, 1e-12);
}

TEST(CurveModel, threadsThatAreDealtChunksMayTakeNoTime) {
  // All of the serial run is waiting, and together they have all in caches.
  SectionLoad load{1e3, irregular(1e6), {}, 2};
  load.dealing.ns = 1e3;
  const Contention result = solve(linearMachine(80, 0, 1e6), load);
  EXPECT_EQ(result.burden, 0);
  EXPECT_EQ(result.mostBurden, 0);
  EXPECT_EQ(result.gbs, 0);
}

TEST(CurveModel, threadsThatWaitForTheirTurnsAtACounterMoveNothingEither) {
  // x and waiting are 4 in all: 1 / x = 1 - 3/8 x / 4.
  const MemorySystem machine = linearMachine(80, 0, 4);
  SectionLoad load{2e7, irregular(1e6), irregular(1e6), 2};
  load.dealing = {1e7, 8e7};
  const double x = (1 - std::sqrt(1 - 4 * 3 / 32.)) / (2 * 3 / 32.);
  EXPECT_NEAR(solve(machine, load).burden, x, 1e-11);
  EXPECT_NEAR(solve(machine, load).gbs, 2 * 64e6 / 8e7, 1e-11);
  load.dealing.ns = 0;
  EXPECT_NEAR(solve(machine, load).burden, x, 1e-11);
  load.dealing.leastNs = 1e7; // it takes longer anyway
  EXPECT_NEAR(solve(machine, load).burden, 1.6, 1e-11);
}

TEST(CurveModel, threadsThatAreDealtChunksHaveBothBurdensWhereTheLimitWasNotSeen) {
  // Six GB/s alone, of ten that were seen by two threads: they take 1.2 of their time at most, and
  // three 1.8. As long as three may get more they take 1.
  MemorySystem machine = linearMachine(80, 0, 10);
  machine.classGbs[2] = 40;
  machine.saturationSeen = false;
  machine.measuredThreads = 2;
  SectionLoad load{64e6 / 6, irregular(1e6), irregular(1e6), 3};
  load.dealing.ns = load.serialNs;
  const Contention result = solve(machine, load);
  EXPECT_NEAR(result.burden, 1, 1e-11);
  EXPECT_TRUE(result.upperBoundOnly);
  // k = 1 + 2 y / (y + 1) is above 2: 1 / y = 1/1.2 - (k - 2) (1/1.2 - 1/1.8).
  const double y = result.mostBurden, k = 1 + 2 * y / (y + 1);
  EXPECT_GT(k, 2);
  EXPECT_NEAR(1 / y, 1 / 1.2 - (k - 2) * (1 / 1.2 - 1 / 1.8), 1e-11);
  EXPECT_LE(3 * 64e6 / (y + 1) / load.serialNs, 10);
}
