//===- MemoryProfileTest.cpp ----------------------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/MemoryProfile.h"

#include <gtest/gtest.h>
#include <string>

namespace prophet::memmodel {
namespace {

const std::string none = R"({"cold": 0, "reuse": [], "writes": {"cold": 0, "reuse": []}})";

std::string use(const std::string &stream, const std::string &writebacks) {
  return R"("accesses": {"reads": 700, "writes": 300}, "classes": {"stream": )" + stream +
         R"(, "stride": )" + none + R"(, "indirect": )" + none + R"(, "chase": )" + none +
         R"(}, "writebacks": )" + writebacks;
}

const std::string stream = R"({"cold": 10, "reuse": [[0,900],[65,40],[1055,50]],
  "writes": {"cold": 5, "reuse": [[1055,20]]}})";
const std::string writebacks = R"({"never": 3, "reuse": [[65,7],[1055,30]]})";

std::string profile(const std::string &sites,
                    const std::string &bins = R"({"exact": 64, "per_octave": 32})") {
  return R"({"format": "prophet-memory-profile", "version": 1, "complete": true, "line": 64,
"rate": 0.25, "sampled_lines": 12, "bins": )" +
         bins + R"(, "program": {}, "sites": [)" + sites + R"(], "outside": {)" +
         use(none, R"({"never": 0, "reuse": []})") + "}}";
}

const std::string site = R"({"name": "rows", "kind": "parallel_for", "file": "a.c", "line": 3,
  "executions": 2, )" + use(stream, writebacks) +
                         "}";

std::string problemOf(const std::string &text) {
  std::string problem;
  EXPECT_FALSE(readMemoryProfile(text, problem));
  return problem;
}

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(MemoryProfile, KnowsWhatACacheMisses) {
  std::string problem;
  const auto read = readMemoryProfile(profile(site), problem);
  ASSERT_TRUE(read) << problem;
  ASSERT_EQ(read->sites.size(), 1u);
  const SiteUse &rows = read->sites[0];
  EXPECT_EQ(rows.name, "rows");
  EXPECT_EQ(rows.executions, 2u);
  EXPECT_EQ(rows.accesses(), 1000);
  EXPECT_EQ(read->rate, 0.25);
  // A cache of C lines lacks what was used C or more lines ago.
  EXPECT_EQ(rows.misses(AccessClass::Stream, 64 * 64), 100);
  EXPECT_EQ(rows.misses(AccessClass::Stream, 66 * 64), 60);
  EXPECT_EQ(rows.misses(AccessClass::Stream, 1 << 20), 10);
  EXPECT_EQ(rows.misses(AccessClass::Chase, 64 * 64), 0);
  EXPECT_EQ(rows.writeBacks(64 * 64), 37);
  EXPECT_EQ(rows.writeBacks(100 * 64), 30);
  EXPECT_EQ(rows.classes[0].writes.atLeast(100), 20);
}

TEST(MemoryProfile, HasWhatTheFileHas) {
  std::string text = replaced(profile(site), R"("complete": true)", R"("complete": false)");
  text = replaced(text, R"("program": {})", R"("program": {"command": ["./app.memory", "7"]})");
  text = replaced(text, R"("outside": {"accesses": {"reads": 700)",
                  R"("outside": {"accesses": {"reads": 50)");
  text = replaced(text, R"("chase": {"cold": 0)", R"("chase": {"cold": 9)");
  std::string problem;
  const auto read = readMemoryProfile(text, problem);
  ASSERT_TRUE(read) << problem;
  EXPECT_FALSE(read->complete);
  EXPECT_EQ(read->sampledLines, 12u);
  EXPECT_EQ(read->command, (std::vector<std::string>{"./app.memory", "7"}));
  EXPECT_EQ(read->outside.accesses(), 50 + 300);
  const SiteUse &rows = read->sites[0];
  EXPECT_EQ(rows.kind, "parallel_for");
  EXPECT_EQ(rows.file, "a.c");
  EXPECT_EQ(rows.line, 3u);
  EXPECT_EQ(rows.reads, 700);
  EXPECT_EQ(rows.writes, 300);
  EXPECT_EQ(rows.classes[0].cold, 10);
  EXPECT_EQ(rows.classes[0].coldWrites, 5);
  EXPECT_EQ(rows.misses(AccessClass::Chase, 4096), 9);
  EXPECT_EQ(rows.misses(AccessClass::Irregular, 4096), 0);
  EXPECT_EQ(rows.neverWrittenBack, 3);
}

TEST(MemoryProfile, HasLinesOfItsMachine) {
  std::string problem;
  const auto read =
      readMemoryProfile(replaced(profile(site), R"("line": 64)", R"("line": 128)"), problem);
  ASSERT_TRUE(read) << problem;
  EXPECT_EQ(read->sites[0].misses(AccessClass::Stream, 64 * 128), 100);
  EXPECT_EQ(read->sites[0].misses(AccessClass::Stream, 66 * 128), 60);
  EXPECT_EQ(read->sites[0].writeBacks(64 * 128), 37);
  EXPECT_EQ(read->sites[0].writeBacks(66 * 128), 30);
}

TEST(MemoryProfile, HasWhatIsExecutedWhereItWasCounted) {
  std::string problem;
  auto read = readMemoryProfile(profile(site), problem);
  ASSERT_TRUE(read) << problem;
  EXPECT_FALSE(read->sites[0].flops || read->sites[0].instructions || read->sites[0].chained);
  EXPECT_EQ(read->sites[0].readFirst, 0);
  const std::string counted =
      replaced(profile(site), R"("accesses")",
               R"("flops": 5, "instructions": 4000, "chained": 3, "read_first": 7, "accesses")");
  read = readMemoryProfile(counted, problem);
  ASSERT_TRUE(read) << problem;
  EXPECT_EQ(read->sites[0].flops, 5);
  EXPECT_EQ(read->sites[0].instructions, 4000);
  EXPECT_EQ(read->sites[0].chained, 3);
  EXPECT_EQ(read->sites[0].readFirst, 7);
  EXPECT_EQ(problemOf(replaced(counted, "4000", "-4")),
            "sites[0].instructions is not a whole number from 0 on");
}

TEST(MemoryProfile, SharesABinThatTheCacheSizeCuts) {
  std::string problem;
  const auto read = readMemoryProfile(profile(site), problem);
  ASSERT_TRUE(read) << problem;
  // The bin that ends with 1055 begins with 1024, 32 distances.
  EXPECT_EQ(read->sites[0].misses(AccessClass::Stream, 1040 * 64), 10 + 25);
}

TEST(MemoryProfile, SaysWhereItIsMalformed) {
  const std::string good = profile(site);
  EXPECT_EQ(problemOf("{\n  ]"), "line 2, column 3: not JSON, or cut off");
  EXPECT_NE(problemOf(good.substr(0, good.size() / 2)).find("not JSON, or cut off"),
            std::string::npos);
  EXPECT_EQ(problemOf("[]"), "the profile is not an object");
  EXPECT_EQ(problemOf("{}"), "the profile has no 'format'");
  EXPECT_EQ(problemOf(replaced(good, "prophet-memory-profile", "else")),
            "the profile is not a 'prophet-memory-profile'");
  EXPECT_EQ(problemOf(replaced(good, R"("version": 1)", R"("version": 9)")),
            "the profile has version 9, and this Prophet reads version 1");
  EXPECT_EQ(problemOf(replaced(good, "[65,40]", "[65,-40]")),
            "sites[0].classes.stream.reuse[1][1] is not a whole number from 0 on");
  EXPECT_EQ(problemOf(replaced(good, "[65,40]", "[65]")),
            "sites[0].classes.stream.reuse[1] is not [distance, count]");
  EXPECT_EQ(problemOf(replaced(good, "[65,40]", "[0,40]")),
            "sites[0].classes.stream.reuse[1][0] is not a bin's end behind the one before it");
  EXPECT_EQ(problemOf(replaced(good, R"("rate": 0.25)", R"("rate": 0)")),
            "rate is not a number above 0, at most 1");
  EXPECT_EQ(problemOf(replaced(good, R"("rate": 0.25)", R"("rate": 1.5)")),
            "rate is not a number above 0, at most 1");
  EXPECT_EQ(problemOf(replaced(good, "[65,40]", "[65,40,1]")),
            "sites[0].classes.stream.reuse[1] is not [distance, count]");
  EXPECT_EQ(problemOf(replaced(good, "[65,40]", "[1040,40]")), // within the next one's bin
            "sites[0].classes.stream.reuse[2][0] is not a bin's end behind the one before it");
  EXPECT_EQ(problemOf(replaced(good, "[1055,50]", "[1099511627777,50]")), // more than 2^40
            "sites[0].classes.stream.reuse[2][0] is not a bin's end behind the one before it");
  for (const char *line : {"0", "96", "8192"})
    EXPECT_EQ(problemOf(replaced(good, R"("line": 64)", std::string(R"("line": )") + line)),
              "line is not a line's size in bytes");
  for (const char *bins :
       {R"({"exact": 60, "per_octave": 32})", R"({"exact": 64, "per_octave": 24})",
        R"({"exact": 16, "per_octave": 32})", R"({"exact": 2199023255552, "per_octave": 32})"})
    EXPECT_EQ(problemOf(profile(site, bins)), "bins must be powers of two, 'exact' the larger one");
}

/// Whatever one character becomes, there is a profile or a problem.
TEST(MemoryProfile, SurvivesAnyDamage) {
  const std::string good = profile(site);
  for (std::size_t at = 0; at < good.size(); ++at)
    for (const char other : {'\0', '"', '[', '}', '9', '-', '\xff'}) {
      std::string text = good, problem;
      text[at] = other;
      const bool isRead = readMemoryProfile(text, problem).has_value();
      EXPECT_NE(isRead, !problem.empty());
    }
}

} // namespace
TEST(MemoryProfile, HasALogPerhaps) {
  std::string problem;
  EXPECT_FALSE(readMemoryProfile(profile(site), problem)->log);
  const auto with = [&](const std::string &log) {
    std::string text = profile(site);
    text.insert(text.rfind('}'), ", \"log\": " + log);
    return text;
  };
  const auto read = readMemoryProfile(
      with(R"({"rate": 0.5, "complete": true, "parts": [[0, 2, [1, 0]]]})"), problem);
  ASSERT_TRUE(read && read->log) << problem;
  EXPECT_EQ(read->log->rate, 0.5);
  EXPECT_EQ(problemOf(with("7")), "the log's rate is no share above 0 up to 1");
  EXPECT_EQ(problemOf(with("1e999")), "has a number that is out of range");
}

TEST(MemoryProfile, HasSitesInsideOthersPerhaps) {
  std::string problem;
  EXPECT_TRUE(readMemoryProfile(profile(site), problem)->inner.empty());
  const auto with = [&](const std::string &inner) {
    std::string text = profile(site);
    text.insert(text.rfind('}'), ", \"inner\": " + inner);
    return text;
  };
  const std::string log = R"({"rate": 0.5, "complete": true, "parts": [[0, 2, [1, 0]]]})";
  const auto withLog = [&](const std::string &log) {
    std::string text = site;
    text.insert(text.rfind('}'), ", \"log\": " + log);
    return with("[" + site + ", " + text + "]");
  };
  const auto read = readMemoryProfile(withLog(log), problem);
  ASSERT_TRUE(read && read->inner.size() == 2) << problem;
  EXPECT_FALSE(read->log || read->inner[0].log);
  const InnerSite &rows = read->inner[1];
  EXPECT_EQ(rows.name, "rows");
  EXPECT_EQ(rows.executions, 2u);
  EXPECT_EQ(rows.misses(AccessClass::Stream, 64 * 64), 100);
  ASSERT_TRUE(rows.log);
  EXPECT_EQ(rows.log->references.size(), 1u);
  EXPECT_EQ(problemOf(with("7")), "inner is not an array");
  EXPECT_EQ(problemOf(with("[7]")), "inner[0] is not an object");
  EXPECT_EQ(
      problemOf(with("[" + replaced(site, R"("executions": 2)", R"("executions": -2)") + "]")),
      "inner[0].executions is not a whole number from 0 on");
  EXPECT_EQ(problemOf(withLog("7")), "inner[1]: the log's rate is no share above 0 up to 1");
  EXPECT_EQ(problemOf(withLog(replaced(log, "[[0, 2", "[[1, 2"))),
            "inner[1]: the log's part 0 is of site 1, which is not there");
}

} // namespace prophet::memmodel
