//===- emulatorWaterfallTest.cpp - Thread-time without a remainder ---------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorPrograms.h"
#include "emulatorTrees.h"
#include "predictor/emulator/Emulator.h"

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

TEST(Waterfall, isEachSitesOwnWhereTeamsNest) {
  TreeMaker make;
  const auto outer = make.site(), inner = make.site();
  const NodeId locked = make.task({{make.u(10), 1}, {make.l(0, 20), 1}});
  const NodeId loop = make.section(inner, {{locked, 2}});
  make.root({{make.section(outer, {{make.task({{make.u(100), 1}, {loop, 1}}), 1}}), 1}});
  EmulationOptions options = on(2, 4);
  options.maxActiveLevels = 2;
  // Of the outer team one thread has nothing for 100 + 50; the inner one's take 10 + 20 and then,
  // after 20 of waiting for the lock, 20.
  const Waterfall w = emulate(make.tree, options).waterfall;
  EXPECT_EQ(w.threadTicks, 4 * 150);
  EXPECT_EQ(w.sites[outer].useful, 100);
  EXPECT_EQ(w.sites[outer].imbalance, 150);
  EXPECT_EQ(w.sites[outer].lock, 0);
  EXPECT_EQ(w.sites[inner].useful, 60);
  EXPECT_EQ(w.sites[inner].lock, 20);
  EXPECT_EQ(w.sites[inner].imbalance, 20);
  ASSERT_EQ(w.locks.size(), 1u);
  EXPECT_EQ(w.locks[0].site, inner);
  // Of four cores two have no thread while the outer team is alone, one while both are there.
  EXPECT_EQ(w.sites[outer].serial, 2 * 100 + 50);
  EXPECT_EQ(w.withoutThread(), 250);
  EXPECT_EQ(w.regions[outer].useful, 160);
}

TEST(Waterfall, hasMissingCoresWhereThreadsLackThem) {
  TreeMaker make;
  const auto outer = make.site(), inner = make.site();
  const NodeId nested = make.section(inner, {{make.work(1), 16}});
  const NodeId task = make.task({{make.u(8), 1}, {nested, 1}});
  make.root({{make.section(outer, {{task, 4}}), 1}});
  EmulationOptions options = on(4, 8);
  options.maxActiveLevels = 2;
  options.runtime = OmpRuntime::Libgomp;
  // Four threads on eight cores take 8, then sixteen 4 and as much again for want of cores. Of the
  // time of eight cores, 8 x 16, 32 have no thread.
  const Waterfall w = emulate(make.tree, options).waterfall;
  EXPECT_EQ(w.threadTicks, 8 * 16);
  EXPECT_EQ(w.sites[outer].cores, 0);
  EXPECT_EQ(w.sites[outer].useful, 32);
  EXPECT_EQ(w.sites[inner].useful, 64);
  EXPECT_EQ(w.sites[inner].cores + w.sites[outer].serial, 32);
  EXPECT_GT(w.sites[inner].cores, 0);
}

TEST(Waterfall, isEachLoopsOwnWhereThreadsFlowOn) {
  TreeMaker make;
  const auto first = make.site(), second = make.site();
  make.tree.sites[first].nowait = true;
  const NodeId locked = make.task({{make.l(0, 20), 1}});
  make.root({{make.section(first, {{make.work(10), 1}, {make.work(30), 1}}), 1},
             {make.section(second, {{locked, 2}}), 1}});
  // 10 and 20, while the other thread has 30: all is over at 50.
  const Waterfall w = emulate(make.tree, on(2)).waterfall;
  EXPECT_EQ(w.threadTicks, 100);
  EXPECT_EQ(w.sites[first].useful, 40);
  EXPECT_EQ(w.sites[first].imbalance, 0);
  EXPECT_EQ(w.sites[second].useful, 40);
  EXPECT_EQ(w.sites[second].imbalance, 20);
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
        &TimeParts::overhead, &TimeParts::memory, &TimeParts::cores, &TimeParts::outlining}) {
    EXPECT_EQ(sum.*part, w.program.*part);
    // Of memory nobody says that it is not below 0.
    EXPECT_GE(w.program.*part, part == &TimeParts::memory ? -1e-9 * w.threadTicks : 0);
    EXPECT_GE(w.outside.*part, 0);
  }
  // Each part, and the whole, is rounded by half a unit at most; what all of that leaves goes to
  // one part, which may be useful time.
  const double unit = std::max(0x1p-50 * w.threadTicks, 0x1p-30);
  const double parts = 8.0 * static_cast<double>(w.sites.size() + 1) + w.locks.size();
  EXPECT_NEAR(w.program.useful, estimate.serialTicks,
              1e-12 * estimate.serialTicks + (parts + 1) * unit / 2);
}

/// Sites of `tree` whose computations take longer together, by any factor.
void addBurden(Tree &tree, std::mt19937_64 &random) {
  for (Site &site : tree.sites)
    if (random() % 2)
      site.burden = {{2, 1 + static_cast<double>(random() % 1000) / 999}, {8, 2.5}};
}

/// Lengths with a fraction: no sum of theirs is exact by itself.
void addFractions(Tree &tree, std::mt19937_64 &random) {
  for (Node &node : tree.nodes)
    node.length *= 1 + static_cast<double>(random() % 1000) / 7000;
}

TEST(Waterfall, addsUpExactly) { // any program: nested, with locks, too few cores, nowait, tasks
  std::mt19937_64 random(seedOfPrograms(20091));
  TimeParts happened;
  for (std::uint64_t number = 0; number < programsToDraw(800) && !HasFailure(); ++number) {
    SCOPED_TRACE("program " + std::to_string(number));
    Shape shape;
    shape.tasks = number % 2 == 0;
    Program program = drawProgram(random, shape);
    addBurden(program.tree, random);
    addFractions(program.tree, random);
    program.options.useBurden = number % 3 == 0;
    for (std::size_t site = 0; number % 4 == 0 && site < program.tree.sites.size(); ++site)
      program.options.bodyRatios.push_back(1 + static_cast<double>(random() % 1000) / 700);
    if (number % 5 != 0)
      program.options.overheads = Overheads::typical(program.options.runtime);
    const Estimate estimate = Emulator(program.tree).runWithoutGains(program.options);
    expectExact(estimate.waterfall, estimate);
    happened += estimate.waterfall.program;
  }
  for (double part : {happened.serial, happened.imbalance, happened.lock, happened.overhead,
                      happened.memory, happened.cores, happened.outlining})
    EXPECT_GT(part, 0);
}

TEST(Waterfall, tasksWaitForTheLockThatIsNamed) {
  // Two tasks that hold lock 1 for 20 after 10, on two threads: one waits from 10 to 30.
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const NodeId task = make.task({{make.u(10), 1}, {make.l(1, 20), 1}});
  make.root({{make.section(site, {{task, 2}}), 3}});
  for (Paradigm paradigm : {Paradigm::OpenMP, Paradigm::Tasks, Paradigm::Tbb, Paradigm::Cilk}) {
    EmulationOptions options = on(2);
    options.paradigm = paradigm;
    const Waterfall w = emulate(make.tree, options).waterfall;
    ASSERT_EQ(w.locks.size(), 1u) << paradigmName(paradigm);
    EXPECT_EQ(w.locks[0].lock, 1u);
    EXPECT_EQ(w.waitFor(1), 3 * 20);
    EXPECT_EQ(w.sites[site].lock, 3 * 20);
  }
}

} // namespace
