//===- synthesizerTest.cpp - The real runtimes beside the emulator --------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trees run by the real libomp and libgomp in virtual time. Another runtime's
// dynamic schedule is off by 3 % in the mean, a missing lock by far more; the
// same is the same to the bit. bench/real_runtimes does this at length, and
// PROPHET_TEST_PROGRAMS and PROPHET_TEST_SEED draw more trees of any shape.
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/Synthesizer.h"
#include "emulatorPatterns.h"
#include "emulatorPrograms.h"
#include "predictor/emulator/Emulator.h"
#include "predictor/support/Capture.h"
#include "predictor/synthesizer/Repetitions.h"
#include "synthesizerPrograms.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>

using namespace prophet;
using namespace prophet::test;

namespace {

using Kind = Schedule::Kind;

class RealRuntimes : public testing::TestWithParam<OmpRuntime> {
protected:
  const Result<TemporaryDirectory> directory = TemporaryDirectory::create();
  const std::string executor =
      std::string(PROPHET_EXECUTORS "/") + std::string(executorName(GetParam()));

  void SetUp() override {
    if (!std::filesystem::exists(executor))
      GTEST_SKIP() << "no compiler for " << runtimeName(GetParam()) << " was there";
  }

  Synthesis run(unsigned threads, Schedule schedule, unsigned levels = 1) const {
    Synthesis run;
    run.options.runtime = GetParam();
    run.options.threads = threads;
    run.options.cores = levels > 1 ? threads * threads : threads;
    run.options.maxActiveLevels = levels;
    run.options.schedule = schedule;
    return run;
  }

  /// A script in the place of an executor; goes with the test.
  std::string writeProgram(const std::string &text) {
    const std::string path = *directory / "executor";
    std::ofstream(path) << text;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }

  double time(const Tree &tree, const Synthesis &wanted) const {
    std::vector<Synthesis> runs{wanted};
    const auto error = synthesize(tree, runs, executor);
    EXPECT_FALSE(error) << error->message;
    return runs.front().ticks;
  }

  void expectEmulated(const Tree &tree, unsigned levels = 1) const {
    std::vector<Synthesis> runs;
    for (const Schedule &schedule :
         {Schedule{Kind::Static, 0}, Schedule{Kind::StaticChunk, 2}, Schedule{Kind::Dynamic, 1},
          Schedule{Kind::Dynamic, 1, true}, Schedule{Kind::Guided, 1}, Schedule{Kind::Auto, 0}})
      for (unsigned threads : {2u, 4u, levels > 1 ? 5u : 16u})
        runs.push_back(run(threads, schedule, levels));
    const auto error = synthesize(tree, runs, executor);
    ASSERT_FALSE(error) << error->message;
    for (const Synthesis &run : runs)
      EXPECT_NEAR(run.ticks, emulate(tree, run.options).ticks, 1e-3 * run.ticks)
          << run.options.schedule.str() << " on " << run.options.threads << " threads";
  }
};

TEST_P(RealRuntimes, RunLoops) {
  for (unsigned seed : {1u, 2u}) {
    std::mt19937_64 random(seed);
    expectEmulated(drawTest1Program(random, 0));
  }
}

TEST_P(RealRuntimes, HandLocksToTheLongestWaiting) {
  for (unsigned seed : {1u, 2u}) {
    std::mt19937_64 random(seed);
    expectEmulated(drawTest1Program(random, 1));
    expectEmulated(drawLockInLockProgram(random));
  }
}

TEST_P(RealRuntimes, NestTeams) {
  std::mt19937_64 random(4);
  const Tree tree = drawTest2Program(random, 0.5);
  expectEmulated(tree);
  expectEmulated(tree, 2);
}

TEST_P(RealRuntimes, FlowThroughLoopsWithNowait) {
  std::mt19937_64 random(5);
  // More than libomp's seven dispatch buffers: no thread may be held back for want of one.
  expectEmulated(drawTest1Program(random, 0.3, 12));
}

TEST_P(RealRuntimes, RunSections) {
  std::mt19937_64 random(6);
  expectEmulated(drawSectionsProgram(random, 0.5));
}

TEST_P(RealRuntimes, RunTreesOfAnyShape) {
  expectRandomTreesAlike(20261121, GetParam(), executor, [](Program &, std::mt19937_64 &) {});
}

TEST_P(RealRuntimes, StealUnderLibompOnly) {
  // libomp's first thread has tasks 0 and 1 and then steals 3, the other is at 2 meanwhile;
  // libgomp's first takes 0 and 2.
  TreeMaker make;
  const Tree &tree = make.root({{make.loop({10, 20, 100, 30}), 1}});
  const bool steals = GetParam() == OmpRuntime::Libomp;
  EXPECT_EQ(time(tree, run(2, {Kind::Dynamic, 1})), steals ? 100 : 110);
  EXPECT_EQ(time(tree, run(2, {Kind::Dynamic, 1, true})), 110);
  EXPECT_EQ(time(tree, run(2, {Kind::Static, 0})), 130);
  EXPECT_EQ(time(tree, run(2, {Kind::StaticChunk, 1})), 110);
}

TEST_P(RealRuntimes, TakeChunksThatAreLongerThanTheLoop) {
  TreeMaker make;
  const Tree &tree = make.root({{make.loop({10, 20, 100, 30}), 1}});
  for (Kind kind : {Kind::StaticChunk, Kind::Dynamic, Kind::Guided})
    for (std::uint64_t chunk :
         {std::uint64_t(4), std::uint64_t(2147483647), std::uint64_t(3) << 30})
      EXPECT_EQ(time(tree, run(16, {kind, chunk})), 160) << Schedule{kind, chunk}.str();
}

TEST_P(RealRuntimes, ShareCores) {
  // Figure 7 of the paper: four threads on two cores.
  TreeMaker make;
  const auto outer = make.site(), inner = make.site();
  const auto loop = [&](double a, double b) {
    return make.task({{make.section(inner, {{make.work(a), 1}, {make.work(b), 1}}), 1}});
  };
  const NodeId section = make.section(outer, {{loop(10, 5), 1}, {loop(5, 10), 1}});
  const Tree &tree = make.root({{section, 1}});
  Synthesis nested = run(2, {Kind::StaticChunk, 1}, 2);
  nested.options.cores = 2;
  EXPECT_EQ(time(tree, nested), 15);
  nested.options.cores = 4;
  EXPECT_EQ(time(tree, nested), 10);
}

TEST_P(RealRuntimes, KnowNothingOfTheUsersSettings) {
  TreeMaker make;
  const Tree &tree = make.root({{make.loop({10, 20, 100, 30}), 1}});
  const Synthesis wanted = run(2, {Kind::Dynamic, 1});
  const double expected = time(tree, wanted);
  const std::pair<const char *, const char *> settings[] = {{"OMP_DISPLAY_ENV", "true"},
                                                            {"OMP_DISPLAY_AFFINITY", "true"},
                                                            {"KMP_SCHEDULE", "dynamic,trapezoidal"},
                                                            {"KMP_LOCK_KIND", "tas"},
                                                            {"KMP_TASKING", "0"},
                                                            {"KMP_DEVICE_THREAD_LIMIT", "1"},
                                                            {"OMP_THREAD_LIMIT", "1"}};
  for (const auto &[name, value] : settings)
    setenv(name, value, 1);
  const double time = this->time(tree, wanted);
  for (const auto &[name, value] : settings)
    unsetenv(name);
  EXPECT_EQ(time, expected);
}

TEST_P(RealRuntimes, UseASitesOwnSettings) {
  TreeMaker make;
  const auto first = make.site(), second = make.site();
  const NodeId task = make.work(12);
  const Tree &tree = make.root({{make.u(1), 1},
                                {make.section(first, {{task, 12}}), 1},
                                {make.section(second, {{task, 12}}), 2}});
  Synthesis own = run(4, {});
  own.options.sites = {{{Kind::Dynamic, 1}, 0}, {{Kind::Static, 0}, 3}};
  EXPECT_EQ(time(tree, own), 1 + 12 * 3 + 2 * 12 * 4);
  own.options.onlySite = first;
  EXPECT_EQ(time(tree, own), 1 + 12 * 3 + 2 * 12 * 12);
  own.options.onlySite.reset();
  make.tree.sites[second].burden = {{3, 1.5}};
  own.options.useBurden = true;
  EXPECT_EQ(time(tree, own), 1 + 12 * 3 + 2 * 18 * 4);
  own.options.bodyRatios = {2.5, 2}; // on one thread, too, and without burden factors
  EXPECT_EQ(time(tree, own), 1 + 30 * 3 + 2 * 36 * 4);
  own.options.useBurden = false;
  own.options.threads = 1;
  EXPECT_EQ(time(tree, own), 1 + 30 * 12 + 2 * 24 * 12);
  own.options.exceptSite = first;
  EXPECT_EQ(time(tree, own), 1 + 12 * 12 + 2 * 24 * 12);
}

/// No less than it computes, whatever else goes on; how much more, bench/methods.py says.
TEST_P(RealRuntimes, SpinInRealTime) {
  TreeMaker make;
  const Tree &tree = make.root({{make.u(2), 1}, {make.loop({3, 5}), 1}});
  Synthesis spinning = run(1, {});
  spinning.delay = Delay::Spin;
  spinning.nsPerTick = 1e5;
  std::vector<Synthesis> runs{spinning};
  const auto error = synthesize(tree, runs, executor);
  ASSERT_FALSE(error) << error->message;
  const Synthesis &done = runs.front();
  ASSERT_FALSE(done.siteTicks.empty());
  EXPECT_GT(done.ticks, 9.9);
  EXPECT_EQ(done.ticks, done.siteTicks[0] + 2);
}

/// What is taken off is that of the nodes which the longest thread looks at.
TEST_P(RealRuntimes, TakeTheWalkOff) {
  TreeMaker make;
  const auto site = make.site();
  const NodeId task = make.task({{make.u(1), 1}, {make.l(0, 1), 1}, {make.u(1), 1}});
  const Tree &tree = make.root({{make.section(site, {{task, 5000}}), 1}});
  Synthesis spinning = run(1, {});
  spinning.delay = Delay::Spin;
  spinning.nsPerTick = 200;
  std::vector<Synthesis> runs{spinning, spinning}; // by one process, which measures nodes once
  runs[1].options.threads = runs[1].options.cores = 2;
  const auto error = synthesize(tree, runs, executor);
  ASSERT_FALSE(error) << error->message;
  EXPECT_NE(runs[0].walkTicks, 0); // below, where the processor hides more than the walk
  EXPECT_NEAR(runs[0].walkTicks, 2 * runs[1].walkTicks, 5 + 0.1 * std::abs(runs[0].walkTicks));
  EXPECT_GT(runs[0].ticks, 0.9 * 15000);
}

TEST_P(RealRuntimes, TimeSitesAtTheOutermostLevel) {
  TreeMaker make;
  const auto outer = make.site(), inner = make.site();
  const NodeId nested = make.section(inner, {{make.work(3), 4}});
  const NodeId task = make.task({{make.u(1), 1}, {nested, 1}});
  const Tree &tree =
      make.root({{make.u(7), 1}, {make.section(outer, {{task, 4}}), 3}, {make.u(7), 1}});
  const Synthesizer synthesizer(tree, run(2, {}).options);
  std::vector<Synthesis> runs{run(2, {})};
  ASSERT_TRUE(synthesizer.run(runs, {executor}));
  EXPECT_TRUE(synthesizer.timesSite(outer));
  EXPECT_FALSE(synthesizer.timesSite(inner));
  EXPECT_EQ(synthesizer.siteSerialTicks(outer), 3 * 4 * 13);
  EXPECT_EQ(runs.front().siteTicks[outer], 3 * 2 * 13);
  EXPECT_EQ(runs.front().ticks, 14 + 3 * 2 * 13);
}

TEST_P(RealRuntimes, TakeTheSquareOfManyThreadsWhereTheySteal) {
  TreeMaker make;
  const Tree &tree = make.root({{make.loop(std::vector<double>(16000, 10)), 1}, {make.u(1), 1}});
  const auto seconds = [&](const Synthesis &run) {
    return Synthesizer(tree, run.options).virtualSeconds(run.options, 1);
  };
  const double more =
      seconds(run(16000, {Kind::Dynamic, 1})) - seconds(run(16000, {Kind::Dynamic, 1, true}));
  EXPECT_NEAR(more, GetParam() == OmpRuntime::Libomp ? 51.2 : 0, 1e-6);
  EXPECT_EQ(seconds(run(16000, {Kind::Dynamic, 2})), seconds(run(16000, {Kind::Dynamic, 2, true})));
}

TEST_P(RealRuntimes, RunAnEmptyProgram) {
  TreeMaker make;
  EXPECT_EQ(time(make.root({}), run(2, {Kind::Static, 0})), 0);
}

TEST_P(RealRuntimes, SayWhatIsWrong) {
  TreeMaker make;
  const Tree &tree = make.root({{make.loop({1, 1}), 1}});
  std::vector<Synthesis> runs{run(2, {})};
  const auto missing = synthesize(tree, runs, executor + "-none");
  ASSERT_TRUE(missing);
  EXPECT_NE(missing->message.find("-none: "), std::string::npos) << missing->message;
  const auto failing = synthesize(tree, runs,
                                  writeProgram("#!/bin/sh\n"
                                               "echo 'OMP: a warning' >&2\n"
                                               "echo 'the reason' >&2\n"
                                               "echo >&2; exit 2\n"));
  ASSERT_TRUE(failing);
  EXPECT_TRUE(failing->message.ends_with(": exited with status 2: OMP: a warning; the reason"))
      << failing->message;
}

/// Where an executor never prints what it should, and where it does so once.
TEST_P(RealRuntimes, AreStoppedWhenTheTimeIsUp) {
  TreeMaker make;
  const Tree &tree = make.root({{make.loop({1}), 1}});
  Synthesis spinning = run(1, {});
  spinning.delay = Delay::Spin;
  const Synthesizer synthesizer(tree, spinning.options);
  const Patience patience{0.1, 0.01, 2, 0.2};
  std::string groups = "1";
  for (std::size_t i = 1; i < synthesizer.sample().groups(); ++i)
    groups += ", 0";
  const auto made = [&](const std::string &sleeps) {
    const std::string script = writeProgram(
        "#!/bin/sh\ncat > /dev/null\n" + sleeps +
        "\necho '{\"priority\": \"normal\", \"wakeup_ns\": 1, \"runs\": [{\"units\": 1, "
        "\"groups\": [" +
        groups +
        "], \"overhead_units\": 0, \"wall_seconds\": 1, \"foreign_cores\": 0, "
        "\"waited_share\": 0}]}'\n");
    Synthesis slow = spinning;
    slow.nsPerTick = 1e9; // so that a process makes one repetition
    return repeat(tree, synthesizer, {slow}, script, patience, [](auto, auto) {});
  };
  const auto begin = std::chrono::steady_clock::now();
  const auto never = made("exec sleep 600");
  ASSERT_FALSE(never);
  EXPECT_NE(never.error().message.find("not every run had been made once"), std::string::npos)
      << never.error().message;
  const auto second = made("[ -e $0.been ] && exec sleep 600\ntouch $0.been");
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->front().tried, 1u);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(300));
}

INSTANTIATE_TEST_SUITE_P(All, RealRuntimes,
                         testing::Values(OmpRuntime::Libomp, OmpRuntime::Libgomp),
                         [](const auto &info) { return std::string(runtimeName(info.param)); });

} // namespace
