//===- synthesizerMeasuringTest.cpp - What is made of real runs -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorTrees.h"
#include "predictor/synthesizer/ExecutorEnvironment.h"
#include "predictor/synthesizer/Repetitions.h"
#include "predictor/synthesizer/Sample.h"
#include "predictor/synthesizer/Student.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <random>

using namespace prophet;
using namespace prophet::test;

namespace {

/// The value of `name` in an executor's environment; "unset" where it is taken out, alone or with
/// all that begin like it.
std::string valueOf(const Synthesis &run, const std::string &name) {
  for (const auto &[variable, value] : executorEnvironment(run, 1, false))
    if (variable == name)
      return value.value_or("unset");
  for (const auto &[variable, value] : executorEnvironment(run, 1, false))
    if (variable.ends_with('*') && name.starts_with(variable.substr(0, variable.size() - 1)))
      return "unset";
  return "inherited";
}

TEST(ExecutorEnvironment, leavesNoneOfTheUsersSettings) {
  Synthesis run;
  run.delay = Delay::Spin;
  for (const char *name :
       {"OMP_WAIT_POLICY", "KMP_BLOCKTIME", "GOMP_SPINCOUNT", "KMP_LIBRARY", "OMP_THREAD_LIMIT",
        "KMP_AFFINITY", "GOMP_CPU_AFFINITY", "KMP_TASKING", "OMP_DISPLAY_AFFINITY", "TBB_VERSION",
        "CILK_NWORKERS", "CILK_STACKSIZE"})
    EXPECT_EQ(valueOf(run, name), "unset") << name;
  EXPECT_EQ(valueOf(run, "PATH"), "inherited");
  run.options.waitPolicy = WaitPolicy::Active;
  EXPECT_EQ(valueOf(run, "OMP_WAIT_POLICY"), "active");
  run.options.waitPolicy = WaitPolicy::Passive;
  EXPECT_EQ(valueOf(run, "OMP_WAIT_POLICY"), "passive");
}

TEST(ExecutorEnvironment, hasTheBlockTimeInBothRuntimesUnits) {
  Synthesis run;
  run.delay = Delay::Spin;
  run.options.overheads.spinTurn = 20;
  run.options.givenBlockTime = 3e6;
  EXPECT_EQ(valueOf(run, "KMP_BLOCKTIME"), "3");
  EXPECT_EQ(valueOf(run, "GOMP_SPINCOUNT"), "150000");
  run.options.givenBlockTime = 5e5;
  EXPECT_EQ(valueOf(run, "KMP_BLOCKTIME"), "500us");
  run.options.givenBlockTime = std::numeric_limits<double>::infinity();
  EXPECT_EQ(valueOf(run, "KMP_BLOCKTIME"), "infinite");
  EXPECT_EQ(valueOf(run, "GOMP_SPINCOUNT"), "infinite");
}

TEST(ExecutorEnvironment, hasAsManyWorkersOfCilksAsThreads) {
  Synthesis run;
  run.delay = Delay::Spin;
  run.options.paradigm = Paradigm::Cilk;
  run.options.threads = 7;
  EXPECT_EQ(valueOf(run, "CILK_NWORKERS"), "7");
  EXPECT_EQ(valueOf(run, "CILK_PIN"), "unset");
}

TEST(ExecutorEnvironment, keepsVirtualTimesThreadsFromTheCores) {
  Synthesis run;
  run.options.waitPolicy = WaitPolicy::Active;
  EXPECT_EQ(valueOf(run, "OMP_WAIT_POLICY"), "passive");
  EXPECT_EQ(valueOf(run, "KMP_BLOCKTIME"), "0");
  EXPECT_EQ(valueOf(run, "GOMP_SPINCOUNT"), "0");
}

TEST(MedianInterval, isOfOrderStatistics) {
  const auto ranks = [](std::size_t n) {
    std::vector<double> values(n);
    std::iota(values.begin(), values.end(), 1);
    return medianInterval(values);
  };
  using Range = std::pair<double, double>;
  // Tables of the sign test, 95 %.
  EXPECT_EQ(ranks(1), Range(1, 1));
  EXPECT_EQ(ranks(6), Range(1, 6));
  EXPECT_EQ(ranks(8), Range(1, 8));
  EXPECT_EQ(ranks(9), Range(2, 8));
  EXPECT_EQ(ranks(12), Range(3, 10));
  EXPECT_EQ(ranks(20), Range(6, 15));
  EXPECT_EQ(ranks(100), Range(40, 61));
}

TEST(MedianInterval, holdsTheMedianAsOftenAsItSays) {
  std::mt19937_64 random(1);
  std::exponential_distribution<double> times(std::log(2.0)); // of median 1
  int held = 0;
  for (int sample = 0; sample < 2000; ++sample) {
    std::vector<double> values(15);
    for (double &value : values)
      value = times(random);
    std::sort(values.begin(), values.end());
    const auto [low, high] = medianInterval(values);
    held += low <= 1 && 1 <= high;
  }
  EXPECT_GT(held, 0.95 * 2000);
  EXPECT_LT(held, 0.98 * 2000);
}

/// Summarizes runs of 1, 2, ... `n` ticks.
static Repeated summaryOf(std::size_t n, Delay delay) {
  std::vector<Synthesis> runs(n);
  for (std::size_t i = 0; i < n; ++i) {
    runs[i].delay = delay;
    runs[i].ticks = static_cast<double>(i + 1);
  }
  return summarize(runs, Patience{});
}

TEST(Repetitions, fewOnesDoNotSayHowWellTheirMedianIsKnown) {
  EXPECT_FALSE(summaryOf(1, Delay::Spin).uncertainty());
  EXPECT_FALSE(summaryOf(5, Delay::Spin).uncertainty());
  EXPECT_FALSE(summaryOf(5, Delay::Spin).settled);
  EXPECT_EQ(summaryOf(6, Delay::Spin).uncertainty(), 2.5 / 3.5);
  EXPECT_EQ(summaryOf(1, Delay::Virtual).uncertainty(), 0);
  EXPECT_TRUE(summaryOf(1, Delay::Virtual).settled);
}

TEST(Repetitions, inVirtualTimeLieBetweenTheirExtremes) {
  const Repeated made = summaryOf(13, Delay::Virtual);
  EXPECT_EQ(made.run.ticks, 7);
  EXPECT_EQ(made.extremes, std::pair(1.0, 13.0));
}

/// An executor each of whose processes is 0.1 % slower than the one before, all its runs alike.
constexpr const char *ProcessesDiffer =
    R"(#!/bin/sh
echo >> "$0.processes"
units=$((1000 + $(wc -l < "$0.processes")))
separator=""
printf '{"priority": "normal", "wakeup_ns": 0, "runs": ['
grep '^run ' | while read -r line; do
  printf '%s{"units": 0, "groups": [%s, 0], ' "$separator" $units
  printf '"overhead_units": 0, "wall_seconds": 0.0001, "foreign_cores": 0, "waited_share": 0}'
  separator=,
done
echo ']}'
)";

TEST(Repetitions, areOfTwoProcessesAtLeastSinceEachMeasuresWhatTheWalkCosts) {
  const std::string executor = testing::TempDir() + "processes-differ";
  std::filesystem::remove(executor + ".processes");
  std::ofstream(executor) << ProcessesDiffer;
  std::filesystem::permissions(executor, std::filesystem::perms::owner_all);
  TreeMaker make;
  const Tree &tree = make.root({{make.loop({1, 1}), 1}});
  std::vector<Synthesis> wanted(1);
  wanted.front().delay = Delay::Spin;
  const Synthesizer synthesizer(tree, wanted.front().options);
  const auto made = repeat(tree, synthesizer, wanted, executor, {30, 0.01, 2}, [](auto, auto) {});
  ASSERT_TRUE(made) << made.error().message;
  const Repeated &one = made->front();
  EXPECT_EQ(one.tried, 6u);
  EXPECT_TRUE(one.settled);
  EXPECT_NEAR(one.extremes.second / one.extremes.first, 1002.0 / 1001, 1e-9);
}

TEST(IsQuiet, asksForTheCoresThatThreadsNeed) {
  Synthesis run;
  run.options.threads = 2;
  run.wallSeconds = 1;
  EXPECT_TRUE(isQuiet(run, 2));
  run.foreignCores = 0.3;
  EXPECT_FALSE(isQuiet(run, 2));
  EXPECT_TRUE(isQuiet(run, 3));      // they can be on the third
  run.priority = Priority::Realtime; // had what was left
  EXPECT_TRUE(isQuiet(run, 2));
  run.waitedShare = 0.05;
  EXPECT_FALSE(isQuiet(run, 2));
  run.options.threads = 4; // they wait for each other
  EXPECT_TRUE(isQuiet(run, 2));
}

TEST(IsQuiet, knowsThatTheSystemCountsInHundredths) {
  Synthesis run;
  run.options.threads = 2;
  run.wallSeconds = 0.01;
  run.foreignCores = 1; // one tick
  EXPECT_TRUE(isQuiet(run, 2));
  run.foreignCores = 2;
  EXPECT_FALSE(isQuiet(run, 2));
}

ProgramItem section(std::uint64_t repeat, double length, std::size_t stratum = 0) {
  return {0, repeat, length, stratum};
}

TEST(Sample, isEvenlySpread) {
  const std::vector<ProgramItem> items = {
      section(50, 1), {0, 1, 5, std::nullopt}, section(30, 1), section(20, 1), section(2, 9, 1)};
  const Sample sample(items, 2, 0.1);
  EXPECT_EQ(sample.repeat(0), 5u);
  EXPECT_EQ(sample.repeat(2), 3u);
  EXPECT_EQ(sample.repeat(3), 2u);
  EXPECT_EQ(sample.repeat(4), 2u); // two at least
  EXPECT_EQ(sample.executed(), 12u);
  EXPECT_EQ(sample.total(), 102u);
  EXPECT_EQ(sample.serialLength(), 5 + 10 + 18);
}

TEST(Sample, ofAllIsExact) {
  const std::vector<ProgramItem> items = {
      section(3, 10), {0, 2, 5, std::nullopt}, section(1, 9, 1)};
  const Sample sample(items, 2, 1);
  const SampleEstimate estimate = sample.estimate({15, 6});
  EXPECT_EQ(estimate.whole, 10 + 15 + 6);
  ASSERT_TRUE(estimate.error);
  EXPECT_EQ(estimate.error->standard, 0);
  EXPECT_EQ(estimate.error->margin, 0);
  EXPECT_FALSE(Sample({section(2, 1)}, 1, 1).canBeSmaller());
  EXPECT_TRUE(sample.canBeSmaller());
}

TEST(Sample, withoutSectionsToLeaveOutHasAllSerialCode) {
  const std::vector<ProgramItem> items{{0, 2, 10, 0}, {1, 1, 5, std::nullopt}};
  const Sample sample(items, 1, 0.1);
  EXPECT_EQ(sample.executed(), sample.total());
  EXPECT_EQ(sample.repeat(1), 1u);
  EXPECT_EQ(sample.serialLength(), 25);
}

TEST(Sample, ratioIsExactWhereTimesAreProportional) {
  std::vector<ProgramItem> items;
  for (int i = 1; i <= 100; ++i)
    items.push_back(section(1, i));
  const Sample sample(items, 1, 0.1);
  std::vector<double> times(items.size());
  for (std::size_t i = 0; i < items.size(); ++i)
    times[i] = static_cast<double>(sample.repeat(i)) * items[i].length / 2;
  const SampleEstimate estimate = sample.estimate(times);
  EXPECT_DOUBLE_EQ(estimate.whole, 5050.0 / 2);
  EXPECT_NEAR(estimate.error->standard, 0, 1e-9);
}

TEST(StudentQuantile, isThatOfTheTables) {
  EXPECT_NEAR(studentQuantile(1), 12.706205, 1e-6);
  EXPECT_NEAR(studentQuantile(2), 4.302653, 1e-6);
  EXPECT_NEAR(studentQuantile(3), 3.182446, 1e-6);
  EXPECT_NEAR(studentQuantile(10), 2.228139, 1e-6);
  EXPECT_NEAR(studentQuantile(1000), 1.962339, 1e-6);
  EXPECT_NEAR(studentQuantile(1e9), 1.959964, 1e-4);
}

/// Two executions of four each, that take 0.4 and 0.6 of their length.
const std::vector<ProgramItem> HalfOfEqualOnes = {section(1, 10), section(1, 10), section(1, 10),
                                                  section(1, 10)};

TEST(Sample, ofTwoValuesHasAWideMargin) {
  const Sample sample(HalfOfEqualOnes, 1, 0.5);
  ASSERT_EQ(sample.repeat(0) + sample.repeat(2), 2u);
  const SampleEstimate estimate = sample.estimate({4, 0, 6, 0});
  EXPECT_EQ(estimate.whole, 20);
  ASSERT_TRUE(estimate.error);
  // N²(1 - n/N) s²/n = 16 · 1/2 · 2/2
  EXPECT_NEAR(estimate.error->standard, std::sqrt(8), 1e-12);
  EXPECT_NEAR(estimate.error->margin, 12.706205 * std::sqrt(8), 1e-5);
}

TEST(Sample, errorOfUnequalLengthsIsThatOfTheirRatios) {
  const std::vector<ProgramItem> items = {section(1, 10), section(1, 10), section(1, 30),
                                          section(1, 30)};
  const SampleEstimate estimate = Sample(items, 1, 0.5).estimate({5, 0, 21, 0});
  EXPECT_EQ(estimate.whole, 80 * 26 / 40.0);
  // By the jackknife: one half, 0.5 and 0.7 without the other one, of a length of 80.
  EXPECT_NEAR(estimate.error->standard, 80 * std::sqrt(0.5 * 0.5 * (0.01 + 0.01)), 1e-12);
  EXPECT_NEAR(estimate.error->margin, 12.706205 * estimate.error->standard, 1e-5);
}

TEST(Sample, errorsOfSitesAreIndependent) {
  std::vector<ProgramItem> items = HalfOfEqualOnes;
  for (int i = 0; i < 4; ++i)
    items.push_back(section(1, 10, 1));
  const SampleEstimate estimate = Sample(items, 2, 0.5).estimate({4, 0, 6, 0, 6, 0, 4, 0});
  EXPECT_NEAR(estimate.error->standard, std::sqrt(8 + 8), 1e-12);
  EXPECT_NEAR(estimate.error->margin, 4.302653 * 4, 1e-5); // of two degrees of freedom
}

TEST(Sample, doesNotStateAnErrorThatItDoesNotKnow) {
  const std::vector<ProgramItem> items = {section(1, 10), section(1, 10), section(1, 0),
                                          section(1, 10)};
  const SampleEstimate estimate = Sample(items, 1, 0.5).estimate({5, 0, 1, 0});
  EXPECT_EQ(estimate.whole, 30 * 6 / 10.0);
  EXPECT_FALSE(estimate.error); // one ratio
}

/// About: what times are drawn from here is not the normal distribution.
TEST(Sample, marginHoldsAsOftenAsItSays) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> ratio(0.3, 0.7);
  std::uniform_int_distribution<int> lengths(1, 7);
  for (const double fraction : {0.02, 0.03, 0.1}) {
    int held = 0;
    constexpr int trials = 1000;
    for (int trial = 0; trial < trials; ++trial) {
      std::vector<ProgramItem> items;
      for (int i = 0; i < 100; ++i)
        items.push_back(section(1, lengths(random)));
      const Sample sample(items, 1, fraction);
      std::vector<double> times(items.size());
      double truth = 0;
      for (std::size_t i = 0; i < items.size(); ++i) {
        const double time = ratio(random) * items[i].length;
        truth += time;
        times[i] = static_cast<double>(sample.repeat(i)) * time;
      }
      const SampleEstimate estimate = sample.estimate(times);
      held += std::abs(estimate.whole - truth) <= estimate.error->margin;
    }
    EXPECT_GT(held, 0.92 * trials) << fraction;
    EXPECT_LT(held, 0.995 * trials) << fraction;
  }
}

TEST(Sample, standardErrorIsThatOfRandomTimes) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> noise(-0.2, 0.2);
  double squares = 0, stated = 0;
  constexpr int trials = 400;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<ProgramItem> items;
    std::vector<double> single;
    double truth = 0;
    for (int i = 0; i < 200; ++i) {
      items.push_back(section(1, 1 + i % 7));
      single.push_back((0.5 + noise(random)) * items.back().length);
      truth += single.back();
    }
    const Sample sample(items, 1, 0.1);
    std::vector<double> times(items.size());
    for (std::size_t i = 0; i < items.size(); ++i)
      times[i] = static_cast<double>(sample.repeat(i)) * single[i];
    const SampleEstimate estimate = sample.estimate(times);
    squares += (estimate.whole - truth) * (estimate.whole - truth);
    stated += estimate.error->standard;
  }
  EXPECT_NEAR(stated / trials / std::sqrt(squares / trials), 1, 0.15);
}

} // namespace
