//===- LastCacheTest.cpp - From windows to a last-level cache -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memoryWindows.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace prophet;

namespace {

TEST(MemoryGroups, AskAboutTheCacheThatWorks) {
  using Words = std::vector<std::string>;
  memmodel::Machine machine = fourCores();
  EXPECT_EQ(cacheGroup(machine).arguments,
            (Words{"latency", "524288", "33554432", "8388608", "8388608"}));
  std::vector<MemoryGroup> groups = memoryGroups(machine, 4); // as the system says
  EXPECT_EQ(groups[0].arguments, (Words{"classes", "2097152", "4194304", "8388608", "8388608"}));
  EXPECT_EQ(groups[1].arguments, (Words{"load", "0", "4", "8388608", "8388608"}));
  EXPECT_EQ(groups[4].arguments, (Words{"latency", "16384", "524288", "8388608", "8388608"}));
  EXPECT_EQ(groups[5].arguments, (Words{"reach", "4", "33554432", "8388608", "8388608"}));
  EXPECT_EQ(groups[6].arguments, (Words{"transfer", "262144", "0", "8388608", "8388608"}));
  EXPECT_EQ(memoryGroups(machine, 1).size(), 6u);
  machine.caches.back().effectiveBytes = {1 << 20, 2 << 20};
  groups = memoryGroups(machine, 4);
  EXPECT_EQ(groups[0].arguments,
            (Words{"classes", "1048576", "0", "2097152", "8388608"})); // 1 MiB is two caches
  EXPECT_EQ(groups[5].arguments, (Words{"reach", "4", "33554432", "2097152", "8388608"}));
  machine.caches.back().effectiveBytes = {1536 << 10, 2 << 20};
  EXPECT_EQ(memoryGroups(machine, 4)[0].arguments[2], "0"); // one and a half for each of two
  machine.caches.back().effectiveBytes = {1792 << 10, 2 << 20};
  EXPECT_EQ(memoryGroups(machine, 4)[0].arguments[2], "1835008");
  machine.caches.back().effectiveBytes = {1 << 19, 1 << 20};
  EXPECT_EQ(memoryGroups(machine, 4)[5].arguments,
            (Words{"reach", "4", "16777216", "1048576", "8388608"}));
  // A package's, of which this machine has a part: not four times that, but past its end.
  EXPECT_EQ(cacheGroup(fourCores(512)).arguments[2], std::to_string(768 << 20));
  EXPECT_EQ(cacheGroup(fourCores(504)).arguments[2], std::to_string(768 << 20));
  EXPECT_EQ(cacheGroup(fourCores(100)).arguments[2], std::to_string(256 << 20));
  machine.caches = {{2, 24 << 20, 1}, {3, 32 << 20, 4}}; // an octave behind four times the first
  EXPECT_EQ(cacheGroup(machine).arguments[2], std::to_string(192 << 20));
  machine.caches = {{1, 8192, 1, 0, {}}, {2, 65536, 4, 0, {}}};
  EXPECT_EQ(memoryGroups(machine, 4)[4].arguments,
            (Words{"latency", "16384", "16384", "65536", "65536"}));
  EXPECT_EQ(memoryGroups(machine, 4)[6].arguments[1], "65536");
  machine.caches.clear(); // nobody knows
  EXPECT_EQ(cacheGroup(machine).arguments,
            (Words{"latency", "1048576", "134217728", "33554432", "33554432"}));
  groups = memoryGroups(machine, 4);
  EXPECT_EQ(groups[0].arguments, (Words{"classes", "2097152", "4194304", "33554432", "33554432"}));
  EXPECT_EQ(groups[1].arguments, (Words{"load", "0", "4", "33554432", "33554432"}));
}

TEST(LastCache, EndsWhereTheLatencyRisesMost) {
  // Two cores that are told of 508 MiB, with ever longer walks through page tables.
  memmodel::Machine machine;
  machine.caches = {{1, 49152, 1, 0, {}}, {2, 1 << 20, 1, 0, {}}, {3, 508 << 20, 1, 0, {}}};
  findLastCache(machine, latencies({{1024, 9.6},
                                    {2048, 15},
                                    {3072, 18},
                                    {4096, 18},
                                    {6144, 20},
                                    {8192, 21.4},
                                    {12288, 37},
                                    {16384, 90},
                                    {24576, 141},
                                    {32768, 160},
                                    {65536, 177},
                                    {131072, 216},
                                    {262144, 283},
                                    {524288, 344}}));
  EXPECT_EQ(machine.caches[2].latencyNs, 18);
  EXPECT_EQ(machine.caches[2].effectiveBytes, std::pair(12582912., 25165824.));
  // All of it works, and noise lets latencies fall, be it the last one.
  for (const double last : {89., 86.}) {
    machine = fourCores();
    findLastCache(machine, latencies({{512, 5},
                                      {1024, 14},
                                      {2048, 15},
                                      {3072, 14.8},
                                      {4096, 16},
                                      {6144, 17},
                                      {8192, 25},
                                      {12288, 87},
                                      {16384, 88},
                                      {24576, 88},
                                      {32768, last}}));
    EXPECT_NEAR(machine.caches[2].latencyNs, 14.9, 1e-9);
    EXPECT_EQ(machine.caches[2].effectiveBytes, std::pair(8388608., 12582912.));
  }
  // Others leave no more than twice the cache before it.
  findLastCache(machine, latencies({{512, 5}, {1024, 14}, {2048, 60}, {4096, 80}, {8192, 80}}));
  EXPECT_EQ(machine.caches[2].latencyNs, 14);
  EXPECT_EQ(machine.caches[2].effectiveBytes, std::pair(1048576., 4194304.));
  // Others have all of it: behind the cores' own caches is memory.
  findLastCache(machine, latencies({{512, 40}, {1024, 80}, {2048, 90}, {8192, 98}, {32768, 120}}));
  EXPECT_EQ(machine.caches[2].latencyNs, 80);
  EXPECT_EQ(machine.caches[2].effectiveBytes, std::pair(524288., 1048576.));
  machine.caches.pop_back();
  machine.caches.pop_back(); // a cache that is the only one is not looked for
  findLastCache(machine, latencies({{512, 40}}));
  EXPECT_EQ(machine.caches[0].effectiveBytes, std::pair(0., 0.));
}

TEST(LastCache, FadesGradually) {
  // The cache before it, of 2 MiB, has half of 4 MiB, which is no end of the last one.
  memmodel::Machine machine;
  machine.caches = {{1, 49152, 1, 0, {}}, {2, 2 << 20, 1, 0, {}}, {3, 64 << 20, 8, 0, {}}};
  findLastCache(machine, latencies({{2048, 5},
                                    {3072, 12},
                                    {4096, 18},
                                    {6144, 25},
                                    {8192, 30},
                                    {12288, 32},
                                    {16384, 36},
                                    {24576, 42},
                                    {32768, 50},
                                    {49152, 62},
                                    {65536, 80},
                                    {98304, 98},
                                    {131072, 110},
                                    {196608, 116},
                                    {262144, 120}}));
  EXPECT_EQ(machine.caches[2].latencyNs, 30);
  EXPECT_EQ(machine.caches[2].effectiveBytes, std::pair(25165824., 98304. * 1024));
}

TEST(LastCache, GivesAllThreadsThatShareItSoMuch) {
  const auto ofAll = [&](unsigned sharers, double ownBytes, double last) {
    memmodel::Machine machine = fourCores();
    machine.caches[1].bytes = ownBytes;
    machine.caches.back().sharedBy = sharers;
    addMemoryFigures(machine, memoryWindows(last));
    return machine.memory->sharedByAll;
  };
  EXPECT_EQ(ofAll(2, 512 << 10, 1).threads, 2u);
  EXPECT_EQ(ofAll(2, 512 << 10, 1).gbs, 40); // of two caches one
  EXPECT_EQ(ofAll(2, 512 << 10, 1).irregularGbs, 30);
  EXPECT_EQ(ofAll(8, 512 << 10, 1).threads, 4u);   // it has no more
  EXPECT_EQ(ofAll(2, 512 << 10, 29).gbs, 40);      // memory has 26.5 for two
  EXPECT_EQ(ofAll(2, 512 << 10, 30).gbs, 0);       // 27: nearly as much
  EXPECT_EQ(ofAll(2, (1 << 20) + 4096, 1).gbs, 0); // the cores' own caches do
  EXPECT_EQ(ofAll(1, 512 << 10, 1).threads, 0u);   // nobody shares it
}

TEST(LastCache, HasAReachWhereItFallsWithTime) {
  auto groups = memoryWindows(1);
  memmodel::Machine machine = fourCores();
  addMemoryFigures(machine, groups);
  ASSERT_EQ(machine.caches.back().reach.size(), 1u); // of one kind of pass: it has a size
  EXPECT_NEAR(machine.caches.back().reach[0].size, (8 << 20) - (512 << 10), 1);
  EXPECT_EQ(machine.memory->sharedStreamGbs, 20);
  EXPECT_EQ(machine.memory->sharedByAll.threads, 4u);
  EXPECT_EQ(machine.memory->sharedByAll.irregularGbs, 60);
  EXPECT_EQ(machine.memory->sharedByAll.gbs, 50); // the fewest bytes are their own caches'
  const auto group = std::ranges::find_if(
      groups, [](const MemoryGroup &one) { return one.arguments[0] == "reach"; });
  ASSERT_NE(group, groups.end());
  const auto measure = [&](const std::vector<unsigned> &withPauses) { // ends at so many KiB
    group->rounds = {};
    for (const unsigned kib : withPauses) {
      Round round{"memory", 0, 0, 0, 0, {{"reach.1.far", {{524288, 200 / 3.}}}}};
      for (const char *way : {".up", ".down"}) {
        round.figures[std::string("reach.1.0") + way] = {
            {8192, 200}, {65536, 100}, {131072, 200 / 3.}};
        round.figures[std::string("reach.1.64") + way] = {
            {2048, 1 / 1.005}, {kib, 1 / 1.01}, {262144, 1 / 1.015}};
      }
      group->rounds.add(std::move(round));
    }
    machine = fourCores();
    addMemoryFigures(machine, groups);
    return machine.caches.back();
  };
  const auto steady = measure({40000, 40000, 40000}).reach; // not less than half as much
  ASSERT_EQ(steady.size(), 1u);
  EXPECT_NEAR(steady[0].size, 1024 * std::sqrt((65536. - 512) * (40000 - 512)), 1);
  // What is more the longer it takes is so by noise.
  ASSERT_EQ(measure({2 * 65536 + 1024, 2 * 65536 + 1024, 2 * 65536 + 1024}).reach.size(), 1u);
  const memmodel::Cache cache = measure({8192, 4096, 8192});
  EXPECT_NEAR(cache.reachSigma, 1.4821351, 1e-6); // as is computed otherwise
  ASSERT_EQ(cache.reach.size(), 2u);
  EXPECT_NEAR(cache.reach[0].size, (64 << 20) - (512 << 10), 1);
  EXPECT_NEAR(cache.reach[0].ns, (64 << 20) / 100., 1);
  EXPECT_NEAR(cache.reach[1].size, (8 << 20) - (512 << 10), 1);
  EXPECT_NEAR(cache.reach[1].ns, (8 << 20) * 1.01, 1);
  EXPECT_NEAR(cache.reachSpread, 7.5 / 3.5, 1e-9); // of twelve ends two are so far from the others
}

/// Of threads that fill two caches, \p handoverNs from each other.
static std::vector<MemoryGroup> windowsOfTwoCaches(unsigned threads, double handoverNs) {
  auto groups = memoryWindows(1);
  for (MemoryGroup &group : groups) {
    Round round = group.rounds.thatCount().front();
    round.handoverNs = handoverNs;
    if (group.arguments[0] == "reach") {
      const std::string reach = "reach." + std::to_string(threads);
      for (const char *way : {".0.up", ".0.down"})
        round.figures[reach + way] = {{4096, 100}, {16384, 50}, {32768, 100 / 3.}};
      round.figures[reach + ".far"] = {{32768, 100 / 3.}};
    }
    for (auto &[name, byThreads] : round.figures)
      if (name.ends_with(".traffic"))
        byThreads = {{1, 10}, {threads, 25}};
    group.rounds = {};
    for (unsigned i = 0; i < FewestRounds; ++i)
      group.rounds.add(round);
  }
  return groups;
}

TEST(LastCache, IsSharedByCoresThatHandLinesOverThroughIt) {
  const auto sharedBy = [](unsigned threads, double handoverNs) {
    memmodel::Machine machine = fourCores(); // 4 ns from the cache before the last one
    addMemoryFigures(machine, windowsOfTwoCaches(threads, handoverNs));
    return machine.caches.back().effectiveSharedBy;
  };
  EXPECT_EQ(sharedBy(2, 81), 1u);
  EXPECT_EQ(sharedBy(2, 80), 0u); // as the system says, whatever passes find
  EXPECT_EQ(sharedBy(2, 0), 1u);  // not known
  EXPECT_EQ(sharedBy(4, 80), 2u); // a mean, of some that share one and others
}

TEST(LastCache, IsOfAsManyCoresAsWereSeen) {
  const auto groups = windowsOfTwoCaches(4, 0);
  memmodel::Machine machine = fourCores(); // which says that all do
  addMemoryFigures(machine, groups);
  const memmodel::Cache &last = machine.caches.back();
  EXPECT_EQ(last.sharedBy, 4u);
  EXPECT_EQ(last.effectiveSharedBy, 2u);
  ASSERT_EQ(last.reach.size(), 1u); // what four threads fill is two caches'
  EXPECT_NEAR(last.reach[0].size, (1 << 20) * std::sqrt(7.5 * 14 / 2), 1);
  EXPECT_EQ(machine.memory->sharedByAll.threads, 2u);
  EXPECT_EQ(machine.memory->sharedByAll.gbs, 50);
  EXPECT_EQ(machine.memory->sharedByAll.irregularGbs, 30);
  EXPECT_EQ(memmodel::sharers(machine, 4), 2u);
  machine.caches.back().sharedBy = 8; // of which there are four
  addMemoryFigures(machine, groups);
  EXPECT_EQ(machine.caches.back().effectiveSharedBy, 2u);
  addMemoryFigures(machine, memoryWindows(1));
  EXPECT_EQ(machine.caches.back().effectiveSharedBy, 0u); // nobody knows better than the system
}

} // namespace
