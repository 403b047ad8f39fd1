//===- emulatorScheduleTest.cpp - Schedules worked by hand ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorTrees.h"
#include "predictor/emulator/DynamicQueue.h"
#include "predictor/emulator/Emulator.h"
#include "predictor/emulator/StaticSchedule.h"
#include "predictor/emulator/StaticSteal.h"

#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

using Times = std::vector<Time>;
constexpr std::uint64_t many = 1'000'000'000;

template <typename Result>
Times dealt(Result (*deal)(const Runs &, Times &), const Runs &chunks, Times starts) {
  deal(chunks, starts);
  return starts;
}

TEST(StaticSchedule, BlocksDifferByAtMostOne) { // 10 = 4 + 3 + 3
  std::vector<std::uint64_t> starts;
  for (unsigned thread = 0; thread <= 3; ++thread)
    starts.push_back(staticBlockStart(10, 3, thread));
  EXPECT_EQ(starts, (std::vector<std::uint64_t>{0, 4, 7, 10}));
}

TEST(StaticSchedule, FewerIterationsThanThreadsLeavesTheLastIdle) {
  Times finish(4);
  runStatic({{5, 3}}, 1, finish); // a thread without a block pays nothing
  EXPECT_EQ(finish, (Times{6, 6, 6, 0}));
}

TEST(StaticSchedule, BlocksCrossRuns) { // 3 of 1, 3 of 10: blocks (1 1 1) (10 10 10) for two
  Times finish(2);
  runStatic({{1, 3}, {10, 3}}, 0, finish);
  EXPECT_EQ(finish, (Times{3, 30}));
}

TEST(StaticSchedule, ChunksAreDealtRoundRobin) {
  // 7 iterations in twos for two threads: 0 has {0,1,4,5}, 1 has {2,3,6}. Iterations 0-2 take 1.
  Times finish(2);
  runStaticChunk({{1, 3}, {10, 4}}, 2, 100, finish);
  EXPECT_EQ(finish, (Times{22 + 200, 21 + 200}));
}

TEST(StaticSchedule, LongRunsAreDealtInClosedForm) {
  Times finish(3);
  runStaticChunk({{2, many}, {0, 1}}, 1, 0, finish); // 10^9 = 3 * 333,333,333 + 1
  EXPECT_EQ(finish, (Times{666'666'668, 666'666'666, 666'666'666}));
}

TEST(DynamicQueue, TheFirstFreeThreadTakesNext) {
  // 0: 5, then 4 at 5. 1: 2, then 1 at 2, then 3 at 3.
  EXPECT_EQ(dealt(runQueue, {{5, 1}, {2, 1}, {1, 1}, {3, 1}, {4, 1}}, {0, 0}), (Times{9, 6}));
}

TEST(DynamicQueue, TiesGoToTheLowestNumber) {
  EXPECT_EQ(dealt(runQueue, {{4, 2}, {1, 1}}, {0, 0, 4}), (Times{5, 4, 4}));
}

TEST(DynamicQueue, BulkEqualsOneByOne) {
  // Threads free at different times; 10,000 tasks of 7 as one run, and as runs that are too short
  // for the closed form, kept apart by tasks of no length.
  const Times starts{0, 100, 3, 64};
  Runs single;
  for (int i = 0; i < 10'000; ++i) {
    single.push_back({7, 1});
    single.push_back({0, 1});
  }
  EXPECT_EQ(dealt(runQueue, {{7, 10'000}}, starts), dealt(runQueue, single, starts));
}

TEST(DynamicQueue, ALongRunEndsOnTheLateThreadsToo) { // the second thread comes very late
  EXPECT_EQ(dealt(runQueue, {{2, many}}, {0, 10 * Time{many}}),
            (Times{2 * Time{many}, 10 * Time{many}}));
}

TEST(ChunkRuns, ChunksCrossRuns) { // 1 1 1 10 10 10 10 in threes: 3, 30, 10; each costs 100
  EXPECT_EQ(chunkRuns({{1, 3}, {10, 4}}, 3, 100), (Runs{{103, 1}, {130, 1}, {110, 1}}));
  EXPECT_EQ(chunkRuns({{1, 2}, {10, 5}}, 3, 0), (Runs{{12, 1}, {30, 1}, {10, 1}}));
}

TEST(StaticSteal, OneChunkAtATimeFromShortBlocks) {
  // Blocks: 0 has chunks 0-3 of 1, 1 has chunks 4-7 of 10. At 4 thread 0 steals 7 (1 runs 4, has
  // 5-7 left: at most 7, so one), at 14 it steals 6 (1 takes 5 at 10). At 20 thread 1 is done, 0
  // at 24.
  EXPECT_EQ(dealt(runSteal, {{1, 4}, {10, 4}}, {0, 0}), (Times{24, 20}));
}

TEST(StaticSteal, AQuarterFromLongBlocks) {
  // Blocks: 0 has chunks 0-9 of 10, 1 has 10-19 of 100. At 100 thread 1 has begun one (its second,
  // due at 100, comes after thread 0's turn): 9 remain, 0 steals a quarter, 18 and 19. At 300 of
  // 13-17 it steals one, at 400 of 14-16, at 500 the last, 15, which ends at 600; 1 ends 14 at 500.
  EXPECT_EQ(dealt(runSteal, {{10, 10}, {100, 10}}, {0, 0}), (Times{600, 500}));
}

TEST(StaticSteal, SaysHowManyStealsThereAre) { // of the cases around
  Times both(2), ahead(2), behind{0, 100}, alone(4);
  EXPECT_EQ(runSteal({{1, 4}, {10, 4}}, both), 2);
  EXPECT_EQ(runSteal({{10, 10}, {100, 10}}, ahead), 4);
  EXPECT_EQ(runSteal({{2, 4}}, behind), 1);
  EXPECT_EQ(runSteal({{3, 4 * many}}, alone), 0);
}

TEST(StaticSteal, AThreadNotYetThereLosesItsWholeBlock) {
  // Thread 1 comes at 100. At 4 thread 0 takes chunks 2-3 whole and ends at 8.
  EXPECT_EQ(dealt(runSteal, {{2, 4}}, {0, 100}), (Times{8, 100}));
}

TEST(StaticSteal, EqualTasksAreNotStolen) {
  EXPECT_EQ(dealt(runSteal, {{3, 4 * many}}, {0, 0, 0, 0}), Times(4, 3 * Time{many}));
}

TEST(Emulator, FewerChunksThanThreadsUseTheQueue) {
  TreeMaker make;
  const Tree &tree = make.root({{make.loop({5, 1, 1}), 1}});
  EmulationOptions options;
  options.threads = 4;
  options.schedule = {Schedule::Kind::Dynamic, 1};
  EXPECT_DOUBLE_EQ(emulate(tree, options).ticks, 5);
}

} // namespace
