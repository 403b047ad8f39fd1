//===- CurveModelLawsTest.cpp - What holds of all sections ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/CurveModel.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace prophet::memmodel;

namespace {

Overlap randomOverlap(std::mt19937_64 &random) {
  std::uniform_real_distribution<double> share;
  std::vector<OverlapPoint> points;
  for (int i = 0; i < 4; ++i)
    points.push_back({4 * share(random), share(random)});
  return Overlap(asOverlap(std::move(points)));
}

/// Latencies as of a queue, for three read shares.
MemorySystem randomMachine(std::mt19937_64 &random, double moreBandwidth = 1, double unit = 1) {
  std::uniform_real_distribution<double> share;
  const double idle = 60 + 100 * share(random), most = 10 + 90 * share(random);
  std::vector<MeasuredCurve> curves;
  for (double readShare : {1.0, 0.75, 0.5}) {
    MeasuredCurve curve{readShare, {}};
    for (double used = 0; used < 0.99; used += 0.07)
      curve.points.push_back({used * most * moreBandwidth * (0.5 + readShare / 2) / unit,
                              idle * (1 + 0.3 * used / (1 - used)) * unit});
    curves.push_back(curve);
  }
  MemorySystem machine{CurveFamily(curves)};
  machine.classGbs = {12 / unit, 6 / unit, 4 / unit, 64 / idle / unit};
  machine.sharedHitNs = 3 * unit;
  machine.transferNs = 40 * unit;
  machine.transferAheadNs = 9 * unit;
  machine.memoryOverlap = randomOverlap(random);
  machine.sharedOverlap = randomOverlap(random);
  if (share(random) < 0.7)
    machine.moved = {{5 * unit * share(random), {}}, {8 * unit, {}}, {}};
  if (share(random) < 0.7)
    machine.transferOverlap = randomOverlap(random);
  machine.irregularWindow = 100 * share(random);
  if (share(random) < 0.7)
    machine.together = {2 + 4 * share(random), 12 * (0.5 + share(random)) / unit,
                        randomOverlap(random), randomOverlap(random)};
  return machine;
}

SectionLoad randomLoad(std::mt19937_64 &random, unsigned threads, double unit = 1) {
  std::uniform_real_distribution<double> share;
  Traffic traffic;
  for (double &misses : traffic.misses)
    misses = 1e6 * share(random);
  traffic.writeBacks = share(random) * traffic.fetched();
  traffic.sharedHits = 1e6 * share(random);
  traffic.sharedAhead = traffic.sharedHits * share(random);
  traffic.sharedChased = (traffic.sharedHits - traffic.sharedAhead) * share(random);
  traffic.transfers = 1e5 * share(random);
  traffic.transfersAhead = traffic.transfers * share(random);
  traffic.readAhead = traffic.transfersAhead * share(random) / 3;
  traffic.upgradedAhead = traffic.transfersAhead * share(random) / 3;
  traffic.writtenAhead = traffic.transfersAhead * share(random) / 3;
  traffic.transfersAtOnce = (traffic.transfers - traffic.transfersAhead) * share(random);
  const double ns = std::exp(std::uniform_real_distribution<double>(17, 24)(random));
  SectionLoad load{ns * unit, traffic, traffic, threads};
  load.accesses = 2e7 * share(random);
  load.together = 1 + 5 * share(random);
  load.leastNs = share(random) < 0.5 ? 0 : load.serialNs * share(random);
  return load;
}

template <typename Check> void manyTimes(Check check) {
  for (std::uint64_t seed = 0; seed < 300; ++seed)
    check(seed);
}

/// The burdens of so many loads, each of which `grow` makes of the one before: none is below that.
template <typename Grow>
std::vector<double> neverFalling(const MemorySystem &machine, SectionLoad load, unsigned number,
                                 Grow grow, std::uint64_t seed) {
  std::vector<double> burdens;
  for (double last = 0; burdens.size() < number; grow(load)) {
    burdens.push_back(solve(machine, load).burden);
    EXPECT_GE(burdens.back(), last * (1 - 1e-11)) << seed;
    last = burdens.back();
  }
  return burdens;
}

} // namespace

TEST(CurveModelLaws, oneThreadHasNoBurden) {
  manyTimes([](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const MemorySystem machine = randomMachine(random);
    EXPECT_NEAR(solve(machine, randomLoad(random, 1)).burden, 1, 1e-11) << seed;
  });
}

TEST(CurveModelLaws, moreThreadsAreNeverFasterEachNorSlowerTogether) {
  manyTimes([](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const MemorySystem machine = randomMachine(random);
    const SectionLoad load = randomLoad(random, 1);
    const auto more = [](SectionLoad &some) { ++some.threads; };
    const std::vector<double> burdens = neverFalling(machine, load, 64, more, seed);
    for (std::size_t i = 1; i < burdens.size(); ++i) { // on i + 1 threads
      const auto threads = static_cast<double>(i + 1);
      EXPECT_LE(burdens[i] / threads, burdens[i - 1] / (threads - 1) * (1 + 1e-11)) << seed;
    }
  });
}

TEST(CurveModelLaws, moreLinesOfOtherCoresAreNeverFaster) {
  manyTimes([](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const MemorySystem machine = randomMachine(random);
    const SectionLoad load = randomLoad(random, 4);
    const auto more = [](SectionLoad &some) {
      some.parallel.transfers += 1e5;
      some.parallel.transfersAtOnce += 1e5;
    };
    neverFalling(machine, load, 8, more, seed);
  });
}

TEST(CurveModelLaws, theUnitOfTimeDoesNotMatter) {
  manyTimes([](std::uint64_t seed) {
    std::mt19937_64 random(seed), again(seed);
    const MemorySystem machine = randomMachine(random), other = randomMachine(again, 1, 1000);
    const double burden = solve(machine, randomLoad(random, 12)).burden;
    EXPECT_NEAR(solve(other, randomLoad(again, 12, 1000)).burden / burden, 1, 1e-10) << seed;
  });
}

TEST(CurveModelLaws, threadsThatAreDealtMoreChunksComputeFasterAndTakeLonger) {
  manyTimes([](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    MemorySystem machine = randomMachine(random);
    machine.saturationSeen = seed % 3 != 0;
    machine.measuredThreads = 8;
    const unsigned threads = 2 + seed % 60;
    SectionLoad load = randomLoad(random, threads);
    Contention last = solve(machine, load);
    double lastNs = 0;
    for (double share = 1e-6; share < 1e9; share *= 100) {
      load.dealing.ns = share * load.serialNs;
      const Contention result = solve(machine, load);
      EXPECT_LE(result.burden, last.burden * (1 + 1e-11)) << seed;
      EXPECT_LE(result.mostBurden, last.mostBurden * (1 + 1e-11)) << seed;
      EXPECT_GE(result.mostBurden, result.burden * (1 - 1e-11)) << seed;
      const double ns = result.burden * load.serialNs + load.dealing.ns;
      EXPECT_GE(ns, lastNs * (1 - 1e-11)) << seed;
      const double bytes = 64 * load.parallel.lines() * threads;
      EXPECT_NEAR(result.gbs * ns / bytes, 1, 1e-10) << seed;
      last = result;
      lastNs = ns;
    }
    load.threads = 1;
    EXPECT_NEAR(last.burden / solve(machine, load).burden, 1, 1e-6) << seed;
  });
}

TEST(CurveModelLaws, moreBandwidthIsNeverSlower) {
  manyTimes([](std::uint64_t seed) {
    std::mt19937_64 random(seed), again(seed);
    const MemorySystem machine = randomMachine(random), better = randomMachine(again, 1.5);
    const SectionLoad load = randomLoad(random, 12);
    if (!solve(machine, load).clamped) {
      EXPECT_LE(solve(better, load).burden, solve(machine, load).burden * (1 + 1e-11)) << seed;
    }
  });
}

TEST(CurveModelLaws, theBandwidthIsThatOfTheThreads) {
  manyTimes([](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const MemorySystem machine = randomMachine(random);
    const SectionLoad load = randomLoad(random, 12);
    const Contention result = solve(machine, load);
    const double bytes = 64 * load.parallel.lines() * load.threads;
    EXPECT_NEAR(result.gbs * result.burden * load.serialNs / bytes, 1, 1e-11) << seed;
  });
}
