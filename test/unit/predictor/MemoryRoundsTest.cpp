//===- MemoryRoundsTest.cpp - From windows to a machine's memory ----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/calibration/MemoryRounds.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <iterator>
#include <ranges>

using namespace prophet;

namespace {

/// Four cores with 512 KiB each and so many MiB together.
memmodel::Machine fourCores(double mib = 8) {
  memmodel::Machine machine;
  machine.caches = {{1, 32768, 1, 0, {}}, {2, 524288, 1, 0, {}}, {3, mib * (1 << 20), 4, 0, {}}};
  return machine;
}

/// Windows of cacheGroup() with so many ns by KiB.
Rounds latencies(const std::map<unsigned, double> &byKib) {
  Rounds rounds;
  for (unsigned i = 0; i < FewestRounds; ++i)
    rounds.add({"memory", 0, 0, 0, 0, {{"latency", byKib}}});
  return rounds;
}

/// What memory-figures would print of them, of which the last brings `last` GB/s, and where a line
/// from another core that is fetched ahead takes `ahead` ns.
std::vector<MemoryGroup> memoryWindows(double last, double ahead = 8) {
  memmodel::Machine machine = fourCores();
  std::vector<MemoryGroup> groups = {cacheGroup(machine)};
  groups[0].rounds = latencies(
      {{512, 5}, {1024, 14}, {2048, 15}, {4096, 16}, {8192, 60}, {16384, 100}, {32768, 110}});
  findLastCache(machine, groups[0].rounds);
  std::ranges::move(memoryGroups(machine, 4), std::back_inserter(groups));
  for (MemoryGroup &group : groups | std::views::drop(1)) {
    Round round{"memory", 0, 0, 0, 0, {}};
    const std::string load = "load." + group.arguments[1] + ".";
    if (group.arguments[0] == "classes")
      round.figures = {{"class.stream", {{1, 10}}},
                       {"class.stride", {{1, 5}}},
                       {"class.irregular", {{1, 4}}},
                       {"class.chase", {{1, 0.64}}},
                       {"shared", {{1, 20}, {4, 60}}},
                       {"accesses", {{1, 8}}},
                       {"addition", {{1, 0.7}}},
                       {"run.stream.gbs", {{16, 5}, {64, 4}}},
                       {"run.stream.end", {{16, 96}, {64, 128}}},
                       {"run.busy.gbs", {{16, 2.5}, {64, 2.5}}},
                       {"run.busy.end", {{16, 160}, {64, -30}}},
                       {"run.written.gbs", {{5, 2.5}}},
                       {"run.written.end", {{5, 40}}},
                       {"run.near.stream.gbs", {{5, 20}}},
                       {"run.near.stream.end", {{5, 4}}},
                       {"run.near.busy.gbs", {{5, 20}}},
                       {"run.near.busy.end", {{5, 6}}},
                       {"run.near.written.gbs", {{5, 20}}},
                       {"run.near.written.end", {{5, 8}}},
                       {"sparse", {{1, 0.8}}},
                       {"overlap.own", {{1, 1}, {2, 2}, {3, 8}}},
                       {"overlap.memory", {{1, 4}, {2, 5}, {3, 9}}},
                       {"overlap.shared", {{1, 2}, {2, 3}, {3, 7.5}}},
                       {"together.own", {{1, 1}, {2, 2}, {3, 8}}},
                       {"together.memory", {{1, 3.2}, {2, 4}, {3, 8}}},
                       {"together.shared", {{1, 2}, {2, 2.5}, {3, 8}}}};
    else if (group.arguments[0] == "load")
      round.figures = {{load + "gbs", {{1, 5}, {2, 20}}},
                       {load + "ns", {{1, 100}, {2, 140}}},
                       {load + "traffic", {{1, 10}, {3, 24}, {4, 24 + last}}}};
    else if (group.arguments[0] == "reach")
      round.figures = {{"reach.1.0.up", {{4096, 20}, {8192, 10}, {16384, 20 / 3.}}},
                       {"reach.1.0.down", {{4096, 20}, {8192, 10}, {16384, 20 / 3.}}},
                       {"reach.1.far", {{32768, 20 / 3.}}},
                       {"reach.4.0.up", {{1024, 90}, {4096, 50}, {8192, 10}}},
                       {"reach.2.0.up", {{1024, 70}, {4096, 40}, {8192, 10}}}};
    else if (group.arguments[0] == "latency")
      round.figures = {{"latency", {{16, 1}, {256, 4}, {384, 4}}}};
    else
      round.figures = {{"transfer", {{2, 50}}},
                       {"exchange.own", {{1, 1}, {2, 2}}},
                       {"exchange.other", {{1, ahead}, {2, ahead}}}};
    for (unsigned i = 0; i < FewestRounds; ++i)
      group.rounds.add(round);
  }
  return groups;
}

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

TEST(MemoryRounds, sayWhatAllThreadsThatShareTheLastCacheGetOfIt) {
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

TEST(MemoryRounds, haveAReachWhereItFallsWithTime) {
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
            {2048, 1 / 1.005}, {kib, 1 / 1.01}, {131072, 1 / 1.015}};
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
  const memmodel::Cache cache = measure({8192, 4096, 8192});
  ASSERT_EQ(cache.reach.size(), 2u);
  EXPECT_NEAR(cache.reach[0].size, (64 << 20) - (512 << 10), 1);
  EXPECT_NEAR(cache.reach[0].ns, (64 << 20) / 100., 1);
  EXPECT_NEAR(cache.reach[1].size, (8 << 20) - (512 << 10), 1);
  EXPECT_NEAR(cache.reach[1].ns, (8 << 20) * 1.01, 1);
  EXPECT_NEAR(cache.reachSpread, 7.5 / 3.5, 1e-9); // of twelve ends two are so far from the others
}

TEST(MemoryRounds, tellHowManyCoresShareALastCache) {
  auto groups = memoryWindows(1);
  for (MemoryGroup &group : groups)
    if (group.arguments[0] == "reach") {
      Round round = group.rounds.thatCount().front();
      for (const char *way : {"reach.4.0.up", "reach.4.0.down"})
        round.figures[way] = {{4096, 100}, {16384, 50}, {32768, 100 / 3.}};
      round.figures["reach.4.far"] = {{32768, 100 / 3.}};
      group.rounds = {};
      for (unsigned i = 0; i < FewestRounds; ++i)
        group.rounds.add(round);
    }
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

TEST(MemoryRounds, countWindowsOnCoresThatWereElsewhere) {
  auto groups = memoryWindows(1);
  for (MemoryGroup &group : groups) {
    Round round = group.rounds.thatCount().front();
    group.rounds = {};
    for (const double handover : {60., 62., 64., 240.}) {
      round.handoverNs = handover;
      group.rounds.add(round);
    }
  }
  memmodel::Machine machine = fourCores();
  addMemoryFigures(machine, groups);
  const auto &quality = machine.memory->quality;
  EXPECT_EQ(quality.elsewhere, groups.size());
  EXPECT_EQ(quality.accepted, 3 * groups.size());
  EXPECT_EQ(quality.handoverNs, 62);
}

TEST(MemoryRounds, becomeCurvesClassesAndCaches) {
  memmodel::Machine machine = fourCores();
  addMemoryFigures(machine, memoryWindows(1));
  const memmodel::MemoryFigures &memory = *machine.memory;
  EXPECT_EQ(machine.caches[1].latencyNs, 4);
  EXPECT_EQ(machine.caches[2].latencyNs, 15);
  EXPECT_EQ(machine.caches[2].effectiveBytes, std::pair(4194304., 16777216.));
  ASSERT_EQ(memory.curves.size(), 3u);
  EXPECT_EQ(memory.curves[0].points.front(), (memmodel::CurvePoint{0.64, 100})); // a chain's
  EXPECT_EQ(memory.curves[0].readShare, 1); // of three lines none is written, one, or each
  EXPECT_EQ(memory.curves[1].readShare, 0.75);
  EXPECT_EQ(memory.curves[2].readShare, 0.5);
  // All four threads get 6.25 GB/s each of 10, so they wait 1.6 times as long as one, 113 ns.
  EXPECT_EQ(memory.curves[0].points.back().gbs, 25);
  EXPECT_NEAR(memory.curves[0].points.back().ns, (100 + 40 / 3.) * 1.6, 1e-9);
  EXPECT_EQ(memory.threads, 4u);
  EXPECT_EQ(memory.transferNs, 50);
  EXPECT_EQ(memory.transferAheadNs, 8);
  memmodel::Machine other = machine;
  addMemoryFigures(other, memoryWindows(1, 70)); // no more than one that nobody knows of
  EXPECT_EQ(other.memory->transferAheadNs, 50);
  EXPECT_TRUE(other.memory->transferOverlap.empty()); // it was not measured of 50
  addMemoryFigures(other, memoryWindows(1, 50));
  EXPECT_EQ(other.memory->transferOverlap.size(), 2u); // of which it was
  EXPECT_EQ(memory.accessesPerNs, 8);
  EXPECT_EQ(memory.additionNs, 0.7);
  EXPECT_NEAR(memory.sharedStreamGbs, 20, 1e-9);
  EXPECT_EQ(memory.sparseGbs, 0.8);
  using Points = std::vector<memmodel::OverlapPoint>;
  EXPECT_EQ(memory.memoryOverlap, (Points{{0.25, 0.75}, {0.5, 0.75}, {2, 0.25}}));
  EXPECT_EQ(memory.sharedOverlap, (Points{{0.5, 0.5}, {1, 0.5}, {4, 0}}));
  EXPECT_EQ(memory.transferOverlap, (Points{{0.125, 0.875}, {0.25, 0.75}}));
  ASSERT_TRUE(memory.together);
  EXPECT_EQ(memory.together->streams, 5u);
  EXPECT_EQ(memory.together->gbs, 20);
  EXPECT_EQ(memory.together->memoryOverlap, (Points{{0.3125, 0.6875}, {0.625, 0.625}, {2.5, 0}}));
  EXPECT_EQ(memory.together->sharedOverlap, (Points{{0.5, 0.5}, {1, 0.25}, {4, 0}}));
  // What a line takes, 6.4 ns and what it has of an end, which took longer under what both threads
  // moved by turns.
  const auto expectRuns = [](const auto &runs, const std::map<unsigned, double> &ns) {
    ASSERT_EQ(runs.size(), ns.size());
    for (const auto &[lines, ofLine] : ns)
      EXPECT_NEAR(64 / runs.at(lines), ofLine, 1e-9);
  };
  const memmodel::CurveFamily curves(memory.curves);
  const auto longer = [&](double nsOfLine, double readShare) { // of each thread
    return curves.latency(2 * 64 / nsOfLine / readShare, readShare) / curves.idleLatency();
  };
  EXPECT_GT(longer(12.8 + 6, 1), 1.02);
  expectRuns(memory.streamRuns.lean,
             {{16, 6.4 + 6 / longer(12.8 + 6, 1)}, {64, 6.4 + 2 / longer(16 + 2, 1)}});
  expectRuns(memory.streamRuns.busy, {{16, 6.4 + 10 / longer(25.6 + 10, 1)}, {64, 6.4}});
  expectRuns(memory.streamRuns.written, {{5, 6.4 + 8 / longer(25.6 + 8, 0.5)}});
  expectRuns(memory.sharedRuns.lean, {{5, 3.2 + 0.8}});
  expectRuns(memory.sharedRuns.busy, {{5, 3.2 + 1.2}});
  expectRuns(memory.sharedRuns.written, {{5, 3.2 + 1.6}});
  EXPECT_TRUE(memory.saturationSeen);
  addMemoryFigures(machine, memoryWindows(6));
  EXPECT_FALSE(machine.memory->saturationSeen);
}

TEST(MemoryRounds, reachTheMemorysLimitWhereTheLastCoreBringsLessThanAQuarter) {
  memmodel::Machine machine = fourCores();
  addMemoryFigures(machine, memoryWindows(2.4)); // of 10
  EXPECT_TRUE(machine.memory->saturationSeen);
  addMemoryFigures(machine, memoryWindows(2.6));
  EXPECT_FALSE(machine.memory->saturationSeen);
  auto groups = memoryWindows(1);
  for (MemoryGroup &group : groups)
    if (const auto &name = group.arguments; name[0] == "load") {
      group.rounds = {};
      for (unsigned i = 0; i < FewestRounds; ++i) // on one core
        group.rounds.add({"memory", 0, 0, 0, 0, {{"load." + name[1] + ".traffic", {{1, 10}}}}});
    }
  addMemoryFigures(machine, groups);
  EXPECT_EQ(machine.memory->threads, 1u);
  EXPECT_FALSE(machine.memory->saturationSeen);
}

TEST(MemoryRounds, tellHowFarApartWindowsAre) {
  auto groups = memoryWindows(1);
  const auto group = std::ranges::find_if(
      groups, [](const MemoryGroup &one) { return one.arguments[0] == "classes"; });
  ASSERT_NE(group, groups.end());
  Round round = group->rounds.thatCount().front();
  group->rounds = {};
  for (const double gbs : {8, 9, 10, 11, 12}) {
    round.figures["class.stream"] = {{1, gbs}};
    round.figures["run.stream.gbs"] = {{16, gbs}, {64, 4}};
    group->rounds.add(round);
  }
  round.foreignCores = 3;
  group->rounds.add(round);
  memmodel::Machine machine = fourCores();
  addMemoryFigures(machine, groups);
  const memmodel::Quality &quality = machine.memory->quality;
  EXPECT_EQ(quality.tried, quality.accepted + 1);
  EXPECT_NEAR(quality.iqr.at("class.stream"), 0.2, 1e-9);
  EXPECT_NEAR(quality.iqr.at("run.stream.gbs"), 0.1, 1e-9); // the mean
  EXPECT_EQ(quality.iqr.at("run.busy.end"), 0);             // one of which is none
}

TEST(MemoryRounds, haveNoStreamsTogetherThatWereNotMeasured) {
  auto groups = memoryWindows(1);
  for (MemoryGroup &group : groups) {
    Round round = group.rounds.thatCount().front();
    round.figures.erase("together.memory");
    group.rounds = {};
    group.rounds.add(round);
  }
  memmodel::Machine machine = fourCores();
  addMemoryFigures(machine, groups);
  EXPECT_FALSE(machine.memory->together);
}

TEST(MemoryRounds, tellTheLatencyOfAnOnlyCache) {
  memmodel::Machine machine;
  machine.caches = {{1, 1 << 20, 1}};
  addMemoryFigures(machine, memoryWindows(1));
  EXPECT_EQ(machine.caches[0].latencyNs, 5); // of half of it
}

TEST(MemoryRounds, haveNoShorterLatencyWhereThreadsGetMoreTogether) {
  // 12 GB/s each of 10 that one gets alone, with the latency of those.
  memmodel::Machine machine = fourCores();
  addMemoryFigures(machine, memoryWindows(24));
  EXPECT_EQ(machine.memory->curves[0].points.back().gbs, 48);
  EXPECT_NEAR(machine.memory->curves[0].points.back().ns, 100 + 40 / 3., 1e-9);
}

} // namespace
