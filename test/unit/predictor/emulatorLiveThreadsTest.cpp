//===- emulatorLiveThreadsTest.cpp - How many threads there are at once ---===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorPrograms.h"
#include "emulatorTrees.h"
#include "predictor/emulator/Emulator.h"
#include "predictor/emulator/Listener.h"
#include "predictor/emulator/LiveThreads.h"

#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

/// The threads that are heard of. Those that have left their team are the first of the next one.
class Threads : public EventListener {
public:
  double count = 0;

private:
  void regionBegins(NodeId, double) override {}
  void interval(const Interval &interval) override {
    count = std::max(count, interval.thread + 1.0);
  }
  void regionEnds(double) override {}
};

double emulated(const Tree &tree, const EmulationOptions &options) {
  Threads threads;
  Emulator(tree).run(options, &threads);
  return threads.count;
}

EmulationOptions nested(unsigned threads, unsigned levels = 1u << 30) {
  EmulationOptions options;
  options.threads = threads;
  options.cores = 1000;
  options.maxActiveLevels = levels;
  return options;
}

/// The bound, which is what the emulation has.
double counted(const Tree &tree, const EmulationOptions &options) {
  const double most = mostLiveThreads(tree, options);
  EXPECT_EQ(emulated(tree, options), most);
  return most;
}

TEST(LiveThreads, ARecursionWithALeafHasOneMoreALevel) {
  TreeMaker make;
  const auto site = make.site();
  const NodeId leaf = make.work(1000);
  NodeId section = make.section(site, {{leaf, 2}});
  for (int level = 1; level < 40; ++level)
    section = make.section(site, {{make.task({{make.u(1), 1}, {section, 1}}), 1}, {leaf, 1}});
  make.root({{section, 1}});
  EXPECT_EQ(counted(make.tree, nested(2)), 41);
  EXPECT_EQ(mostLiveThreads(make.tree, nested(2, 4)), 16); // 5, but no program of 4 levels has more
  EXPECT_EQ(mostLiveThreads(make.tree, nested(3)), 1 + 40 * 2); // of the third nothing is heard
}

TEST(LiveThreads, ThousandsOfTeamsInsideEachOtherAreEmulated) {
  TreeMaker make;
  const auto site = make.site();
  const NodeId leaf = make.task({{make.l(0, 100), 1}});
  NodeId section = make.section(site, {{leaf, 2}});
  for (int level = 1; level < 20'000; ++level)
    section = make.section(site, {{make.task({{make.u(1000), 1}, {section, 1}}), 1}, {leaf, 1}});
  make.root({{section, 1}});
  EXPECT_EQ(counted(make.tree, nested(2)), 20'001);
  // Each leaf has the lock long before the next one asks, but for the last two.
  EXPECT_EQ(emulate(make.tree, nested(2)).ticks, 19'999 * 1000.0 + 2 * 100);
}

TEST(LiveThreads, ARecursionIntoTwoHalvesDoublesThemEachLevel) {
  TreeMaker make;
  const auto site = make.site();
  NodeId task = make.work(1000);
  for (int level = 1; level <= 8; ++level)
    task = make.task({{make.section(site, {{task, 2}}), 1}});
  make.root({{make.section(site, {{task, 2}}), 1}});
  EXPECT_EQ(counted(make.tree, nested(2)), 512);
  EXPECT_EQ(counted(make.tree, nested(2, 5)), 32);
  EXPECT_EQ(mostLiveThreads(make.tree, nested(4)), 1 + 3 * 511); // two of four have no iteration
}

TEST(LiveThreads, TheLargestOfMoreIterationsThanThreads) {
  TreeMaker make;
  const auto site = make.site();
  const auto opens = [&](NodeId inner) {
    return make.task({{make.section(site, {{inner, 3}}), 1}});
  };
  const NodeId leaf = make.work(10), small = opens(leaf), large = opens(small);
  make.root({{make.section(site, {{leaf, 9}, {large, 2}, {small, 5}, {leaf, 9}}), 1}});
  EXPECT_EQ(mostLiveThreads(make.tree, nested(3)), 9 + 9 + 3);
}

TEST(LiveThreads, OfLoopsInOneRegionAll) {
  for (const bool nowait : {false, true}) {
    TreeMaker make;
    const auto outer = make.site(SiteKind::ParallelFor, nowait), inner = make.site();
    const NodeId leaf = make.work(10), call = make.task({{make.section(inner, {{leaf, 2}}), 1}});
    const NodeId first = make.section(outer, {{call, 1}, {leaf, 1}});
    const NodeId second = make.section(outer, {{leaf, 1}, {call, 1}});
    make.root({{first, 1}, {second, 1}});
    EXPECT_EQ(mostLiveThreads(make.tree, nested(2)), nowait ? 4 : 3);
  }
}

TEST(LiveThreads, TasksOpenTeamsWhereverTheyRun) {
  TreeMaker make;
  const auto site = make.site(), tasks = make.site(SiteKind::Tasks);
  const NodeId call = make.task({{make.section(site, {{make.work(100), 4}}), 1}});
  const NodeId both = make.task({{make.section(tasks, {{call, 2}}), 1}});
  make.root({{make.section(tasks, {{both, 1}, {call, 1}}), 1}});
  EXPECT_EQ(mostLiveThreads(make.tree, nested(2)), 4);
  EXPECT_EQ(counted(make.tree, nested(4)), 4 + 3 * 3);
}

TEST(LiveThreads, AreNoMoreThanThisInAnyProgram) {
  for (const bool tasks : {false, true}) {
    std::mt19937_64 random(seedOfPrograms(7));
    for (std::uint64_t number = 0; number < programsToDraw(1000); ++number) {
      Program program = drawProgram(random, {.tasks = tasks});
      program.options.paradigm = Paradigm::OpenMP;
      ASSERT_LE(emulated(program.tree, program.options),
                mostLiveThreads(program.tree, program.options))
          << print(program);
    }
  }
}

} // namespace
