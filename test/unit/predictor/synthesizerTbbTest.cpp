//===- synthesizerTbbTest.cpp - oneTBB runs trees in virtual time ---------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorPatterns.h"
#include "predictor/emulator/Emulator.h"
#include "predictor/synthesizer/Synthesizer.h"
#include "synthesizerLaws.h"

#include <filesystem>
#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

class TbbInVirtualTime : public testing::Test {
protected:
  const std::string executor = PROPHET_EXECUTORS "/tbb-executor";
  TreeMaker make;

  void SetUp() override {
    if (!std::filesystem::exists(executor))
      GTEST_SKIP() << "no oneTBB was there";
  }

  static Synthesis on(unsigned threads) {
    Synthesis run;
    run.options.threads = threads;
    run.options.paradigm = Paradigm::Tbb;
    return run;
  }

  std::vector<double> times(const Tree &tree, std::vector<Synthesis> runs) const {
    const auto error = synthesize(tree, runs, executor);
    EXPECT_FALSE(error) << error->message;
    std::vector<double> times;
    for (const Synthesis &done : runs)
      times.push_back(done.ticks);
    return times;
  }
  double time(const Tree &tree, const Synthesis &run) const { return times(tree, {run}).front(); }

  /// The mean of many runs is what the mean of as many seeds is, within `tolerance`.
  void expectEmulated(const Tree &tree, const Synthesis &run, double tolerance) const {
    constexpr unsigned draws = 12;
    double real = 0, emulated = 0;
    for (double ticks : times(tree, std::vector(draws, run)))
      real += ticks / draws;
    EmulationOptions options = run.options;
    for (options.seed = 1; options.seed <= draws; ++options.seed)
      emulated += emulate(tree, options).ticks / draws;
    EXPECT_NEAR(real, emulated, tolerance * emulated) << options.threads << " threads";
  }
};

TEST_F(TbbInVirtualTime, RunsTasksSideBySide) {
  const auto site = make.site(SiteKind::Tasks);
  const Tree &tree = make.root({{make.section(site, {{make.work(10), 4}}), 2}, {make.u(1), 1}});
  EXPECT_EQ(times(tree, {on(1), on(2), on(16), on(4)}), (std::vector<double>{81, 41, 21, 21}));
}

TEST_F(TbbInVirtualTime, LeavesTheSpawnerToItsOwnWork) {
  const auto site = make.site(SiteKind::Tasks);
  const NodeId section =
      make.section(site, {{make.work(10), 1}, {make.u(4), 1}, {make.work(3), 1}, {make.u(5), 1}});
  const Tree &tree = make.root({{section, 2}});
  // On two threads the spawner runs the second task itself.
  EXPECT_EQ(times(tree, {on(1), on(2), on(3)}), (std::vector<double>{2 * 22, 2 * 12, 2 * 10}));
}

TEST_F(TbbInVirtualTime, TakesTheCriticalPathOnManyThreads) {
  // Calls of 3 + two calls + 2, four deep, around leaves of 7.
  const auto site = make.site(SiteKind::Tasks);
  NodeId call = make.work(7);
  for (int level = 0; level < 4; ++level)
    call = make.task({{make.u(3), 1}, {make.section(site, {{call, 2}}), 1}, {make.u(2), 1}});
  const Tree &tree = make.root({{make.section(site, {{call, 1}}), 1}});
  EXPECT_EQ(times(tree, {on(1), on(32)}), (std::vector<double>{15 * 5 + 16 * 7, 4 * 5 + 7}));
}

TEST_F(TbbInVirtualTime, HasWhoWaitsRunAnyTask) {
  // `Tasks.AWaiterInATiedTaskRunsOnlyItsDescendants` has the story.
  const auto site = make.site(SiteKind::Tasks);
  const NodeId inner = make.section(site, {{make.work(100), 1}, {make.work(10), 1}});
  const NodeId a = make.task({{inner, 1}, {make.u(1), 1}});
  const std::vector<Child> children{{a, 1}, {make.u(5), 1}, {make.work(30), 4}};
  const Tree &tree = make.root({{make.section(site, children), 1}});
  EXPECT_EQ(time(tree, on(3)), 101);
}

TEST_F(TbbInVirtualTime, HandsAMutexToWhoHasSleptShortest) {
  // One holds the lock until 10, others ask for it at 1 and at 2 and hold it for 10 as well. The
  // one of 2 has it first, and computes 20 more until 40.
  const auto site = make.site(SiteKind::Tasks);
  const NodeId first = make.task({{make.l(0, 10), 1}});
  const NodeId second = make.task({{make.u(1), 1}, {make.l(0, 10), 1}});
  const NodeId third = make.task({{make.u(2), 1}, {make.l(0, 10), 1}, {make.u(20), 1}});
  const Tree &tree = make.root({{make.section(site, {{first, 1}, {second, 1}, {third, 1}}), 1}});
  EXPECT_EQ(times(tree, {on(1), on(3)}), (std::vector<double>{53, 40}));
}

TEST_F(TbbInVirtualTime, SplitsLoops) {
  // Sixteen pieces of five iterations, four for each thread.
  const Tree &tree = make.root({{make.loop(std::vector<double>(80, 3)), 2}});
  EXPECT_EQ(times(tree, {on(1), on(4)}), (std::vector<double>{480, 120}));
}

TEST_F(TbbInVirtualTime, SplitsOffWhatIsLeftWhereSomebodyStole) {
  // `Tasks.OneTbbSplitsOffTheLastRangeWhenAPiecesSiblingWasStolen` has the story.
  std::vector<double> lengths(64, 1);
  std::fill_n(lengths.begin(), 8, 10);
  const Tree &tree = make.root({{make.loop(lengths), 1}});
  EXPECT_EQ(times(tree, {on(1), on(2)}), (std::vector<double>{136, 70}));
}

TEST_F(TbbInVirtualTime, HasMoreThreadsThanOneTbbMakesUnasked) {
  const auto site = make.site(SiteKind::Tasks);
  const Tree &tree = make.root({{make.section(site, {{make.work(10), 300}}), 1}});
  EXPECT_EQ(times(tree, {on(2), on(300)}), (std::vector<double>{1500, 10}));
}

TEST_F(TbbInVirtualTime, SharesCores) {
  const auto site = make.site(SiteKind::Tasks);
  const Tree &tree = make.root({{make.section(site, {{make.work(10), 4}}), 1}});
  Synthesis run = on(4);
  run.options.cores = 2;
  EXPECT_EQ(time(tree, run), 20);
}

TEST_F(TbbInVirtualTime, KeepsAllThreadsBusyAndLosesNothing) {
  expectNothingLost([&](const Tree &tree, unsigned threads) { return time(tree, on(threads)); },
                    true);
}

TEST_F(TbbInVirtualTime, IsEmulated) {
  std::mt19937_64 random(7);
  const Tree sort = drawQuicksortProgram(random), fourier = drawFourierProgram(random),
             flat = drawFlatTasksProgram(random, 0);
  for (unsigned threads : {2u, 6u})
    for (const Tree *tree : {&sort, &fourier, &flat})
      expectEmulated(*tree, on(threads), 0.03);
}

TEST_F(TbbInVirtualTime, LeavesTwoThreadsNoChoice) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    std::mt19937_64 random(seed);
    const Tree loop = drawTest1Program(random, 0), locks = drawTest1Program(random, 0.7),
               nested = drawTest2Program(random, 0);
    for (const Tree *tree : {&loop, &locks, &nested})
      EXPECT_NEAR(time(*tree, on(2)), emulate(*tree, on(2).options).ticks, 1e-6) << seed;
  }
}

} // namespace
