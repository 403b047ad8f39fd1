//===- emulatorTasksTest.cpp - Tasks, by hand -----------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorTasks.h"
#include "emulatorTrees.h"
#include "predictor/emulator/Emulator.h"
#include "predictor/emulator/Listener.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace prophet;
using namespace prophet::test;

namespace {

/// Two children for each call down to `depth`, then `leaf`; `own` before and after them.
NodeId recursion(TreeMaker &make, std::uint32_t site, int depth, double leaf, double own) {
  NodeId task = make.work(leaf);
  const NodeId piece = make.u(own);
  for (int level = 0; level < depth; ++level) {
    const NodeId section = make.section(site, {{task, 2}});
    task = make.task({{piece, 1}, {section, 1}, {piece, 1}});
  }
  return make.section(site, {{task, 1}});
}

TEST(Tasks, TwoEqualTasksOnTwoThreadsTakeTheTimeOfOne) {
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const Tree &tree = make.root({{make.section(site, {{make.work(10), 2}}), 1}});
  for (Paradigm paradigm : All) {
    EXPECT_EQ(ticks(tree, with(paradigm, 2)), 10) << paradigmName(paradigm);
    EXPECT_EQ(ticks(tree, with(paradigm, 1)), 20) << paradigmName(paradigm);
  }
}

TEST(Tasks, TheSpawnerGoesOnAndWaitsAtTheEnd) {
  // A task of 10, then 4 of the spawner's own. Two threads: the task is stolen (or its parent's
  // continuation) and both run at once: 10.
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const Tree &tree =
      make.root({{make.section(site, {{make.work(10), 1}, {make.u(4), 1}}), 1}, {make.u(1), 1}});
  for (Paradigm paradigm : All)
    EXPECT_EQ(ticks(tree, with(paradigm, 2)), 10 + 1) << paradigmName(paradigm);
}

TEST(Tasks, TheWaiterRunsTheNewestThievesTheOldest) {
  // Tasks 9, 1, 2 are created at once. Child stealing: the thief takes 9, the creator 2 and 1: 9.
  // Cilk: 9 is run by its parent, the thief of the continuation runs 1 and 2: 9.
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const auto section =
      make.section(site, {{make.work(9), 1}, {make.work(1), 1}, {make.work(2), 1}});
  const Tree &tree = make.root({{section, 1}});
  for (Paradigm paradigm : All)
    EXPECT_EQ(ticks(tree, with(paradigm, 2)), 9) << paradigmName(paradigm);
  // The other way round, 1, 2, 9: the creator takes 9 at once, the thief 1 and 2. In Cilk the
  // creator runs 1 while the thief runs 2; at 1 the creator steals what is left and runs 9: 10.
  TreeMaker other;
  const auto again = other.site(SiteKind::Tasks);
  const Tree &reversed = other.root(
      {{other.section(again, {{other.work(1), 1}, {other.work(2), 1}, {other.work(9), 1}}), 1}});
  for (Paradigm paradigm : {Paradigm::OpenMP, Paradigm::Tasks, Paradigm::Tbb})
    EXPECT_EQ(ticks(reversed, with(paradigm, 2)), 9) << paradigmName(paradigm);
  EXPECT_EQ(ticks(reversed, with(Paradigm::Cilk, 2)), 10);
}

TEST(Tasks, ATaskThatFindsAFullDequeRunsAtOnce) {
  // libomp's deque holds 256; the 257th task, of 500, keeps its creator from its own 5000.
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const std::vector<Child> children{{make.work(10), 256}, {make.work(500), 1}, {make.u(5000), 1}};
  const Tree &tree = make.root({{make.section(site, children), 1}});
  EXPECT_EQ(ticks(tree, with(Paradigm::OpenMP, 2)), 5500);
  EXPECT_EQ(ticks(tree, with(Paradigm::Tbb, 2)), 5000);
}

TEST(Tasks, LocksAreWaitedForInTasks) {
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const NodeId task = make.task({{make.u(2), 1}, {make.l(0, 5), 1}});
  const Tree &tree = make.root({{make.section(site, {{task, 2}}), 1}});
  for (Paradigm paradigm : All) {
    EXPECT_EQ(ticks(tree, with(paradigm, 2)), 2 + 5 + 5) << paradigmName(paradigm);
    EXPECT_EQ(ticks(tree, with(paradigm, 1)), 14) << paradigmName(paradigm);
  }
}

TEST(Tasks, AWaiterOrAnIdleThreadMayBeFirst) {
  // At 11 the waiter takes one of the tasks of 20, and the idle thread at 15 the one of 40, which
  // the waiter may not run; or the idle thread does, and has time for that at 31.
  std::set<double> found;
  EmulationOptions options = with(Paradigm::OpenMP, 4);
  for (options.seed = 1; options.seed <= 30; ++options.seed)
    found.insert(ticks(aWaiterAndAnIdleThread(), options));
  EXPECT_EQ(found, (std::set<double>{55, 71}));
}

TEST(Tasks, AWaiterInATiedTaskRunsOnlyItsDescendants) {
  // Three threads. One takes A, whose children are 100 (stolen by another) and 10, and waits for
  // the first from 10 on. The four tasks of 30 that the spawner creates at 5 are no children of A:
  // in OpenMP the spawner runs all of them, until 125; in oneTBB the waiter runs two.
  const Tree tree = aWaiterAndOtherTasks();
  EXPECT_EQ(ticks(tree, with(Paradigm::OpenMP, 3)), 125);
  EXPECT_EQ(ticks(tree, with(Paradigm::Tbb, 3)), 101);
}

TEST(Tasks, OverheadsAreChargedPerTaskStealAndWait) {
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const Tree &tree = make.root({{make.section(site, {{make.work(100), 2}}), 1}});
  EmulationOptions options = with(Paradigm::OpenMP, 2);
  options.overheads.tasks = {1, 10, 3};
  // Created at 1, stolen: 1 + 10 + 100 = 111. The other: created at 2, waited for from 5 on,
  // run until 105.
  EXPECT_EQ(ticks(tree, options), 111);
  options.paradigm = Paradigm::Cilk;
  // The first child runs from 1 to 101; the continuation is stolen at 1, and the last child,
  // created at 12, ends at 112. The thief waits (3) in vain from 115 on, and so goes on there.
  EXPECT_EQ(ticks(tree, options), 115);
  options.threads = 1;
  EXPECT_EQ(ticks(tree, options), 200 + 2 * 1 + 3);
}

TEST(Tasks, LoopsSplitUnderTheOtherParadigms) {
  TreeMaker make;
  const auto site = make.site();
  const Tree &tree = make.root({{make.section(site, {{make.work(1), 1 << 20}}), 1}});
  for (Paradigm paradigm : {Paradigm::Tasks, Paradigm::Tbb, Paradigm::Cilk})
    for (unsigned threads : {2u, 4u, 32u, 64u}) {
      const double ideal = (1 << 20) / static_cast<double>(threads);
      const double found = ticks(tree, with(paradigm, threads));
      EXPECT_GE(found, ideal);
      EXPECT_LE(found, ideal * 1.13) << paradigmName(paradigm) << threads;
    }
}

TEST(Tasks, OneTbbSplitsOffTheLastRangeWhenAPiecesSiblingWasStolen) {
  // 64 iterations, eight of 10 and the others of 1, on two threads. The first leaves [32, 64),
  // [16, 32) and [8, 16) to others and runs its 10s one by one. The second has run the first two by
  // 48, and steals [8, 16), the sibling of [0, 8), until 56. So the first one, behind its fifth 10,
  // at 50, makes a task of its last range, [6, 8), which the second one takes at 56 and halves: it
  // runs 6 until 66, and the first one, done with 5 at 60, takes 7.
  TreeMaker make;
  std::vector<double> lengths(64, 1);
  std::fill_n(lengths.begin(), 8, 10);
  const Tree &tree = make.root({{make.loop(lengths), 1}});
  EXPECT_EQ(ticks(tree, with(Paradigm::Tbb, 2)), 70);
}

TEST(Tasks, OneTbbsMutexGoesToWhoAskedLast) {
  // One holds the lock until 10, others ask for it at 1 and at 2 and hold it for 10 as well. In
  // OpenMP the one of 2 has it third, and computes 20 more until 50; in oneTBB second, until 40.
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const NodeId first = make.task({{make.l(0, 10), 1}});
  const NodeId second = make.task({{make.u(1), 1}, {make.l(0, 10), 1}});
  const NodeId third = make.task({{make.u(2), 1}, {make.l(0, 10), 1}, {make.u(20), 1}});
  const Tree &tree = make.root({{make.section(site, {{first, 1}, {second, 1}, {third, 1}}), 1}});
  EXPECT_EQ(ticks(tree, with(Paradigm::OpenMP, 3)), 50);
  EXPECT_EQ(ticks(tree, with(Paradigm::Tbb, 3)), 40);
}

TEST(Tasks, TaskloopMakesTenTasksAThread) {
  // 41 iterations on two threads: 20 tasks, the first of 3 and the others of 2. With the creator
  // taking the newest and the thief the oldest: 3 + 9 * 2 against 10 * 2.
  TreeMaker make;
  const auto site = make.site();
  const Tree &tree = make.root({{make.section(site, {{make.work(1), 41}}), 1}});
  EXPECT_EQ(ticks(tree, with(Paradigm::Tasks, 2)), 21);
}

TEST(Tasks, ALoopInATaskIsSerialAtOneActiveLevel) {
  TreeMaker make;
  const auto tasks = make.site(SiteKind::Tasks);
  const auto loop = make.site();
  const NodeId task = make.task({{make.section(loop, {{make.work(5), 4}}), 1}});
  const Tree &tree = make.root({{make.section(tasks, {{task, 2}}), 1}});
  EXPECT_EQ(ticks(tree, with(Paradigm::OpenMP, 4)), 20);
  EXPECT_EQ(ticks(tree, with(Paradigm::Cilk, 8)), 5);
}

TEST(Tasks, WhatASpawnerGuardsCountsInSerialLoopsToo) {
  // Two loops inside each other, the inner one and its tasks serial: each of two threads runs a
  // task of 3, and holds the lock for 4 in the section's own code.
  TreeMaker make;
  const auto tasks = make.site(SiteKind::Tasks), loop = make.site();
  const NodeId spawning =
      make.task({{make.section(tasks, {{make.work(3), 1}, {make.l(0, 4), 1}}), 1}});
  const NodeId inner = make.task({{make.section(loop, {{spawning, 1}}), 1}});
  const Tree &tree = make.root({{make.section(loop, {{inner, 2}}), 1}});
  EXPECT_EQ(ticks(tree, with(Paradigm::OpenMP, 1)), 14);
  EXPECT_EQ(ticks(tree, with(Paradigm::OpenMP, 2)), 3 + 4 + 4);
}

TEST(Tasks, TasksOfAWorksharingLoopAreRunByItsTeam) {
  // Two iterations on two threads: 100 of its own; 4 tasks of 25 and 1 task of 50. Thread 0 is
  // busy until 100. Thread 1 runs its tasks alone: 150.
  TreeMaker make;
  const auto tasks = make.site(SiteKind::Tasks);
  const auto loop = make.site();
  const NodeId spawning =
      make.task({{make.section(tasks, {{make.work(50), 1}, {make.work(25), 4}}), 1}});
  const Tree &tree = make.root({{make.section(loop, {{make.work(100), 1}, {spawning, 1}}), 1}});
  // It takes 25s from its end until the other comes at 100 and steals the 50.
  EXPECT_EQ(ticks(tree, with(Paradigm::OpenMP, 2)), 150);
  EXPECT_EQ(ticks(tree, with(Paradigm::OpenMP, 3)), 100);
}

TEST(Tasks, MoreThreadsThanCoresShareThem) {
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const Tree &tree = make.root({{make.section(site, {{make.work(10), 4}}), 1}});
  for (Paradigm paradigm : All) {
    EmulationOptions options = with(paradigm, 4);
    options.cores = 2;
    EXPECT_EQ(ticks(tree, options), 20) << paradigmName(paradigm);
  }
}

TEST(Tasks, AThousandLevelsDeepNeedNoRecursion) {
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  NodeId task = make.work(1);
  const NodeId own = make.u(1);
  constexpr int depth = 20000;
  for (int level = 0; level < depth; ++level)
    task = make.task({{make.section(site, {{task, 1}, {own, 1}}), 1}});
  const Tree &tree = make.root({{make.section(site, {{task, 1}}), 1}});
  for (Paradigm paradigm : All) {
    EXPECT_EQ(ticks(tree, with(paradigm, 1)), depth + 1) << paradigmName(paradigm);
    const double found = ticks(tree, with(paradigm, 4));
    EXPECT_GE(found, 1) << paradigmName(paradigm);
    EXPECT_LE(found, depth + 1) << paradigmName(paradigm);
  }
}

TEST(Tasks, TheSameSeedGivesTheSameBits) {
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const Tree &tree = make.root({{recursion(make, site, 8, 7, 1), 1}});
  for (Paradigm paradigm : All) {
    EmulationOptions options = with(paradigm, 5);
    options.seed = 42;
    EXPECT_EQ(ticks(tree, options), ticks(tree, options));
  }
}

/// Adds up what a listener hears.
class Sum : public EventListener {
public:
  std::map<Activity, double> times;
  double elapsed = 0;

private:
  void regionBegins(NodeId, double) override {}
  void interval(const Interval &interval) override {
    times[interval.activity] += interval.end - interval.start;
  }
  void regionEnds(double ticks) override { elapsed = ticks; }
};

TEST(Tasks, ListenersHearWhatEveryWorkerDoes) {
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const Tree &tree = make.root({{make.section(site, {{make.work(10), 3}}), 1}});
  for (Paradigm paradigm : All) {
    Sum sum;
    Emulator(tree).run(with(paradigm, 2), &sum);
    EXPECT_EQ(sum.elapsed, 20);
    EXPECT_EQ(sum.times[Activity::Compute], 30) << paradigmName(paradigm);
    EXPECT_EQ(sum.times[Activity::BarrierWait], 10) << paradigmName(paradigm);
  }
}

} // namespace
