//===- StreamGapsTest.cpp - Streams that end where a gap is ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/StreamRuns.h"
#include "streamLogs.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace prophet::memmodel;
using namespace prophet::memmodel::test;

namespace {

/// 200 tasks of 12 lines each, with gaps of so many between, in each of these arrays.
LogMaker withGaps(const std::vector<std::uint32_t> &gaps, bool descend = false) {
  constexpr std::uint32_t tasks = 200, lines = 12;
  LogMaker make(tasks);
  for (std::uint32_t task = 0; task < tasks; ++task) {
    std::vector<std::uint32_t> places;
    for (std::uint32_t array = 0; array < gaps.size(); ++array)
      for (std::uint32_t line = 0; line < lines; ++line)
        places.push_back(1000000 * (array + 1) +
                         (descend ? tasks - 1 - task : task) * (lines + gaps[array]) + line);
    make.task(task, places);
  }
  return make;
}

TEST(StreamGaps, CountByHowFarTheNextTasksLinesAre) {
  const auto seamless = [](const LogMaker &make) { return taskStreams(make.log, 1)[0].seamless; };
  for (const bool descend : {false, true}) {
    EXPECT_NEAR(seamless(withGaps({0}, descend)), 1, 1e-9);
    EXPECT_NEAR(seamless(withGaps({8}, descend)), std::exp(-7.99 / 20), 1e-9); // 0.01 is slack
    EXPECT_NEAR(seamless(withGaps({40}, descend)), std::exp(-39.99 / 20), 1e-9);
    EXPECT_NEAR(seamless(withGaps({0, 1000}, descend)), 0.5, 1e-9);
  }
  for (const std::uint32_t tasks : {5, 9, 101}) // of 100 lines and more, that follow each other
    EXPECT_NEAR(seamless(arrays(tasks, 1, 1000 / tasks, false)), 1, 1e-9) << tasks;
  // Only the first of 100 tasks use the array.
  LogMaker some(100);
  for (std::uint32_t task = 0; task < 7; ++task)
    some.task(task, {task * 100, task * 100 + 1, task * 100 + 2});
  EXPECT_NEAR(seamless(some), std::exp(-(97 - 2 / 7.0) / 20), 1e-9);
  LogMaker quarter(100);
  for (std::uint32_t task = 0; task < 25; ++task)
    quarter.task(task, {task * 2, task * 2 + 1});
  EXPECT_NEAR(seamless(quarter), 1, 1e-9);
  LogMaker besides = withGaps({0}); // an array of too few lines to tell
  for (std::uint32_t task = 0; task < 200; task += 40)
    besides.task(task, {9000000 + task * 100});
  EXPECT_NEAR(seamless(besides), 1, 1e-9);
  EXPECT_EQ(seamless(LogMaker(2)), 1);
}

TEST(StreamGaps, AreFoundBesideWhatAllTasksUse) {
  // What is left to reduce of a matrix: a row that all read, and behind it each task's own.
  constexpr std::uint32_t tasks = 100, length = 50;
  for (const std::uint32_t left : {50, 40, 10}) {
    LogMaker make(tasks);
    for (std::uint32_t task = 0; task < tasks; ++task) {
      std::vector<std::uint32_t> places;
      for (std::uint32_t line = length - left; line < length; ++line) {
        places.push_back(5000 + line);
        places.push_back(5000 + (task + 1) * length + line);
      }
      make.task(task, places);
    }
    const double gap = std::max(0.0, length - left - 2.0 / tasks);
    EXPECT_NEAR(taskStreams(make.log, 1)[0].seamless, std::exp(-gap / 20), 1e-9) << left;
  }
  LogMaker make = withGaps({0}); // a table in front
  for (std::uint32_t task = 0; task < 200; ++task)
    for (std::uint32_t line = 0; line < 300; line += 10)
      make.task(task, {line});
  EXPECT_NEAR(taskStreams(make.log, 1)[0].seamless, 1, 1e-9);
}

TEST(StreamGaps, AreNotKnownWhereTasksGoToAndFro) {
  // All use the first array, and the last of them another one behind it.
  LogMaker make(100);
  for (std::uint32_t task = 0; task < 100; ++task) {
    std::vector<std::uint32_t> places{task * 2, task * 2 + 1};
    if (task >= 60)
      places.insert(places.end(), {9000 + task * 2, 9001 + task * 2});
    make.task(task, places);
  }
  EXPECT_NEAR(taskStreams(make.log, 1)[0].seamless, 1, 1e-9);
}

TEST(StreamGaps, AreNoneUnlessTheSampleTellsThem) {
  // One line in 64: of rows of 64 lines that follow each other, and of rows of which half is left.
  for (const std::uint32_t pitch : {64, 128}) {
    LogMaker make(1000);
    for (std::uint32_t task = 0; task < 1000; ++task)
      make.task(task, {task * pitch + task * 7 % 64});
    make.log.rate = 1.0 / 64;
    EXPECT_NEAR(taskStreams(make.log, 1)[0].seamless,
                pitch == 64 ? 1 : std::exp(-(64 - 0.128) / 20), 0.02)
        << pitch;
  }
}

} // namespace
