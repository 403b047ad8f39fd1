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

TEST(BreakEven, IsWhereRegionAndGainAreEqual) {
  EmulationOptions options;
  options.threads = 4;
  options.overheads.active.fork = 600;
  options.overheads.active.join = 300;
  // 900 ns against 100 ns - 100 ns / 4 an iteration: 12 iterations.
  EXPECT_EQ(breakEven({100, 4, 0}, {}, options).trips(), 12u);
  // As OpenMP's function it takes 200 ns alone, and 200 ns / 4 in a team.
  EXPECT_EQ(breakEven({100, 2, 0, 2}, {}, options).trips(), 6u);
  options.overheads.steal.chunk = 400; // 400 ns / 4 threads eat all of it, unless shared by more
  EXPECT_EQ(breakEven({100, 4, 0}, {Schedule::Kind::Dynamic, 1}, options).trips(), std::nullopt);
  EXPECT_EQ(breakEven({100, 4, 0}, {Schedule::Kind::Dynamic, 4}, options).trips(), 18u);
}

TEST(BreakEven, CountsTheForksThatWakeThreads) {
  EmulationOptions options;
  options.threads = 4;
  options.overheads.active.fork = 600;
  options.overheads.active.join = 300;
  options.overheads.passive.fork = 3000;
  options.overheads.passive.join = 1200;
  // Against 75 ns an iteration: 900 ns, 600 more where a quarter sleeps, 2400 more where all do.
  EXPECT_EQ(breakEven({100, 4, 0}, {}, options).trips(), 12u);
  EXPECT_EQ(breakEven({100, 4, 0.25}, {}, options).trips(), 20u);
  EXPECT_EQ(breakEven({100, 4, 1}, {}, options).trips(), 44u);
  options.waitPolicy = WaitPolicy::Passive; // at the barrier, too: 4200 ns
  EXPECT_EQ(breakEven({100, 4, 1}, {}, options).trips(), 56u);
}

TEST(BreakEven, IsByTheSpeedupThatLocksAndUnequalIterationsLeave) {
  EmulationOptions options;
  options.threads = 4;
  options.overheads.active.fork = 900;
  EXPECT_EQ(breakEven({100, 2, 0}, {}, options).trips(), 18u); // 900 against 100 - 100 / 2
  EXPECT_EQ(breakEven({100, 1, 0}, {}, options).trips(), std::nullopt);
  EXPECT_EQ(breakEven({100, 0.9, 0}, {}, options).trips(), std::nullopt);
}

namespace {

/// freeSpeedup() of the one site with `tasks`, on four threads.
double freeOf(TreeMaker &make, const std::vector<Child> &tasks, const Schedule &schedule = {},
              double handOff = 0) {
  make.root({{make.section(make.site(), tasks), 1}});
  EmulationOptions options;
  options.threads = 4;
  options.overheads.active.fork = 1e6; // does not count
  options.overheads.active.lockHandoff = handOff;
  options.waitPolicy = WaitPolicy::Active;
  return freeSpeedup(make.tree, Emulator(make.tree), 0, schedule, options);
}

} // namespace

TEST(FreeSpeedup, IsOneWhereAllIsUnderALock) {
  TreeMaker make;
  EXPECT_EQ(freeOf(make, {{make.task({{make.l(0, 100), 1}}), 50}}), 1);
  TreeMaker costly; // 49 times it is handed on
  EXPECT_DOUBLE_EQ(freeOf(costly, {{costly.task({{costly.l(0, 100), 1}}), 50}}, {}, 20),
                   5000.0 / (5000 + 49 * 20));
}

TEST(FreeSpeedup, IsThatOfUnequalIterations) { // 100000 and 24 of 10 against 100000 and 99
  TreeMaker make;
  EXPECT_DOUBLE_EQ(freeOf(make, {{make.work(100000), 1}, {make.work(10), 99}}), 100990 / 100240.0);
}

TEST(FreeSpeedup, IsTOfEqualOnesWhateverTheirNumber) {
  for (const std::uint64_t trips : {1, 3, 5, 50, 1000}) {
    TreeMaker make, chunked;
    EXPECT_DOUBLE_EQ(freeOf(make, {{make.work(100), trips}}), 4) << trips;
    EXPECT_DOUBLE_EQ(
        freeOf(chunked, {{chunked.work(100), trips}}, {Schedule::Kind::StaticChunk, 8}), 4);
  }
}

TEST(FreeSpeedup, CountsCores) {
  TreeMaker make;
  make.root({{make.section(make.site(), {{make.work(100), 6}}), 1}});
  EmulationOptions options;
  options.threads = 4;
  options.cores = 2;
  EXPECT_EQ(freeSpeedup(make.tree, Emulator(make.tree), 0, {}, options), 2);
}

TEST(Decisions, NoGuardForALoopThatALockHolds) {
  // Executions of 4000 iterations and of 40, of 100 ns; on 2 threads 10000 for the region: more
  // than 200 gain, but for the lock.
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
    EXPECT_EQ(decision.guard, isLocked ? std::nullopt : std::optional<std::uint64_t>(200));
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
