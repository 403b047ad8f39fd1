//===- AccessLogTest.cpp - Logs are read, dealt and replayed --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/PartsReplay.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace prophet::memmodel;
using nlohmann::json;

namespace {

constexpr std::size_t sites = 2;

std::string refusalOf(const json &text) {
  std::string problem;
  return readAccessLog(text, sites, problem) ? "" : problem;
}

json logOf(json parts) { return {{"rate", 0.5}, {"complete", true}, {"parts", std::move(parts)}}; }

TEST(AccessLog, IsRead) {
  std::string problem;
  const auto log = readAccessLog(json::parse(R"({"rate": 0.25, "complete": false, "more": 1,
                      "parts": [[-1, 1, [0, 0]], [1, 100, [3, 9, 6], [99, 0]], [0, 5], 1],
                      "lines": [4294967295, 5]})"),
                                 sites, problem);
  ASSERT_TRUE(log) << problem;
  EXPECT_EQ(log->rate, 0.25);
  EXPECT_FALSE(log->complete);
  ASSERT_EQ(log->parts.size(), 4u);
  EXPECT_EQ(log->parts[0].site, AccessLog::Outside);
  EXPECT_EQ(log->parts[1].site, 1u);
  EXPECT_EQ(log->parts[1].size, 100u);
  EXPECT_EQ(log->parts[1].count, 2u);
  EXPECT_EQ(log->parts[2].count, 0u);
  EXPECT_EQ(log->parts[3].site, 1u); // did the same as the second one
  EXPECT_EQ(log->parts[3].size, 100u);
  EXPECT_EQ(log->parts[3].first, log->parts[1].first);
  EXPECT_EQ(log->parts[3].count, 2u);
  EXPECT_EQ(log->tasks.size(), 3u);
  EXPECT_EQ(log->tasks[2].number, 99u);
  EXPECT_EQ(log->tasks[1].first, 1u);
  EXPECT_EQ(log->tasks[1].count, 2u);
  const Reference &second = log->references[1], &third = log->references[2];
  EXPECT_EQ(second.line, 1u);
  EXPECT_TRUE(second.isWrite);
  EXPECT_EQ(second.accessClass, AccessClass::Stream);
  EXPECT_EQ(third.line, 0u);
  EXPECT_EQ(third.accessClass, AccessClass::Chase);
  EXPECT_EQ(log->places, (std::vector<std::uint32_t>{4294967295, 5}));
}

TEST(AccessLog, ThatIsWrongIsRefused) {
  EXPECT_EQ(refusalOf(3), "the log's rate is no share above 0 up to 1");
  EXPECT_EQ(refusalOf({{"rate", 0}, {"complete", true}, {"parts", json::array()}}),
            "the log's rate is no share above 0 up to 1");
  EXPECT_EQ(refusalOf({{"rate", 1.5}, {"complete", true}, {"parts", json::array()}}),
            "the log's rate is no share above 0 up to 1");
  EXPECT_EQ(refusalOf({{"rate", 0x1p-20}, {"complete", true}, {"parts", json::array()}}), "");
  EXPECT_EQ(refusalOf({{"rate", 1}, {"parts", json::array()}}),
            "the log does not say whether it is complete");
  EXPECT_EQ(refusalOf({{"rate", 1}, {"complete", true}}), "the log has no parts");
  const auto refusalOfParts = [](const char *parts) {
    return refusalOf(logOf(json::parse(parts)));
  };
  const char *const notAPart = " is no [site, tasks, ...], nor the number of one before it";
  EXPECT_EQ(refusalOfParts("[\"7\"]"), std::string("the log's part 0") + notAPart);
  EXPECT_EQ(refusalOfParts("[[-1, 1], -1]"), std::string("the log's part 1") + notAPart);
  EXPECT_EQ(refusalOfParts("[[-1, 1], [0, -1]]"), std::string("the log's part 1") + notAPart);
  EXPECT_EQ(refusalOfParts("[[-1, 1], 1]"),
            "the log's part 1 is the same as 1, which is not before it");
  EXPECT_EQ(refusalOfParts("[[-1, 1], 0, 1]"), "");
  EXPECT_EQ(refusalOfParts("[[0, 9007199254740992]]"), "");
  EXPECT_EQ(refusalOfParts("[[0, 9007199254740993]]"), // not exact as a double
            std::string("the log's part 0") + notAPart);
  EXPECT_EQ(refusalOfParts("[[2, 1]]"), "the log's part 0 is of site 2, which is not there");
  EXPECT_EQ(refusalOfParts("[[-2, 1]]"), "the log's part 0 is of site -2, which is not there");
  EXPECT_EQ(refusalOfParts("[[18446744073709551615, 1]]"), // -1, if it had a sign
            "the log's part 0 is of site 18446744073709551615, which is not there");
  EXPECT_EQ(refusalOfParts("[[0, 1, 5]]"),
            "the log's part 0 has something that is no [task, reference, ...]");
  const std::string order =
      "the log's part 0: task 1 is not behind the one before it, or is one too many";
  EXPECT_EQ(refusalOfParts("[[0, 1, [1, 0]]]"), order);
  EXPECT_EQ(refusalOfParts("[[0, 9, [1, 0], [1, 0]]]"), order);
  const std::string nowhere = "the log's part 0: task 1 has a reference to no line";
  EXPECT_EQ(refusalOfParts("[[0, 9, [1, -8]]]"), nowhere);
  EXPECT_EQ(refusalOfParts("[[0, 9, [1, 34359738360]]]"), nowhere);
  EXPECT_EQ(refusalOfParts("[[0, 9, [1, 0, 16]]]"), nowhere); // lines are numbered as they come
  EXPECT_EQ(refusalOfParts("[[0, 9, [1, 0, 8]]]"), "");
  for (const char *places : {"[3]", "[3, 4, 5]", "[3, -1]", "[3, 4294967296]", "{}", "[3, 4.5]"}) {
    json log = logOf(json::parse("[[0, 9, [1, 0, 8]]]"));
    log["lines"] = json::parse(places);
    EXPECT_EQ(refusalOf(log), "the log's lines are not the places of the 2 that its parts have");
  }
}

TEST(AccessLog, HasLinesOfTheTasksOwn) {
  json text = logOf(json::parse("[[0, 9, [0, 1, 9, 17], [1, 1, 9, 17]]]"));
  std::string problem;
  EXPECT_TRUE(readAccessLog(text, sites, problem)->own.empty());
  text["own"] = {0, 2};
  const auto log = readAccessLog(text, sites, problem);
  ASSERT_TRUE(log) << problem;
  EXPECT_EQ(log->own, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(log->lines, 3u);
  const auto byPart = replayParts(*log, 2, {8, 8}, [](std::size_t, std::uint64_t task) {
    return Turn{unsigned(task), double(task)};
  });
  EXPECT_EQ(byPart[0].transfers, 1 / 0.5); // of the one that they share
  EXPECT_EQ(byPart[0].fetched(), 5 / 0.5);
  for (const char *own : {"7", "{}", "[0, 0]", "[2, 1]", "[3]", "[-1]", "[0.5]"}) {
    text["own"] = json::parse(own);
    EXPECT_TRUE(refusalOf(text).starts_with("the log's own ")) << own;
  }
}

/// Whatever one character becomes, there is a log that can be replayed, or a problem.
TEST(AccessLog, SurvivesAnyDamage) {
  const std::string good =
      R"({"rate": 0.5, "complete": true, "parts": [[-1, 1, [0, 0, 9]],)"
      R"([0, 3, [0, 1, 9], [2, 17, 0]], [1, 2], 1, 0], "lines": [7, 8, 9], "own": [0, 2]})";
  ASSERT_EQ(refusalOf(json::parse(good)), "");
  for (std::size_t at = 0; at < good.size(); ++at)
    for (const char other : {'"', '[', ']', '}', ',', '0', '9', '-', '.'}) {
      std::string damaged = good, problem;
      damaged[at] = other;
      const json text = json::parse(damaged, nullptr, false);
      const auto log = readAccessLog(text, sites, problem);
      EXPECT_NE(log.has_value(), !problem.empty()) << damaged;
      if (log)
        replayParts(*log, 2, {2, 2}, [&](std::size_t part, std::uint64_t task) {
          return dealTask(task, log->parts[part].size, 2, 0);
        });
    }
}

TEST(DealTask, IsOpenMPsStaticSchedule) {
  // Ten tasks for four threads: 3, 3, 2, 2.
  std::vector<unsigned> threads, numbers;
  for (std::uint64_t task = 0; task < 10; ++task) {
    const Turn turn = dealTask(task, 10, 4, 0);
    threads.push_back(turn.thread);
    numbers.push_back(unsigned(turn.begin));
  }
  EXPECT_EQ(threads, (std::vector<unsigned>{0, 0, 0, 1, 1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(numbers, (std::vector<unsigned>{0, 1, 2, 0, 1, 2, 0, 1, 0, 1}));
  EXPECT_EQ(dealTask(1, 2, 4, 0).thread, 1u); // fewer tasks than threads
}

TEST(DealTask, IsOpenMPsStaticScheduleInChunks) {
  for (std::uint64_t task = 0; task < 20; ++task) {
    const Turn turn = dealTask(task, 20, 3, 2);
    EXPECT_EQ(turn.thread, task / 2 % 3);
    EXPECT_EQ(turn.begin, task / 6 * 2 + task % 2);
  }
}

TEST(ReplayParts, HaveAThreadsTasksInTheOrderOfTheirTimes) {
  // Thread 1 begins with what it steals, the last task. Its cache of one line has what it used
  // last.
  std::string problem;
  const auto log = readAccessLog(
      logOf(json::parse("[[0, 3, [0, 0], [1, 8], [2, 16]], [0, 3, [1, 8]]]")), sites, problem);
  ASSERT_TRUE(log) << problem;
  const auto deal = [](std::size_t, std::uint64_t task) {
    return task == 0 ? Turn{0, 0} : Turn{1, task == 2 ? 0. : 1.};
  };
  const auto byPart = replayParts(*log, 2, {1, 100}, deal);
  EXPECT_EQ(byPart[0].fetched(), 6); // half of the lines are in the sample
  EXPECT_EQ(byPart[1].fetched() + byPart[1].sharedHits + byPart[1].transfers, 0);
}

TEST(ReplayParts, HaveATaskThatTakesNoTimeBeforeOneThatBeginsThen) {
  // The second task of thread 0 comes first, then the third in no time; the first one is the last.
  std::string problem;
  const auto log = readAccessLog(
      logOf(json::parse("[[0, 3, [0, 0], [1, 8], [2, 16]], [0, 3, [0, 0]]]")), sites, problem);
  ASSERT_TRUE(log) << problem;
  const auto deal = [](std::size_t, std::uint64_t task) {
    return task == 1 ? Turn{0, 0} : Turn{0, 1, task == 2 ? 0. : 1.};
  };
  const Traffic again = replayParts(*log, 1, {1, 100}, deal)[1];
  EXPECT_EQ(again.fetched() + again.sharedHits, 0);
}

/// 300 lines on one thread or two, which a cache that others fill keeps for 40 ns, not for 80.
class ReplayTimes : public testing::Test {
protected:
  AccessLog log;
  TaskTimes times{{10}};

  ReplayTimes() {
    for (std::uint32_t line = 0; line < 300; ++line)
      log.references.push_back({line, AccessClass::Stream, false});
  }
  /// A section of so many tasks, which go through these lines together.
  void section(std::uint64_t tasks, std::uint32_t site = 0) {
    log.parts.push_back({site, tasks, log.tasks.size(), tasks});
    for (std::uint64_t task = 0; task < tasks; ++task)
      log.tasks.push_back({task, task * 300 / tasks, 300 / tasks});
  }
  /// What comes from memory in the last section, of tasks that are so long.
  double lost(unsigned threads = 1, double length = 1) const {
    const Dealing deal = [&](std::size_t part, std::uint64_t task) {
      Turn turn = dealTask(task, log.parts[part].size, threads, 0);
      turn.length = length;
      return turn;
    };
    const CacheSizes sizes{1, 5000, 4, {{40, 1000}, {60, 3}}};
    return replayParts(log, threads, sizes, deal, times)[log.parts.size() - 1].fetched();
  }
};

TEST_F(ReplayTimes, AreOfTheThreadsTogether) {
  section(2);
  section(2);
  times.taskNs = {30};
  EXPECT_EQ(lost(2), 0);
  times.taskNs = {80};
  EXPECT_EQ(lost(2), 300);
}

TEST_F(ReplayTimes, LastUntilTheLastTaskIsDone) {
  section(1);
  section(1);
  EXPECT_EQ(lost(), 0);
  EXPECT_EQ(lost(1, 8), 300);
  times.end = [](std::size_t) { return 8; }; // another thread has no lines of the sample
  EXPECT_EQ(lost(), 300);
}

TEST_F(ReplayTimes, HaveSerialCodeOnce) {
  section(1);
  log.parts.push_back({AccessLog::Outside, 1, log.tasks.size(), 0});
  section(1);
  times.betweenNs = 25;
  times.end = [](std::size_t part) { return part == 1 ? 100 : 1; }; // sections end so
  EXPECT_EQ(lost(), 0);
  times.betweenNs = 70;
  EXPECT_EQ(lost(), 300);
}

TEST_F(ReplayTimes, AreAsManyTimesAsLongAsWasSaidLast) {
  section(1);
  section(1);
  section(1);
  section(1);
  times.burden = [](std::size_t, const Traffic &) { return 2; };
  EXPECT_EQ(lost(), 0); // 20 ns
  times.burden = [](std::size_t, const Traffic &) { return 8; };
  EXPECT_EQ(lost(), 300);
}

TEST_F(ReplayTimes, AskForSectionsWithTasksOnly) {
  section(1);
  log.parts.push_back({AccessLog::Outside, 1, log.tasks.size(), 0});
  log.parts.push_back({0, 0, log.tasks.size(), 0});
  section(1);
  std::vector<std::size_t> asked;
  times.burden = [&](std::size_t part, const Traffic &) {
    asked.push_back(part);
    return 1;
  };
  lost();
  EXPECT_EQ(asked, (std::vector<std::size_t>{0, 3}));
}

TEST_F(ReplayTimes, AreThePartsWhereTheyAreKnown) {
  section(1);
  section(1);
  times.taskNs = {80};
  times.partNs = {10, 10};
  EXPECT_EQ(lost(), 0);
  times.partNs = {0, 80};
  EXPECT_EQ(lost(), 300);
}

TEST(ReplayProgram, SumsUpBySite) {
  // Serial code writes eight lines; two sections of four tasks read two of them each.
  json parts = json::array();
  const auto part = [&](int site, int tasks, int lines, int kind) {
    json added = {site, tasks};
    for (int task = 0; task < tasks; ++task) {
      json references = {task};
      for (int line = 0; line < lines; ++line)
        references.push_back((task * lines + line) * 8 + kind);
      added.push_back(references);
    }
    parts.push_back(added);
  };
  part(-1, 1, 8, 1);
  part(0, 4, 2, 0);
  part(1, 4, 2, 0);
  std::string problem;
  const auto log = readAccessLog(logOf(parts), sites, problem);
  ASSERT_TRUE(log) << problem;
  const auto deal = [&log](std::uint64_t chunk) {
    return [chunk, &log](std::size_t part, std::uint64_t task) {
      return dealTask(task, log->parts[part].size, 2, chunk);
    };
  };
  const auto blocks = replayProgram(*log, sites, 2, {100, 100}, deal(0));
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[2].misses[0], 16); // half of the lines are in the sample
  EXPECT_EQ(blocks[0].transfers, 8);  // thread 1's half, which thread 0 has written
  EXPECT_EQ(blocks[1].transfers, 0);
  EXPECT_EQ(blocks[1].fetched(), 0);
  const auto chunks = replayProgram(*log, sites, 2, {100, 100}, deal(1));
  EXPECT_EQ(chunks[0].transfers, 8);
  EXPECT_EQ(chunks[1].sharedHits, 0);
}

} // namespace
