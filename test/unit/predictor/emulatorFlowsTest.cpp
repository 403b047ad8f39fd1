//===- emulatorFlowsTest.cpp - Nowait loops beside tasks ------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads flow from one loop to the next although iterations spawn tasks.
// synthesizerTasksTest.cpp has libomp and libgomp run the same trees.
//
//===----------------------------------------------------------------------===//

#include "emulatorFlows.h"
#include "emulatorTasks.h"
#include "predictor/report/Span.h"

#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

constexpr OmpRuntime Runtimes[] = {OmpRuntime::Libomp, OmpRuntime::Libgomp};

EmulationOptions onTwo(OmpRuntime runtime, unsigned levels = 1) {
  EmulationOptions options = with(Paradigm::OpenMP, 2);
  options.runtime = runtime;
  options.maxActiveLevels = levels;
  options.cores = 4;
  return options;
}

TEST(Flows, AThreadThatIsThroughRunsTheNextLoopBeforeTasks) {
  for (OmpRuntime runtime : Runtimes) {
    // Waiting: thread 1 runs one of the three tasks from 5 to 15, and its 40 from 20 on.
    EXPECT_EQ(ticks(tasksBeforeMuchWork(false), onTwo(runtime)), 20 + 40);
    EXPECT_EQ(ticks(tasksBeforeMuchWork(true), onTwo(runtime)), 5 + 40);
  }
}

TEST(Flows, TheRegionsEndRunsTasks) {
  for (OmpRuntime runtime : Runtimes) {
    // Thread 1 is there at 6, where it waits for what is spawned at 30; else it comes at 31.
    EXPECT_EQ(ticks(tasksInTheLastLoop(true), onTwo(runtime)), 30 + 20);
    EXPECT_EQ(ticks(tasksInTheLastLoop(false), onTwo(runtime)), 31 + 20);
    // Tasks of the first loop, behind the second: thread 1 runs one from 15 to 25.
    EXPECT_EQ(ticks(tasksThatOutlastTheNextLoop(true), onTwo(runtime)), 30 + 1);
  }
}

TEST(Flows, ATaskHasTheBurdenFactorOfItsOwnLoop) {
  // The first loop's lengths are doubled. Thread 1 is at the end at 20; tasks take 20 there, too.
  for (OmpRuntime runtime : Runtimes) {
    Tree tree = tasksThatOutlastTheNextLoop(true);
    tree.sites[0].burden = {{2, 2.0}};
    EmulationOptions options = onTwo(runtime);
    options.useBurden = true;
    EXPECT_EQ(ticks(tree, options), 60 + 1);
  }
}

TEST(Flows, InsideATask) {
  for (OmpRuntime runtime : Runtimes) {
    EXPECT_EQ(ticks(flowsInATask(true), onTwo(runtime, 2)), 12);
    EXPECT_EQ(ticks(flowsInATask(false), onTwo(runtime, 2)), 20);
    EXPECT_EQ(ticks(flowsInATask(true), onTwo(runtime)), 24);
    EXPECT_EQ(ticks(flowsOfASpawner(true), onTwo(runtime, 2)), 12);
    EXPECT_EQ(ticks(flowsOfASpawner(false), onTwo(runtime, 2)), 20);
  }
}

TEST(Flows, ATeamOfOneStaysOne) {
  // The first loop's team runs both loops; as regions of their own, the second has two threads, of
  // which the other one takes a task at 3.
  for (OmpRuntime runtime : Runtimes)
    for (unsigned levels : {1u, 2u}) {
      EmulationOptions options = onTwo(runtime, levels);
      options.sites = {{{}, 1}, {}, {}};
      EXPECT_EQ(ticks(tasksBehindATeam(true), options), 12 + 23);
      EXPECT_EQ(ticks(tasksBehindATeam(false), options), 12 + 13);
    }
}

TEST(Flows, ATeamOfOneInsideATaskStaysOne) {
  for (OmpRuntime runtime : Runtimes) {
    EmulationOptions options = onTwo(runtime, 2);
    options.sites = {{{}, 1}, {}, {}};
    EXPECT_EQ(ticks(flowsInATask(true), options), 24);
    EXPECT_EQ(ticks(flowsInATask(false), options), 12 + 10);
  }
}

TEST(Flows, TasksBehindALoopHaveARegionOfTheirOwn) {
  Flows make(true);
  const NodeId loop = make.section(0, {{make.work(10), 1}, {make.work(2), 1}});
  const Tree &tree = make.root({{loop, 1}, {make.section(2, {{make.work(10), 2}}), 1}});
  EXPECT_EQ(ticks(tree, onTwo(OmpRuntime::Libomp)), 10 + 10);
  EXPECT_EQ(findSpan(tree, onTwo(OmpRuntime::Libomp)).spanTicks, 10 + 10);
}

TEST(Flows, OutOfASectionOfTasksThatStaysSerial) {
  Flows make(true);
  const auto outer = make.site();
  const NodeId iteration = make.task({{make.section(2, make.plainLoops()), 1}});
  const Tree &tree = make.root({{make.section(outer, {{iteration, 1}}), 1}});
  EmulationOptions options = onTwo(OmpRuntime::Libomp, 2);
  options.exceptSite = 2;
  EXPECT_EQ(ticks(tree, options), 12);
}

TEST(Flows, OnlyWhereLoopsAreWorkshared) {
  for (Paradigm paradigm : {Paradigm::Tasks, Paradigm::Tbb, Paradigm::Cilk}) {
    Flows make(true);
    const Tree &tree = make.root(make.plainLoops());
    EXPECT_EQ(ticks(tree, with(paradigm, 2)), 20);
  }
}

TEST(Flows, SitesAreTimedFromFirstArrivalToLastLeave) {
  const Estimate estimate = emulate(tasksBeforeMuchWork(true), onTwo(OmpRuntime::Libomp));
  EXPECT_EQ(estimate.sites[0].ticks, 30);
  EXPECT_EQ(estimate.sites[1].ticks, 40); // from 5 on
  EXPECT_EQ(estimate.sites[2].ticks, 30);
}

TEST(Flows, EveryThreadPaysForEachLoop) {
  EmulationOptions options = onTwo(OmpRuntime::Libomp);
  options.overheads.active.fork = 7;
  options.overheads.active.join = 3;
  options.overheads.staticBlock.start = 2;
  EXPECT_EQ(ticks(tasksBeforeMuchWork(true), options), 7 + 2 + 5 + 2 + 40 + 3);
  EXPECT_EQ(ticks(tasksBeforeMuchWork(false), options), 7 + 2 + 20 + 3 + 7 + 2 + 40 + 3);
}

} // namespace
