//===- ByHandTest.cpp - Constructs that are ended without a handle ------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Recording.h"

#include "runtime/src/by_hand.h"

namespace {

/// Where the frames of the program's functions end; a callee's is further down.
enum Stack : std::uintptr_t { inMain = 0x9000, inF = 0x8000, inConstructor = 0x8800 };

struct ByHand : testing::Test {
  Recording r;
  std::uint64_t now = 1000;

  ByHand &run(std::uint64_t ticks) {
    now += ticks;
    r.run(ticks);
    return *this;
  }
  void section(Stack stack = inMain, const char *site = Recording::outer) {
    recorder_open_section(&r.recorder, site, stack, now);
  }
  void endSection(Stack stack = inMain, bool nowait = false) {
    recorder_close_section(&r.recorder, nowait, stack, now);
  }
  void task() { recorder_open_task(&r.recorder, now); }
  void endTask(Stack stack = inMain) { recorder_close_task(&r.recorder, stack, now); }
  void next(Stack stack = inMain) {
    if (recorder_leave_task(&r.recorder, stack, now))
      recorder_open_task(&r.recorder, now);
  }
  void lock(std::uint64_t value, const char *text = "m") {
    recorder_open_lock(&r.recorder, text, value, now);
  }
  void endLock(std::uint64_t value, const char *text = "m") {
    recorder_close_lock(&r.recorder, text, value, now);
  }
  void work(std::uint64_t ticks, Stack stack = inMain) {
    task();
    run(ticks).endTask(stack);
  }
  std::uint64_t count(const char *counter) { return r.tree["profiler"][counter]; }
};

// The program of the paper's Figure 4.
TEST_F(ByHand, RecordsFigure4) {
  section();
  for (bool p3 : {true, false}) {
    task();
    run(100).lock(1);
    run(20).endLock(1);
    if (p3) {
      section(inMain, Recording::inner);
      for (int length : {50, 50, 40, 40})
        work(length);
      endSection();
    }
    run(30).endTask();
  }
  endSection();
  EXPECT_EQ(r.show(), "root[s0[task[U(100) L0(20) s1[2*task[U(50)] 2*task[U(40)]] U(30)] "
                      "task[U(100) L0(20) U(30)]]]");
  EXPECT_EQ(r.open, 0u);
  EXPECT_EQ(count("mismatched_ends"), 0u);
}

TEST_F(ByHand, NowaitMarksTheSite) {
  section(inMain, Recording::inner);
  work(10);
  endSection(inMain, true);
  section();
  work(10);
  endSection();
  r.finish();
  EXPECT_EQ(r.tree["sites"][0]["nowait"], true);
  EXPECT_EQ(r.tree["sites"][1]["nowait"], false);
}

TEST_F(ByHand, IterationTasksEndEachOther) {
  section();
  for (int i = 0; i < 3; ++i) {
    next();
    run(10);
  }
  endSection();
  run(5);
  EXPECT_EQ(r.show(), "root[s0[3*task[U(10)]] U(5)]");
  EXPECT_EQ(count("unfinished_tasks"), 0u);
}

TEST_F(ByHand, FunctionsMayWrapTheMacros) {
  section(inConstructor);
  section(inConstructor, Recording::inner);
  work(10, inF);
  endSection(inF);
  endSection(inF);
  EXPECT_EQ(r.show(), "root[s0[task[s1[task[U(10)]]]]]");
  EXPECT_EQ(r.open, 0u);
  EXPECT_EQ(count("unfinished_tasks"), 0u);
}

// f returns early out of its section; main's ends are its own.
TEST_F(ByHand, EndMeansTheSameFunctionsBegin) {
  section();
  task();
  run(1).section(inF, Recording::inner);
  task();
  run(2).endTask();
  work(3);
  endSection();
  EXPECT_EQ(r.show(), "root[s0[task[U(1) s1[task[U(2)]]] task[U(3)]]]");
  EXPECT_EQ(r.open, 0u);
  EXPECT_EQ(count("abandoned_sections"), 1u);
  EXPECT_EQ(count("mismatched_ends"), 0u);
}

TEST_F(ByHand, RecursionEndsTheInnermost) {
  for (unsigned depth : {1, 2, 3}) {
    section(Stack(inMain - 64 * depth));
    task();
    run(10);
  }
  for (unsigned depth : {3, 2, 1}) {
    endTask(Stack(inMain - 64 * depth));
    endSection(Stack(inMain - 64 * depth));
  }
  EXPECT_EQ(r.show(), "root[s0[task[U(10) s0[task[U(10) s0[task[U(10)]]]]]]]");
  EXPECT_EQ(r.open, 0u);
}

TEST_F(ByHand, EndsStayInsideWhatThePluginOpened) {
  section();
  task();
  unsigned loop = r.section(Recording::inner), iteration = r.task();
  run(10).endTask();
  endSection();
  task();
  r.endTask(iteration);
  r.endSection(loop);
  endTask();
  endSection();
  EXPECT_EQ(r.show(), "root[s0[task[s1[task[U(10)]]]]]");
  EXPECT_EQ(count("mismatched_ends"), 2u);
  EXPECT_EQ(count("misplaced_tasks"), 1u);
}

TEST_F(ByHand, UnmatchedEndsAreCounted) {
  endSection();
  endTask();
  endLock(1);
  task();
  run(1).endTask();
  EXPECT_EQ(r.show(), "root[U(1)]");
  EXPECT_EQ(count("mismatched_ends"), 4u);
  EXPECT_EQ(count("misplaced_tasks"), 1u);
}

TEST_F(ByHand, SectionInsideALockIsTheLocksTime) {
  lock(1);
  section();
  work(10);
  endSection();
  run(5).endLock(1);
  EXPECT_EQ(r.show(), "root[L0(15)]");
  EXPECT_EQ(count("sections_in_locks"), 1u);
  EXPECT_EQ(count("mismatched_ends"), 0u);
}

TEST_F(ByHand, LocksAreReleasedInAnyOrder) {
  lock(1, "a");
  run(1).lock(2, "b");
  run(2).endLock(1, "a");
  run(3).lock(3, "c");
  run(4).endLock(2, "b");
  run(5).endLock(3, "c");
  run(6);
  EXPECT_EQ(r.show(), "root[L0[U(1) L1(2)] L1[U(3) L2(4)] L2(5) U(6)]");
  EXPECT_EQ(count("mismatched_ends"), 0u);
}

TEST_F(ByHand, LockTakenTwiceIsReleasedTwice) {
  lock(1);
  run(1).lock(1);
  run(2).endLock(1);
  run(3).endLock(1);
  EXPECT_EQ(r.show(), "root[L0(6)]");
  EXPECT_EQ(count("recursive_locks"), 1u);
}

TEST_F(ByHand, ValuesAreLocksAndTheirTextsNames) {
  const char *const texts[] = {"&a", "mutex[i]", "mutex[i]", "7", "&b", "\"by name\""};
  const std::uint64_t values[] = {10, 11, 12, 7, 10, 99};
  for (int i = 0; i < 6; ++i) {
    lock(values[i], texts[i]);
    run(1).endLock(values[i], texts[i]);
  }
  r.finish();
  EXPECT_EQ(r.tree["locks"],
            (nlohmann::json{"&a", "mutex[i]", "mutex[i] #3", "lock 7", "by name"}));
}

TEST_F(ByHand, WhatBeginsInAPauseEndsInItToo) {
  section();
  task();
  run(10);
  r.pause();
  section(inF, Recording::inner);
  work(1, inF);
  next(inF);
  lock(1);
  run(2).endLock(1);
  endSection(inF);
  r.resume();
  run(20).endTask();
  endSection();
  EXPECT_EQ(r.show(), "root[s0[task[U(30)]]]");
  EXPECT_EQ(r.open, 0u);
  EXPECT_EQ(count("mismatched_ends"), 0u);
}

} // namespace
