//===- MemoryProfileTest.cpp ----------------------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MeasuredProfile.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

namespace {

/// All lines, the one used last in front; and for each cache size, which it holds dirty.
class SlowStack {
public:
  static constexpr std::uint64_t Cold = ~0ull;

  std::uint64_t use(std::uint64_t line) {
    const auto found = std::find(lines.begin(), lines.end(), line);
    const std::uint64_t distance =
        found == lines.end() ? Cold : static_cast<std::uint64_t>(found - lines.begin());
    if (found != lines.end())
      lines.erase(found);
    lines.insert(lines.begin(), line);
    return distance;
  }

private:
  std::vector<std::uint64_t> lines;
};

/// A cache that throws out the line not used for longest, and counts the dirty ones among them.
class SlowCache {
public:
  explicit SlowCache(std::size_t size) : size(size) {}
  std::uint64_t writebacks = 0;

  void use(std::uint64_t line, bool write) {
    const auto found =
        std::find_if(lines.begin(), lines.end(), [&](auto &held) { return held.first == line; });
    const bool dirty = write || (found != lines.end() && found->second);
    if (found != lines.end())
      lines.erase(found);
    lines.insert(lines.begin(), {line, dirty});
    if (lines.size() <= size)
      return;
    writebacks += lines.back().second;
    lines.pop_back();
  }

private:
  std::size_t size;
  std::vector<std::pair<std::uint64_t, bool>> lines;
};

TEST(LinesAhead, AreInNoSample) {
  std::mt19937_64 random(3);
  for (const std::uint32_t threshold : {~0u, 1u << 31, 3u << 28, 1u << 26, 1u << 22, 1u << 12}) {
    std::vector<unsigned short> ahead(PROPHET_MEMORY_AHEAD);
    reuse_find_ahead(ahead.data(), threshold);
    const auto entry = [&](std::uint32_t hash) {
      return ahead[hash >> (32 - PROPHET_MEMORY_AHEAD_BITS)];
    };
    std::uint64_t promised = 0, free = 0;
    for (int i = 0; i < 2000; ++i) {
      const std::uint64_t line = random() >> 6;
      const unsigned up = entry(reuse_hash(line)), down = entry(threshold - 1 - reuse_hash(line));
      for (unsigned lines = 0; lines < up; ++lines)
        ASSERT_GE(reuse_hash(line + lines), threshold) << line << " + " << lines;
      for (unsigned lines = 0; lines < down; ++lines)
        ASSERT_GE(reuse_hash(line - lines), threshold) << line << " - " << lines;
      std::uint64_t next = line;
      while (reuse_hash(next) >= threshold)
        ++next;
      promised += up;
      free += next - line;
    }
    EXPECT_LE(promised, free);
    if (threshold >= 1u << 26) {
      EXPECT_GE(2 * promised, free) << "a table that promises little is of no use";
    }
  }
}

TEST(ReuseStack, AgreesWithAListOfLines) {
  std::mt19937 random(1);
  auto stack = std::make_unique<reuse_stack>();
  SlowStack slow;
  for (int i = 0; i < 200000; ++i) { // slots are renumbered some times
    // Near and far: a few lines, some, all.
    const std::uint64_t line = random() % (i % 3 == 0 ? 5 : i % 3 == 1 ? 100 : 6000);
    std::uint32_t distance;
    const reuse_line *found = reuse_touch(stack.get(), line, &distance);
    const std::uint64_t expected = slow.use(line);
    ASSERT_EQ(distance, expected == SlowStack::Cold ? REUSE_COLD : expected) << "use " << i;
    ASSERT_EQ(reuse_depth(stack.get(), found), 0u);
  }
}

TEST(ReuseStack, KeepsOrderWhenLinesAreDropped) {
  auto stack = std::make_unique<reuse_stack>();
  SlowStack kept;
  std::uint32_t distance;
  const std::uint32_t threshold = 1u << 31;
  for (std::uint64_t line = 0; line < 4000; ++line) {
    reuse_touch(stack.get(), line * 37, &distance);
    if (reuse_hash(line * 37) < threshold)
      kept.use(line * 37);
  }
  reuse_keep(stack.get(), threshold);
  for (std::uint64_t line = 0; line < 4000; line += 3)
    if (reuse_hash(line * 37) < threshold) {
      reuse_touch(stack.get(), line * 37, &distance);
      ASSERT_EQ(distance, kept.use(line * 37));
    }
}

TEST(Bins, HoldWhatTheyShould) {
  std::uint64_t next = 0;
  for (std::uint32_t bin = 0; bin < BINS; ++bin) {
    EXPECT_EQ(bin_of(next), bin);
    EXPECT_EQ(bin_of(bin_end(bin)), bin);
    EXPECT_LE(static_cast<double>(bin_end(bin) - next), static_cast<double>(next) / 32);
    next = bin_end(bin) + 1;
  }
  EXPECT_EQ(bin_of(UINT64_MAX / 2), BINS - 1u);
}

TEST(MemoryProfile, WritesBackWhatCachesWouldWriteBack) {
  std::mt19937 random(2);
  Profile profile(0);
  std::vector<SlowCache> caches;
  for (std::size_t size = 1; size <= 60; ++size)
    caches.emplace_back(size);
  memory_open(profile, Site, 100, nullptr);
  for (int i = 0; i < 50000; ++i) {
    const std::uint64_t line = random() % (i % 2 ? 8 : 63);
    const bool write = random() % 4 == 0;
    profile.use(line, write ? Write : Read);
    for (SlowCache &cache : caches)
      cache.use(line, write);
  }
  memory_finish(profile);
  std::int64_t sum = 0;
  for (std::uint32_t size = 63; size >= 1; --size) { // distances below 64 have a bin each
    sum += profile.site().writebacks[size];
    if (size <= 60) {
      EXPECT_EQ(static_cast<std::uint64_t>(sum), caches[size - 1].writebacks) << size;
    }
  }
}

TEST(MemoryProfile, IsExactAtRateOne) {
  std::mt19937 random(3);
  Profile profile(0);
  SlowStack slow;
  std::map<std::uint64_t, double> misses;
  memory_open(profile, Site, 100, nullptr);
  for (int i = 0; i < 30000; ++i) {
    const std::uint64_t line = random() % (i % 5 ? 40 : 3000);
    const std::uint64_t distance = slow.use(line);
    for (std::uint64_t lines : {1, 20, 50, 64, 1024, 2048})
      misses[lines] += distance >= lines;
    profile.use(line, Read);
  }
  for (const auto &[lines, count] : misses)
    EXPECT_EQ(profile.misses(lines), count) << lines;
}

/// A loop over more and more lines makes the rate fall; what was counted before stays right.
TEST(MemoryProfile, EstimatesWhileTheRateFalls) {
  Profile profile(-1);
  memory_open(profile, Site, 100, nullptr);
  const std::uint64_t lines = 300000, rounds = 6;
  for (std::uint64_t round = 0; round < rounds; ++round)
    for (std::uint64_t line = 0; line < lines; ++line)
      profile.use(line, Read);
  EXPECT_GE(profile->level, 5u);
  EXPECT_GT(profile->stack.lines, 4096u);
  EXPECT_LE(profile->stack.lines, REUSE_LINES + 0u);
  EXPECT_NEAR(profile.misses(1), lines * rounds, 0.01 * lines * rounds);
  EXPECT_NEAR(profile.misses(280000), lines * rounds, 0.01 * lines * rounds);
  EXPECT_NEAR(static_cast<double>(profile.site().cold[Read]), lines, 0.01 * lines);
}

TEST(MemoryProfile, CountsForTheOutermostSection) {
  Profile profile(0);
  profile.use(1, Read);
  const unsigned outer = memory_open(profile, Site, 100, nullptr);
  const unsigned inner = memory_open(profile, "tasks|a.c|9|inner|", 90, nullptr);
  profile.use(1, Read);
  memory_close(profile, inner);
  profile.use(2, Write);
  memory_pause(profile);
  profile.use(3, Write);
  EXPECT_EQ(memory_open(profile, Site, 90, nullptr), 0u);
  memory_resume(profile);
  profile.use(3, Write);
  memory_count(profile, PROPHET_MEMORY_FLOPS, 5);
  memory_count(profile, PROPHET_MEMORY_INSTRUCTIONS, 70);
  memory_count(profile, PROPHET_MEMORY_CHAINED, 4);
  memory_close(profile, outer);
  profile.use(2, Read);
  memory_finish(profile);
  const nlohmann::json out = writtenProfile(profile);
  ASSERT_EQ(out["sites"].size(), 1u);
  EXPECT_EQ(out["sites"][0]["name"], "rows");
  EXPECT_EQ(out["sites"][0]["executions"], 1);
  EXPECT_EQ(out["sites"][0]["accesses"], (nlohmann::json{{"reads", 1}, {"writes", 2}}));
  EXPECT_EQ(out["sites"][0]["flops"], 5);
  EXPECT_EQ(out["sites"][0]["instructions"], 70);
  EXPECT_EQ(out["sites"][0]["chained"], 4);
  EXPECT_EQ(out["outside"]["chained"], 0);
  EXPECT_EQ(out["sites"][0]["classes"]["stream"]["cold"], 1);
  EXPECT_EQ(out["sites"][0]["classes"]["stream"]["reuse"], (nlohmann::json{{0, 2}}));
  EXPECT_EQ(out["sites"][0]["writebacks"]["never"], 2);
  EXPECT_EQ(out["outside"]["accesses"], (nlohmann::json{{"reads", 2}, {"writes", 0}}));
  EXPECT_EQ(out["rate"], 1.0);
  EXPECT_EQ(out["sampled_lines"], 3);
}

TEST(MemoryProfile, ClosesWhatLongjmpLeft) {
  Profile profile(0);
  memory_open(profile, Site, 50, nullptr);
  const unsigned next = memory_open(profile, "parallel_for|a.c|9|next|", 100, nullptr);
  EXPECT_EQ(next, 1u);
  profile.use(1, Read);
  EXPECT_EQ(profile->views[0].sites[MEMORY_FIRST + 1].cold[Read], 1u);
}

/// What is put off is done in its order, at the rates that there are by then, and for the section
/// that it was in; whatever counts bits.
TEST(MemoryProfile, CatchesUpBeforeAnythingElse) {
  Profile now(-1), soon(-1);
  soon->has_popcnt = false;
  std::mt19937_64 random(3);
  for (const char *text : {Site, "parallel_for|a.c|9|next|"}) {
    const unsigned handles[] = {memory_open(now, text, 100, nullptr),
                                memory_open(soon, text, 100, nullptr)};
    for (int i = 0; i < 40 * MEMORY_WAITING + 7; ++i) {
      const std::uint64_t line = random() % 20000;
      if (reuse_hash(line) < now->threshold)
        memory_event(now, line, i % 2 ? Read : Write);
      memory_event_soon(soon, line, i % 2 ? Read : Write); // before it knows of the new rate
    }
    memory_close(now, handles[0]);
    memory_close(soon, handles[1]);
  }
  EXPECT_GT(now->level, 0u);
  memory_finish(now);
  memory_finish(soon);
  EXPECT_EQ(writtenProfile(soon), writtenProfile(now));
}

/// An access that reads and writes is as good as two.
TEST(MemoryProfile, TakesAReadAndTheWriteBehindItTogether) {
  Profile apart(3), together(3);
  std::mt19937_64 random(5);
  for (Profile *profile : {&apart, &together})
    memory_open(*profile, Site, 100, nullptr);
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t line = random() % 20000;
    if (i % 9 == 0) {
      memory_task(apart);
      memory_task(together);
    }
    if (reuse_hash(line) >= apart->threshold)
      continue;
    const unsigned kind = random() % PROPHET_MEMORY_CLASSES * 2;
    const bool then_write = random() % 3 == 0;
    memory_event_soon(apart, line, kind);
    memory_event_soon(together, line, kind | (then_write ? PROPHET_MEMORY_THEN_WRITE : 0));
    if (then_write)
      memory_event_soon(apart, line, kind + 1);
  }
  memory_finish(apart);
  memory_finish(together);
  EXPECT_EQ(apart->level, 3u);
  EXPECT_EQ(writtenProfile(together), writtenProfile(apart));
}

/// A write joins the read that waits last, and no other.
TEST(MemoryProfile, JoinsAWriteToTheReadThatWaits) {
  Profile profile(0);
  EXPECT_FALSE(memory_then_write(profile, memory_wait(7, Read)));
  memory_event_soon(profile, 7, Read);
  EXPECT_FALSE(memory_then_write(profile, memory_wait(8, Read)));
  EXPECT_TRUE(memory_then_write(profile, memory_wait(7, Read)));
  EXPECT_FALSE(memory_then_write(profile, memory_wait(7, Read)));
  memory_finish(profile);
  EXPECT_EQ(profile->views[0].sites[MEMORY_OUTSIDE].cold[Read], 1u);
  EXPECT_EQ(profile->views[0].sites[MEMORY_OUTSIDE].reuse[Write][0], 1u);
  EXPECT_EQ(profile->views[0].sites[MEMORY_OUTSIDE].never, 1u);
}

/// Of the site that writes to them, whoever has read them.
TEST(MemoryProfile, CountsLinesThatAreReadBeforeTheyAreFirstWrittenTo) {
  Profile profile(1); // half of the lines, twice
  std::vector<std::uint64_t> sampled;
  for (std::uint64_t line = 0; sampled.size() < 5; ++line)
    if (reuse_hash(line) < profile->threshold)
      sampled.push_back(line);
  memory_event(profile, sampled[0], Read);
  memory_event(profile, sampled[1], Write);
  const unsigned rows = memory_open(profile, Site, 100, nullptr);
  memory_event(profile, sampled[0], Write);
  memory_event(profile, sampled[0], Write); // not for the first time
  memory_event(profile, sampled[1], Read | PROPHET_MEMORY_THEN_WRITE);
  memory_event(profile, sampled[2], Read | PROPHET_MEMORY_THEN_WRITE);
  memory_event(profile, sampled[3], Write);
  memory_event(profile, sampled[4], Read);
  memory_close(profile, rows);
  memory_event(profile, sampled[4], Write);
  memory_finish(profile);
  const nlohmann::json out = writtenProfile(profile);
  EXPECT_EQ(out["sites"][0]["read_first"], 2 * 2);
  EXPECT_EQ(out["outside"]["read_first"], 2);
}

/// Programs may survive that they use what is not there.
TEST(MemoryProfile, TakesNoAddressForAMark) {
  EXPECT_EQ(memory_wait(UINT64_MAX >> PROPHET_MEMORY_LINE_SHIFT, Write) >> 63, 0u);
  Profile profile(0);
  memory_open(profile, Site, 100, nullptr);
  for (const std::uint64_t address : {UINT64_C(0x80000001deadbe00), UINT64_MAX - 4095})
    memory_event_soon(profile, address >> PROPHET_MEMORY_LINE_SHIFT, Read);
  memory_finish(profile);
  EXPECT_EQ(profile.site().cold[Read], 2u);
}

/// The exact counts add what no sampled line was used for, at distance 0.
TEST(MemoryProfile, AddsWhatTheSampleLacks) {
  Profile profile(0);
  memory_open(profile, Site, 100, nullptr);
  profile.use(1, Read);
  memory_count(profile, Read, 99);
  memory_finish(profile);
  const auto stream = writtenProfile(profile)["sites"][0]["classes"]["stream"];
  EXPECT_EQ(stream["cold"], 1);
  EXPECT_EQ(stream["reuse"], (nlohmann::json{{0, 99}}));
  EXPECT_EQ(writtenProfile(profile, false)["complete"], false);
}

} // namespace
