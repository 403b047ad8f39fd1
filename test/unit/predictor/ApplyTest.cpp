//===- ApplyTest.cpp - What prophet apply decides and reads -----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "emulatorTrees.h"
#include "predictor/report/ApplyPlan.h"
#include "predictor/report/BreakEven.h"
#include "predictor/support/UnifiedDiff.h"
#include "predictor/verbs/RaceCheck.h"
#include "predictor/verbs/Vectorization.h"

#include <gtest/gtest.h>

using namespace prophet;
using test::TreeMaker;

namespace {

EmulationOptions costing(double fork, unsigned threads = 4) {
  EmulationOptions options;
  options.threads = threads;
  options.waitPolicy = WaitPolicy::Active;
  options.overheads.active.fork = fork;
  return options;
}

std::optional<std::uint64_t> breakEven(TreeMaker &make, const std::vector<Child> &tasks,
                                       const EmulationOptions &options,
                                       const RegionKind &kind = {}) {
  make.root({{make.section(make.site(), tasks), 1}});
  return LoopRegions(make.tree, 0, kind, options).breakEven();
}

} // namespace

TEST(BreakEven, IsWhereARegionFirstSavesMoreThanItCosts) {
  TreeMaker make, few, single, function;
  EmulationOptions options = costing(600);
  options.overheads.active.join = 300;
  // Of 13 iterations one thread has four: nine are saved, which take what the region costs.
  EXPECT_EQ(breakEven(make, {{make.work(100), 50}}, options), 14u);
  EXPECT_EQ(breakEven(few, {{few.work(100), 3}}, options), 14u); // of more than the program has
  EXPECT_EQ(breakEven(single, {{single.work(100), 3}}, costing(0)), 2u); // one alone saves nothing
  // As OpenMP's function they take 200 alone, and as much in a team.
  options.bodyRatios = {2};
  EXPECT_EQ(breakEven(function, {{function.work(100), 50}}, options, {{}, 0, 2}), 7u);
}

TEST(BreakEven, IsThatOfTheScheduleWithAllThatItCosts) {
  TreeMaker one, four, queue;
  EmulationOptions options = costing(900);
  options.overheads.steal.chunk = 400; // what four threads save: never, unless shared by more
  EXPECT_EQ(breakEven(one, {{one.work(100), 50}}, options, {{Schedule::Kind::Dynamic, 1}}),
            std::nullopt);
  options.overheads.steal.chunk = 100; // five take each thread 1000, and the region 900
  EXPECT_EQ(breakEven(four, {{four.work(100), 50}}, options, {{Schedule::Kind::Dynamic, 1}}), 20u);
  // One thread has all of the first chunk; of 16 in two chunks each of two has eight.
  EXPECT_EQ(breakEven(queue, {{queue.work(100), 50}}, costing(250), {{Schedule::Kind::Dynamic, 8}}),
            11u);
}

TEST(BreakEven, CountsTheForksThatWakeThreads) {
  TreeMaker make;
  EmulationOptions options = costing(900);
  options.waitPolicy = WaitPolicy::Default;
  options.overheads.passive.fork = 3300;
  make.root({{make.section(make.site(), {{make.work(100), 50}}), 1}});
  const auto trips = [&](double asleep) {
    return LoopRegions(make.tree, 0, {{}, asleep}, options).breakEven();
  };
  EXPECT_EQ(trips(0), 14u);
  EXPECT_EQ(trips(0.25), 22u); // 1500 for a region
  EXPECT_EQ(trips(1), 46u);
  options.waitPolicy = WaitPolicy::Passive;
  EXPECT_EQ(trips(0), 46u);
}

TEST(BreakEven, IsWhatLocksAndUnequalIterationsLeave) {
  TreeMaker locked, half, uneven;
  EXPECT_EQ(breakEven(locked, {{locked.task({{locked.l(0, 100), 1}}), 50}}, costing(0)),
            std::nullopt);
  // Of n iterations n / 2 remain under the lock, behind the first one's other half.
  const NodeId task = half.task({{half.u(100), 1}, {half.l(0, 100), 1}});
  EXPECT_EQ(breakEven(half, {{task, 50}}, costing(950)), 11u);
  // Half of the iterations, the first, take three times as long: static gives them to two of four.
  EXPECT_EQ(breakEven(uneven, {{uneven.work(300), 500}, {uneven.work(100), 500}}, costing(1000)),
            10u);
}

TEST(BreakEven, IsNotThatOfEverySecondIteration) {
  for (const std::uint64_t pairs : {500, 511, 512, 8192}) {
    TreeMaker make;
    const NodeId large = make.work(10'000), small = make.work(1);
    std::vector<Child> tasks;
    for (std::uint64_t i = 0; i < pairs; ++i)
      tasks.insert(tasks.end(), {{large, 1}, {small, 1}});
    const auto trips = breakEven(make, tasks, costing(9000));
    ASSERT_TRUE(trips);
    EXPECT_LT(*trips, 8u) << pairs;
  }
}

TEST(BreakEven, IsExtrapolatedWhereIterationsTakeLong) {
  TreeMaker make; // two thousand events each
  const NodeId free = make.u(25), locked = make.l(0, 1);
  std::vector<Child> pieces;
  for (int i = 0; i < 1000; ++i)
    pieces.insert(pieces.end(), {{free, 1}, {locked, 1}});
  const auto trips = breakEven(make, {{make.task(pieces), 8}}, costing(5e6));
  ASSERT_TRUE(trips); // each of four iterations saves three times 26000
  EXPECT_NEAR(static_cast<double>(*trips), 5e6 / 26000 * 4 / 3, 26);
}

TEST(BreakEven, IsKnownOfMoreIterationsThanAreTried) {
  TreeMaker make;
  const auto trips = breakEven(make, {{make.work(1), 50}}, costing(75'000));
  ASSERT_TRUE(trips);
  EXPECT_NEAR(static_cast<double>(*trips), 100'000, 3);
}

TEST(BreakEven, IsThatOfLoopsInsideOthers) { // each is the same region, whatever is around it
  TreeMaker make;
  const auto outer = make.site(), inner = make.site();
  const NodeId loop = make.section(inner, {{make.work(100), 50}});
  make.root({{make.section(outer, {{make.task({{make.u(7), 1}, {loop, 3}}), 5}}), 1}});
  EXPECT_EQ(LoopRegions(make.tree, inner, {}, costing(900)).breakEven(), 14u);
}

TEST(Decisions, NoGuardForALoopThatALockHolds) {
  // Executions of 4000 iterations and of 40, of 100 ns; on 2 threads 10000 for the region: more
  // than 201 gain, but for the lock.
  for (const bool isLocked : {false, true}) {
    TreeMaker make;
    const auto site = make.site();
    const NodeId task = isLocked ? make.task({{make.l(0, 100), 1}}) : make.work(100);
    make.root({{make.section(site, {{task, 4000}}), 1}, {make.section(site, {{task, 40}}), 100}});
    Prediction prediction;
    prediction.tree = std::make_shared<Tree>(make.tree);
    prediction.threads = {2};
    prediction.options.overheads.active.fork = 10000;
    PredictionPoint point;
    point.threads = point.cores = 2;
    EmulationOptions options = prediction.options;
    options.threads = 2;
    point.estimate = emulate(make.tree, options);
    prediction.points = {point};
    const SiteDecision decision = decideSites(prediction).front();
    EXPECT_EQ(decision.serial, isLocked);
    EXPECT_EQ(decision.guard, isLocked ? std::nullopt : std::optional<std::uint64_t>(201));
  }
}

TEST(UnifiedDiff, JoinsNearChangesAndNumbersLines) {
  EXPECT_EQ(unifiedDiff("x", "a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(unifiedDiff("x", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\nsix\n7\n8\n9\n"),
            "--- x\n+++ x\n@@ -3,7 +3,7 @@\n 3\n 4\n 5\n-6\n+six\n 7\n 8\n 9\n");
  EXPECT_EQ(unifiedDiff("x", "a\nb", "a\nnew\nb"),
            "--- x\n+++ x\n@@ -1,2 +1,3 @@\n a\n+new\n b\n\\ No newline at end of file\n");
}

TEST(Races, AreReadWithTheirPlacesOnce) {
  const std::string one =
      "WARNING: ThreadSanitizer: data race (pid=7)\n"
      "  Write of size 4 at 0x7f by thread T2:\n"
      "    #0 main.omp_outlined_debug__ /src/app.c:4:38 (app+0xe4) (BuildId: 33)\n"
      "  Previous read of size 4 at 0x7f by main thread:\n"
      "    #0 <null> <null> (libomp.so+0xe0) (BuildId: 88)\n"
      "    #1 f(int) /src/app.c:9:1 (app+0xe4)\n"
      "  Location is global 'sum' of size 4 at 0x55 (app+0x1)\n";
  const std::vector<Race> races = parseRaces(one + one);
  ASSERT_EQ(races.size(), 1u);
  EXPECT_EQ(races[0].place, "/src/app.c:4:38");
  EXPECT_EQ(races[0].other, "/src/app.c:9:1");
  EXPECT_EQ(races[0].what, "write of 4 bytes");
  EXPECT_EQ(races[0].before, "read of 4 bytes");
  EXPECT_EQ(races[0].variable, "sum");
}

TEST(Outputs, DifferWhereTheSerialProgramDoesNotVary) {
  EXPECT_EQ(outputDifference("time 1\nsum 4\n", "time 2\nsum 4\n", "time 3\nsum 4\n"), "");
  EXPECT_EQ(outputDifference("x 1.0000001\n", "x 1.0000001\n", "x 1.0000002\n"), "");
  EXPECT_EQ(outputDifference("sum 4\n", "sum 4\n", "sum 3\n"),
            "line 1: serial 'sum 4', parallel 'sum 3'");
  EXPECT_EQ(outputDifference("a\nb\n", "a\nb\n", "a\n"), "serial 2 lines, parallel 1");
}

static std::string remark(const char *kind, const char *function, const char *reason) {
  return std::string("--- !") + kind +
         "\nDebugLoc:        { File: 'a b.c', Line: 4, Column: 5 }\nFunction:        " + function +
         "\nArgs:\n  - String:          '" + reason + "'\n...\n";
}

TEST(Vectorization, IsLostWhereOnlyTheSerialLoopHasIt) {
  VectorizerRemarks serial = parseRemarks(remark("Passed", "f", "vectorized"));
  VectorizerRemarks missed =
      parseRemarks(remark("Analysis", "f.omp_outlined", "too hard") +
                   remark("Missed", "f.omp_outlined", "loop not vectorized"));
  EXPECT_EQ(compareRemarks(serial, missed),
            (std::vector<LostVectorization>{{"a b.c", 4, 5, "too hard"}}));
  EXPECT_TRUE(compareRemarks(serial, serial).empty());
  // Missed in a copy that is not the parallel body's.
  EXPECT_TRUE(compareRemarks(serial, parseRemarks(remark("Missed", "f", ""))).empty());
}
