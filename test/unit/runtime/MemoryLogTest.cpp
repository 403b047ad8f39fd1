//===- MemoryLogTest.cpp - Who used which lines, in literal references ----===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Written.h"
#include "runtime/memory/memory_log.h"
#include "runtime/memory/reuse_stack.h"

#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace {

class MemoryLog : public testing::Test {
protected:
  MemoryLog() { begin(LOG_RECORDS); }
  ~MemoryLog() override { log_destroy(&log); }

  struct memory_log log;

  void begin(std::uint32_t limit) {
    if (log.records)
      log_destroy(&log);
    ASSERT_TRUE(log_init(&log, limit));
  }
  /// A reference to `line`, `distance` lines after the one before.
  void refer(std::uint64_t line, std::uint64_t distance = LOG_COLD, unsigned kind = 0) {
    log_reference(&log, line, kind, distance, &logged[line]);
  }
  nlohmann::json written(std::uint32_t level = 0) {
    log_part(&log, 0);
    return nlohmann::json::parse(
        ::written([&](struct text *out) { log_write(out, &log, level, 2); }));
  }

private:
  std::map<std::uint64_t, std::uint32_t> logged;
};

TEST_F(MemoryLog, HasPartsTasksAndReferencesInOrder) {
  refer(100);
  log_part(&log, 3);
  log_tasks(&log, 1);
  log_tasks(&log, 1);
  refer(200);
  refer(100, LOG_COLD, 5);
  log_tasks(&log, 1);
  log_tasks(&log, 1);
  refer(200, 1);
  log_tasks(&log, 1);
  log_part(&log, 0);
  refer(300);
  EXPECT_EQ(written(), nlohmann::json::parse(R"({"rate": 1, "complete": true, "parts":
      [[-1, 1, [0, 0]], [1, 5, [1, 8, 5], [3, 8]], [-1, 1, [0, 16]]],
      "lines": [100, 200, 300]})"));
}

/// All lines of the sample may be a task's own in one place and shared in another.
TEST_F(MemoryLog, HasRoomForAllLinesTwice) {
  for (const unsigned own : {0u, MEMORY_OWN}) {
    log_part(&log, 3);
    log_tasks(&log, 1);
    for (std::uint64_t line = 0; line <= REUSE_LINES; ++line)
      refer(line, LOG_COLD, own);
  }
  log_part(&log, 3);
  log_tasks(&log, 1);
  refer(5);
  const nlohmann::json out = written();
  EXPECT_EQ(out["lines"].size(), 2 * (REUSE_LINES + 1));
  EXPECT_EQ(out["own"].size(), REUSE_LINES + 1);
  EXPECT_EQ(out["own"][0], REUSE_LINES + 1);
  EXPECT_EQ(out["parts"][2], nlohmann::json::parse("[1, 1, [0, 40]]"));
}

TEST_F(MemoryLog, OfNothingIsEmpty) {
  log_part(&log, 2);
  log_tasks(&log, 1);
  EXPECT_EQ(written()["parts"], nlohmann::json::array());
}

TEST_F(MemoryLog, LeavesOutWhatEveryCacheHas) {
  log_part(&log, 2);
  log_tasks(&log, 1);
  refer(7);
  refer(7, LOG_NEAR - 1);
  refer(7, LOG_NEAR);
  EXPECT_EQ(written()["parts"], nlohmann::json::parse("[[0, 1, [0, 0, 0]]]"));
}

TEST_F(MemoryLog, OfATaskThatReadsAndWritesSaysThatItWrites) {
  log_part(&log, 2);
  log_tasks(&log, 1);
  refer(7, LOG_COLD, 2);
  refer(7, 3, 3);
  log_tasks(&log, 1);
  refer(7, 3, 2);
  EXPECT_EQ(written()["parts"], nlohmann::json::parse("[[0, 2, [0, 3], [1, 2]]]"));
}

TEST_F(MemoryLog, ThinsLinesWhereItIsFull) {
  begin(1000);
  constexpr std::uint32_t lines = 3000;
  log_part(&log, 2);
  for (int round = 0; round < 4; ++round) {
    log_tasks(&log, 1);
    for (std::uint32_t line = 0; line < lines; ++line)
      refer(line, LOG_COLD);
  }
  const nlohmann::json all = written();
  EXPECT_TRUE(all["complete"]);
  const double rate = all["rate"];
  EXPECT_EQ(rate, 0.0625); // 12,000 references, so one of sixteen lines
  std::set<int> kept;
  ASSERT_EQ(all["parts"].size(), 1u);
  for (int task = 0; task < 4; ++task) {
    const nlohmann::json &references = all["parts"][0][2 + task];
    EXPECT_NEAR(double(references.size() - 1), rate * lines, 0.2 * rate * lines);
    for (std::size_t i = 1; i < references.size(); ++i)
      kept.insert(int(references[i]));
  }
  EXPECT_EQ(kept.size(), all["parts"][0][2].size() - 1); // the same lines in each task
}

TEST_F(MemoryLog, IsOfTheFinalSample) {
  for (std::uint32_t line = 0; line < 1000; ++line)
    refer(line);
  std::size_t expected = 0;
  for (std::uint32_t line = 0; line < 1000; ++line)
    expected += reuse_hash(line) < 1u << 29;
  const nlohmann::json all = written(3);
  EXPECT_EQ(all["rate"], 0.125);
  EXPECT_EQ(all["parts"][0][2].size() - 1, expected);
}

TEST_F(MemoryLog, ForgetsPartsWithoutRecords) {
  begin(1000);
  for (std::uint32_t part = 0; part < 20000; ++part) {
    log_part(&log, part % 2 ? 0 : 2);
    log_tasks(&log, 1);
    refer(part % 4000);
    ASSERT_LE(log.part_count, 1000u);
  }
  const nlohmann::json all = written();
  EXPECT_TRUE(all["complete"]);
  EXPECT_GT(all["parts"].size(), 100u);
  for (const nlohmann::json &part : all["parts"])
    ASSERT_EQ(part.size(), 3u);
}

TEST_F(MemoryLog, ThatCannotBeThinnedEndsEarly) {
  begin(3);
  log_part(&log, 2);
  for (int task = 0; task < 10; ++task) {
    log_tasks(&log, 1);
    refer(0); // whose hash is 0
  }
  const nlohmann::json all = written();
  EXPECT_FALSE(all["complete"]);
  EXPECT_EQ(all["parts"], nlohmann::json::parse("[[0, 10, [0, 0], [1, 0], [2, 0]]]"));
}

/// A copy knows the parts of one site, also where it has less room than what it is of.
TEST_F(MemoryLog, IsCopiedForOneSite) {
  refer(1);
  log_part(&log, 3);
  for (std::uint32_t task = 0; task < 2; ++task) {
    log_tasks(&log, 1);
    refer(10 + task);
  }
  log_part(&log, 4);
  log_tasks(&log, 1);
  log_tasks(&log, 1);
  refer(20);
  log_part(&log, 0);
  refer(1);
  struct memory_log copy;
  ASSERT_TRUE(log_init(&copy, 100));
  log_copy(&copy, &log, 3, 2);
  log_part(&copy, 0);
  const auto text = [&] {
    return nlohmann::json::parse(::written([&](struct text *out) { log_write(out, &copy, 0, 2); }));
  };
  EXPECT_EQ(text(), nlohmann::json::parse(R"({"rate": 1, "complete": true, "parts":
      [[-1, 1, [0, 0]], [0, 2, [0, 8], [1, 16]], [-1, 1, [0, 24, 0]]], "lines": [1, 10, 11, 20]})"));
  log_destroy(&copy);

  log_part(&log, 3);
  for (std::uint32_t line = 0; line < 1000; ++line) {
    log_tasks(&log, 1);
    refer(line);
  }
  log_part(&log, 0);
  log_thin(&log, 1);
  ASSERT_TRUE(log_init(&copy, 100));
  log_copy(&copy, &log, 3, 2);
  const nlohmann::json all = text();
  EXPECT_TRUE(all["complete"]);
  EXPECT_EQ(all["rate"], 0.0625);
  std::size_t kept = 0, expected = 0;
  for (const nlohmann::json &part : all["parts"])
    kept += part[0] == 0 && part[1] == 1000 ? part.size() - 2 : 0;
  for (std::uint32_t line = 0; line < 1000; ++line)
    expected += reuse_hash(line) < 1u << 28;
  EXPECT_EQ(kept, expected);
  log_destroy(&copy);
}

} // namespace
