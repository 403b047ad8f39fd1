//===- StreamRunsTest.cpp - How far tasks go through memory in order ------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/StreamRuns.h"
#include "streamLogs.h"

#include <gtest/gtest.h>
#include <numeric>
#include <span>

using namespace prophet::memmodel;
using namespace prophet::memmodel::test;

namespace {

TEST(StreamRuns, AreWhatATaskHasOfEachArray) {
  for (const bool descend : {false, true})
    for (const std::uint32_t streams : {1, 2, 5})
      for (const std::uint32_t lines : {1, 12, 300})
        EXPECT_NEAR(taskStreams(arrays(200, streams, lines, descend).log, 1)[0].run, lines,
                    lines * 0.01)
            << streams << " streams of " << lines << (descend ? " down" : " up");
}

TEST(StreamRuns, CountWhatTheSampleStandsFor) {
  LogMaker make(1000); // two arrays of 64 lines a task, of which one in 64 is in the sample
  for (std::uint32_t task = 0; task < 1000; ++task)
    make.task(task, {task * 64 + task * 7 % 64, 64000 + task * 64 + task * 11 % 64});
  make.log.rate = 1.0 / 64;
  EXPECT_NEAR(taskStreams(make.log, 1)[0].run, 64, 1);
  EXPECT_EQ(taskStreams(make.log, 1)[0].lines, 128);
}

TEST(StreamRuns, AreLongWhereEachTaskGoesThroughAll) {
  LogMaker make(50); // the second array is every task's
  for (std::uint32_t task = 0; task < 50; ++task) {
    std::vector<std::uint32_t> places = {task};
    for (std::uint32_t line = 0; line < 1000; ++line)
      places.push_back(100 + line);
    make.task(task, places);
  }
  EXPECT_NEAR(taskStreams(make.log, 1)[0].run, 1001, 1);
}

TEST(StreamRuns, AreWrittenAsOftenAsTheyAreGoneThrough) {
  LogMaker make(50); // every task writes the second array
  for (std::uint32_t task = 0; task < 50; ++task) {
    std::vector<std::uint32_t> places = {task};
    for (std::uint32_t line = 0; line < 99; ++line)
      places.push_back(100 + line);
    make.task(task, places);
    for (Reference &reference : std::span(make.log.references).last(99))
      reference.isWrite = true;
  }
  EXPECT_NEAR(taskStreams(make.log, 1)[0].written, 0.99, 1e-9);
}

TEST(StreamRuns, SayWhatIsWrittenOfEachArray) {
  LogMaker make(600); // of three arrays, of 2, 3 and 1 lines a task, the first and the last
  for (std::uint32_t task = 0; task < 600; ++task) {
    make.task(task, {2 * task, 2 * task + 1, 10000 + 3 * task, 10001 + 3 * task, 10002 + 3 * task,
                     20000 + task});
    for (const std::size_t of : {0, 1, 5})
      make.log.references[make.log.tasks.back().first + of].isWrite = true;
  }
  EXPECT_EQ(taskStreams(make.log, 1)[0].writtenRuns, (std::vector<double>{2, 1}));
  EXPECT_EQ(taskStreams(make.log, 1)[0].readRuns, (std::vector<double>{3}));
  EXPECT_EQ(taskStreams(make.log, 1)[0].runs, (std::vector<double>{3, 2, 1}));
}

TEST(StreamRuns, AreOfEachSiteAlone) {
  LogMaker make = arrays(200, 1, 12, false);
  make.log.parts.push_back({AccessLog::Outside, 1, make.log.tasks.size(), 0});
  make.task(0, {1, 2, 3});
  make.log.parts.push_back({1, 100, make.log.tasks.size(), 0});
  for (std::uint32_t task = 0; task < 100; ++task) {
    std::vector<std::uint32_t> places;
    for (std::uint32_t line = 0; line < 30; ++line)
      places.push_back(10000 + task * 30 + line);
    make.task(task, places);
  }
  const std::vector<TaskStreams> bySite = taskStreams(make.log, 2);
  EXPECT_NEAR(bySite[0].run, 12, 0.12);
  EXPECT_NEAR(bySite[1].run, 30, 0.6);
  EXPECT_EQ(bySite[0].lines, 12);
  EXPECT_EQ(bySite[1].lines, 30);
}

TEST(StreamRuns, AreOfPartsThatDidTheSameAsOften) {
  LogMaker make(50); // one section of runs of ten lines, and one of five, twice as often
  for (std::uint32_t task = 0; task < 50; ++task) {
    std::vector<std::uint32_t> places(10);
    std::iota(places.begin(), places.end(), task * 10);
    make.task(task, places);
  }
  AccessLog &log = make.log;
  log.parts.push_back({0, 50, log.tasks.size(), 50});
  for (std::uint32_t task = 0; task < 50; ++task)
    log.tasks.push_back({task, task * std::size_t(10), 5});
  const AccessLog::Part second = log.parts.back();
  log.parts.push_back(second);
  const TaskStreams streams = taskStreams(log, 1)[0];
  EXPECT_NEAR(streams.run, (10 + 5 + 5) / 3.0, 0.02);
  EXPECT_NEAR(streams.lines, (10 + 5 + 5) / 3.0, 1e-12);
}

TEST(StreamRuns, AreNotOfSectionsOfOneTask) {
  LogMaker make = arrays(200, 1, 4, false);
  for (std::uint32_t section = 0; section < 10; ++section) {
    make.log.parts.push_back({0, 1, make.log.tasks.size(), 0});
    std::vector<std::uint32_t> places;
    for (std::uint32_t line = 0; line < 800; ++line)
      places.push_back(line);
    make.task(0, places);
  }
  EXPECT_NEAR(taskStreams(make.log, 1)[0].run, 4, 0.04);
  EXPECT_EQ(taskStreams(make.log, 1)[0].lines, 4);
}

TEST(StreamRuns, AreMeansOfTasksWithoutLinesInTheSampleToo) {
  LogMaker make(400);
  for (std::uint32_t task = 0; task < 400; task += 2)
    make.task(task, {task, task + 1});
  EXPECT_NEAR(taskStreams(make.log, 1)[0].run, 1, 0.01);
  EXPECT_EQ(taskStreams(make.log, 1)[0].lines, 1);
  LogMaker half(400); // of which the second half has none
  for (std::uint32_t task = 0; task < 200; ++task)
    half.task(task, {task});
  EXPECT_EQ(taskStreams(half.log, 1)[0].run, 0.5);
}

TEST(StreamRuns, AreBesideEachOtherWithinASixteenthOfTheSectionOrSixteenTasks) {
  // A task uses a line, and the one that another task `apart` has first.
  const auto runOf = [](std::uint32_t tasks, std::uint32_t apart) {
    LogMaker make(tasks);
    for (std::uint32_t task = 0; task < tasks; ++task)
      make.task(task, {task, task + apart});
    return taskStreams(make.log, 1)[0].run;
  };
  EXPECT_NEAR(runOf(1600, 90), 1, 0.01);
  EXPECT_GT(runOf(1600, 110), 1.5);
  EXPECT_NEAR(runOf(64, 12), 1, 0.05);
  EXPECT_GT(runOf(64, 20), 1.5);
}

TEST(StreamRuns, AreBesideEachOtherWhereNeighboursUseThem) {
  LogMaker make(400); // row i of the second grid of rows i to i + 2 of the first, 50 lines each
  for (std::uint32_t task = 0; task < 400; ++task) {
    std::vector<std::uint32_t> places;
    for (std::uint32_t line = 0; line < 150; ++line)
      places.push_back(task * 50 + line);
    for (std::uint32_t line = 0; line < 50; ++line)
      places.push_back(100000 + task * 50 + line);
    make.task(task, places);
    for (Reference &reference : std::span(make.log.references).last(50))
      reference.isWrite = true;
  }
  const TaskStreams streams = taskStreams(make.log, 1)[0];
  EXPECT_NEAR(streams.run, 50, 0.5);
  EXPECT_EQ(streams.lines, 200);
  EXPECT_NEAR(streams.written, 0.5, 0.005); // of what is new in a task
}

TEST(StreamRuns, AreByWhatIsNewAlsoInLinesOfManyTasks) {
  // A sum of three neighbours, an element of a 64th of a line a task: 66 tasks use each line.
  LogMaker make(64 * 40);
  for (std::uint32_t task = 0; task < 64 * 40; ++task) {
    std::vector<std::uint32_t> places;
    for (std::uint32_t element = task + 63; element < task + 66; ++element)
      if (places.empty() || places.back() != element / 64)
        places.push_back(element / 64);
    make.task(task, places);
  }
  EXPECT_NEAR(taskStreams(make.log, 1)[0].run, 1.0 / 64, 0.001);
}

TEST(StreamRuns, CountALineOfATaskOnceWhateverItsClass) {
  LogMaker make(100); // a task goes three times through its own 20 lines, and through 30 others
  for (std::uint32_t task = 0; task < 100; ++task) {
    std::vector<std::uint32_t> places;
    for (std::uint32_t again = 0; again < 3; ++again)
      for (std::uint32_t line = 0; line < 20; ++line)
        places.push_back(task * 20 + line);
    make.task(task, places);
    for (std::uint32_t line = 0; line < 30; ++line) {
      make.log.places.push_back(100000 + task * 30 + line);
      make.log.references.push_back(
          {static_cast<std::uint32_t>(make.log.places.size() - 1), AccessClass::Irregular, false});
      ++make.log.tasks.back().count;
    }
  }
  EXPECT_EQ(taskStreams(make.log, 1)[0].lines, 50);
}

TEST(StreamRuns, ThatAreGoneThroughInTurnsAreTogether) {
  for (const bool descend : {false, true})
    for (const std::uint32_t streams : {1, 2, 5}) {
      EXPECT_NEAR(taskStreams(arrays(200, streams, 4, descend).log, 1)[0].together, streams, 0.01);
      // One after the other in a task, each so long that prefetchers are in one alone.
      EXPECT_LT(taskStreams(arrays(40, streams, 1000, descend).log, 1)[0].together, 1.1);
    }
}

TEST(StreamRuns, AreTogetherAmongAsManyLinesAsAPrefetcherKeepsAhead) {
  // 200 lines of an array, then 200 of the other one: of 64 in a row few are of both.
  EXPECT_NEAR(taskStreams(arrays(100, 2, 200, false).log, 1)[0].together, 1.12, 0.02);
}

TEST(StreamRuns, EndWhereTasksTurnBackByHalfOfTheSection) {
  LogMaker make(100);
  for (std::uint32_t task = 0; task <= 50; ++task)
    make.task(task, {task, 10000 + task});
  EXPECT_NEAR(taskStreams(make.log, 1)[0].together, 2, 0.05);
}

TEST(StreamRuns, DoNotEndWhereTasksTurnBackByLess) {
  LogMaker make(400); // one array of tiles, of twenty tasks each, of which each two have ten
  for (std::uint32_t task = 0; task < 400; ++task) {
    std::vector<std::uint32_t> places;
    for (std::uint32_t tile = task < 10 ? 0 : task / 10 - 1; tile <= task / 10; ++tile)
      places.push_back(tile * 20 + task - tile * 10);
    make.task(task, places);
  }
  EXPECT_GT(taskStreams(make.log, 1)[0].run, 0);
  EXPECT_EQ(taskStreams(make.log, 1)[0].together, 1);
}

TEST(StreamRuns, AreTogetherHoweverOftenEachLineIsUsedInARow) {
  LogMaker make(200);
  for (std::uint32_t task = 0; task < 200; ++task) {
    std::vector<std::uint32_t> places(100, task);
    places.insert(places.end(), 100, 10000 + task);
    make.task(task, places);
  }
  EXPECT_NEAR(taskStreams(make.log, 1)[0].together, 2, 0.02);
}

TEST(StreamRuns, AreThoseOfEachArrayFromTheLongestOn) {
  LogMaker make(600);
  make.log.rate = 0.5;
  for (int part = 0; part < 2; ++part) { // arrays of 2, 6 and 4 lines, of which one in two is seen
    if (part > 0)
      make.log.parts.push_back({0, 600, make.log.tasks.size(), 0});
    for (std::uint32_t task = 0; task < 600; ++task)
      make.task(task, {task, 10000 + 3 * task, 10001 + 3 * task, 10002 + 3 * task, 20000 + 2 * task,
                       20001 + 2 * task});
  }
  const TaskStreams streams = taskStreams(make.log, 1)[0];
  ASSERT_EQ(streams.runs.size(), 3U);
  EXPECT_EQ(streams.runs, (std::vector<double>{6, 4, 2}));
  EXPECT_NEAR(streams.run, 4, 0.05);
  EXPECT_EQ(streams.longestRuns(1, 12), (std::vector<double>{6, 4, 2}));
  EXPECT_EQ(streams.longestRuns(10, 70), (std::vector<double>{60, 10}));
  EXPECT_EQ(streams.longestRuns(1, 3), std::vector<double>{3});
  EXPECT_EQ(streams.longestRuns(1, 24), (std::vector<double>{12, 8, 4}));
  EXPECT_EQ(TaskStreams{}.longestRuns(1, 24), std::vector<double>{});
}

TEST(StreamRuns, ThatAreShortAreFewerTogether) {
  LogMaker make(600); // of three lines two are of one array: 1 / (4/9 + 1/9)
  for (std::uint32_t task = 0; task < 600; ++task)
    make.task(task, {2 * task, 2 * task + 1, 10000 + task});
  EXPECT_NEAR(taskStreams(make.log, 1)[0].together, 1.8, 0.01);
}

TEST(StreamRuns, AreTogetherInASampleToo) {
  // Tasks of 640 lines of each of two arrays, of which one in 64 is in the sample: by turns, and
  // one array after the other.
  for (const bool inTurns : {true, false}) {
    LogMaker make(200);
    for (std::uint32_t task = 0; task < 200; ++task) {
      std::vector<std::uint32_t> places;
      for (std::uint32_t i = 0; i < 20; ++i)
        places.push_back(inTurns ? 100000 * (i % 2) + task * 10 + i / 2
                                 : 100000 * (i / 10) + task * 10 + i % 10);
      make.task(task, places);
    }
    make.log.rate = 1.0 / 64;
    EXPECT_NEAR(taskStreams(make.log, 1)[0].together, inTurns ? 2 : 1.15, 0.05);
    EXPECT_EQ(taskStreams(make.log, 1)[0].written, 0);
  }
}

TEST(StreamRuns, AreAloneWhereTheyAreNotKnown) {
  LogMaker make(1000); // rows in any order
  for (std::uint32_t task = 0; task < 1000; ++task)
    make.task(task, {task * 389 % 1000, 5000 + task * 389 % 1000});
  EXPECT_EQ(taskStreams(make.log, 1)[0].together, 1);
}

TEST(StreamRuns, AreOfStreamsOnly) {
  LogMaker make(100);
  for (std::uint32_t task = 0; task < 100; ++task)
    make.task(task, {task}, AccessClass::Irregular);
  EXPECT_EQ(taskStreams(make.log, 1)[0].run, 0);
}

TEST(StreamRuns, AreNotKnownWhereTasksGoToAndFro) {
  // First the even rows, then the odd ones; and rows in any order.
  for (const bool even : {true, false}) {
    LogMaker make(1000);
    for (std::uint32_t task = 0; task < 1000; ++task) {
      const std::uint32_t row = even ? task * 2 % 1000 + task / 500 : task * 389 % 1000;
      make.task(task, {row * 4, row * 4 + 1, row * 4 + 2, row * 4 + 3});
    }
    EXPECT_EQ(taskStreams(make.log, 1)[0].run, 0);
  }
}

TEST(StreamRuns, AreNotKnownWhereTasksGoBackMoreOftenThanOn) {
  LogMaker make(900); // on by nine rows, through each nine of them backwards
  for (std::uint32_t task = 0; task < 900; ++task)
    make.task(task, {task / 9 * 9 + 8 - task % 9});
  EXPECT_EQ(taskStreams(make.log, 1)[0].run, 0);
}

TEST(StreamRuns, AreNotKnownWithoutPlacesOrWithFewLines) {
  LogMaker make = arrays(200, 2, 3, false);
  make.log.places.clear();
  EXPECT_EQ(taskStreams(make.log, 1)[0].run, 0);
  EXPECT_EQ(taskStreams(arrays(5, 2, 1, false).log, 1)[0].run, 0);
  EXPECT_EQ(taskStreams(arrays(12, 4, 1, false).log, 1)[0].run, 0); // twelve of each
  EXPECT_NEAR(taskStreams(arrays(20, 4, 1, false).log, 1)[0].run, 1, 0.06);
}

} // namespace
