//===- MemoryThreadsTest.cpp - What profiled loops move by threads --------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorOptions.h"
#include "memoryProgram.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

constexpr Schedule oneByOne{Schedule::Kind::StaticChunk, 1};

EmulationOptions onThreads(unsigned threads, Schedule schedule = {}) {
  return optionsWith(OmpRuntime::Libomp, threads, schedule);
}

double factorOn(const BurdenModel &model, unsigned threads, Schedule schedule = {}) {
  return model.factors(onThreads(threads, schedule))[0].at(threads);
}

/// A loop of 64 tasks that go through a line in each of two arrays, in one execution and again in
/// another, which finds them in the shared cache. Streams of one line get a tenth of what those get
/// that go on.
struct TwoArrays : Program {
  TwoArrays() {
    auto &log = *profile->log;
    log = {};
    for (int execution = 0; execution < 2; ++execution) {
      log.parts.push_back({0, 64, log.tasks.size(), 64});
      for (std::uint32_t task = 0; task < 64; ++task) {
        log.tasks.push_back({task, log.references.size(), 2});
        for (const std::uint32_t line : {2 * task, 2 * task + 1})
          log.references.push_back({line, memmodel::AccessClass::Stream, false});
      }
    }
    for (std::uint32_t task = 0; task < 64; ++task)
      for (const std::uint32_t array : {0u, 4096u})
        log.places.push_back(array + task);
    machine.caches = {{2, 256, 1}, {3, 1 << 20, 64}};
    machine.memory->streamRuns.lean = {{1, 1.2}, {64, 12}};
  }
  /// How long a line of one that a task has of an array takes, of which those of streams that go on
  /// take 16/3 ns.
  static double lineNs(double gbsOfOne) { return 64 / gbsOfOne; }
};

} // namespace

TEST(ReplayedBurdens, AreReplayedOnTheThreadsThatAreAskedFor) {
  // Every line changes its owner, but with five threads by turns twelve of them.
  const Program program;
  EXPECT_NEAR(factorOn(*program.burdens({2, 5}), 5, oneByOne), 1 + 52 / 128., 1e-9);
  EXPECT_NEAR(factorOn(*program.burdens(), 5, oneByOne), 1.5, 1e-9); // as with four and six
}

TEST(ReplayedBurdens, AreReplayedOnTheseWhereASharedCacheKeepsMoreOrLess) {
  Program program;
  program.machine.caches.back().reach = {{1e6, 1 << 20}, {1e9, 1 << 19}};
  program.machine.caches.back().reachSpread = 2;
  const auto others = program.burdens({2, 5})->otherCaches();
  ASSERT_EQ(others.size(), 2u);
  for (const auto &other : others)
    EXPECT_NEAR(factorOn(*other, 5, oneByOne), 1 + 52 / 128., 1e-9);
}

TEST(ReplayedBurdens, AreNearerToThoseOfTheNearerThreadCount) {
  // Twelve tasks of 600 lines each, twice; a thread's cache has those of one, but not of two. With
  // eight threads four have two, with twelve none.
  Program program;
  program.profile->log.reset();
  program.readAgain(2, 12, 600, memmodel::AccessClass::Chase);
  program.machine.memory->classGbs[3] = 0.8; // 80 ns a line: 1152 us of 2000 with one thread
  program.machine.memory->sharedCacheGbs = 0.8;
  for (const double sharedBytes : {65536., 16e6}) { // they come from memory or from there
    program.machine.caches.back().bytes = sharedBytes;
    const auto burdens = program.burdens({2}, 2000e3);
    const auto with = [](double lines) { return (2000 - 1152 + lines * 80e-3) / 2000; };
    EXPECT_NEAR(factorOn(*burdens, 8), with(7200 + 4800), 1e-9);
    EXPECT_NEAR(factorOn(*burdens, 12), with(7200), 1e-9);
    EXPECT_NEAR(factorOn(*burdens, 9), with(7200 + 3600), 1e-9);
  }
}

TEST(ReplayedBurdens, AreOfTheTeamThatASiteAsksFor) {
  // Another one, of which the log has no line, is for four threads each time.
  Program program;
  TreeMaker make;
  const auto site = make.site(), other = make.site();
  const std::vector<Child> tasks = {{make.work(1000), 64}};
  program.tree = std::make_shared<Tree>(
      make.root({{make.section(site, tasks), 2}, {make.section(other, tasks), 1}}));
  program.profile->sites.resize(2);
  program.profile->sites[1].executions = 1;
  const ReplayedBurdens burdens(program.machine, "m.json", program.tree, program.profile,
                                {{0, 0, 128e3}, {1, 1, 64e3}}, {4});
  EmulationOptions options = onThreads(4);
  for (const unsigned team : {1u, 4u, 2u}) {
    options.sites = {{{}, team}, {{}, 4}};
    EXPECT_NEAR(burdens.factors(options)[0].at(team), team > 1 ? 1.5 : 1, 1e-9) << team;
  }
  options.sites.clear();
  EXPECT_NEAR(burdens.factors(options)[0].at(4), 1.5, 1e-9);
  options.exceptSite = site;
  EXPECT_NEAR(burdens.factors(options)[0].at(4), 1, 1e-9);
}

TEST(ReplayedBurdens, OfOneCoreAreOneThreads) {
  TwoArrays program;
  program.machine.memory->curves = {{1, {{0, 80}, {0.128, 80}, {1, 800}}}}; // 0.064 GB/s alone
  EmulationOptions options = onThreads(4, oneByOne);
  EXPECT_GT(program.burdens()->factors(options)[0].at(4), 1.01);
  options.cores = 1;
  EXPECT_NEAR(program.burdens()->factors(options)[0].at(4), 1, 1e-9);
}

TEST(ReplayedBurdens, HaveStreamsGoOnWhereOthersLeaveLessThanALineOut) {
  Program program;
  program.machine.memory->transferNs = 0;
  program.machine.memory->streamRuns.lean = {{1, 1.2}, {64, 12}};
  auto &log = *program.profile->log;
  for (std::uint32_t line = 0; line < 16; ++line)
    log.places.push_back(1000 + line);
  for (memmodel::Reference &reference : log.references) // four tasks in each line
    reference.line /= 4;
  EXPECT_NEAR(factorOn(*program.burdens(), 4, oneByOne), 1, 1e-9); // three quarters of one
  EXPECT_GT(factorOn(*program.burdens({5}), 5, oneByOne), 1.001);
}

TEST(ReplayedBurdens, HaveStreamsBeginAnewTogether) {
  TwoArrays program;
  const auto factor = [&] { return factorOn(*program.burdens(), 2, oneByOne); };
  const double lean = TwoArrays::lineNs(1.2), root = std::sqrt(2);
  EXPECT_NEAR(factor(), 1 + 128 * (lean - 16 / 3.0) / root / 128e3, 1e-9);
  // Ten accesses for each of the lines from memory and from the shared cache: half way to busy.
  program.machine.memory->streamRuns.busy = {{1, 0.6}, {64, 12}};
  program.profile->sites[0].reads = 256 * 10;
  const double between = (lean + TwoArrays::lineNs(0.6)) / 2;
  EXPECT_NEAR(factor(), 1 + 128 * (between - 16 / 3.0) / root / 128e3, 1e-9);
}

TEST(ReplayedBurdens, HaveStreamsBeginAnewAsTheyAreWritten) {
  // A half of the lines is.
  TwoArrays program;
  program.machine.memory->transferNs = 0;
  program.machine.memory->streamRuns.written = {{1, 0.6}, {64, 12}};
  auto &references = program.profile->log->references;
  for (std::size_t i = 0; i < references.size(); i += 2)
    references[i].isWrite = true;
  const double between = (TwoArrays::lineNs(1.2) + TwoArrays::lineNs(0.6)) / 2;
  EXPECT_NEAR(factorOn(*program.burdens(), 2, oneByOne),
              1 + 128 * (between - 16 / 3.0) / std::sqrt(2) / 128e3, 1e-9);
}

TEST(ReplayedBurdens, HaveStreamsBeginAnewAsItTakesTheSitesTeam) {
  // Eight chunks of 32 tasks of 64 lines.
  Program program;
  program.profile->sites[0].executions = 1;
  auto &log = *program.profile->log;
  log = {};
  log.parts.push_back({0, 256, 0, 256});
  for (std::uint32_t task = 0; task < 256; ++task) {
    log.tasks.push_back({task, log.references.size(), 64});
    for (std::uint32_t line = 0; line < 64; ++line) {
      log.places.push_back(task * 64 + line);
      log.references.push_back({task * 64 + line, memmodel::AccessClass::Stream, false});
    }
  }
  const auto more = [&](unsigned team) {
    EmulationOptions options = onThreads(8, {Schedule::Kind::Dynamic, 32});
    options.sites = {{options.schedule, team}};
    const auto factor = [&] { return program.burdens()->factors(options)[0].at(team); };
    const double without = factor();
    options.overheads.steal.restart = TeamCost({{1, 100.}, {2, 500.}, {4, 3000.}, {8, 9000.}});
    return (factor() - without) * 128e3;
  };
  EXPECT_NEAR(more(2), 6 * 500, 30); // six of eight chunks are behind their threads' first ones
  EXPECT_NEAR(more(4), 4 * 3000, 120);
}
