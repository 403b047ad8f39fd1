//===- emulatorWaterfallTest.cpp - Thread-time without a remainder ---------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorPatterns.h"
#include "emulatorPrograms.h"
#include "predictor/emulator/Emulator.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

EmulationOptions on(unsigned threads, unsigned cores = 0) {
  EmulationOptions options;
  options.threads = threads;
  options.cores = cores;
  return options;
}

TEST(Waterfall, namesTheLockAndTheSite) {
  TreeMaker make;
  const auto first = make.site(), second = make.site();
  const NodeId task = make.task({{make.u(10), 1}, {make.l(1, 20), 1}});
  make.root({{make.u(30), 1},
             {make.section(first, {{task, 3}}), 1},
             {make.section(second, {{make.work(7), 1}, {make.work(4), 1}}), 1}});
  // On 3 threads: site 0 takes 10 + 3 x 20 = 70, of which threads wait 0, 20 and 40 for the lock
  // and 40, 20 and 0 for the last one. Site 1 takes 7: one thread has 4, one nothing.
  const Waterfall w = emulate(make.tree, on(3)).waterfall;
  EXPECT_EQ(w.width, 3);
  EXPECT_EQ(w.threadTicks, 3 * (30 + 70 + 7));
  EXPECT_EQ(w.outside.useful, 30);
  EXPECT_EQ(w.outside.serial, 60);
  EXPECT_EQ(w.sites[0].useful, 90);
  EXPECT_EQ(w.sites[0].lock, 60);
  EXPECT_EQ(w.sites[0].imbalance, 60);
  EXPECT_EQ(w.sites[1].useful, 11);
  EXPECT_EQ(w.sites[1].imbalance, 10);
  ASSERT_EQ(w.locks.size(), 1u);
  EXPECT_EQ(w.locks[0].site, 0u);
  EXPECT_EQ(w.locks[0].lock, 1u);
  EXPECT_EQ(w.waitFor(1), 60);
  EXPECT_EQ(w.waitFor(0), 0);
}

TEST(Waterfall, aMissingCoreIsNoImbalance) {
  TreeMaker make;
  make.root({{make.loop({10, 10}), 1}});
  // Two threads on one core: each has it for 10 of 20 ticks. Two threads count, as the team's.
  const Waterfall w = emulate(make.tree, on(2, 1)).waterfall;
  EXPECT_EQ(w.threadTicks, 40);
  EXPECT_EQ(w.program.useful, 20);
  EXPECT_EQ(w.program.cores, 20);
  EXPECT_EQ(w.program.imbalance, 0);
}

TEST(Waterfall, anEmptyRunHasNone) {
  TreeMaker make;
  make.root({});
  const Estimate estimate = emulate(make.tree, on(4));
  EXPECT_EQ(estimate.waterfall.threadTicks, 0);
  EXPECT_EQ(estimate.waterfall.program.sum(), 0);
  EXPECT_EQ(estimate.loss.useful, 1);
}

/// That all sums of `w` are exact, and that the parts are the run's and not what makes the sums
/// fit.
void expectExact(const Waterfall &w, const Estimate &estimate) {
  EXPECT_EQ(w.program.sum(), w.threadTicks);
  EXPECT_NEAR(w.threadTicks, w.width * estimate.ticks, 1e-12 * w.threadTicks + 1e-9);
  TimeParts sum = w.outside;
  double all = w.outside.sum(), locks = 0;
  for (std::uint32_t site = 0; site < w.sites.size(); ++site) {
    sum += w.sites[site];
    all += w.sites[site].sum();
    double ofSite = 0;
    for (const LockTime &time : w.locks)
      ofSite += time.site == site ? time.ticks : 0;
    EXPECT_EQ(ofSite, w.sites[site].lock);
    locks += ofSite;
  }
  EXPECT_EQ(all, w.threadTicks);
  EXPECT_EQ(locks, w.program.lock);
  for (double TimeParts::*part :
       {&TimeParts::useful, &TimeParts::serial, &TimeParts::imbalance, &TimeParts::lock,
        &TimeParts::overhead, &TimeParts::memory, &TimeParts::cores}) {
    EXPECT_EQ(sum.*part, w.program.*part);
    EXPECT_GE(w.program.*part, -1e-9 * w.threadTicks);
  }
  EXPECT_NEAR(w.program.useful, estimate.serialTicks, 1e-12 * estimate.serialTicks + 1e-9);
}

/// One program: loops of Figure 9 in a row or, as in Figure 10, inside the tasks of another.
const Tree &drawProgram(TreeMaker &make, std::mt19937_64 &random, bool nested) {
  std::vector<Child> parts;
  const auto outer = make.site(), inner = make.site();
  for (std::uint64_t i = 0, count = 1 + random() % 4; i < count; ++i) {
    const std::vector<Task> tasks = iterationsOf(drawTest1(random, 0.6), random);
    // Lengths with a fraction: no sum of theirs is exact by itself.
    parts.push_back({make.u(static_cast<double>(random() % 1000) / 7), 1 + random() % 3});
    parts.push_back({addSection(make, i % 2 ? outer : inner, tasks, true), 1 + random() % 3});
  }
  if (!nested)
    return make.root(parts);
  return make.root({{make.u(1.0 / 3), 1}, {make.section(make.site(), {{make.task(parts), 3}}), 2}});
}

TEST(Waterfall, addsUpExactly) {
  const char *chosen = std::getenv("PROPHET_TEST_SEED");
  std::mt19937_64 random(chosen ? std::strtoull(chosen, nullptr, 10) : 20091);
  constexpr Schedule schedules[] = {
      {}, {Schedule::Kind::StaticChunk, 1}, {Schedule::Kind::Dynamic, 1}};
  double cores = 0, lock = 0, overhead = 0;
  const int programs = static_cast<int>(programsToDraw(1200));
  for (int program = 0; program < programs && !testing::Test::HasFailure(); ++program) {
    SCOPED_TRACE("program " + std::to_string(program));
    TreeMaker make;
    const Tree &tree = drawProgram(make, random, program % 3 == 0);
    EmulationOptions options = on(1 + static_cast<unsigned>(random() % 12));
    options.cores = program % 2 ? 0 : 1 + static_cast<unsigned>(random() % options.threads);
    options.schedule = schedules[random() % 3];
    options.maxActiveLevels = program % 6 == 0 ? 2 : 1;
    if (program % 5 != 0)
      options.overheads = Overheads::typical(options.runtime);
    const Estimate estimate = emulate(tree, options);
    expectExact(estimate.waterfall, estimate);
    cores += estimate.waterfall.program.cores;
    lock += estimate.waterfall.program.lock;
    overhead += estimate.waterfall.program.overhead;
  }
  EXPECT_TRUE(cores > 0 && lock > 0 && overhead > 0);
}

} // namespace
