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
#include <vector>

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
  nlohmann::json written() {
    log_part(&log, 0);
    return nlohmann::json::parse(::written([&](struct text *out) { log_write(out, &log, 2); }));
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
  log_thin(&log, 3);
  const nlohmann::json all = written();
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
  for (const nlohmann::json &part : all["parts"]) // one that repeats another has no records
    ASSERT_EQ((part.is_array() ? part : all["parts"][std::size_t(part)]).size(), 3u);
}

/// What an earlier part did with the same lines is told by its number, as long as it is the same.
TEST_F(MemoryLog, TellsWhichPartsAreTheSame) {
  const auto section = [&](std::uint32_t site, std::uint64_t line, unsigned kind, int tasks) {
    log_part(&log, site);
    log_tasks(&log, 1);
    refer(7);
    log_tasks(&log, 1);
    refer(line, LOG_COLD, kind);
    log_tasks(&log, std::uint32_t(tasks - 2));
  };
  section(2, 8, 0, 3);
  section(2, 8, 0, 3);
  section(2, 9, 0, 3); // another line,
  section(2, 8, 1, 3); // another kind,
  section(2, 8, 0, 4); // more tasks,
  section(3, 8, 0, 3); // another site
  section(2, 8, 0, 3);
  section(2, 9, 0, 3);
  section(2, 9, 0, 3);
  const nlohmann::json all = written();
  EXPECT_EQ(log.count, 10u);
  EXPECT_EQ(all["parts"],
            nlohmann::json::parse("[[0, 3, [0, 0], [1, 8]], 0, [0, 3, [0, 0], [1, 16]], [0, 3, [0, "
                                  "0], [1, 9]], [0, 4, [0, 0], [1, 8]], [1, 3, [0, 0], [1, 8]], 0, "
                                  "2, 2]"));
}

/// Where lines are left out, parts still have the records of the part that they repeat, and the
/// one that goes on has its own.
TEST_F(MemoryLog, ThinsPartsThatAreTheSame) {
  std::vector<std::uint32_t> left, kept; // by hash
  for (std::uint32_t line = 1; left.size() < 3 || kept.size() < 3; ++line)
    (reuse_hash(line) < 1u << 29 ? kept : left).push_back(line);
  const auto section = [&](const std::vector<std::uint32_t> &lines) {
    log_part(&log, 2);
    log_tasks(&log, 1);
    for (const std::uint32_t line : lines)
      refer(line);
  };
  const std::vector<std::uint32_t> some{left[0], kept[0], left[1]},
      other{kept[1], left[2], kept[2]};
  for (const auto &lines : {some, {left[0]}, other, some, {left[0]}, other, some})
    section(lines);
  log_thin(&log, 3);
  EXPECT_EQ(log.count, 4u); // one of some, two of other, one of the last, which goes on
  section(other);
  section(some);
  const nlohmann::json all = written();
  EXPECT_EQ(all["parts"],
            nlohmann::json::parse("[[0, 1, [0, 0]], [0, 1, [0, 8, 16]], 0, 1, 0, 1, 0]"));
  EXPECT_EQ(all["lines"], (nlohmann::json{kept[0], kept[1], kept[2]}));
}

/// Parts that have become the same by that are told so from then on, and their records go later.
TEST_F(MemoryLog, TellsPartsThatAreTheSameOnceLinesAreLeftOut) {
  std::vector<std::uint32_t> left, kept; // by hash
  for (std::uint32_t line = 1; left.size() < 2 || kept.size() < 2; ++line)
    (reuse_hash(line) < 1u << 29 ? kept : left).push_back(line);
  const auto section = [&](const std::vector<std::uint32_t> &lines) {
    log_part(&log, 2);
    log_tasks(&log, 1);
    for (const std::uint32_t line : lines)
      refer(line);
  };
  for (const auto &lines : {{kept[0], left[0]}, std::vector{kept[0], left[1]}, {kept[1]}})
    for (int times = 0; times < 2; ++times)
      section(lines);
  log_part(&log, 0);
  log_thin(&log, 3);
  section({kept[0]});
  EXPECT_EQ(written()["parts"],
            nlohmann::json::parse("[[0, 1, [0, 0]], 0, 0, 0, [0, 1, [0, 8]], 4, 0]"));
  log_thin(&log, 4); // of lines with hashes below 2^28
  std::uint32_t records = 0;
  for (std::uint32_t part = 0; part < log.part_count; ++part)
    records += log.parts[part].same == part ? log.parts[part].count : 0;
  EXPECT_EQ(log.count, records);
}

/// Of many different parts only some are remembered: what repeats others has records of its own.
TEST_F(MemoryLog, ForgetsWhichPartsThereWereManyOf) {
  constexpr std::uint32_t parts = 4 * LOG_KNOWN;
  const auto section = [&](std::uint32_t line) {
    log_part(&log, 2);
    log_tasks(&log, 1);
    refer(line);
  };
  for (int round = 0; round < 2; ++round)
    for (std::uint32_t part = 0; part < parts; ++part)
      section(part % REUSE_LINES + part / REUSE_LINES * 100000);
  const std::uint32_t records = log.count;
  EXPECT_GT(records, parts);
  section(1); // and what was just there
  section(1);
  section(1);
  const nlohmann::json all = written();
  EXPECT_LE(log.count, records + 1);
  ASSERT_EQ(all["parts"].size(), 2 * parts + 3);
  std::vector<std::uint64_t> places;
  for (nlohmann::json part : all["parts"]) {
    if (part.is_number())
      part = nlohmann::json(all["parts"][std::size_t(part)]);
    places.push_back(all["lines"][std::size_t(part[2][1]) >> 3]);
  }
  for (std::uint32_t part = 0; part < parts; ++part)
    ASSERT_EQ(places[part], places[parts + part]) << part;
  EXPECT_EQ(places[2 * parts + 2], 1u);
}

/// Sections that repeat each other have the room of a few, but for a number each.
TEST_F(MemoryLog, HasRoomForWhatRepeats) {
  begin(1000);
  for (std::uint32_t part = 0; part < 600; ++part) {
    log_part(&log, 2);
    log_tasks(&log, 1);
    for (std::uint32_t line = 0; line < 200; ++line)
      refer(line + part % 3);
  }
  EXPECT_EQ(log.level, 0u);
  EXPECT_EQ(log.part_count, 600u);
  for (std::uint32_t part = 0; part < 600; ++part) { // numbers need room, too
    log_part(&log, 2);
    log_tasks(&log, 1);
    refer(0);
  }
  EXPECT_GT(log.level, 0u);
  EXPECT_EQ(log.part_count, 800u); // every third of the first ones has line 0, which stays
  EXPECT_FALSE(log.is_full);
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
    return nlohmann::json::parse(::written([&](struct text *out) { log_write(out, &copy, 2); }));
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

/// Between a site's parts those that repeat each other are copied once, where they come last.
TEST_F(MemoryLog, IsCopiedWithoutWhatRepeatsElsewhere) {
  const auto section = [&](std::uint32_t site, std::uint32_t line) {
    log_part(&log, site);
    log_tasks(&log, 1);
    refer(line);
  };
  section(3, 10);
  for (int times = 0; times < 3; ++times) {
    section(4, 20);
    section(4, 21);
  }
  section(4, 22);
  section(4, 20);
  section(3, 10);
  section(4, 20);
  section(3, 11);
  log_part(&log, 0);
  struct memory_log copy;
  ASSERT_TRUE(log_init(&copy, 100));
  log_copy(&copy, &log, 3, 2);
  log_part(&copy, 0);
  EXPECT_EQ(nlohmann::json::parse(
                ::written([&](struct text *out) { log_write(out, &copy, 2); }))["parts"],
            nlohmann::json::parse(
                "[[0, 1, [0, 0]], [-1, 1, [0, 8, 16, 24]], 0, [-1, 1, [0, 24]], [0, 1, [0, 32]]]"));
  log_destroy(&copy);
}

} // namespace
