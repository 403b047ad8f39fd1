//===- TaskPlacesTest.cpp - Where a thread's tasks in a row move lines ----===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/TaskPlaces.h"
#include "memmodel/PartsReplay.h"

#include <gtest/gtest.h>
#include <stdexcept>

using namespace prophet::memmodel;

namespace {

/// Of a hundred lines that tasks of each place store, so many are written as another core's.
PlaceUses written(double first, double between, double last) {
  PlaceUses uses;
  for (const auto &[place, moved] : {std::pair(TaskPlace::First, first),
                                     {TaskPlace::Between, between},
                                     {TaskPlace::Last, last}}) {
    uses.at(place).used = uses.at(place).stored = 100;
    uses.at(place).written = uses.at(place).ahead = moved;
  }
  return uses;
}

double inARow(const PlaceUses &uses, double tasks) {
  return uses.movedInARow(&PlaceUse::written, &PlaceUse::stored, tasks);
}

TEST(TaskPlaces, HaveRunsOfMovedLinesWhereTheseAre) {
  for (const double tasks : {2.0, 2.5, 3.0, 4.0, 100.0}) {
    EXPECT_DOUBLE_EQ(inARow(written(10, 10, 10), tasks), tasks); // alike in all tasks
    EXPECT_DOUBLE_EQ(inARow(written(0, 0, 100), tasks), 1);
    EXPECT_DOUBLE_EQ(inARow(written(100, 0, 0), tasks), 1);
    EXPECT_DOUBLE_EQ(inARow({}, tasks), tasks); // not known
  }
  EXPECT_DOUBLE_EQ(inARow(written(50, 0, 50), 2), 2); // beside each other
  EXPECT_DOUBLE_EQ(inARow(written(50, 0, 50), 2.5), 1 / 0.75);
  EXPECT_DOUBLE_EQ(inARow(written(50, 0, 50), 3), 1);
  EXPECT_DOUBLE_EQ(inARow(written(0, 100, 0), 6), 4);
  EXPECT_DOUBLE_EQ(inARow(written(100, 100, 0), 6), 5);
  // Three tasks of four between have some: 1 + 3 + 1 of 6, in runs that end behind one of those in
  // four, between them or before the last.
  EXPECT_DOUBLE_EQ(inARow(written(100, 75, 100), 6), 5 / (0.25 + 3 * 0.75 * 0.25 + 1));
}

TEST(TaskPlaces, HaveRunsOfTwoTasksWhereAThreadHasNoMore) {
  EXPECT_DOUBLE_EQ(inARow(written(10, 0, 10), 1), 1);
  EXPECT_DOUBLE_EQ(inARow(written(10, 0, 10), 1.25), 1.25);
  EXPECT_DOUBLE_EQ(inARow(written(0, 0, 10), 1.25), 1);
}

TEST(TaskPlaces, ThatASampleLacksAreAsTheOthers) {
  PlaceUses uses = written(100, 0, 100);
  uses.at(TaskPlace::Between) = {};
  EXPECT_DOUBLE_EQ(inARow(uses, 5), 5);
  uses.at(TaskPlace::Between).used = 100; // which reads
  EXPECT_DOUBLE_EQ(inARow(uses, 5), 5);
}

TEST(TaskPlaces, CrowdWhatIsFetched) {
  EXPECT_EQ(PlaceUses{}.crowding(), 1);
  EXPECT_DOUBLE_EQ(written(20, 20, 20).crowding(), 1);
  EXPECT_DOUBLE_EQ(written(0, 0, 20).crowding(), 3);
  EXPECT_DOUBLE_EQ(written(30, 0, 30).crowding(), 1.5);
  PlaceUses uses = written(0, 0, 20);
  uses.at(TaskPlace::Between).used = 600;
  EXPECT_DOUBLE_EQ(uses.crowding(), 8);
  EXPECT_DOUBLE_EQ(uses.scaled(4).crowding(), 8);
}

TEST(TaskPlaces, TellWhatOthersPrefetchersTakeAway) {
  PlaceUses uses;
  EXPECT_FALSE(uses.ownBehindEnds());
  uses.at(TaskPlace::Last) = {.stored = 10, .ownWritten = 10};
  EXPECT_FALSE(uses.ownBehindEnds()); // no other thread's lines are before these
  uses.at(TaskPlace::First) = {.stored = 10, .ownWritten = 4};
  EXPECT_DOUBLE_EQ(*uses.ownBehindEnds(), 0.4);
  uses.at(TaskPlace::Alone) = {.stored = 30, .ownWritten = 30};
  EXPECT_DOUBLE_EQ(*uses.ownBehindEnds(), 0.85);
}

/// Two threads have chunks of four rows of ten lines, of which task i writes row i + `by` in the
/// second section.
PlaceUses shifted(std::uint32_t by) {
  AccessLog log;
  for (std::uint32_t section = 0; section < 2; ++section) {
    log.parts.push_back({0, 16, log.tasks.size(), 16});
    for (std::uint32_t task = 0; task < 16; ++task) {
      log.tasks.push_back({task, log.references.size(), 10});
      for (std::uint32_t line = 0; line < 10; ++line)
        log.references.push_back({(task + section * by) * 10 + line, AccessClass::Stream, true});
    }
  }
  return replayParts(log, 2, {1000, 1000},
                     [](std::size_t, std::uint64_t task) { return dealTask(task, 16, 2, 4); })[1]
      .places;
}

TEST(TaskPlaces, AreCountedByTheReplay) {
  const PlaceUses same = shifted(0), moved = shifted(1);
  for (const PlaceUses &uses : {same, moved}) {
    EXPECT_EQ(uses.at(TaskPlace::Alone), PlaceUse{});
    EXPECT_EQ(uses.at(TaskPlace::First).used, 40);
    EXPECT_EQ(uses.at(TaskPlace::Between).used, 80);
    EXPECT_EQ(uses.at(TaskPlace::Last).used, 40);
    EXPECT_EQ(uses.at(TaskPlace::First), (PlaceUse{.used = 40, .stored = 40, .ownWritten = 40}));
    EXPECT_EQ(uses.at(TaskPlace::Between), (PlaceUse{.used = 80, .stored = 80, .ownWritten = 80}));
  }
  EXPECT_EQ(same.at(TaskPlace::Last), (PlaceUse{.used = 40, .stored = 40, .ownWritten = 40}));
  // Each chunk takes a row from the next one; behind the last one nobody had any.
  EXPECT_EQ(moved.at(TaskPlace::Last),
            (PlaceUse{.used = 40, .ahead = 40, .written = 30, .stored = 40}));
  EXPECT_DOUBLE_EQ(inARow(moved, 4), 1);
  EXPECT_DOUBLE_EQ(moved.crowding(), 4);
}

/// Of tasks in a row a sample may have lines of few, or of one.
TEST(TaskPlaces, AreThoseAmongTasksWithoutLinesToo) {
  const auto placeOf = [](std::uint64_t task) {
    AccessLog log;
    log.parts = {{0, 9, 0, 1}};
    log.tasks = {{task, 0, 1}};
    log.references = {{0, AccessClass::Stream, true}};
    const PlaceUses uses =
        replayParts(log, 2, {10, 10},
                    [](std::size_t, std::uint64_t number) { return dealTask(number, 9, 2, 4); })[0]
            .places;
    for (std::size_t place = 0; place < taskPlaces; ++place)
      if (uses[place].used > 0)
        return static_cast<TaskPlace>(place);
    throw std::logic_error("it is at no place");
  };
  for (const std::uint64_t first : {0, 4})
    EXPECT_EQ(placeOf(first), TaskPlace::First);
  for (const std::uint64_t between : {1, 2, 5, 6})
    EXPECT_EQ(placeOf(between), TaskPlace::Between);
  for (const std::uint64_t last : {3, 7})
    EXPECT_EQ(placeOf(last), TaskPlace::Last);
  EXPECT_EQ(placeOf(8), TaskPlace::Alone);
}

TEST(TaskPlaces, CountALineOnceATask) {
  AccessLog log;
  log.parts = {{0, 2, 0, 2}};
  log.tasks = {{0, 0, 4}, {1, 4, 3}};
  const Reference read{0, AccessClass::Stream, false}, write{0, AccessClass::Stream, true};
  log.references = {read,
                    write,
                    read,
                    write,
                    read,
                    {1, AccessClass::Stride, true},
                    {2, AccessClass::Irregular, true}};
  const PlaceUses uses =
      replayParts(log, 1, {10, 10},
                  [](std::size_t, std::uint64_t task) { return Turn{0, double(task)}; })[0]
          .places;
  EXPECT_EQ(uses.at(TaskPlace::First), (PlaceUse{.used = 1, .ahead = 1, .loaded = 1, .stored = 1}));
  EXPECT_EQ(uses.at(TaskPlace::Last), (PlaceUse{.used = 2, .ahead = 1, .loaded = 1}));
}

} // namespace
