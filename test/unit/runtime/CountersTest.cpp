//===- CountersTest.cpp - What is counted belongs to outermost sections --===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/src/counters.h"
#include "Recording.h"

namespace {

/// A processor whose counters are moved by hand.
struct Processor {
  static inline long long values[COUNTED_KINDS];
  static inline bool isBroken;

  static int read(int, long long *to) {
    if (isBroken)
      return -1;
    std::copy_n(values, COUNTED_KINDS, to);
    return 0;
  }
};

class Counters : public testing::Test {
protected:
  Counters() : counters(std::make_unique<struct counters>()) {
    std::fill_n(Processor::values, COUNTED_KINDS, 1000);
    Processor::isBroken = false;
    counters->counting = true;
    counters->miss_event = "PAPI_L3_TCM";
    counters->read = Processor::read;
    recording.counters = counters.get();
  }

  void count(long long instructions, long long cycles, long long misses) {
    Processor::values[COUNTED_INSTRUCTIONS] += instructions;
    Processor::values[COUNTED_CYCLES] += cycles;
    Processor::values[COUNTED_LLC_MISSES] += misses;
  }
  bool follow() { return counters_follow(counters.get(), &recording.recorder); }

  Recording recording;
  std::unique_ptr<struct counters> counters;
};

TEST_F(Counters, SumUpASitesExecutions) {
  for (long long i = 1; i <= 3; ++i) {
    count(7, 7, 7); // serial code's
    const unsigned section = recording.run(10).section();
    EXPECT_TRUE(follow());
    recording.work(5);
    count(100 * i, 50 * i, i);
    recording.endSection(section);
    EXPECT_TRUE(follow());
    EXPECT_FALSE(follow());
  }
  EXPECT_EQ(recording.finish()["sites"][0]["memory"],
            (nlohmann::json{{"source", "papi"},
                            {"executions", 3},
                            {"instructions", 600},
                            {"cycles", 300},
                            {"llc_misses", 6},
                            {"miss_event", "PAPI_L3_TCM"}}));
  EXPECT_EQ(recording.tree["profiler"]["counters"], "papi");
}

TEST_F(Counters, AreTheOutermostSections) {
  const unsigned outer = recording.section();
  EXPECT_TRUE(follow());
  const unsigned task = recording.task();
  count(1, 1, 1);
  const unsigned inner = recording.run(3).section(Recording::inner);
  EXPECT_FALSE(follow());
  recording.work(4);
  count(10, 10, 10);
  recording.endSection(inner);
  EXPECT_FALSE(follow());
  recording.endTask(task);
  recording.endSection(outer);
  EXPECT_TRUE(follow());
  const nlohmann::json &sites = recording.finish()["sites"];
  EXPECT_EQ(sites[0]["memory"]["instructions"], 11);
  EXPECT_FALSE(sites[1].contains("memory"));
}

TEST_F(Counters, AreSpawnersToo) {
  unsigned tasks = 0;
  recording.run(3).spawnWork(tasks, 5);
  EXPECT_TRUE(follow());
  count(0, 12, 0);
  recording.endTasks(tasks);
  EXPECT_TRUE(follow());
  EXPECT_EQ(recording.finish()["sites"][0]["memory"]["cycles"], 12);
}

TEST_F(Counters, OfAnAbandonedSectionEndWhereTheNextBegins) {
  recording.run(1).section(Recording::outer, 100);
  EXPECT_TRUE(follow());
  count(5, 5, 5);
  const unsigned next = recording.run(1).section(Recording::outer, 200); // further up the stack
  EXPECT_TRUE(follow());
  count(2, 2, 2);
  recording.endSection(next);
  EXPECT_TRUE(follow());
  const nlohmann::json memory = recording.finish()["sites"][0]["memory"];
  EXPECT_EQ(memory["executions"], 2);
  EXPECT_EQ(memory["llc_misses"], 7);
}

TEST_F(Counters, ThatCannotBeReadCountNothing) {
  Processor::isBroken = true;
  const unsigned section = recording.section();
  follow();
  recording.run(9).endSection(section);
  Processor::isBroken = false;
  follow();
  EXPECT_FALSE(recording.finish()["sites"][0].contains("memory"));
}

TEST_F(Counters, AreMissedForAReason) {
  *counters = {};
  counters->reason[0] = '"';
  EXPECT_EQ(recording.finish()["profiler"]["no_counters"], "\"");
  EXPECT_FALSE(recording.tree["profiler"].contains("counters"));
}

} // namespace
