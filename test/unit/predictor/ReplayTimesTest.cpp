//===- ReplayTimesTest.cpp - How long a replay's tasks take ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/ReplayTimes.h"

#include "emulatorTrees.h"
#include "memmodel/PartsReplay.h"

#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

TEST(ReplayTimes, AreThoseOfTheSerialRun) {
  // 5 us, three sections of 64 tasks of 1 us each with 2 us between, 7 us; the log has the first
  // and the last of them.
  TreeMaker make;
  const auto site = make.site();
  const auto section = make.section(site, {{make.work(1000), 64}});
  const auto gap = make.work(2000);
  const Tree tree = make.root({{make.work(5000), 1},
                               {section, 1},
                               {gap, 1},
                               {section, 1},
                               {gap, 1},
                               {section, 1},
                               {make.work(7000), 1}});
  memmodel::MemoryProfile profile;
  profile.sites.resize(2);
  profile.sites[1].executions = 3;
  auto &log = profile.log.emplace();
  log.parts = {{memmodel::AccessLog::Outside, 1, 0, 0}, {1, 64, 0, 0}, {1, 64, 0, 0}};
  const memmodel::TaskTimes times =
      replayTimes(serialTimes(tree), profile, {{site, 1, 192e3}}, {0, 64});
  ASSERT_EQ(times.taskNs.size(), 2u);
  EXPECT_EQ(times.taskNs[1], 1000);
  EXPECT_EQ(times.beforeNs, 5000);
  EXPECT_NEAR(times.betweenNs, 2000 + 64e3 + 2000, 1e-6);
}

TEST(ReplayTimes, CountWhatIsRepeatedInNs) {
  // Twice 2 us, three sections, twice 6 us, one more; ticks of 2 ns.
  TreeMaker make;
  const auto site = make.site();
  const auto section = make.section(site, {{make.work(500), 64}});
  Tree tree = make.root({{make.work(1000), 2}, {section, 3}, {make.work(3000), 2}, {section, 1}});
  tree.timebaseHz = 5e8;
  const SerialTimes times = serialTimes(tree);
  EXPECT_NEAR(times.beforeNs, 4000, 1e-6);
  EXPECT_NEAR(times.betweenNs, 12000 / 3.0, 1e-6);
}

TEST(ReplayTimes, GiveTasksAnOrder) {
  memmodel::MemoryProfile profile;
  profile.sites.resize(3);
  profile.sites[1].executions = profile.sites[2].executions = 1;
  profile.log.emplace().parts = {{0, 4, 0, 0}, {1, 4, 0, 0}, {2, 4, 0, 0}};
  const auto taskNs =
      replayTimes({}, profile, {{0, 1, 2}, {1, 2, 20}}, {4, 4, 4}).taskNs; // not the first one
  EXPECT_EQ(taskNs, (std::vector<double>{1, 1, 5}));
}

TEST(ReplayTimes, AreByPartWhereTheTreeHasItAndEndWithTheLastThread) {
  // Sections of one task, 1000 ns on average, over the same lines, which a cache that others fill
  // keeps for 200 ns.
  memmodel::AccessLog log;
  for (std::uint32_t line = 0; line < 300; ++line)
    log.references.push_back({line, memmodel::AccessClass::Stream, false});
  for (std::size_t i = 0; i < 3; ++i) {
    log.parts.push_back({0, 1, i, 1});
    log.tasks.push_back({0, 0, 300});
  }
  const memmodel::CacheSizes sizes{1, 1e6, 1, {{50, 1e5}, {200, 1}}};
  const auto missesOf = [&](const std::vector<double> &partNs, double end = 1) {
    memmodel::TaskTimes times{{1000}};
    times.partNs = partNs;
    times.end = [end](std::size_t) { return end; };
    const auto byPart = replayParts(
        log, 1, sizes, [](std::size_t, std::uint64_t) { return memmodel::Turn{0, 0}; }, times);
    return std::pair(byPart[1].fetched(), byPart[2].fetched());
  };
  EXPECT_EQ(missesOf({}), std::pair(300., 300.));
  const auto [second, third] = missesOf({1000, 10, 10}); // some of the first come early enough
  EXPECT_GT(second, 200);
  EXPECT_EQ(third, 0);
  EXPECT_EQ(missesOf({10, 10, 0}).first, 0);
  EXPECT_GT(missesOf({10, 10, 0}).second, 200); // 0: as on average
  EXPECT_EQ(missesOf({10, 10, 10}).second, 0);
  EXPECT_GT(missesOf({10, 10, 10}, 50).second, 200); // another thread is ready 490 ns later
}
