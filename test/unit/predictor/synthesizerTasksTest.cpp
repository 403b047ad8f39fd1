//===- synthesizerTasksTest.cpp - Tasks run by the real runtimes ----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sections of tasks, and loops as tasks, in virtual time: exactly where there is
// no choice, and else beside what the emulator makes of many seeds.
//
//===----------------------------------------------------------------------===//

#include "emulatorFlows.h"
#include "emulatorPatterns.h"
#include "emulatorPrograms.h"
#include "predictor/emulator/Emulator.h"
#include "predictor/synthesizer/Repetitions.h"
#include "predictor/synthesizer/Synthesizer.h"
#include "synthesizerLaws.h"
#include "synthesizerPrograms.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <set>

using namespace prophet;
using namespace prophet::test;

namespace {

class RealTasks : public testing::TestWithParam<OmpRuntime> {
protected:
  const std::string executor = PROPHET_EXECUTORS "/" + executorName(GetParam());

  void SetUp() override {
    if (!std::filesystem::exists(executor))
      GTEST_SKIP() << "no compiler for " << runtimeName(GetParam()) << " was there";
  }

  Synthesis on(unsigned threads, Paradigm paradigm = Paradigm::OpenMP) const {
    Synthesis run;
    run.options.runtime = GetParam();
    run.options.threads = threads;
    run.options.paradigm = paradigm;
    return run;
  }

  std::vector<double> times(const Tree &tree, const Synthesis &run, unsigned count = 1) const {
    std::vector<Synthesis> runs(count, run);
    const auto error = synthesize(tree, runs, executor);
    EXPECT_FALSE(error) << error->message;
    std::vector<double> times;
    for (const Synthesis &done : runs)
      times.push_back(done.ticks);
    return times;
  }
  double time(const Tree &tree, const Synthesis &run) const { return times(tree, run).front(); }

  /// The mean of many runs is what the mean of as many seeds is, within `tolerance`.
  void expectEmulated(const Tree &tree, const Synthesis &run, double tolerance) const {
    constexpr unsigned draws = 12;
    double real = 0, emulated = 0;
    for (double ticks : times(tree, run, draws))
      real += ticks / draws;
    EmulationOptions options = run.options;
    for (options.seed = 1; options.seed <= draws; ++options.seed)
      emulated += emulate(tree, options).ticks / draws;
    EXPECT_NEAR(real, emulated, tolerance * emulated) << options.threads << " threads";
  }
};

TEST_P(RealTasks, RunSideBySide) {
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const Tree &tree = make.root({{make.section(site, {{make.work(10), 4}}), 1}, {make.u(1), 1}});
  EXPECT_EQ(time(tree, on(1)), 41);
  EXPECT_EQ(time(tree, on(2)), 21);
  EXPECT_EQ(time(tree, on(4)), 11);
  EXPECT_EQ(time(tree, on(16)), 11);
}

TEST_P(RealTasks, LeaveTheSpawnerToItsOwnWork) {
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const NodeId section =
      make.section(site, {{make.work(10), 1}, {make.u(4), 1}, {make.work(3), 1}, {make.u(5), 1}});
  const Tree &tree = make.root({{section, 2}});
  EXPECT_EQ(time(tree, on(1)), 2 * 22);
  EXPECT_EQ(time(tree, on(2)), 2 * 12); // the spawner runs the second task itself
  EXPECT_EQ(time(tree, on(3)), 2 * 10);
}

TEST_P(RealTasks, TakeTheCriticalPathOnManyThreads) {
  // Calls of 3 + two calls + 2, four deep, around leaves of 7.
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  NodeId call = make.work(7);
  for (int level = 0; level < 4; ++level)
    call = make.task({{make.u(3), 1}, {make.section(site, {{call, 2}}), 1}, {make.u(2), 1}});
  const Tree &tree = make.root({{make.section(site, {{call, 1}}), 1}});
  EXPECT_EQ(time(tree, on(1)), 15 * 5 + 16 * 7);
  EXPECT_EQ(time(tree, on(32)), 4 * 5 + 7);
  EXPECT_EQ(time(tree, on(32, Paradigm::Tasks)), 4 * 5 + 7);
}

TEST_P(RealTasks, WaitForLocks) {
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const NodeId task = make.task({{make.u(2), 1}, {make.l(0, 5), 1}});
  const Tree &tree = make.root({{make.section(site, {{task, 3}}), 1}});
  EXPECT_EQ(time(tree, on(1)), 21);
  EXPECT_EQ(time(tree, on(3)), 2 + 3 * 5);
}

TEST_P(RealTasks, RunAtOnceWhereNoMoreCanWait) {
  // libomp's deque holds 256 tasks, libgomp's queue 64 for each thread and one.
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const std::vector<Child> children{{make.work(10), 300}, {make.work(500), 1}, {make.u(50000), 1}};
  const Tree &tree = make.root({{make.section(site, children), 1}});
  const double expected = emulate(tree, on(2).options).ticks;
  EXPECT_GT(expected, 50500);
  EXPECT_EQ(time(tree, on(2)), expected);
}

TEST_P(RealTasks, RunOnlyDescendantsOfTheTaskThatWaits) {
  // `Tasks.AWaiterInATiedTaskRunsOnlyItsDescendants` has the story.
  EXPECT_EQ(time(aWaiterAndOtherTasks(), on(3)), 125);
}

TEST_P(RealTasks, LetWaitersAndIdleThreadsLookInAnyOrder) {
  // `Tasks.AWaiterOrAnIdleThreadMayBeFirst` has the story; libgomp's waiter runs none but its own.
  const std::vector<double> ends = times(aWaiterAndAnIdleThread(), on(4), 24);
  const std::set<double> found(ends.begin(), ends.end());
  if (GetParam() == OmpRuntime::Libomp)
    EXPECT_EQ(found, (std::set<double>{55, 71}));
  else
    EXPECT_EQ(found, std::set<double>{71});
}

TEST_P(RealTasks, SpawnInIterations) {
  // The second thread's iteration is short: behind it, it runs tasks of the first one's.
  TreeMaker make;
  const auto loop = make.site(), tasks = make.site(SiteKind::Tasks);
  const NodeId busy = make.task({{make.section(tasks, {{make.work(10), 10}}), 1}});
  const Tree &tree = make.root({{make.section(loop, {{busy, 1}, {make.work(40), 1}}), 1}});
  EXPECT_EQ(time(tree, on(2)), 70);
  EXPECT_EQ(time(tree, on(1)), 140);
}

TEST_P(RealTasks, WaitForTheInnerSectionsTasksOnly) {
  // A section right inside another one: its end does not wait for the task of 50.
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const NodeId inner = make.section(site, {{make.work(10), 1}, {make.u(10), 1}});
  const Tree &tree =
      make.root({{make.section(site, {{make.work(50), 1}, {inner, 1}, {make.u(40), 1}}), 1}});
  EXPECT_EQ(time(tree, on(3)), 50);
}

TEST_P(RealTasks, SplitLoops) {
  TreeMaker make;
  const Tree &tree = make.root({{make.loop(std::vector<double>(80, 3)), 1}});
  EXPECT_EQ(time(tree, on(1, Paradigm::Tasks)), 240);
  EXPECT_EQ(time(tree, on(4, Paradigm::Tasks)), 60);
  EXPECT_EQ(time(tree, on(40, Paradigm::Tasks)), 6);
}

TEST_P(RealTasks, SplitLoopsIntoMoreTasksThanADequeHolds) {
  // libomp makes ten for each thread, and halves loops of more than 256 first: another thread makes
  // the second half's, when the first one's are made or while they run.
  TreeMaker make;
  const Tree &tree = make.root({{make.loop(std::vector<double>(640, 3)), 2}});
  EXPECT_EQ(time(tree, on(32, Paradigm::Tasks)), 2 * 60);
  EXPECT_EQ(time(tree, on(64, Paradigm::Tasks)), 2 * 30);
  Synthesis spinning = on(64, Paradigm::Tasks);
  spinning.delay = Delay::Spin;
  EXPECT_GT(time(tree, spinning), 0);
}

TEST_P(RealTasks, KeepAllThreadsBusyAndLoseNothing) {
  // libgomp's threads wait while others' tasks do.
  expectNothingLost([&](const Tree &tree, unsigned threads) { return time(tree, on(threads)); },
                    GetParam() == OmpRuntime::Libomp);
}

TEST_P(RealTasks, AreEmulated) {
  // Whether a creator or one that it wakes up is first at libgomp's queue is a race where other
  // programs may get in between.
  const double tolerance = GetParam() == OmpRuntime::Libomp ? 0.03 : 0.1;
  std::mt19937_64 random(7);
  const Tree sort = drawQuicksortProgram(random), fourier = drawFourierProgram(random),
             flat = drawFlatTasksProgram(random, 0.5), loop = drawTasksInLoopProgram(random, 0.5);
  for (unsigned threads : {2u, 6u})
    for (const Tree *tree : {&sort, &fourier, &flat, &loop})
      expectEmulated(*tree, on(threads), tolerance);
  expectEmulated(drawTest2Program(random, 0.3), on(5, Paradigm::Tasks), tolerance);
}

TEST_P(RealTasks, ShareCores) {
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const Tree &tree = make.root({{make.section(site, {{make.work(10), 4}}), 1}});
  Synthesis run = on(4);
  run.options.cores = 2;
  EXPECT_EQ(time(tree, run), 20);
}

TEST_P(RealTasks, OpenTeams) { // emulatorTeamsInTasksTest.cpp has the stories
  Synthesis run = on(2);
  run.options.maxActiveLevels = 2;
  run.options.cores = 4;
  EXPECT_EQ(time(loopsInTasks(), run), 10);
  EXPECT_EQ(time(aLoopBesideTasks(2), run), 35);
  EXPECT_EQ(time(aLoopBesideTasks(4), run), 45);
  EXPECT_EQ(time(tasksInAnInnerLoop(), run), 125);
  run.options.cores = 2;
  EXPECT_EQ(time(loopsInTasks(), run), 20);
  Synthesis alone = on(4);
  alone.options.sites = {{{}, 1}, {}, {}};
  EXPECT_EQ(time(tasksInALoopOfOne(), alone), 55);
}

TEST_P(RealTasks, FlowThroughLoopsWithNowait) { // emulatorFlowsTest.cpp has the stories
  Synthesis run = on(2);
  run.options.cores = 4;
  EXPECT_EQ(time(tasksBeforeMuchWork(true), run), 45);
  EXPECT_EQ(time(tasksInTheLastLoop(true), run), 50);
  EXPECT_EQ(time(tasksThatOutlastTheNextLoop(true), run), 31);
  Synthesis alone = run;
  alone.options.sites = {{{}, 1}, {}, {}};
  EXPECT_EQ(time(tasksBehindATeam(true), alone), 35);
  run.options.maxActiveLevels = 2;
  EXPECT_EQ(time(flowsInATask(true), run), 12);
  EXPECT_EQ(time(flowsOfASpawner(true), run), 12);
  Tree burdened = tasksThatOutlastTheNextLoop(true);
  burdened.sites[0].burden = {{2, 2.0}};
  run.options.useBurden = true;
  EXPECT_EQ(time(burdened, run), 61);
}

TEST_P(RealTasks, FlowAsIsEmulated) {
  std::mt19937_64 random(13);
  for (unsigned threads : {2u, 2u, 5u}) {
    Synthesis run = on(threads);
    run.options.schedule = {Schedule::Kind::Dynamic, 1};
    const double tolerance = threads == 2 ? 1e-9 : 0.04; // there is one victim
    expectEmulated(drawTasksInLoopProgram(random, 0, 3), run, tolerance);
  }
}

TEST_P(RealTasks, OpenTeamsAsIsEmulated) {
  std::mt19937_64 random(11);
  for (unsigned threads : {2u, 2u, 4u, 5u}) {
    const bool isExact = threads == 2; // there is one victim
    Synthesis run = on(threads);
    run.options.maxActiveLevels = 2;
    run.options.schedule = {Schedule::Kind::Dynamic, 1};
    for (unsigned cores : {threads * threads, threads}) {
      run.options.cores = cores;
      const double tolerance = isExact ? 1e-9 : GetParam() == OmpRuntime::Libomp ? 0.04 : 0.1;
      expectEmulated(drawTeamsInTasksProgram(random, isExact ? 0 : 0.5), run, tolerance);
    }
  }
}

TEST_P(RealTasks, RunTreesOfAnyShape) {
  const auto keep = [](Program &program) {
    program.options.runtime = GetParam();
    program.options.paradigm = Paradigm::OpenMP;
  };
  expectRandomTasksAlike(
      20261122, GetParam() == OmpRuntime::Libomp, executor,
      [&](Program &program, std::mt19937_64 &) { keep(program); }, keep);
}

INSTANTIATE_TEST_SUITE_P(All, RealTasks, testing::Values(OmpRuntime::Libomp, OmpRuntime::Libgomp),
                         [](const auto &info) { return std::string(runtimeName(info.param)); });

/// Real time, on whatever cores there are: no less than is computed.
TEST(SpinningTasks, TakeWhatTheyCompute) {
  TreeMaker make;
  const auto tasks = make.site(SiteKind::Tasks);
  const Tree &tree = make.root(
      {{make.section(tasks, {{make.work(2), 3}, {make.u(1), 1}}), 1}, {make.loop({1, 1}), 1}});
  using enum OmpRuntime;
  unsigned executed = 0;
  for (const auto &[paradigm, runtime] :
       {std::pair(Paradigm::Tasks, Libomp), std::pair(Paradigm::Tasks, Libgomp),
        std::pair(Paradigm::Tbb, Libomp), std::pair(Paradigm::Cilk, Libomp)}) {
    Synthesis spinning;
    spinning.options.runtime = runtime;
    spinning.options.paradigm = paradigm;
    spinning.delay = Delay::Spin;
    spinning.nsPerTick = 1e6;
    const std::string executor = PROPHET_EXECUTORS "/" + executorName(spinning.options);
    if (!std::filesystem::exists(executor))
      continue;
    ++executed;
    const auto run = [&](unsigned threads) {
      std::vector<Synthesis> runs{spinning};
      runs.front().options.threads = threads;
      const auto error = synthesize(tree, runs, executor);
      EXPECT_FALSE(error) << error->message;
      return runs.front();
    };
    EXPECT_GT(run(1).ticks, 8.9) << executor;
    const Synthesis onTwo = run(2);
    EXPECT_GT(onTwo.ticks, 4.4) << executor;
    EXPECT_GT(onTwo.siteTicks.front(), 3.4) << executor;
  }
  EXPECT_GT(executed, 0u) << "there is no executor in " PROPHET_EXECUTORS;
}

TEST(SpinningTasks, AreNotCilksInVirtualTime) {
  TreeMaker make;
  const Tree &tree = make.root({{make.loop({1, 1}), 1}});
  std::vector<Synthesis> runs(1);
  runs.front().options.paradigm = Paradigm::Cilk;
  const auto error = synthesize(tree, runs, "cilk-executor");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message,
            "--paradigm cilk is not synthesized in virtual time; ask for --delay spin and no more "
            "--threads than cores, or use --method ff or --paradigm tbb");
}

/// An executor whose runs take as many units as OpenCilk would have workers.
constexpr const char *CountsWorkers =
    R"(#!/bin/sh
separator=""
printf '{"priority": "normal", "wakeup_ns": 0, "runs": ['
grep '^run ' | while read -r line; do
  printf '%s{"units": 0, "groups": [%s, 0], ' "$separator" "$CILK_NWORKERS"
  printf '"overhead_units": 0, "wall_seconds": 0.5, "foreign_cores": 0, "waited_share": 0}'
  separator=,
done
echo ']}'
)";

TEST(SpinningTasks, OfCilkHaveAProcessForEachNumberOfWorkers) {
  const std::string executor = testing::TempDir() + "counts-workers";
  std::ofstream(executor) << CountsWorkers;
  std::filesystem::permissions(executor, std::filesystem::perms::owner_all);
  TreeMaker make;
  const Tree &tree = make.root({{make.loop({1, 1}), 1}});
  std::vector<Synthesis> wanted(3);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    wanted[i].options.threads = i == 1 ? 2 : 1;
    wanted[i].options.paradigm = Paradigm::Cilk;
    wanted[i].delay = Delay::Spin;
  }
  const Synthesizer synthesizer(tree, wanted.front().options);
  const auto made = repeat(tree, synthesizer, wanted, executor, {0.1, 0.01, 2}, [](auto, auto) {});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_GT((*made)[0].run.ticks, 0);
  EXPECT_EQ((*made)[1].run.ticks, 2 * (*made)[0].run.ticks);
  EXPECT_EQ((*made)[2].run.ticks, (*made)[0].run.ticks);
}

} // namespace
