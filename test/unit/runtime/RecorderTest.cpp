//===- RecorderTest.cpp - Events make the tree that they describe --------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Recording.h"

namespace {

// The program of the paper's Figure 4: a task computes, holds a lock, runs an inner loop of four
// iterations when p3 says so, and computes again.
TEST(Recorder, RecordsFigure4) {
  Recording r;
  r.run(10);
  unsigned loop1 = r.section();
  for (bool p3 : {true, false}) {
    unsigned t1 = r.task();
    unsigned lock1 = r.run(100).lock();
    r.run(20).endLock(lock1);
    if (p3) {
      unsigned loop2 = r.run(5).section(Recording::inner);
      for (int length : {50, 50, 40, 40})
        r.work(length);
      r.endSection(loop2);
    }
    r.run(30).endTask(t1);
  }
  r.endSection(loop1);
  r.run(7);
  EXPECT_EQ(r.show(),
            "root[U(10) s0[task[U(100) L0(20) U(5) s1[2*task[U(50)] 2*task[U(40)]] U(30)] "
            "task[U(100) L0(20) U(30)]] U(7)]");
  EXPECT_EQ(r.tree["sites"][0]["name"], "loop1");
  EXPECT_EQ(r.tree["locks"][0], "m");
  EXPECT_EQ(r.open, 0u);
}

TEST(Recorder, TimeBetweenTasksBelongsToTheNextOne) {
  Recording r;
  unsigned section = r.section();
  r.run(3).work(10);
  r.run(4).work(10);
  r.run(5).endSection(section);
  EXPECT_EQ(r.show(), "root[s0[task[U(13)] task[U(14)]] U(5)]");
}

TEST(Recorder, EndClosesWhatIsOpenInside) {
  Recording r;
  unsigned section = r.section();
  r.task();
  r.run(10).lock();
  r.run(20).endSection(section); // as an exception or longjmp leaves them
  r.run(1);
  EXPECT_EQ(r.show(), "root[s0[task[U(10) L0(20)]] U(1)]");
  EXPECT_EQ(r.open, 0u);
}

TEST(Recorder, FinishClosesWhatIsOpen) {
  Recording r;
  r.section();
  r.task();
  r.run(10).section(Recording::inner);
  r.task();
  r.run(20);
  EXPECT_EQ(r.show(), "root[s0[task[U(10) s1[task[U(20)]]]]]");
  EXPECT_EQ(r.open, 4u);
}

TEST(Recorder, LockInsideLockBecomesAParent) {
  Recording r;
  unsigned section = r.section();
  unsigned task = r.task();
  unsigned a = r.run(1).lock("a");
  unsigned b = r.run(2).lock("b");
  unsigned c = r.run(3).lock("c");
  r.run(4).endLock(c);
  r.run(5).endLock(b);
  b = r.run(6).lock("b");
  r.run(7).endLock(b);
  r.run(8).endLock(a);
  r.run(9).endTask(task);
  r.endSection(section);
  EXPECT_EQ(r.show(), "root[s0[task[U(1) L0[U(2) L1[U(3) L2(4) U(5)] U(6) L1(7) U(8)] U(9)]]]");
}

TEST(Recorder, LocksOutsideSectionsAreTheRootsChildren) {
  Recording r;
  unsigned a = r.run(5).lock("a");
  unsigned b = r.run(2).lock("b");
  r.run(3).endLock(b);
  r.run(1).endLock(a);
  r.run(6);
  EXPECT_EQ(r.show(), "root[U(5) L0[U(2) L1(3) U(1)] U(6)]");
}

TEST(Recorder, SpawnersOwnComputationLiesBetweenTasks) {
  Recording r;
  unsigned tasks = r.section(Recording::spawner);
  r.run(10).work(100);
  r.run(20).work(100);
  unsigned lock = r.run(30).lock();
  r.run(40).endLock(lock);
  unsigned inner = r.run(50).section(Recording::inner);
  r.work(60);
  r.endSection(inner);
  r.run(70).endSection(tasks);
  EXPECT_EQ(r.show(), "root[s0[U(10) task[U(100)] U(20) task[U(100)] U(30) L0(40) U(50) "
                      "s1[task[U(60)]] U(70)]]");
}

TEST(Recorder, RecursionMayBeTwentyThousandDeep) {
  constexpr unsigned depth = 20000;
  Recording r;
  std::vector<unsigned> handles;
  for (unsigned i = 0; i < depth; ++i) {
    handles.push_back(r.section());
    handles.push_back(r.task());
    r.run(1);
  }
  for (; !handles.empty(); handles.pop_back())
    handles.size() % 2 ? r.endSection(handles.back()) : r.endTask(handles.back());
  r.finish();
  EXPECT_EQ(r.open, 0u);
  EXPECT_EQ(r.tree["profiler"]["events"], 4 * depth);
  EXPECT_EQ(r.tree["profiler"]["mismatched_ends"], 0);
  std::size_t sections = 0;
  for (const auto &node : r.tree["nodes"])
    sections += node["kind"] == "section";
  EXPECT_EQ(sections, depth);
}

TEST(Recorder, OverheadIsTakenFromEachLeaf) {
  Recording r;
  r.recorder.overhead.ticks[FROM_TASK][TO_LOCK_BEGIN] = 3;
  r.recorder.overhead.ticks[FROM_LOCK_BEGIN][TO_LOCK_END] = 2;
  r.recorder.overhead.ticks[FROM_LOCK_END][TO_TASK_END] = 7;
  unsigned section = r.section();
  unsigned task = r.task();
  unsigned lock = r.run(100).lock();
  r.run(50).endLock(lock);
  r.run(6).endTask(task); // less than the overhead: nothing is left
  r.endSection(section);
  EXPECT_EQ(r.show(), "root[s0[task[U(97) L0(48)]]]");
  EXPECT_EQ(r.tree["profiler"]["subtracted_ticks"], 3 + 2 + 6);
  EXPECT_EQ(r.tree["profiler"]["events"], 6);
}

// What looking a task up takes varies: it may be more than the next task lasts.
TEST(Recorder, TimeOfALookUpIsInNoTask) {
  Recording r;
  unsigned section = r.section();
  for (int i = 0; i < 2; ++i) {
    r.work(100);
    EXPECT_EQ(r.recorder.searched, i == 0);
    if (r.recorder.searched)
      r.run(50).skip(50);
  }
  r.run(3).endSection(section);
  r.finish();
  EXPECT_EQ(r.show(), "root[s0[2*task[U(100)]] U(3)]");
  EXPECT_EQ(r.tree["profiler"]["subtracted_ticks"], 50);
}

} // namespace
