//===- emulatorGuidedTest.cpp - schedule(guided,c) by hand ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// test/predictor/trace/guided.test compares with what the real runtimes do.
//
//===----------------------------------------------------------------------===//

#include "emulatorTrees.h"
#include "predictor/emulator/Emulator.h"
#include "predictor/emulator/GuidedSchedule.h"

#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

using Sizes = std::vector<std::uint64_t>;

Sizes sizesOf(GuidedChunks chunks) {
  Sizes sizes;
  while (const std::uint64_t size = chunks.next())
    sizes.push_back(size);
  return sizes;
}

TEST(Guided, LibgompGivesAThreadsPartOfWhatIsLeft) {
  // 20 iterations, 3 threads: ceil of 20/3, 13/3, 8/3, 5/3, 3/3, 2/3, 1/3.
  EXPECT_EQ(sizesOf({Shrinking::Libgomp, 20, 3, 1}), (Sizes{7, 5, 3, 2, 1, 1, 1}));
  EXPECT_EQ(sizesOf({Shrinking::Libgomp, 20, 3, 4}), (Sizes{7, 5, 4, 4}));
  EXPECT_EQ(sizesOf({Shrinking::Libgomp, 20, 1, 4}), (Sizes{20}));
  EXPECT_EQ(sizesOf({Shrinking::Libgomp, 0, 3, 1}), Sizes());
}

TEST(Guided, LibompGivesHalfOfThatAndThenChunks) {
  // 30 iterations, 2 threads: a quarter of 30, 23, 18, 14, 11, 9; then fewer than 2 * 2 * 2 left.
  EXPECT_EQ(sizesOf({Shrinking::Libomp, 30, 2, 1}), (Sizes{7, 5, 4, 3, 2, 2, 1, 1, 1, 1, 1, 1, 1}));
  // 2 * 2 * 4 = 16 is where chunks of 3 begin.
  EXPECT_EQ(sizesOf({Shrinking::Libomp, 30, 2, 3}), (Sizes{7, 5, 4, 3, 3, 3, 3, 2}));
}

TEST(Guided, LibompDoesNotShrinkWhatIsShort) { // (2c + 1) T >= n
  EXPECT_TRUE(isTooShortToShrink(30, 2, 7));
  EXPECT_FALSE(isTooShortToShrink(31, 2, 7));
  EXPECT_TRUE(isTooShortToShrink(~std::uint64_t(0), 65536, std::uint64_t(1) << 62));
}

TEST(Guided, LibompsAutoShrinksByAFixedShare) {
  // 30 * (3/4)^k, rounded up: 23, 17, 13, 10, 8, 6; there it is no more than (2 + 1) * 2.
  EXPECT_EQ(sizesOf({Shrinking::LibompAuto, 30, 2, 1}),
            (Sizes{7, 6, 4, 3, 2, 2, 1, 1, 1, 1, 1, 1}));
  // 5/6 is a little more than that in binary: 1800 * 5/6 is rounded up to 1501.
  EXPECT_EQ(sizesOf({Shrinking::LibompAuto, 1800, 3, 1}).front(), 299u);
}

TEST(Guided, ChunksTakeTheirTasksTimes) { // 3 of 1, 5 of 10 in chunks of 4, 2, 1, 1
  EXPECT_EQ(guidedRuns({{1, 3}, {10, 5}}, {Shrinking::Libgomp, 8, 2, 1}, 100),
            (Runs{{113, 1}, {120, 1}, {110, 2}}));
}

TEST(Guided, ABillionEqualIterationsAreFewChunks) {
  constexpr std::uint64_t many = 1'000'000'000;
  EXPECT_LT(sizesOf({Shrinking::Libgomp, many, 64, 1}).size(), 1200u);
  EXPECT_LT(sizesOf({Shrinking::Libomp, many, 64, 1}).size(), 2400u);
  EXPECT_LT(sizesOf({Shrinking::LibompAuto, many, 64, 1}).size(), 2400u);
  TreeMaker make;
  const auto site = make.site();
  const Tree &tree = make.root({{make.section(site, {{make.work(2), many}}), 1}});
  EmulationOptions options;
  options.threads = 64;
  options.schedule = {Schedule::Kind::Guided, 1};
  EXPECT_DOUBLE_EQ(emulate(tree, options).ticks, 2.0 * many / 64);
}

TEST(Guided, ChunksAreTakenByWhoeverIsFree) {
  // Libgomp, 8 tasks of 1, 1, 1, 9, 1, 1, 1, 1 on two threads: 0-3 takes 12, and the other thread
  // runs 4-5, 6, 7.
  TreeMaker make;
  const Tree &tree = make.root({{make.loop({1, 1, 1, 9, 1, 1, 1, 1}), 1}});
  EmulationOptions options;
  options.runtime = OmpRuntime::Libgomp;
  options.schedule = {Schedule::Kind::Guided, 1};
  const Estimate estimate = emulate(tree, options);
  EXPECT_DOUBLE_EQ(estimate.ticks, 12);
  EXPECT_DOUBLE_EQ(estimate.loss.imbalance, 8.0 / 24);
}

TEST(Guided, EveryChunkIsCharged) { // libgomp: 4 + 2 + 1 + 1 of 8 on two threads
  TreeMaker make;
  make.tree.timebaseHz = 1e9;
  const auto site = make.site();
  const Tree &tree = make.root({{make.section(site, {{make.work(10), 8}}), 1}});
  EmulationOptions options;
  options.runtime = OmpRuntime::Libgomp;
  options.schedule = {Schedule::Kind::Guided, 1};
  options.overheads.guided.chunk = 100.0;
  // Thread 0: 100 + 40. Thread 1: 100 + 20 at 120; 100 + 10 at 230. Thread 0 the last, at 250.
  const Estimate estimate = emulate(tree, options);
  EXPECT_DOUBLE_EQ(estimate.ticks, 250);
  EXPECT_DOUBLE_EQ(estimate.loss.overhead, 400.0 / 500);
}

TEST(Guided, LibgompsAutoIsStatic) {
  TreeMaker make;
  const Tree &tree = make.root({{make.loop({3, 3, 1, 1}), 1}});
  EmulationOptions options;
  options.runtime = OmpRuntime::Libgomp;
  options.schedule = {Schedule::Kind::Auto};
  EXPECT_DOUBLE_EQ(emulate(tree, options).ticks, 6);
}

} // namespace
