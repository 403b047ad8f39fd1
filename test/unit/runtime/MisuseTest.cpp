//===- MisuseTest.cpp - What does not fit is counted and does no harm ----===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Recording.h"

#include <cstring>

namespace {

TEST(Misuse, EndsWithoutBeginAreCounted) {
  Recording r;
  unsigned section = r.section();
  unsigned task = r.task();
  r.run(10).endTask(task);
  r.endTask(task);
  r.endLock(task);
  r.endSection(section);
  r.endSection(section);
  r.endTask(NO_HANDLE); // the handle of a begin that was not recorded
  r.endTask(0);         // nothing was begun
  r.endSection(0);
  EXPECT_EQ(r.show(), "root[s0[task[U(10)]]]");
  EXPECT_EQ(r.tree["profiler"]["mismatched_ends"], 3);
}

TEST(Misuse, TaskOutsideSectionsIsComputation) {
  Recording r;
  unsigned task = r.run(5).task();
  r.run(10).endTask(task);
  EXPECT_EQ(r.show(), "root[U(15)]");
  EXPECT_EQ(r.tree["profiler"]["misplaced_tasks"], 1);
}

TEST(Misuse, TaskWithoutEndIsClosedByTheNext) {
  Recording r;
  unsigned section = r.section();
  r.task();
  r.run(10).task();
  r.run(10).lock();
  unsigned last = r.run(5).task();
  r.run(10).endTask(last);
  r.endSection(section);
  EXPECT_EQ(r.show(), "root[s0[task[U(10)] task[U(10) L0(5)] task[U(10)]]]");
  EXPECT_EQ(r.tree["profiler"]["unfinished_tasks"], 2);
}

TEST(Misuse, WhatIsInNoTaskIsGivenOne) {
  Recording r;
  unsigned section = r.section();
  unsigned lock = r.run(1).lock();
  r.run(2).endLock(lock);
  unsigned inner = r.run(3).section(Recording::inner);
  r.work(4);
  r.endSection(inner);
  r.run(5).endSection(section);
  EXPECT_EQ(r.show(), "root[s0[task[U(1) L0(2)] task[U(3) s1[task[U(4)]]]] U(5)]");
}

TEST(Misuse, SectionInsideALockIsTheLocksTime) {
  Recording r;
  unsigned section = r.section();
  unsigned task = r.task();
  unsigned lock = r.run(1).lock();
  unsigned inner = r.run(2).section(Recording::inner);
  r.run(3).work(4);
  unsigned other = r.run(5).lock("other");
  r.run(6).endLock(other);
  r.endSection(inner);
  r.run(7).endLock(lock);
  r.run(8).endTask(task);
  r.endSection(section);
  EXPECT_EQ(r.show(), "root[s0[task[U(1) L0[U(14) L1(6) U(7)] U(8)]]]");
  EXPECT_EQ(r.tree["profiler"]["sections_in_locks"], 1);
}

TEST(Misuse, LockTakenWhileHeldIsComputation) {
  Recording r;
  unsigned section = r.section();
  unsigned task = r.task();
  unsigned outer = r.lock();
  unsigned again = r.run(2).lock();
  r.run(3).endLock(again);
  r.run(4).endLock(outer);
  r.endTask(task);
  r.endSection(section);
  EXPECT_EQ(r.show(), "root[s0[task[L0(9)]]]");
  EXPECT_EQ(r.tree["profiler"]["recursive_locks"], 1);
}

// A longjmp past a section's end: the next section is opened by a function further up the stack.
TEST(Misuse, SectionsOfFunctionsThatAreGoneAreClosed) {
  Recording r;
  r.section(Recording::outer, 0x7000);
  r.task();
  r.run(10).section(Recording::inner, 0x6000);
  r.task();
  unsigned next = r.run(20).section(Recording::outer, 0x8000);
  r.work(30);
  r.endSection(next);
  EXPECT_EQ(r.show(), "root[s0[task[U(10) s1[task[U(20)]]]] s0[task[U(30)]]]");
  EXPECT_EQ(r.tree["profiler"]["abandoned_sections"], 2);
}

TEST(Misuse, EventsOfASignalHandlerInsideTheRecorderAreDropped) {
  Recording r;
  unsigned section = r.section();
  unsigned task = r.task();
  const std::uint32_t state = r.recorder.state;
  r.recorder.state = STATE_FAST; // as the handler finds it
  EXPECT_EQ(r.section(), NO_HANDLE);
  EXPECT_EQ(r.task(), NO_HANDLE);
  EXPECT_EQ(r.lock(), NO_HANDLE);
  r.recorder.state = state;
  r.run(10).endTask(task);
  r.endSection(section);
  EXPECT_EQ(r.show(), "root[s0[task[U(10)]]]");
  EXPECT_EQ(r.tree["profiler"]["dropped_events"], 3);
}

TEST(Misuse, FullMemoryEndsTheRecordingAndIsSaid) {
  Recording r;
  r.recorder.limits.cells = 100;
  unsigned section = r.section();
  for (int i = 0; i < 1000; ++i)
    r.work(100 + i);
  r.endSection(section);
  r.finish();
  EXPECT_EQ(r.tree["profiler"]["out_of_memory"], true);
  EXPECT_GT(r.tree["profiler"]["dropped_events"], 1000);
  std::uint64_t recorded = 0;
  for (int i = 0; i < 99; ++i)
    recorded += 100 + i;
  EXPECT_GE(r.total(), recorded);
}

TEST(Misuse, NamesOutliveTheirMemory) {
  Recording r;
  char site[] = "parallel_for|a.c|1|first|", lock[] = "first";
  for (int i = 0; i < 2; ++i) {
    unsigned section = r.section(site), task = r.task();
    unsigned handle = r.run(5).lock(lock);
    r.run(5).endLock(handle);
    r.endTask(task);
    r.endSection(section);
    std::strcpy(site, "parallel_for|a.c|1|other|");
    std::strcpy(lock, "other");
  }
  std::strcpy(site, "unloaded");
  std::strcpy(lock, "gone");
  r.finish();
  EXPECT_EQ(r.tree["sites"][0]["name"], "first");
  EXPECT_EQ(r.tree["sites"][1]["name"], "other");
  EXPECT_EQ(r.tree["locks"], (nlohmann::json{"first", "other"}));
}

} // namespace
