//===- SpawnTest.cpp - Tasks that open their section ----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Recording.h"

namespace {

// The first spawn opens the section, the second finds it, and what lies between them is its own.
TEST(Spawn, FirstTaskOpensTheSection) {
  Recording r;
  unsigned tasks = 0;
  r.run(5).spawnWork(tasks, 10);
  EXPECT_NE(tasks, 0u);
  r.run(20).spawnWork(tasks, 30);
  r.run(40).endTasks(tasks);
  EXPECT_EQ(tasks, 0u);
  r.run(50);
  EXPECT_EQ(r.show(), "root[U(5) s0[task[U(10)] U(20) task[U(30)] U(40)] U(50)]");
  EXPECT_EQ(r.tree["sites"][0]["kind"], "tasks");
  EXPECT_EQ(r.open, 0u);
}

TEST(Spawn, WaitingForNothingIsNoEvent) {
  Recording r;
  unsigned tasks = 0;
  r.endTasks(tasks);
  r.run(7).endTasks(tasks);
  EXPECT_EQ(r.show(), "root[U(7)]");
  EXPECT_EQ(r.tree["profiler"]["mismatched_ends"], 0);
}

TEST(Spawn, AfterAWaitASectionOpensAnew) {
  Recording r;
  unsigned tasks = 0;
  for (int round = 0; round < 2; ++round) {
    r.spawnWork(tasks, 10);
    r.endTasks(tasks);
  }
  EXPECT_EQ(r.show(), "root[2*s0[task[U(10)]]]");
}

TEST(Spawn, AnExplicitSectionIsFoundToo) {
  Recording r;
  unsigned tasks = r.section(Recording::spawner);
  r.run(5).spawnWork(tasks, 10);
  r.spawnWork(tasks, 10);
  r.endTasks(tasks);
  EXPECT_EQ(r.show(), "root[s0[U(5) 2*task[U(10)]]]");
}

TEST(Spawn, TasksOfATaskAreItsOwn) {
  Recording r;
  unsigned outer = 0, inner = 0;
  unsigned task = r.spawn(outer);
  r.run(1).spawnWork(inner, 2);
  r.spawnWork(inner, 2);
  r.run(3).endTasks(inner);
  r.run(4).endTask(task);
  r.run(5).spawnWork(outer, 6);
  r.endTasks(outer);
  EXPECT_EQ(r.show(), "root[s0[task[U(1) s0[2*task[U(2)] U(3)] U(4)] U(5) task[U(6)]]]");
}

TEST(Spawn, SectionOfAnIterationLiesInItsTask) {
  Recording r;
  unsigned loop = r.section();
  for (int i = 0; i < 3; ++i) {
    unsigned task = r.task(), tasks = 0;
    r.spawnWork(tasks, 10);
    r.endTasks(tasks);
    r.run(5).endTask(task);
  }
  r.endSection(loop);
  EXPECT_EQ(r.show(), "root[s0[3*task[s1[task[U(10)]] U(5)]]]");
}

// A construct around the section ended first, as longjmp does it; then another has its place.
TEST(Spawn, StaleHandleOpensANewSection) {
  Recording r;
  unsigned stale = 0, other = 0;
  unsigned loop = r.section(), task = r.task();
  r.spawnWork(stale, 10);
  r.endSection(loop);
  loop = r.section();
  task = r.task();
  r.spawnWork(other, 20);
  r.spawnWork(stale, 30);
  r.endTasks(stale);
  r.spawnWork(other, 40);
  r.endTasks(other);
  r.endTask(task);
  r.endSection(loop);
  EXPECT_EQ(r.show(), "root[s0[task[s1[task[U(10)]]]] "
                      "s0[task[s1[task[U(20)] s1[task[U(30)]] task[U(40)]]]]]");
  EXPECT_EQ(r.tree["profiler"]["mismatched_ends"], 0);
}

TEST(Spawn, StaleHandleClosesNothing) {
  Recording r;
  unsigned stale = 0, other = 0;
  unsigned loop = r.section();
  r.task();
  r.spawnWork(stale, 10);
  r.endSection(loop);
  loop = r.section();
  r.task();
  unsigned task = r.spawn(other);
  r.run(5).endTasks(stale);
  EXPECT_EQ(stale, 0u);
  r.run(20).endTask(task);
  r.endSection(loop);
  EXPECT_EQ(r.show(), "root[s0[task[s1[task[U(10)]]]] s0[task[s1[task[U(25)]]]]]");
  EXPECT_EQ(r.tree["profiler"]["mismatched_ends"], 1);
}

TEST(Spawn, TaskLeftByLongjmpIsClosedByTheNext) {
  Recording r;
  unsigned tasks = 0;
  r.spawn(tasks);
  r.run(10).lock();
  r.run(5).spawnWork(tasks, 20);
  r.endTasks(tasks);
  EXPECT_EQ(r.show(), "root[s0[task[U(10) L0(5)] task[U(20)]]]");
  EXPECT_EQ(r.tree["profiler"]["unfinished_tasks"], 1);
}

TEST(Spawn, TasksUnderALockAreTheLocksTime) {
  Recording r;
  unsigned tasks = 0, inside = 0;
  r.spawnWork(tasks, 1);
  unsigned lock = r.lock();
  r.spawnWork(tasks, 2);
  r.spawnWork(inside, 3);
  EXPECT_EQ(inside, 0u);
  r.endLock(lock);
  r.spawnWork(tasks, 4);
  r.endTasks(tasks);
  EXPECT_EQ(r.show(), "root[s0[task[U(1)] L0(5) task[U(4)]]]");
  EXPECT_EQ(r.tree["profiler"]["sections_in_locks"], 2);
}

TEST(Spawn, ExplicitSectionUnderALockEndsWithIt) {
  Recording r;
  unsigned lock = r.lock();
  unsigned tasks = r.section(Recording::spawner);
  r.spawnWork(tasks, 3);
  r.endTasks(tasks);
  r.endLock(lock);
  EXPECT_EQ(r.show(), "root[L0(3)]");
  EXPECT_EQ(r.tree["profiler"]["mismatched_ends"], 0);
}

TEST(Spawn, FunctionsThatAreGoneHaveNoSections) {
  Recording r;
  unsigned gone = 0, tasks = 0;
  recorder_spawn_begin(&r.recorder, &gone, Recording::spawner, 0x6000, 1000);
  r.run(10);
  unsigned task = recorder_spawn_begin(&r.recorder, &tasks, Recording::spawner, 0x7000, 1010);
  r.run(20).endTask(task);
  r.endTasks(tasks);
  EXPECT_EQ(r.show(), "root[s0[task[U(10)]] s0[task[U(20)]]]");
  EXPECT_EQ(r.tree["profiler"]["abandoned_sections"], 1);
}

// A variable that is 0 again, in the same place, is another call's: longjmp left the one before.
TEST(Spawn, VariableInTheSamePlaceIsAnother) {
  Recording r;
  unsigned tasks = 0;
  r.spawn(tasks);
  r.run(10);
  tasks = 0;
  r.spawnWork(tasks, 20);
  r.endTasks(tasks);
  EXPECT_EQ(r.show(), "root[s0[task[U(10)]] s0[task[U(20)]]]");
  EXPECT_EQ(r.tree["profiler"]["abandoned_sections"], 1);
}

// Between tasks: the profiler's own 5 and at most a noise of 1. Beginning a task takes it 3.
TEST(Spawn, ProfilersOwnTimeIsInNoTask) {
  Recording r;
  r.recorder.overhead.between_spawned = 5;
  unsigned tasks = 0;
  for (int gap : {0, 4, 6, 50}) {
    r.run(gap);
    unsigned task = r.spawn(tasks);
    r.run(3).skip(3);
    r.run(100).endTask(task);
  }
  r.endTasks(tasks);
  EXPECT_EQ(r.show(), "root[s0[2*task[U(100)] task[U(101)] U(50) task[U(100)]]]");
  EXPECT_EQ(r.tree["profiler"]["subtracted_ticks"], 4 * 3 + 4 + 5);
}

TEST(Spawn, BeginningATaskInAPauseTakesNoTime) {
  Recording r;
  unsigned tasks = 0;
  r.pause();
  r.spawn(tasks);
  r.run(3).skip(3);
  r.resume();
  r.run(5);
  EXPECT_EQ(r.show(), "root[U(5)]");
  EXPECT_EQ(r.tree["profiler"]["subtracted_ticks"], 0);
  EXPECT_EQ(r.tree["profiler"]["paused_ticks"], 3);
}

/// An inlined function's variable lies in its caller's frame, above where the caller's calls begin.
TEST(Spawn, TheSectionOfAnInlinedCallLeavesItsCallersOpen) {
  Recording r;
  unsigned variables[2] = {0, 0};
  const auto stack = reinterpret_cast<std::uintptr_t>(variables) - 64;
  unsigned outer = recorder_section_begin(&r.recorder, Recording::spawner, stack, 1000);
  unsigned task = recorder_spawn_begin(&r.recorder, &variables[1], Recording::spawner, stack, 1000);
  r.run(20).endTask(task);
  r.endTasks(variables[1]);
  r.endSection(outer);
  EXPECT_EQ(r.show(), "root[s0[s0[task[U(20)]]]]");
  EXPECT_EQ(r.tree["profiler"]["abandoned_sections"], 0);
}

/// fib(n), every call a task of its caller's.
void fib(Recording &r, int n) {
  r.run(10);
  if (n < 2)
    return;
  unsigned tasks = 0;
  for (int part : {n - 1, n - 2}) {
    unsigned task = r.spawn(tasks);
    fib(r, part);
    r.endTask(task);
  }
  r.endTasks(tasks);
}

TEST(Spawn, RecursionSharesItsEqualParts) {
  Recording r;
  fib(r, 20);
  r.finish();
  EXPECT_EQ(r.total(), 10.0 * 21891); // calls of fib(20)
  EXPECT_EQ(r.tree["profiler"]["events"], 2 * (21890 + 10945));
  EXPECT_LT(r.tree["nodes"].size(), 4u * 20);
}

TEST(Spawn, RecursionMayBeFiveThousandDeep) {
  constexpr unsigned depth = 5000;
  Recording r;
  std::vector<unsigned> tasks(depth), handles;
  for (unsigned &variable : tasks) {
    handles.push_back(r.spawn(variable));
    r.run(10);
  }
  for (unsigned i = depth; i-- > 0;) {
    r.endTask(handles[i]);
    r.spawnWork(tasks[i], 20);
    r.endTasks(tasks[i]);
  }
  r.finish();
  EXPECT_EQ(r.open, 0u);
  EXPECT_EQ(r.total(), 30.0 * depth);
  EXPECT_EQ(r.tree["profiler"]["mismatched_ends"], 0);
}

} // namespace
