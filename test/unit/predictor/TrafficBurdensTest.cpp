//===- TrafficBurdensTest.cpp - Burden factors by what sites move ---------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/TrafficBurdens.h"
#include "emulatorOptions.h"
#include "emulatorTrees.h"
#include "predictor/emulator/Charges.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

/// A loop that moves 4 GB/s alone, of a memory that was seen to move 10 by two threads, and one
/// that nothing is known of.
struct Counted {
  bool saturationSeen = true;
  double lines = 250e6, flops = 8e9; ///< in 4 s

  CountedBurdens burdens() const {
    TreeMaker make;
    const auto site = make.site();
    make.site();
    const auto tree =
        std::make_shared<Tree>(make.root({{make.section(site, {{make.work(10), 400}}), 1}}));
    memmodel::MemorySystem system{memmodel::CurveFamily({{1, {{0, 80}, {10, 80}}}})};
    system.classGbs = {12, 6, 4, 0.8};
    system.saturationSeen = saturationSeen;
    system.measuredThreads = 2;
    SectionLoads counted(2);
    memmodel::SectionLoad &load = counted[site].emplace();
    load.serialNs = 4e9;
    load.serial.misses[static_cast<std::size_t>(memmodel::AccessClass::Irregular)] = lines;
    load.flops = flops;
    return {system, "m.json", tree, counted};
  }
};

EmulationOptions onThreads(unsigned threads) {
  return optionsWith(OmpRuntime::Libomp, threads, {});
}

using Factors = std::map<unsigned, double>;

void expectNear(const Factors &found, const Factors &expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (const auto &[threads, factor] : expected) {
    ASSERT_TRUE(found.contains(threads)) << threads;
    EXPECT_NEAR(found.at(threads), factor, 1e-9) << threads;
  }
}

} // namespace

TEST(TrafficBurdens, AreOfAsManyThreadsAsCompute) {
  // Three want 12 GB/s, and four 16.
  const CountedBurdens burdens = Counted().burdens();
  EmulationOptions options = onThreads(4);
  expectNear(burdens.factors(options)[0], {{4, 1.6}});
  expectNear(burdens.whileComputing(options)[0], {{1, 1}, {2, 1}, {3, 1.2}, {4, 1.6}});
  EXPECT_TRUE(burdens.factors(options)[1].empty() && burdens.whileComputing(options)[1].empty());
  EXPECT_TRUE(burdens.warnings(options).empty());
  options.cores = 3;
  expectNear(burdens.factors(options)[0], {{4, 1.2}});
  expectNear(burdens.whileComputing(options)[0], {{1, 1}, {2, 1}, {3, 1.2}});
  options.sites = {{{}, 2}, {{}, 0}};
  expectNear(burdens.factors(options)[0], {{2, 1}});
  expectNear(burdens.heaviest(options)[0], {{2, 1}});
}

TEST(TrafficBurdens, AreThoseOfFewerThreadsWhileOthersAreDealtChunks) {
  // 400 chunks of 10 ms: as long as the loop itself. While x of its time is 2 to 3 threads compute:
  // 1 / x = 1 - (2 x - 1) / (x + 1) / 6.
  const CountedBurdens burdens = Counted().burdens();
  const double x = (std::sqrt(97.0) - 1) / 8;
  using Kind = Schedule::Kind;
  const auto factor = [&](OmpRuntime runtime, Schedule schedule, LoopCosts Overheads::*costs,
                          Paradigm paradigm = Paradigm::OpenMP) {
    EmulationOptions options = optionsWith(runtime, 4, schedule);
    options.paradigm = paradigm;
    (options.overheads.*costs).chunk = 1e7;
    return burdens.factors(options)[0].at(4);
  };
  EXPECT_NEAR(factor(OmpRuntime::Libomp, {Kind::Dynamic, 1}, &Overheads::steal), x, 1e-9);
  EXPECT_NEAR(factor(OmpRuntime::Libomp, {Kind::Dynamic, 1, true}, &Overheads::queue), x, 1e-9);
  EXPECT_NEAR(factor(OmpRuntime::Libgomp, {Kind::Dynamic, 1}, &Overheads::queue), x, 1e-9);
  EXPECT_NEAR(factor(OmpRuntime::Libomp, {Kind::StaticChunk, 1}, &Overheads::staticChunk), x, 1e-9);
  EXPECT_NEAR(factor(OmpRuntime::Libomp, {Kind::Dynamic, 1}, &Overheads::queue), 1.6, 1e-9);
  const double guided = factor(OmpRuntime::Libgomp, {Kind::Guided, 1}, &Overheads::guided);
  EXPECT_TRUE(guided > x && guided < 1.6) << guided; // of fewer chunks
  EXPECT_NEAR(factor(OmpRuntime::Libomp, {}, &Overheads::steal), 1.6, 1e-9);
  EXPECT_NEAR(factor(OmpRuntime::Libomp, {Kind::Dynamic, 1}, &Overheads::steal, Paradigm::Tbb), 1.6,
              1e-9);
}

TEST(ChunkCosts, AreOfTheSchedulesChunksAndTheirTurns) {
  TreeMaker make;
  const auto loop = make.site(), tasks = make.site(), sections = make.site();
  Tree tree = make.root({});
  tree.sites[tasks].kind = SiteKind::Tasks;
  tree.sites[sections].kind = SiteKind::Sections;
  EmulationOptions options = optionsWith(OmpRuntime::Libgomp, 4, {Schedule::Kind::Dynamic, 3});
  options.overheads.queue.chunk = TeamCost({{1, 5.}, {4, 50.}});
  options.overheads.queue.interval = 20;
  const auto costs = [&](std::uint32_t site) { return chunkCosts(tree, site, options, 100, 4); };
  EXPECT_EQ(costs(loop).ns, 34 * 50);
  EXPECT_EQ(costs(loop).turnsNs, 34 * 4 * 20);
  options.cores = 3; // of which one asks at a time
  EXPECT_EQ(costs(loop).turnsNs, 34 * 3 * 20);
  EXPECT_EQ(costs(sections).ns, 100 * 50);
  EXPECT_EQ(costs(tasks).ns, 0);
  EXPECT_EQ(chunkCosts(tree, loop, options, 0, 4).ns, 0);
  options.schedule = {Schedule::Kind::Static, 0};
  EXPECT_EQ(costs(loop).ns, 0);
  EXPECT_EQ(costs(loop).turnsNs, 0);
}

TEST(TrafficBurdens, AreHeavierWhereTheMemorysLimitWasNotSeen) {
  Counted counted;
  counted.saturationSeen = false;
  const CountedBurdens burdens = counted.burdens();
  EmulationOptions options = onThreads(4);
  expectNear(burdens.factors(options)[0], {{4, 1}});
  expectNear(burdens.heaviest(options)[0], {{4, 1.6}});
  expectNear(burdens.whileComputing(options)[0], {{1, 1}, {2, 1}, {3, 1}, {4, 1}});
  expectNear(burdens.heaviestWhileComputing(options)[0], {{1, 1}, {2, 1}, {3, 1.2}, {4, 1.6}});
  ASSERT_EQ(burdens.warnings(options).size(), 1u);
  EXPECT_EQ(burdens.warnings(options)[0],
            "m.json: the memory's limit was not reached by the 2 cores that were measured: beyond "
            "them the speedups are upper bounds");
  EXPECT_TRUE(burdens.warnings(onThreads(2)).empty());
  options.exceptSite = 0; // the factor is not used
  EXPECT_TRUE(burdens.warnings(options).empty());
}

TEST(TrafficBurdens, HaveRooflines) {
  Counted counted;
  const auto at = [&](unsigned threads) { return counted.burdens().rooflines(onThreads(threads)); };
  const auto points = at(4);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_FALSE(points[1]);
  ASSERT_TRUE(points[0] && points[0]->gflops && points[0]->flopsPerByte);
  EXPECT_NEAR(points[0]->gbs, 10, 1e-9);
  EXPECT_NEAR(points[0]->latencyNs, 128, 1e-9); // in place of 80
  EXPECT_TRUE(points[0]->saturated);
  EXPECT_NEAR(*points[0]->gflops, 8 / 1.6, 1e-9); // in 1.6 times a quarter of 4 s
  EXPECT_NEAR(*points[0]->flopsPerByte, 0.5, 1e-9);
  EXPECT_FALSE(at(2)[0]->saturated);
  EXPECT_NEAR(*at(2)[0]->gflops, 4, 1e-9);
  EmulationOptions dealt = onThreads(2); // for as long as it computes
  dealt.schedule = {Schedule::Kind::Dynamic, 1};
  dealt.overheads.steal.chunk = 1e7;
  EXPECT_NEAR(*counted.burdens().rooflines(dealt)[0]->gflops, 2, 1e-9);
  EXPECT_NEAR(counted.burdens().rooflines(dealt)[0]->gbs, 4, 1e-9);
  dealt.cores = 1;
  EXPECT_NEAR(*counted.burdens().rooflines(dealt)[0]->gflops, 1, 1e-9);
  EXPECT_NEAR(*counted.burdens().rooflines(dealt)[0]->flopsPerByte, 0.5, 1e-9);
  counted.lines = 0;
  EXPECT_NEAR(*at(2)[0]->gflops, 4, 1e-9);
  EXPECT_FALSE(at(2)[0]->flopsPerByte);
}
