//===- CompressionTest.cpp - Merging keeps sums and real imbalance -------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Recording.h"

#include <random>

namespace {

constexpr std::uint32_t fivePercent = 50000;

TEST(Compression, EqualTasksAreOneRun) {
  Recording r;
  unsigned section = r.section();
  for (int i = 0; i < 1000; ++i)
    r.work(100);
  r.endSection(section);
  EXPECT_EQ(r.show(), "root[s0[1000*task[U(100)]]]");
}

TEST(Compression, LengthsWithinToleranceShareTheirMean) {
  Recording r(fivePercent);
  unsigned section = r.section();
  for (int length : {1000, 1050, 950, 1001})
    r.work(length);
  r.work(1051);
  r.endSection(section);
  EXPECT_EQ(r.show(), "root[s0[4*task[U(1000.25)] task[U(1051)]]]");
}

TEST(Compression, ToleranceZeroKeepsEveryLength) {
  Recording r;
  unsigned section = r.section();
  for (int length : {1000, 1001, 1001, 1000})
    r.work(length);
  r.endSection(section);
  EXPECT_EQ(r.show(), "root[s0[task[U(1000)] 2*task[U(1001)] task[U(1000)]]]");
  EXPECT_EQ(r.tree["nodes"].size(), 2 * 2 + 2u) << "the first length's node is shared";
}

// Each length is 1 % above the one before. Against the first of a run, the sixth is out.
TEST(Compression, ReferenceDoesNotDrift) {
  Recording r(fivePercent);
  unsigned section = r.section();
  double length = 100000;
  for (int i = 0; i < 12; ++i, length *= 1.01)
    r.work(static_cast<std::uint64_t>(length));
  r.endSection(section);
  r.finish();
  double most = 0, least = 1e9;
  for (const auto &node : r.tree["nodes"])
    if (node["kind"] == "U" && node["length"] > 0) {
      most = std::max(most, node["length"].get<double>());
      least = std::min(least, node["length"].get<double>());
    }
  EXPECT_NEAR(least, 102020, 20);  // mean of the first five
  EXPECT_NEAR(most, 110010, 1200); // the last group's mean, not one mean for all twelve
}

// A cold first task of 61 ticks has room for 14, too (noise 48), but the run was of tasks like 12.
TEST(Compression, AfterAnOutlierTheRunBeforeItGoesOn) {
  Recording r(fivePercent, 48);
  unsigned section = r.section();
  r.work(61);
  for (int i = 0; i < 100; ++i)
    r.work(12);
  r.work(5000);
  for (int i = 0; i < 50; ++i) {
    r.work(14);
    r.work(12);
  }
  r.endSection(section);
  EXPECT_EQ(r.show(), "root[s0[task[U(61)] 100*task[U(12.5)] task[U(5000)] 100*task[U(12.5)]]]");
}

TEST(Compression, TasksOfSeveralLeavesMergeByTheirTotalDifference) {
  Recording r(fivePercent);
  unsigned section = r.section();
  auto work = [&](int before, int held, int after) {
    unsigned task = r.task();
    unsigned lock = r.run(before).lock();
    r.run(held).endLock(lock);
    r.run(after).endTask(task);
  };
  work(600, 100, 300);
  work(620, 90, 280); // differs by 20 + 10 + 20 = 5 % of 1000
  work(620, 90, 279);
  r.endSection(section);
  EXPECT_EQ(r.show(), "root[s0[2*task[U(610) L0(95) U(290)] task[U(620) L0(90) U(279)]]]");
}

TEST(Compression, EqualSectionsShareOneNode) {
  Recording r(fivePercent);
  for (int i = 0; i < 100; ++i) {
    unsigned section = r.section();
    r.work(1000 + i % 7);
    r.work(5000 + i % 11);
    r.work(1000 + i % 5);
    r.endSection(section);
  }
  r.finish();
  EXPECT_EQ(r.show(), "root[100*s0[task[U(1002.475)] task[U(5004.95)] task[U(1002.475)]]]");
}

TEST(Compression, EqualInnerLoopsMakeEqualTasks) {
  Recording r(fivePercent);
  unsigned outer = r.section();
  for (int i = 0; i < 50; ++i) {
    unsigned task = r.task();
    unsigned inner = r.run(300).section(Recording::inner);
    for (int k = 0; k < 8; ++k)
      r.work(k < 4 ? 100 : 200);
    r.endSection(inner);
    r.run(30).endTask(task);
  }
  r.endSection(outer);
  EXPECT_EQ(r.show(), "root[s0[50*task[U(300) s1[4*task[U(100)] 4*task[U(200)]] U(30)]]]");
}

TEST(Compression, SumIsPreserved) {
  for (std::uint32_t tolerance : {0u, fivePercent, 500000u}) {
    Recording r(tolerance, 40);
    std::mt19937 random(7);
    auto some = [&](unsigned most) { return random() % most; };
    std::uint64_t sum = 0;
    for (int s = 0; s < 20; ++s) {
      unsigned section = r.section();
      for (int i = 0; i < 200; ++i) {
        unsigned task = r.task();
        for (unsigned k = some(3); k; --k) {
          std::uint64_t before = some(1000), held = some(300);
          unsigned lock = r.run(before).lock(k % 2 ? "a" : "b");
          r.run(held).endLock(lock);
          sum += before + held;
        }
        std::uint64_t rest = some(5000);
        r.run(rest).endTask(task);
        sum += rest;
      }
      r.endSection(section);
    }
    r.finish();
    EXPECT_NEAR(r.total() / static_cast<double>(sum), 1, 1e-9) << "tolerance " << tolerance;
  }
}

/// How many tasks of the only section are one U of `length`.
std::uint64_t tasksOf(const Recording &r, double length) {
  std::uint64_t count = 0;
  for (const auto &child : r.tree["nodes"][r.tree["nodes"].size() - 2]["children"]) {
    const auto &task = r.tree["nodes"][child[0].get<std::size_t>()];
    const auto &leaf = r.tree["nodes"][task["children"][0][0].get<std::size_t>()];
    count += leaf["length"] == length ? child[1].get<std::uint64_t>() : 0;
  }
  return count;
}

TEST(Compression, HeavyIterationsSurvive) {
  Recording r(fivePercent, 30);
  unsigned section = r.section();
  for (int i = 0; i < 200000; ++i)
    r.work(i % 1000 == 999 ? 4000 : 100);
  r.endSection(section);
  r.finish();
  EXPECT_EQ(tasksOf(r, 4000), 200u);
}

/// Runs of the only section.
std::size_t runs(const Recording &r) {
  return r.tree["nodes"][r.tree["nodes"].size() - 2]["children"].size();
}

// Interrupts of 1000 to 8000 ticks at random, 3 % of the time in all, and the cold caches after
// them: more than a tenth of the tolerance, but without a period.
TEST(Compression, IrregularOutliersDoNotCutTheRun) {
  Recording r(fivePercent, 30);
  std::mt19937 draw(1);
  unsigned section = r.section();
  int cold = 0;
  std::uint64_t disturbances = 0;
  for (int i = 0; i < 5000000; ++i, cold -= cold > 0) {
    bool disturbed = draw() % 1500 == 0;
    r.work(disturbed ? 1000 + draw() % 7000 : cold > 0 ? 140 : 100);
    disturbances += disturbed;
    cold = disturbed ? 10 : cold;
  }
  r.endSection(section);
  r.finish();
  EXPECT_GT(disturbances, 3000u);
  EXPECT_LT(runs(r), disturbances / 2);
}

// Small ones, 1 % of the time: each cut would make the run too short for the next.
TEST(Compression, SmallIrregularOutliersDoNotCutTheRun) {
  Recording r(fivePercent, 30);
  std::mt19937 draw(1);
  unsigned section = r.section();
  std::uint64_t disturbances = 0;
  for (int i = 0; i < 5000000; ++i) {
    bool disturbed = draw() % 300 == 0;
    r.work(disturbed ? 400 : 100);
    disturbances += disturbed;
  }
  r.endSection(section);
  r.finish();
  EXPECT_GT(disturbances, 16000u);
  EXPECT_LT(runs(r), disturbances / 3);
}

// 1.5 % of the time, and a tenth of the tolerance may be smeared: a third of them.
TEST(Compression, SmallPeriodicImbalanceSurvives) {
  Recording r(fivePercent, 30);
  unsigned section = r.section();
  for (int i = 0; i < 200000; ++i)
    r.work(i % 200 == 199 ? 400 : 100);
  r.endSection(section);
  r.finish();
  EXPECT_GT(tasksOf(r, 400), 660u);
}

// Nothing from outside makes a task shorter.
TEST(Compression, ShorterTasksAreNoOutliers) {
  Recording r(fivePercent, 30);
  unsigned section = r.section();
  for (int i = 0; i < 1000000; ++i)
    r.work(i == 900000 ? 100 : 1000);
  r.endSection(section);
  EXPECT_EQ(r.show(), "root[s0[900000*task[U(1000)] task[U(100)] 99999*task[U(1000)]]]");
}

// The same disturbances beside every 1000th task being 40 times as long, 4 % of the time: that is
// the program's own.
TEST(Compression, HeavyIterationsSurviveAmongInterrupts) {
  Recording r(fivePercent, 30);
  std::mt19937 draw(1);
  unsigned section = r.section();
  for (int i = 0; i < 1000000; ++i)
    r.work(i % 1000 == 999 ? 4000 : draw() % 5000 == 0 ? 9000 + draw() % 7000 : 100);
  r.endSection(section);
  r.finish();
  EXPECT_GT(tasksOf(r, 4000), 950u);
}

TEST(Compression, RareInterruptDoesNotCutTheRun) {
  Recording r(fivePercent, 30);
  unsigned section = r.section();
  for (int i = 0; i < 1000000; ++i)
    r.work(i == 900000 ? 9000 : 100); // 0.9e-4 of the section so far
  r.endSection(section);
  EXPECT_EQ(r.show(), "root[s0[1000000*task[U(100.0089)]]]");
}

TEST(Compression, SecondOutlierInARowIsNotTaken) {
  Recording r(fivePercent, 30);
  unsigned section = r.section();
  for (int i = 0; i < 1000000; ++i)
    r.work(i == 900000 || i == 900001 ? 9000 : 100);
  r.endSection(section);
  EXPECT_EQ(r.show(),
            "root[s0[900001*task[U(100.008900008)] task[U(9000)] 99998*task[U(100.008900008)]]]");
}

TEST(Compression, ExactModeTakesNoOutlier) {
  Recording r;
  unsigned section = r.section();
  for (int i = 0; i < 1000000; ++i)
    r.work(i == 900000 ? 9000 : 100);
  r.endSection(section);
  EXPECT_EQ(r.show(), "root[s0[900000*task[U(100)] task[U(9000)] 99999*task[U(100)]]]");
}

// Lengths below the knee differ by the clock's noise alone.
TEST(Compression, NoiseOfShortTasksIsMerged) {
  Recording r(fivePercent, 20);
  unsigned section = r.section();
  for (int i = 0; i < 1000; ++i)
    r.work(30 + i % 3 * 10);
  r.endSection(section);
  EXPECT_EQ(r.show(), "root[s0[1000*task[U(39.99)]]]");
}

TEST(Merging, EqualLengthsAreAtMostOneBinApart) {
  std::mt19937_64 random(1);
  for (std::uint32_t ppm : {1u, 1000u, fivePercent, 500000u})
    for (std::uint64_t noise : {1u, 24u, 64u}) {
      const merging m = merging_make(ppm, noise);
      for (int i = 0; i < 20000; ++i) {
        std::uint64_t a = random() >> (1 + random() % 62), limit = merging_limit(&m, a, 1);
        std::uint64_t low = a > limit ? a - limit : 0, high = a + limit;
        EXPECT_LE(merging_bin(&m, high) - merging_bin(&m, a), 1u) << a << " " << ppm;
        EXPECT_LE(merging_bin(&m, a) - merging_bin(&m, low), 1u) << a << " " << ppm;
      }
    }
}

} // namespace
