//===- TrafficBurdensTest.cpp - Burden factors by what sites move ---------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/TrafficBurdens.h"
#include "emulatorOptions.h"
#include "emulatorTrees.h"

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
  counted.lines = 0;
  EXPECT_NEAR(*at(2)[0]->gflops, 4, 1e-9);
  EXPECT_FALSE(at(2)[0]->flopsPerByte);
}
