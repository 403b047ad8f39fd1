//===- ReplayClockTest.cpp - How long a replay's sections take -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A last-level cache that others fill has lines for some time: how long they are there
// says how long a replay takes its sections to be.
//
//===----------------------------------------------------------------------===//

#include "emulatorOptions.h"
#include "memoryProgram.h"

#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

/// A program of several parts, of which the last one is of site 1, and reads lines again that are
/// in no cache of a thread's own.
struct Rereading : Program {
  std::vector<KnownSite> known;

  /// Whether the last one finds them all in a cache that has lines for so long.
  bool keepsFor(double ns, const EmulationOptions &options) {
    machine.caches.back().reach = {{ns, 1e9}, {1.001 * ns, 64}};
    const ReplayedBurdens burdens(machine, "m.json", tree, profile, known, {2});
    return burdens.rooflines(options)[1]->gbs == 0;
  }
};

/// A loop of 64 tasks, which take a microsecond and the second time three, and then a loop that
/// reads the first time's 1024 lines again: on two threads 32 us later, and what the second time
/// takes. What is 1000 in that is 1024 here.
///
/// Alone the first section moves 1 GB/s, with a latency of 80 ns; two threads that take half as
/// long again as one move 4/3 GB/s, with one of 160 ns.
struct Slowed : Rereading {
  static constexpr double us = 1024;

  explicit Slowed(memmodel::AccessClass accessClass) {
    setTree({3 * us, 3 * us});
    known = {{0, 0, 256 * us}, {1, 1, 64 * us}};
    machine.memory->curves = {{1, {{0, 80}, {1, 80}, {2, 320}}}};
    machine.memory->classGbs = {12, 6, 4, 0.8};
    machine.caches = {{2, 256, 1}, {3, 1 << 20, 64}};
    profile->sites.resize(2);
    profile->sites[0].executions = 2;
    profile->sites[0].reads = 256 * us;
    profile->sites[1].executions = 1;
    memmodel::AccessLog &log = *profile->log;
    log = {};
    for (const std::uint32_t site : {0u, 0u, 1u}) {
      const bool isSecond = log.parts.size() == 1; // which has no line
      log.parts.push_back({site, 64, log.tasks.size(), isSecond ? 0u : 64u});
      for (std::uint32_t task = 0; task < log.parts.back().count; ++task) {
        log.tasks.push_back({task, log.references.size(), 16});
        for (std::uint32_t line = 0; line < 16; ++line)
          log.references.push_back({task * 16 + line, accessClass, false});
      }
    }
  }
  /// \param ns of a task in each half of the second section
  void setTree(std::pair<double, double> ns) {
    TreeMaker make;
    const auto slow = make.site(), last = make.site();
    const NodeId one = make.work(us);
    const std::vector<Child> second = {{make.work(ns.first), 32}, {make.work(ns.second), 32}};
    tree = std::make_shared<Tree>(make.root({{make.section(slow, {{one, 64}}), 1},
                                             {make.section(slow, second), 1},
                                             {make.section(last, {{one, 64}}), 1}}));
  }
};

/// Three loops of 64 tasks, of 64 us each: the lines are read; others written, twice in three
/// executions, in the order of the tasks and then in the other one; and the first ones read again.
struct Between : Rereading {
  Between() {
    TreeMaker make;
    for (int site = 0; site < 3; ++site)
      make.site();
    const std::vector<Child> tasks = {{make.work(1000), 64}};
    const NodeId slow = make.section(0, tasks), last = make.section(1, tasks);
    const NodeId first = make.section(2, tasks);
    tree = std::make_shared<Tree>(make.root({{first, 1}, {slow, 3}, {last, 1}}));
    known = {{0, 0, 192e3}, {1, 1, 64e3}, {2, 2, 64e3}};
    machine.caches = {{2, 48 * 64, 1}, {3, 1 << 20, 64}};
    profile->sites.resize(3);
    profile->sites[0].executions = 3;
    profile->sites[1].executions = profile->sites[2].executions = 1;
    memmodel::AccessLog &log = *profile->log;
    const std::size_t reading = log.tasks.size();
    for (std::uint32_t task = 0; task < 64; ++task) {
      log.tasks.push_back({task, log.references.size(), 2});
      for (const std::uint32_t line : {64 + 2 * task, 65 + 2 * task})
        log.references.push_back({line, memmodel::AccessClass::Chase, false});
    }
    log.parts.insert(log.parts.begin(), {2, 64, reading, 64});
    log.parts.push_back({0, 64, reading, 0});
    log.parts.push_back({1, 64, reading, 64});
  }
};

EmulationOptions onThreads(unsigned threads) {
  return optionsWith(OmpRuntime::Libomp, threads, {});
}

/// The lines are read again `later`, to 2 %.
void expectKept(Rereading &program, double later, const EmulationOptions &options) {
  EXPECT_FALSE(program.keepsFor(0.98 * later, options));
  EXPECT_TRUE(program.keepsFor(1.02 * later, options));
}

} // namespace

TEST(ReplayClock, SharesWhatIsNoWaitingByTime) {
  // 1024 lines, one by one in 80 ns each, fit in what is not computed: of 128 us, in all of the
  // loop, half of the first section's. Twice the latency makes two of the other 32 us.
  Slowed program(memmodel::AccessClass::Chase);
  program.machine.memory->accessesPerNs = 2;
  const double later = (32 + 1.5 * 96) * Slowed::us;
  expectKept(program, later, onThreads(2));
}

TEST(ReplayClock, IsOfTheTeamThatASiteAsksFor) {
  // The last section has four threads, which come to half of the lines 16 us earlier than two.
  Slowed program(memmodel::AccessClass::Chase);
  program.machine.memory->accessesPerNs = 2;
  EmulationOptions teams = onThreads(4);
  teams.sites = {{{}, 2}, {{}, 4}};
  const double later = (32 + 1.5 * 96) * Slowed::us;
  expectKept(program, later, teams);
}

TEST(ReplayClock, SharesAccessesByTime) {
  // An access in 64 of the first section's has a line, of which 96 accesses have 1.5 more under
  // way: 80 ns more take 32 ns a line.
  Slowed program(memmodel::AccessClass::Irregular);
  program.machine.memory->accessesPerNs = 1000;
  program.machine.memory->sparseGbs = 2;
  const double later = (32 + 1.5 * 96) * Slowed::us;
  expectKept(program, later, onThreads(2));
}

TEST(ReplayClock, EndsASectionWithItsLastThread) {
  Slowed program(memmodel::AccessClass::Chase);
  program.machine.memory->accessesPerNs = 2;
  program.setTree({5 * Slowed::us, Slowed::us});
  const double later = (32 + 1.5 * 160) * Slowed::us;
  expectKept(program, later, onThreads(2));
}

TEST(ReplayClock, IsSlowedByLinesOfOtherCores) {
  // The second time the other thread writes them, which takes as long again as the tasks; so the
  // third time takes twice as long.
  Between program;
  const double later = 32e3 * (1 + 1 + 1 + 2);
  expectKept(program, later, onThreads(2));
}

TEST(ReplayClock, IsSlowedWhereStreamsEnd) {
  // The second time each task's line is in its thread's cache, and comes back from the other one's
  // prefetchers as late as the task takes; so the third time takes twice as long.
  Between program;
  program.machine.memory->transferNs = 0;
  program.machine.memory->ownEnds.ns = {{1, 1000}};
  memmodel::AccessLog &log = *program.profile->log;
  for (std::uint32_t line = 0; line < 64 + 128; ++line)
    log.places.push_back(line < 64 ? 1000 + line : 5000 + line);
  for (std::uint32_t task = 0; task < 64; ++task)
    log.references[64 + task].line = task;
  log.parts[3] = log.parts[2];
  EmulationOptions options = onThreads(2);
  expectKept(program, 32e3 * (1 + 1 + 1 + 1), options);
  options.schedule = {Schedule::Kind::StaticChunk, 1};
  expectKept(program, 32e3 * (1 + 1 + 1 + 2), options);
}

TEST(ReplayClock, IsSlowedByDealingOutChunks) {
  // Each costs as much as its task, which is known when a loop was executed once.
  Between program;
  program.machine.memory->transferNs = 0;
  EmulationOptions options = onThreads(2);
  options.schedule = {Schedule::Kind::Dynamic, 1};
  expectKept(program, 32e3 * (1 + 1 + 1 + 1), options);
  options.overheads.steal.chunk = 1000;
  expectKept(program, 32e3 * (1 + 1 + 2 + 2), options);
  options.schedule = {Schedule::Kind::Dynamic, 2};
  expectKept(program, 32e3 * (1 + 1 + 1.5 + 1.5), options);
  options.exceptSite = 0; // it is not dealt out
  expectKept(program, 32e3 * (1 + 2 * (1 + 1 + 1)), options);
  options.exceptSite.reset();
  options.schedule = {};
  expectKept(program, 32e3 * (1 + 1 + 1 + 1), options);
}

TEST(ReplayClock, IsOfTheCostsThatAreAskedFor) {
  // Of one model.
  Between program;
  program.machine.memory->transferNs = 0;
  program.machine.caches.back().reach = {{150e3, 1e9}, {150.15e3, 64}};
  const ReplayedBurdens burdens(program.machine, "m.json", program.tree, program.profile,
                                program.known, {2});
  EmulationOptions options = onThreads(2);
  options.schedule = {Schedule::Kind::Dynamic, 1};
  EXPECT_EQ(burdens.rooflines(options)[1]->gbs, 0);
  EmulationOptions costly = options;
  costly.overheads.steal.chunk = 1000;
  EXPECT_GT(burdens.rooflines(costly)[1]->gbs, 0);
  EXPECT_EQ(burdens.rooflines(options)[1]->gbs, 0);
  EmulationOptions others = options; // what this schedule does not have
  others.overheads.queue.chunk = 1000;
  EXPECT_EQ(burdens.rooflines(others)[1]->gbs, 0);
}
