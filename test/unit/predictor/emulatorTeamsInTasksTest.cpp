//===- emulatorTeamsInTasksTest.cpp - Teams that nest, among tasks --------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops that open teams inside tasks, and tasks in these. synthesizerTasksTest.cpp
// has libomp and libgomp run some of the same trees.
//
//===----------------------------------------------------------------------===//

#include "emulatorPatterns.h"
#include "emulatorTasks.h"
#include "predictor/emulator/Emulator.h"
#include "predictor/emulator/Listener.h"
#include "predictor/report/Span.h"

#include <gtest/gtest.h>
#include <map>

using namespace prophet;
using namespace prophet::test;

namespace {

constexpr OmpRuntime Runtimes[] = {OmpRuntime::Libomp, OmpRuntime::Libgomp};

EmulationOptions nested(unsigned threads, OmpRuntime runtime = OmpRuntime::Libomp) {
  EmulationOptions options = with(Paradigm::OpenMP, threads);
  options.maxActiveLevels = 2;
  options.cores = threads * threads;
  options.runtime = runtime;
  return options;
}

TEST(TeamsInTasks, EachTaskOpensItsOwn) {
  const Tree tree = loopsInTasks();
  EmulationOptions options = nested(2);
  EXPECT_EQ(ticks(tree, options), 10);
  options.cores = 2; // four threads share them
  EXPECT_EQ(ticks(tree, options), 20);
  options.maxActiveLevels = 1;
  EXPECT_EQ(ticks(tree, options), 20);
  EXPECT_EQ(ticks(tree, nested(4)), 5);
  EXPECT_EQ(ticks(tree, nested(1)), 40);
}

TEST(TeamsInTasks, TheSpawnersTasksAreTakenWhileItIsInATeam) {
  // Two tasks of 10 created at 5, and then the spawner's own loop until 35.
  for (OmpRuntime runtime : Runtimes)
    EXPECT_EQ(ticks(aLoopBesideTasks(2), nested(2, runtime)), 35);
}

TEST(TeamsInTasks, AnInnerTeamRunsNoTaskOfTheOuter) {
  // Of four tasks of 10, the outer team's other thread has run three by 35. The inner team's has
  // been idle since 6.
  for (OmpRuntime runtime : Runtimes)
    EXPECT_EQ(ticks(aLoopBesideTasks(4), nested(2, runtime)), 45);
}

TEST(TeamsInTasks, AnOuterTeamRunsNoTaskOfTheInner) {
  // Five tasks of 25 by one thread, since the other of the inner team is busy until 100; the outer
  // team's has been idle since 5.
  for (OmpRuntime runtime : Runtimes)
    EXPECT_EQ(ticks(tasksInAnInnerLoop(), nested(2, runtime)), 125);
}

TEST(TeamsInTasks, ThreeLevels) {
  TreeMaker make;
  const auto tasks = make.site(SiteKind::Tasks), outer = make.site(), inner = make.site();
  const NodeId iteration = make.task({{make.section(inner, {{make.work(10), 2}}), 1}});
  const NodeId task = make.task({{make.section(outer, {{iteration, 2}}), 1}});
  const Tree &tree = make.root({{make.section(tasks, {{task, 2}}), 1}});
  EmulationOptions options = with(Paradigm::OpenMP, 2);
  options.cores = 8;
  for (const auto &[levels, expected] : {std::pair(1u, 40), {2u, 20}, {3u, 10}, {9u, 10}}) {
    options.maxActiveLevels = levels;
    EXPECT_EQ(ticks(tree, options), expected) << levels;
  }
}

TEST(TeamsInTasks, ATeamOfOneIsNoLevel) {
  // The region has one thread, which runs its own tasks alone; the loop in it has four, which
  // share one iteration's tasks from 5 on. As long as the region has four, the loop is serial.
  EmulationOptions options = with(Paradigm::OpenMP, 4);
  options.sites = {{{}, 1}, {}, {}};
  EXPECT_EQ(ticks(tasksInALoopOfOne(), options), 15 + 40);
  options.sites.clear();
  EXPECT_EQ(ticks(tasksInALoopOfOne(), options), 40 + 3 * 5);
}

TEST(TeamsInTasks, ASitesClauseCountsInside) {
  TreeMaker make;
  const auto tasks = make.site(SiteKind::Tasks), loop = make.site();
  const NodeId task = make.task({{make.section(loop, {{make.work(5), 12}}), 1}});
  const Tree &tree = make.root({{make.section(tasks, {{task, 1}}), 1}});
  EmulationOptions options = nested(4);
  EXPECT_EQ(ticks(tree, options), 15);
  options.sites = {{}, {{}, 3}};
  EXPECT_EQ(ticks(tree, options), 20);
  options.sites = {{}, {{}, 1}};
  EXPECT_EQ(ticks(tree, options), 60);
}

TEST(TeamsInTasks, LocksAreWaitedForAcrossTeams) {
  TreeMaker make;
  const auto tasks = make.site(SiteKind::Tasks), loop = make.site();
  const NodeId locked = make.task({{make.l(0, 10), 1}});
  const NodeId own = make.section(loop, {{locked, 2}});
  const Tree &tree = make.root({{make.section(tasks, {{locked, 1}, {own, 1}}), 1}});
  for (OmpRuntime runtime : Runtimes)
    EXPECT_EQ(ticks(tree, nested(2, runtime)), 30);
}

TEST(TeamsInTasks, EachTeamIsForkedAndJoined) {
  TreeMaker make;
  const auto tasks = make.site(SiteKind::Tasks), loop = make.site();
  const NodeId own = make.section(loop, {{make.work(30), 2}});
  const Tree &tree = make.root({{make.section(tasks, {{own, 3}}), 1}});
  EmulationOptions options = nested(2);
  options.overheads.active.fork = 7;
  options.overheads.active.join = 3;
  EXPECT_EQ(ticks(tree, options), 7 + 3 * (7 + 30 + 3) + 3);
}

/// Adds up what a listener hears.
class Sum : public EventListener {
public:
  std::map<Activity, double> times;
  std::map<std::uint32_t, double> ends; ///< by thread: of its last interval
  bool inOrder = true;

private:
  void regionBegins(NodeId, double) override { ends.clear(); }
  void interval(const Interval &interval) override {
    times[interval.activity] += interval.end - interval.start;
    inOrder &= interval.start >= ends[interval.thread];
    ends[interval.thread] = interval.end;
  }
  void regionEnds(double) override {}
};

TEST(TeamsInTasks, ListenersHearEveryThread) {
  Sum sum;
  Emulator(tasksInAnInnerLoop()).run(nested(2), &sum);
  EXPECT_EQ(sum.times[Activity::Compute], 5 + 125 + 100);
  EXPECT_EQ(sum.ends.size(), 3u);
  // The outer thread from 5 on, the inner one from 100 on.
  EXPECT_EQ(sum.times[Activity::BarrierWait], 120 + 25);
}

TEST(TeamsInTasks, RandomTreesObeyTheLaws) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(seed);
    const Tree tree = drawTeamsInTasksProgram(random, seed % 2 ? 0.5 : 0);
    const double work = tree.serialLengths()[tree.root];
    EmulationOptions options = nested(1 + seed % 8, Runtimes[seed / 2 % 2]);
    if (seed % 3 == 0)
      options.cores = 1 + seed % options.threads;
    options.schedule = {Schedule::Kind::Dynamic, 1};
    Sum sum;
    const Estimate found = Emulator(tree).run(options, &sum);
    EXPECT_TRUE(sum.inOrder);
    EXPECT_GE(found.ticks * options.cores, work);
    EXPECT_GE(found.ticks, findSpan(tree, options).spanTicks);
    EXPECT_EQ(found.ticks, ticks(tree, options));
    EXPECT_EQ(found.waterfall.program.sum(), found.waterfall.threadTicks);
    Tree longer = tree;
    for (Node &node : longer.nodes)
      node.length *= 8;
    EXPECT_EQ(ticks(longer, options), 8 * found.ticks);
    options.threads = 1;
    EXPECT_EQ(ticks(tree, options), work);
  }
}

} // namespace
