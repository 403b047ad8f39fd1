//===- emulatorOutliningTest.cpp - Loop bodies as OpenMP's functions -------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// EmulationOptions::bodyRatios: regions compute longer, or shorter, than the
// serial program, on any number of threads.
//
//===----------------------------------------------------------------------===//

#include "emulatorPrograms.h"
#include "emulatorTrees.h"
#include "predictor/emulator/Emulator.h"

#include <array>
#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

EmulationOptions on(unsigned threads, std::vector<double> ratios) {
  EmulationOptions options;
  options.threads = threads;
  options.bodyRatios = std::move(ratios);
  return options;
}

double ticks(const Tree &tree, const EmulationOptions &options) {
  return emulate(tree, options).ticks;
}

/// 100 of serial code, and a loop of four times 100.
Tree codeAndALoop() {
  TreeMaker make;
  const auto site = make.site();
  return make.root({{make.u(100), 1}, {make.section(site, {{make.work(100), 4}}), 1}});
}

TEST(Outlining, LengthensTheLoopOnAnyNumberOfThreads) {
  const Tree tree = codeAndALoop();
  EXPECT_EQ(ticks(tree, on(1, {1.5})), 100 + 600);
  EXPECT_EQ(ticks(tree, on(2, {1.5})), 100 + 300);
  EXPECT_EQ(ticks(tree, on(4, {1.5})), 100 + 150);
  EXPECT_EQ(ticks(tree, on(2, {0.5})), 100 + 100);
  EXPECT_EQ(ticks(tree, on(2, {1})), 100 + 200);
  const Estimate estimate = emulate(tree, on(2, {1.5}));
  EXPECT_EQ(estimate.speedup, 500.0 / 400);
  EXPECT_EQ(estimate.sites[0].speedup, 400.0 / 300);
  EXPECT_EQ(estimate.sites[0].gain, 500.0 / 400);
}

TEST(Outlining, IsAPartOfTheWaterfall) {
  const Tree tree = codeAndALoop();
  const Waterfall w = emulate(tree, on(2, {1.5})).waterfall;
  EXPECT_EQ(w.threadTicks, 2 * 400);
  EXPECT_EQ(w.outside.useful, 100);
  EXPECT_EQ(w.outside.serial, 100);
  EXPECT_EQ(w.sites[0].useful, 400);
  EXPECT_EQ(w.sites[0].outlining, 200);
  EXPECT_EQ(w.sites[0].memory, 0);
  EXPECT_EQ(w.program.sum(), w.threadTicks);
  const LossShares faster = emulate(tree, on(2, {0.5})).loss;
  EXPECT_EQ(faster.outlining, -200.0 / 400);
  EXPECT_EQ(faster.useful, 500.0 / 400);
}

TEST(Outlining, IsToldFromMemory) { // of 4 x 180, 4 x 50 are the body's and 4 x 30 the memory's
  Tree tree = codeAndALoop();
  tree.sites[0].burden = {{2, 1.2}};
  EmulationOptions options = on(2, {1.5});
  options.useBurden = true;
  EXPECT_EQ(options.burdenFactor(tree, 0, 2), 1.5 * 1.2);
  EXPECT_EQ(options.burdenFactor(tree, 0, 1), 1.5);
  const Estimate estimate = emulate(tree, options);
  EXPECT_NEAR(estimate.ticks, 100 + 360, 1e-9);
  EXPECT_NEAR(estimate.waterfall.program.outlining, 200, 1e-9);
  EXPECT_NEAR(estimate.waterfall.program.memory, 120, 1e-9);
  EXPECT_EQ(estimate.waterfall.program.sum(), estimate.waterfall.threadTicks);
  options.bodyRatios = {0.5}; // faster, and then 1.2 times as long
  EXPECT_NEAR(emulate(tree, options).waterfall.program.outlining, -200, 1e-9);
  EXPECT_NEAR(emulate(tree, options).waterfall.program.memory, 40, 1e-9);
}

TEST(Outlining, LeavesASerialSiteAlone) {
  TreeMaker make;
  const auto first = make.site(), second = make.site();
  const NodeId task = make.work(100);
  const Tree &tree =
      make.root({{make.section(first, {{task, 2}}), 1}, {make.section(second, {{task, 2}}), 1}});
  EmulationOptions options = on(2, {1.5, 3});
  EXPECT_EQ(ticks(tree, options), 150 + 300);
  options.onlySite = first;
  EXPECT_EQ(ticks(tree, options), 150 + 200);
  options.onlySite.reset();
  options.exceptSite = first;
  EXPECT_EQ(ticks(tree, options), 200 + 300);
  options.exceptSite.reset();
  const Estimate estimate = emulate(tree, options);
  EXPECT_EQ(estimate.sites[first].gain, 400.0 / (150 + 200));
  EXPECT_EQ(estimate.sites[second].gain, 400.0 / (200 + 300));
}

TEST(Outlining, IsThatOfTheOutermostLoop) {
  TreeMaker make;
  const auto inner = make.site(), outer = make.site();
  const NodeId task = make.task({{make.section(inner, {{make.work(100), 2}}), 1}});
  const Tree &tree = make.root({{make.section(outer, {{task, 2}}), 1}});
  EmulationOptions options = on(2, {3, 1.5});
  EXPECT_EQ(ticks(tree, options), 300);
  options.maxActiveLevels = 2;
  options.cores = 4;
  EXPECT_EQ(ticks(tree, options), 150) << "a team inside another's";
  options.onlySite = inner;
  EXPECT_EQ(ticks(tree, options), 2 * 300) << "nothing is outside of it";
  options.onlySite.reset();
  options.maxActiveLevels = 1;
  options.sites = {{{}, 0}, {{}, 1}};
  EXPECT_EQ(ticks(tree, options), 2 * 300) << "a team of one thread is no team";
}

TEST(Outlining, IsEachLoopsOwnInAChain) {
  TreeMaker make;
  const auto first = make.site(SiteKind::ParallelFor, true), second = make.site();
  const NodeId task = make.work(100);
  const Tree &tree =
      make.root({{make.section(first, {{task, 2}}), 1}, {make.section(second, {{task, 2}}), 1}});
  const Estimate estimate = emulate(tree, on(2, {1.5, 3}));
  EXPECT_EQ(estimate.ticks, 150 + 300);
  EXPECT_EQ(estimate.waterfall.program.outlining, 2 * 50 + 2 * 200);
  EXPECT_EQ(estimate.waterfall.program.memory, 0);
}

TEST(Outlining, HoldsForTheCodeBetweenLoopsInsideAnother) {
  TreeMaker make;
  const auto first = make.site(SiteKind::ParallelFor, true), second = make.site();
  const NodeId work = make.work(100);
  const NodeId task = make.task({{make.section(first, {{work, 2}}), 1},
                                 {make.u(10), 1},
                                 {make.section(second, {{work, 2}}), 1}});
  const Tree &tree = make.root({{make.section(make.site(), {{task, 1}}), 1}});
  EmulationOptions options = on(2, {3, 3, 1.5});
  options.maxActiveLevels = 2;
  options.cores = 4;
  const Estimate estimate = emulate(tree, options);
  EXPECT_EQ(estimate.ticks, 1.5 * (100 + 10 + 100));
  EXPECT_EQ(estimate.waterfall.program.useful, 410);
  EXPECT_EQ(estimate.waterfall.program.outlining, 205);
  EXPECT_EQ(estimate.waterfall.program.overhead, 15) << "the other thread runs it, too";
  options.sites = {{{}, 1}, {{}, 0}, {{}, 0}}; // a team of one, inside one of two
  EXPECT_EQ(emulate(tree, options).ticks, 1.5 * (200 + 10 + 200));
}

TEST(Outlining, HoldsForTasksAndLocks) {
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const NodeId task = make.task({{make.u(10), 1}, {make.l(0, 20), 1}});
  const Tree &tree = make.root({{make.section(site, {{make.u(4), 1}, {task, 2}}), 1}});
  for (Paradigm paradigm : {Paradigm::OpenMP, Paradigm::Tasks, Paradigm::Tbb, Paradigm::Cilk}) {
    EmulationOptions options = on(1, {1.5});
    options.paradigm = paradigm;
    EXPECT_EQ(ticks(tree, options), 1.5 * 64) << paradigmName(paradigm);
    options.threads = 3;
    const Waterfall w = emulate(tree, options).waterfall;
    EXPECT_EQ(w.program.outlining, 32) << paradigmName(paradigm);
    EXPECT_EQ(w.program.useful, 64) << paradigmName(paradigm);
  }
}

/// `tree`, no node of which lies both in a section and outside of all, with sections `ratio` times
/// as long.
Tree withLongerLoops(const Tree &tree, double ratio) {
  Tree longer = tree;
  std::vector<bool> inside(tree.nodes.size());
  for (NodeId id = tree.root; id-- > 0;)
    for (const Child &child : tree.childrenOf(id))
      if (tree.nodes[id].kind == NodeKind::Section || inside[id])
        inside[child.node] = true;
  for (NodeId id = 0; id < tree.root; ++id)
    longer.nodes[id].length *= inside[id] ? ratio : 1;
  return longer;
}

TEST(Outlining, EqualsLongerLoops) { // where all sites have one ratio, and no locks meet
  const Shape flat{.locks = false, .nested = false, .nowait = false};
  std::mt19937_64 random(seedOfPrograms(77));
  for (std::uint64_t number = 0; number < programsToDraw(300); ++number) {
    const Program program = drawProgram(random, flat);
    const double ratio = std::array{0.5, 1.5, 2.0, 3.25}[number % 4];
    const auto &[tree, options] = program;
    const bool isSerial = options.onlySite || options.exceptSite; // whose lengths stay
    if (isSerial)
      continue;
    EmulationOptions outlined = options;
    outlined.bodyRatios.assign(tree.sites.size(), ratio);
    const Tree longer = withLongerLoops(tree, ratio);
    const double expected = ticks(longer, options);
    EXPECT_NEAR(ticks(tree, outlined), expected, 1e-12 * expected) << "program " << number;
  }
}

TEST(Outlining, AddsUpExactly) { // with any ratios, in any program
  std::mt19937_64 random(seedOfPrograms(78));
  for (std::uint64_t number = 0; number < programsToDraw(300) && !HasFailure(); ++number) {
    Program program = drawProgram(random, {.tasks = number % 2 == 0});
    for (std::size_t site = 0; site < program.tree.sites.size(); ++site)
      program.options.bodyRatios.push_back(0.4 + 0.01 * static_cast<double>(random() % 200));
    const Waterfall w = Emulator(program.tree).runWithoutGains(program.options).waterfall;
    EXPECT_EQ(w.program.sum(), w.threadTicks) << "program " << number;
    EXPECT_EQ(w.program.memory, 0) << "program " << number;
    const double serial = program.tree.serialLengths()[program.tree.root];
    EXPECT_NEAR(w.program.useful, serial, 1e-12 * w.threadTicks + 1e-6) << "program " << number;
  }
}

} // namespace
