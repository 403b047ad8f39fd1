//===- emulatorGnuTasksTest.cpp - libgomp's tasks -------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorTrees.h"
#include "predictor/emulator/Emulator.h"

#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

double ticks(const Tree &tree, OmpRuntime runtime, unsigned threads,
             Paradigm paradigm = Paradigm::OpenMP, TaskCosts costs = {}) {
  EmulationOptions options;
  options.runtime = runtime;
  options.threads = threads;
  options.paradigm = paradigm;
  options.overheads.tasks = std::move(costs);
  return emulate(tree, options).ticks;
}

constexpr OmpRuntime libomp = OmpRuntime::Libomp, libgomp = OmpRuntime::Libgomp;

TEST(GnuTasks, AWaiterRunsOnlyWhatItWaitsFor) {
  // The spawner creates A, whose children are four of 10, and B of 1, and waits: it takes the
  // newest, B, and thread 1 A. From 1 on libomp's spawner steals A's children, libgomp's sleeps.
  // A third thread, at the barrier, may run them: two each.
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const NodeId a = make.task({{make.section(site, {{make.work(10), 4}}), 1}});
  const Tree &tree = make.root({{make.section(site, {{a, 1}, {make.work(1), 1}}), 1}});
  EXPECT_EQ(ticks(tree, libomp, 2), 21);
  EXPECT_EQ(ticks(tree, libgomp, 2), 40);
  EXPECT_EQ(ticks(tree, libgomp, 3), 20);
}

TEST(GnuTasks, AThreadAtTheBarrierTakesTheOldest) {
  // 9, 1 and 2 are created at once; the waiter takes 2 and then 1, the other thread 9. Reversed
  // the waiter takes 9, and the other thread 2 and 1.
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const Child nine{make.work(9), 1}, one{make.work(1), 1}, two{make.work(2), 1};
  const NodeId forward = make.section(site, {nine, one, two});
  const NodeId backward = make.section(site, {two, one, nine});
  const Tree &tree = make.root({{forward, 1}, {make.u(100), 1}, {backward, 1}});
  EXPECT_EQ(ticks(tree, libgomp, 2), 9 + 100 + 9);
}

TEST(GnuTasks, MoreThan64AThreadAreRunAtOnce) {
  // Two threads: 129 of 10 are left to the other thread, the 130th, of 500, keeps the creator from
  // its own 5000. libomp has room for it.
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const std::vector<Child> children{{make.work(10), 129}, {make.work(500), 1}, {make.u(5000), 1}};
  const Tree &tree = make.root({{make.section(site, children), 1}});
  EXPECT_EQ(ticks(tree, libgomp, 2), 5500);
  EXPECT_EQ(ticks(tree, libomp, 2), 5000);
}

/// Two iterations: a serialised loop that spawns `children`, beside code of 10 and a lock for 100.
double besideALock(TreeMaker &make, OmpRuntime runtime, std::vector<Child> children) {
  const auto outer = make.site(), inner = make.site(), tasks = make.site(SiteKind::Tasks);
  const NodeId spawner = make.task({{make.section(tasks, children), 1}});
  const NodeId first = make.task({{make.section(inner, {{spawner, 1}}), 1}});
  const NodeId second = make.task({{make.u(10), 1}, {make.l(0, 100), 1}});
  return ticks(make.root({{make.section(outer, {{first, 1}, {second, 1}}), 1}}), runtime, 2);
}

TEST(GnuTasks, ATeamOfOneLeavesThemForItsNextWait) {
  // The task holds the lock from 0 to 100 under libomp. libgomp's asks for it at 50, behind the
  // other iteration, which has it until 110.
  TreeMaker gnu, llvm;
  const auto task = [](TreeMaker &make) { return Child{make.task({{make.l(0, 100), 1}}), 1}; };
  EXPECT_EQ(besideALock(llvm, libomp, {task(llvm), {llvm.u(50), 1}}), 200);
  EXPECT_EQ(besideALock(gnu, libgomp, {task(gnu), {gnu.u(50), 1}}), 210);
}

TEST(GnuTasks, ATeamOfOneTakesTheNewestAndLeavesNoMoreThan65) {
  // The lock's task is the last of 65 and the first that is run, at 50; of 66 it is run at once.
  TreeMaker some, more;
  const auto task = [](TreeMaker &make) { return Child{make.task({{make.l(0, 100), 1}}), 1}; };
  EXPECT_EQ(besideALock(some, libgomp, {{some.work(1), 64}, task(some), {some.u(50), 1}}),
            210 + 64);
  EXPECT_EQ(besideALock(more, libgomp, {{more.work(1), 65}, task(more), {more.u(50), 1}}),
            150 + 65);
}

TEST(GnuTasks, ATaskloopMakesOneAThread) { // 3 3 2 2; libomp makes ten of 1
  TreeMaker make;
  const auto site = make.site();
  const Tree &tree = make.root({{make.section(site, {{make.work(1), 10}}), 1}});
  EXPECT_EQ(ticks(tree, libgomp, 4, Paradigm::Tasks), 3);
  EXPECT_EQ(ticks(tree, libomp, 4, Paradigm::Tasks, {100, 0, 0}),
            10 * 100 + 1); // each is taken at once
  EXPECT_EQ(ticks(tree, libgomp, 1, Paradigm::Tasks, {100, 0, 7}), 10 + 100 + 7);
}

TEST(GnuTasks, WhatAnotherThreadTakesCostsIt) {
  // Two tasks of 100. Created at 1, taken by thread 1: 10 + 100. Created at 2, waited for from 5
  // on, run by its creator until 105.
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const Tree &tree = make.root({{make.section(site, {{make.work(100), 2}}), 1}});
  EXPECT_EQ(ticks(tree, libgomp, 2, Paradigm::OpenMP, {1, 10, 3}), 111);
}

} // namespace
