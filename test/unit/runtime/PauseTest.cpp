//===- PauseTest.cpp - Time that belongs to no node -----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Recording.h"

namespace {

constexpr std::uint64_t away = 1000; ///< ticks of every pause here

struct Pause : testing::Test {
  Recording r;
  void pause() {
    r.pause();
    r.run(away).resume();
  }
  std::uint64_t paused() { return r.tree["profiler"]["paused_ticks"]; }
};

TEST_F(Pause, OutsideSectionsLeavesTheRootsTime) {
  r.run(5);
  pause();
  r.run(6).endSection(r.section());
  r.run(7);
  pause();
  EXPECT_EQ(r.show(), "root[U(11) s0[] U(7)]");
  EXPECT_EQ(paused(), 2 * away);
}

TEST_F(Pause, BetweenTasksAndInsideThem) {
  unsigned section = r.section();
  pause();
  r.work(10);
  r.run(2);
  pause();
  r.work(8);
  for (int i = 0; i < 3; ++i) {
    unsigned task = r.task();
    r.run(4);
    pause();
    r.run(6).endTask(task);
  }
  r.work(10);
  pause();
  r.endSection(section);
  r.run(1);
  EXPECT_EQ(r.show(), "root[s0[6*task[U(10)]] U(1)]");
  EXPECT_EQ(paused(), 6 * away);
}

TEST_F(Pause, InsideALock) {
  unsigned section = r.section(), task = r.task();
  unsigned lock = r.run(1).lock();
  r.run(2);
  pause();
  r.run(3).endLock(lock);
  r.run(4).endTask(task);
  r.endSection(section);
  EXPECT_EQ(r.show(), "root[s0[task[U(1) L0(5) U(4)]]]");
}

TEST_F(Pause, BetweenSpawnedTasks) {
  unsigned tasks = 0;
  r.spawnWork(tasks, 10);
  r.run(3);
  pause();
  r.run(4).spawnWork(tasks, 10);
  pause();
  r.endTasks(tasks);
  EXPECT_EQ(r.show(), "root[s0[task[U(10)] U(7) task[U(10)]]]");
}

TEST_F(Pause, WhatBeginsInBetweenIsNotRecorded) {
  unsigned section = r.section(), task = r.task(), tasks = 0;
  r.run(10).pause();
  unsigned inner = r.run(1).section(Recording::inner);
  r.work(2);
  unsigned lock = r.lock();
  r.run(3).endLock(lock);
  r.endSection(inner);
  r.spawnWork(tasks, 4);
  r.endTasks(tasks);
  r.resume();
  r.run(20).endTask(task);
  r.endSection(section);
  EXPECT_EQ(r.show(), "root[s0[task[U(30)]]]");
  EXPECT_EQ(r.tree["profiler"]["mismatched_ends"], 0);
  EXPECT_EQ(r.tree["profiler"]["dropped_events"], 0);
  EXPECT_EQ(paused(), 10u);
}

TEST_F(Pause, WhatEndsInBetweenEndsAtItsStart) {
  unsigned section = r.section(), task = r.task();
  unsigned lock = r.run(1).lock();
  r.run(2).pause();
  r.run(away).endLock(lock);
  r.run(away).endTask(task);
  r.work(away);
  r.endSection(section);
  r.run(away).resume();
  r.run(3);
  EXPECT_EQ(r.show(), "root[s0[task[U(1) L0(2)]] U(3)]");
  EXPECT_EQ(paused(), 4 * away);
}

TEST_F(Pause, TaskBegunBeforeItMayEndInIt) {
  unsigned section = r.section();
  for (int i = 0; i < 3; ++i) {
    unsigned task = r.task();
    r.run(10).pause();
    r.run(away).endTask(task);
    r.resume();
  }
  r.work(10);
  r.endSection(section);
  EXPECT_EQ(r.show(), "root[s0[4*task[U(10)]]]");
}

TEST_F(Pause, PausesNest) {
  r.run(1).pause();
  r.run(2).pause();
  r.run(3).resume();
  EXPECT_EQ(r.section(), NO_HANDLE);
  r.run(4).resume();
  r.run(5);
  EXPECT_EQ(r.show(), "root[U(6)]");
  EXPECT_EQ(paused(), 9u);
}

TEST_F(Pause, MayStayOpen) {
  r.section();
  r.task();
  r.run(5).pause();
  r.run(away);
  EXPECT_EQ(r.show(), "root[s0[task[U(5)]]]");
  EXPECT_EQ(paused(), away);
}

TEST_F(Pause, ResumeWithoutOneIsCounted) {
  r.run(1).resume();
  r.run(2);
  EXPECT_EQ(r.show(), "root[U(3)]");
  EXPECT_EQ(r.tree["profiler"]["mismatched_ends"], 1);
}

} // namespace
