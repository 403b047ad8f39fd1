//===- TextTest.cpp - Words to values and back ------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/support/Text.h"
#include "predictor/support/Machine.h"
#include "predictor/support/ThreadLimit.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/resource.h>

using namespace prophet;

using Threads = std::vector<unsigned>;

TEST(ThreadList, takesNumbersRangesAndSteps) {
  EXPECT_EQ(*parseThreadList("2,4,8"), (Threads{2, 4, 8}));
  EXPECT_EQ(*parseThreadList("1-4"), (Threads{1, 2, 3, 4}));
  EXPECT_EQ(*parseThreadList("4-16:4"), (Threads{4, 8, 12, 16}));
  EXPECT_EQ(*parseThreadList("8,2,1-3"), (Threads{1, 2, 3, 8}));
}

TEST(ThreadList, refusesWhatIsNoThreadCount) {
  for (const char *bad : {"", ",", "2,", "0", "-1", "a", "4-2", "1-", "1-4:0", "2:4", "65537",
                          "1-4:2:2", "2 4", "99999999999999999999"})
    EXPECT_FALSE(parseThreadList(bad)) << bad;
  EXPECT_EQ(parseThreadList("0").error().message,
            "--threads: thread count '0' is not a whole number from 1 to 65536; write for example "
            "2,4,8 or 1-16");
  EXPECT_EQ(parseThreadList("4-2").error().message,
            "--threads: thread range '4-2' runs backwards; write for example 2,4,8 or 1-16");
}

TEST(Printable, keepsTextOnOneLine) {
  EXPECT_EQ(printable("a\nb\tc\x7f"), "a\\x0ab\\x09c\\x7f");
  EXPECT_EQ(printable("abcdef", 3), "abc...");
}

TEST(Closest, findsTypingErrorsAlone) {
  EXPECT_EQ(closest("--thraeds", {"--threads", "--cores"}), "--threads");
  EXPECT_EQ(closest("predcit", {"run", "predict"}), "predict");
  EXPECT_EQ(closest("xyz", {"run", "predict"}), "");
}

TEST(Format, secondsTakeAUnitThatReads) {
  EXPECT_EQ(formatSeconds(1e24), "1e+24 s");
  EXPECT_EQ(formatSeconds(250), "250 s");
  EXPECT_EQ(formatSeconds(1.234), "1.23 s");
  EXPECT_EQ(formatSeconds(0.0567), "56.7 ms");
  EXPECT_EQ(formatSeconds(8.9e-4), "890.0 us");
  EXPECT_EQ(formatSeconds(1.2e-8), "12 ns");
  EXPECT_EQ(formatSeconds(0), "0 ns");
}

TEST(Format, sharesDoNotRoundToNothing) {
  EXPECT_EQ(formatShare(0), "0 %");
  EXPECT_EQ(formatShare(-1e-17), "0 %");
  EXPECT_EQ(formatShare(-0.04), "-4.0 %");
  EXPECT_EQ(formatShare(0.0004), "<0.1 %");
  EXPECT_EQ(formatShare(0.973), "97.3 %");
  EXPECT_EQ(formatShare(1), "100 %");
}

TEST(Format, speedupsKeepThreeDigits) {
  EXPECT_EQ(formatSpeedup(1.966), "1.97x");
  EXPECT_EQ(formatSpeedup(99.99), "99.99x");
  EXPECT_EQ(formatSpeedup(2251.3), "2251x");
}

TEST(Wrapped, breaksAtBlanks) {
  EXPECT_EQ(wrapped("aa bb cc", 7, 2), "  aa bb\n  cc");
  EXPECT_EQ(wrapped("abcdefgh i", 4, 0), "abcdefgh\ni");
}

TEST(Format, countsAreWholeWhileTheyFit) {
  EXPECT_EQ(formatCount(1000), "1000");
  EXPECT_EQ(formatCount(1e9), "1e+09");
}

TEST(Format, jsonNumbersReadBackToTheSameBits) {
  EXPECT_EQ(formatJsonNumber(35000000), "35000000");
  EXPECT_EQ(formatJsonNumber(0.1), "0.1");
  EXPECT_EQ(formatJsonNumber(-0.0), "0");
  for (double value : {1.0 / 3, 1e300, 1e-300, 123456789.123})
    EXPECT_EQ(std::stod(formatJsonNumber(value)), value);
}

TEST(Format, jsonStringsAreEscapedAndUtf8) {
  EXPECT_EQ(formatJsonString("a\"b\n"), R"("a\"b\n")");
  EXPECT_EQ(formatJsonString("\xff"), "\"\xef\xbf\xbd\"");
}

TEST(Machine, IsQuietWhileOthersLeaveTheCoresThatARunNeeds) {
  EXPECT_TRUE(wasQuiet(0.2, 1, 0));
  EXPECT_FALSE(wasQuiet(0.3, 1, 0));
  EXPECT_TRUE(wasQuiet(0.3, 0.1, 0)); // which may be one of the system's hundredths of a second
  EXPECT_TRUE(wasQuiet(2.2, 1, 2));
  EXPECT_FALSE(wasQuiet(2.3, 1, 2));
  EXPECT_TRUE(wasQuiet(0, 0, 0));
}

TEST(Machine, aQuotaIsAShareOfPeriods) {
  EXPECT_EQ(coresFromCpuMax("200000 100000"), 2.0);
  EXPECT_EQ(coresFromCpuMax("150000 100000"), 1.5);
  EXPECT_FALSE(coresFromCpuMax("max 100000"));
  EXPECT_FALSE(coresFromCpuMax("-1 100000"));
  EXPECT_FALSE(coresFromCpuMax(""));
}

TEST(Machine, theTightestCgroupOnTheWayUpCounts) {
  namespace fs = std::filesystem;
  fs::path mount = fs::path(testing::TempDir()) / "prophet-cgroup";
  fs::create_directories(mount / "a" / "b");
  std::ofstream(mount / "a" / "cpu.max") << "300000 100000\n";
  std::ofstream(mount / "a" / "b" / "cpu.max") << "max 100000\n";
  EXPECT_EQ(cgroupQuota(mount, "/a/b"), 3.0);
  EXPECT_FALSE(cgroupQuota(mount, "/"));
  fs::remove_all(mount);
}

TEST(Machine, theTightestCgroupOnTheWayUpLimitsThreads) {
  namespace fs = std::filesystem;
  fs::path mount = fs::path(testing::TempDir()) / "prophet-pids";
  fs::create_directories(mount / "a" / "b");
  std::ofstream(mount / "a" / "pids.max") << "300\n";
  std::ofstream(mount / "a" / "b" / "pids.max") << "max\n";
  EXPECT_EQ(cgroupThreads(mount, "/a/b"), 300);
  EXPECT_FALSE(cgroupThreads(mount, "/"));
  fs::remove_all(mount);
}

TEST(Machine, addressSpaceLimitsThreads) {
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  rlimit lower = before;
  lower.rlim_cur = std::min<rlim_t>(before.rlim_max, rlim_t(1) << 46); // sanitizers' is as large
  ASSERT_EQ(setrlimit(RLIMIT_AS, &lower), 0);
  const auto size = static_cast<double>(lower.rlim_cur);
  EXPECT_EQ(threadLimit(size / 3).threads, 3);
  EXPECT_EQ(threadLimit(size / 3).of, "ulimit -v");
  setrlimit(RLIMIT_AS, &before);
}

TEST(Machine, thereIsACore) { EXPECT_GE(availableCores(), 1u); }
