//===- emulatorOverheadTest.cpp - Overheads and losses --------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorPatterns.h"
#include "predictor/emulator/Charges.h"
#include "predictor/emulator/Emulator.h"
#include "predictor/emulator/Listener.h"

#include <gtest/gtest.h>
#include <map>

using namespace prophet;
using namespace prophet::test;

namespace {

constexpr Schedule static1{Schedule::Kind::StaticChunk, 1};
constexpr Schedule dynamicOne{Schedule::Kind::Dynamic, 1};

EmulationOptions on(unsigned threads, Schedule schedule = {}) {
  EmulationOptions options;
  options.threads = threads;
  options.schedule = schedule;
  return options;
}

double sum(const LossShares &loss) { return loss.sum(); }

/// A table of unlike round numbers; the tree's clock counts nanoseconds.
Overheads roundNumbers() {
  Overheads table;
  table.active = {1000, 2000, 70};
  table.passive = {30000, 40000, 5000};
  table.staticBlock = {100, 10};
  table.staticChunk = {200, 20};
  table.queue = {300, 30};
  table.steal = {400, 40};
  table.guided = {600, 60};
  table.lockPair = 7;
  table.serializedRegion = 500;
  return table;
}

double ticks(const Tree &tree, EmulationOptions options) {
  options.overheads = roundNumbers();
  return emulate(tree, options).ticks;
}

TEST(Overheads, AreChargedWhereTheyOccur) { // fork + join = 3000; four tasks of 10 for two threads
  TreeMaker make;
  const Tree &tree = make.root({{make.loop({10, 10, 10, 10}), 1}});
  EXPECT_EQ(ticks(tree, on(2)), 3000 + 100 + 10 + 20);
  EXPECT_EQ(ticks(tree, on(2, static1)), 3000 + 200 + 2 * (20 + 10));
  EXPECT_EQ(ticks(tree, on(2, dynamicOne)), 3000 + 400 + 2 * (40 + 10));
  EmulationOptions libgomp = on(2, dynamicOne);
  libgomp.runtime = OmpRuntime::Libgomp;
  EXPECT_EQ(ticks(tree, libgomp), 3000 + 300 + 2 * (30 + 10));
  EmulationOptions passive = on(2);
  passive.waitPolicy = WaitPolicy::Passive;
  EXPECT_EQ(ticks(tree, passive), 70000 + 100 + 10 + 20);
}

TEST(Overheads, AreChargedToOneThreadToo) { // libomp gives a serialised team the loop as one chunk
  TreeMaker make;
  const Tree &tree = make.root({{make.loop({10, 10, 10, 10}), 1}});
  EXPECT_EQ(ticks(tree, on(1)), 3000 + 100 + 10 + 40);
  EXPECT_EQ(ticks(tree, on(1, dynamicOne)), 3000 + 300 + 30 + 40);
  // A loop whose iterations spawn tasks is no more a serialised region than another.
  TreeMaker spawning;
  const auto loop = spawning.site(), tasks = spawning.site(SiteKind::Tasks);
  const NodeId spawner = spawning.task({{spawning.section(tasks, {{spawning.work(5), 2}}), 1}});
  spawning.root({{spawning.section(loop, {{spawner, 4}}), 1}});
  EmulationOptions options = on(1);
  options.overheads = roundNumbers();
  const Estimate alone = emulate(spawning.tree, options);
  EXPECT_EQ(alone.ticks, 3000 + 100 + 10 + 40);
  EXPECT_EQ(alone.sites[loop].ticks, alone.ticks);
  spawning.tree.sites[loop].nowait = true; // and in a region of several loops
  EXPECT_EQ(emulate(spawning.tree, options).ticks, alone.ticks);
}

TEST(Overheads, OfGuidedChunks) {
  // 8 4 2 1 1. 0: 60 + 80 to 140, then the fourth to 210. 1: 60 + 40 to 100, to 180, to 250.
  TreeMaker make;
  const auto site = make.site();
  const Tree &tree = make.root({{make.section(site, {{make.work(10), 16}}), 1}});
  EmulationOptions libgomp = on(2, {Schedule::Kind::Guided, 1});
  libgomp.runtime = OmpRuntime::Libgomp;
  EXPECT_EQ(ticks(tree, libgomp), 3000 + 600 + 250);
}

/// A table whose queue gives a chunk every 50 ns at most, and the runtime that uses it.
EmulationOptions withTurns(unsigned threads) {
  EmulationOptions options = on(threads, dynamicOne);
  options.runtime = OmpRuntime::Libgomp;
  options.overheads = roundNumbers();
  options.overheads.queue.interval = 50;
  return options;
}

TEST(Overheads, OfTurnsAtTheQueuesCounter) {
  TreeMaker make; // a chunk is 30 + 10, or 30 + 90
  const Tree &tree = make.root({{make.loop({10, 10, 90, 10}), 1}});
  EXPECT_EQ(emulate(tree, withTurns(1)).ticks, 3300 + 4 * 30 + 120);
  // Each takes a turn of two threads, 100. 0: to 100, 220. 1: to 100, 200.
  const Estimate two = emulate(tree, withTurns(2));
  EXPECT_EQ(two.ticks, 3300 + 220);
  EXPECT_DOUBLE_EQ(two.loss.overhead * 2 * two.ticks, 2 * 3300 + 4 * 30 + 3 * 60);
  // All start at once, to 200.
  EXPECT_EQ(emulate(tree, withTurns(4)).ticks, 3300 + 200);
}

class Silent : public EventListener {
  void regionBegins(NodeId, double) override {}
  void interval(const Interval &) override {}
  void regionEnds(double) override {}
};

TEST(Overheads, OfTurnsAreTheSameEventByEvent) {
  std::mt19937_64 random(23);
  for (int program = 0; program < 60; ++program) {
    TreeMaker make;
    const auto site = make.site();
    std::vector<Child> tasks;
    for (int run = 0; run < 5; ++run)
      tasks.push_back({make.work(static_cast<double>(random() % 400)), 1 + random() % 30});
    make.root({{make.section(site, tasks), 1}});
    EmulationOptions options = withTurns(2 + static_cast<unsigned>(random() % 6));
    options.schedule.chunk = 1 + random() % 3;
    options.cores = 1 + static_cast<unsigned>(random() % options.threads);
    Silent listener;
    const Estimate flat = emulate(make.tree, options);
    const Estimate stepped = Emulator(make.tree).run(options, &listener);
    EXPECT_DOUBLE_EQ(stepped.ticks, flat.ticks) << program;
    EXPECT_NEAR(stepped.loss.overhead, flat.loss.overhead, 1e-9) << program;
  }
}

TEST(Overheads, OfLocks) {
  // 0: free lock 7 + 10. 1: waits 17, gets it 70 later, 10. Both after 3000 - 2000, 100, 10.
  TreeMaker make;
  const auto site = make.site();
  const NodeId task = make.task({{make.l(0, 10), 1}});
  EXPECT_EQ(ticks(make.root({{make.section(site, {{task, 2}}), 1}}), on(2)), 3110 + 17 + 80);
  EXPECT_EQ(ticks(make.tree, on(1)), 3110 + 2 * 17);
}

TEST(Overheads, OfLocksThatAreHandedOn) {
  // Each task takes the lock for 10, twice, 5 apart. libomp: 0 to 17, 1 is handed it: 70, to 97, 0
  // (waiting since 22) to 177, 1 (since 102) to 257.
  TreeMaker make;
  const auto site = make.site();
  const NodeId task = make.task({{make.l(0, 10), 1}, {make.u(5), 1}, {make.l(0, 10), 1}});
  make.root({{make.section(site, {{task, 2}}), 1}});
  EXPECT_EQ(ticks(make.tree, on(2)), 3110 + 257);
}

TEST(Overheads, OfLocksThatAreTakenBeforeTheWaiterIsAwake) {
  // The same in libgomp: 0 has it to 17, and 1 begins to wake up; at 22 the lock is free and 0's
  // again, to 39. At 17 + 70 it is free, and 1's to 97. Then 1 takes it without a wait.
  TreeMaker make;
  const auto site = make.site();
  const NodeId task = make.task({{make.l(0, 10), 1}, {make.u(5), 1}, {make.l(0, 10), 1}});
  make.root({{make.section(site, {{task, 2}}), 1}});
  EmulationOptions libgomp = on(2);
  libgomp.runtime = OmpRuntime::Libgomp;
  EXPECT_EQ(ticks(make.tree, libgomp), 3110 + 97 + 5 + 17);
  libgomp.overheads = roundNumbers();
  const Estimate estimate = emulate(make.tree, libgomp);
  EXPECT_DOUBLE_EQ(estimate.loss.lock * 2 * estimate.ticks, 17);
  EXPECT_DOUBLE_EQ(estimate.loss.overhead * 2 * estimate.ticks, 2 * 3110 + 7 + 7 + 70 + 7);
}

TEST(Overheads, OfWaitersThatWakeUpInVain) {
  // 0 has it to 17, again from 22 to 129. 1 is awake at 87, and waits again to 129, when it is
  // woken: to 199, and has it for 10.
  TreeMaker make;
  const auto site = make.site();
  const Child first{make.task({{make.l(0, 10), 1}, {make.u(5), 1}, {make.l(0, 100), 1}}), 1};
  const Child second{make.task({{make.l(0, 10), 1}}), 1};
  make.root({{make.section(site, {first, second}), 1}});
  EmulationOptions libgomp = on(2);
  libgomp.runtime = OmpRuntime::Libgomp;
  libgomp.overheads = roundNumbers();
  const Estimate estimate = emulate(make.tree, libgomp);
  EXPECT_EQ(estimate.ticks, 3110 + 199 + 10);
  EXPECT_DOUBLE_EQ(estimate.loss.lock * 2 * estimate.ticks, 17 + (129 - 87));
  EXPECT_DOUBLE_EQ(estimate.loss.overhead * 2 * estimate.ticks, 2 * 3110 + 7 + 7 + 2 * 70);
}

TEST(Overheads, OfSerialisedInnerRegions) { // 500 + 100 + 10 beyond its 6
  TreeMaker make;
  const auto outer = make.site(), inner = make.site();
  const NodeId task = make.task({{make.section(inner, {{make.work(3), 2}}), 1}});
  make.root({{make.section(outer, {{task, 2}}), 1}});
  EXPECT_EQ(ticks(make.tree, on(2)), 3110 + 616);
  EmulationOptions options = on(2);
  options.overheads = roundNumbers();
  EXPECT_EQ(emulate(make.tree, options).sites[1].ticks, 2 * 616);
}

TEST(Overheads, DwarfingTheWorkStillFit) { // 10^9 empty iterations: the grid is made coarser
  TreeMaker make;
  const auto site = make.site();
  const Tree &tree = make.root({{make.section(site, {{make.work(0), 1'000'000'000}}), 1}});
  EXPECT_NEAR(ticks(tree, on(2, dynamicOne)), 5e8 * 40, 4000);
}

TEST(Loss, SharesAddUpToOne) {
  std::mt19937_64 random(7);
  for (int program = 0; program < 60; ++program) {
    TreeMaker make;
    const auto outer = make.site(SiteKind::ParallelFor, program % 3 == 0), inner = make.site();
    make.tree.sites[outer].burden = {{2, 1.3}};
    const auto loop = [&](std::uint32_t site, std::vector<Child> before) {
      before.push_back(
          {addSection(make, site, iterationsOf(drawTest1(random, 0.5), random), true), 1});
      return make.task(before);
    };
    const NodeId section = make.section(outer, {{loop(inner, {}), 3}, {loop(inner, {}), 2}});
    make.root({{make.u(100), 1}, {section, 2}, {make.u(3000), 1}, {section, 1}});
    EmulationOptions options = on(1 + static_cast<unsigned>(random() % 6));
    options.schedule = program % 2 ? dynamicOne : Schedule{};
    options.cores = 1 + static_cast<unsigned>(random() % 12);
    options.maxActiveLevels = 1 + program % 2;
    options.useBurden = true;
    options.overheads = roundNumbers();
    const LossShares loss = emulate(make.tree, options).loss;
    EXPECT_NEAR(sum(loss), 1, 1e-9) << program;
    for (double share : {loss.useful, loss.serial, loss.imbalance, loss.lock, loss.overhead})
      EXPECT_GE(share, -1e-9) << program;
  }
}

TEST(Loss, EachShareIsWhatItSays) {
  // Two threads. 40 serial; region: fork 1000, loop 100 + 10, 0: 50 of work, 1: 20, wait 30, join
  // 2000.
  TreeMaker make;
  const Tree &tree = make.root({{make.u(40), 1}, {make.loop({50, 20}), 1}});
  EmulationOptions options = on(2);
  options.overheads = roundNumbers();
  const Estimate estimate = emulate(tree, options);
  const double all = 2 * (40 + 3110 + 50);
  EXPECT_EQ(2 * estimate.ticks, all);
  EXPECT_DOUBLE_EQ(estimate.loss.useful, 110 / all);
  EXPECT_DOUBLE_EQ(estimate.loss.serial, 40 / all);
  EXPECT_DOUBLE_EQ(estimate.loss.overhead, 2 * 3110 / all);
  EXPECT_DOUBLE_EQ(estimate.loss.imbalance, 30 / all);
}

TEST(Laws, NoScheduleBeatsTheWorkOrTheLongestTask) {
  std::mt19937_64 random(11);
  for (int program = 0; program < 100; ++program) {
    TreeMaker make;
    const std::vector<Task> tasks = iterationsOf(drawTest1(random, 0.5), random);
    const auto site = make.site();
    make.root({{addSection(make, site, tasks, false), 1}});
    double longest = 0;
    for (const Task &task : tasks) {
      double length = 0;
      for (const Segment &segment : task)
        length += segment.length;
      longest = std::max(longest, length);
    }
    for (Schedule schedule : {Schedule{}, static1, dynamicOne}) {
      const Estimate one = emulate(make.tree, on(1, schedule));
      EXPECT_EQ(one.ticks, one.serialTicks);
      const Estimate four = emulate(make.tree, on(4, schedule));
      EXPECT_GE(four.ticks, longest);
      EXPECT_GE(four.ticks * 4, four.serialTicks);
      EXPECT_LE(four.ticks, four.serialTicks);
    }
  }
}

/// Adds up what it hears.
class Heard : public EventListener {
public:
  std::map<std::uint32_t, double> until; ///< by thread: end of the last interval
  std::map<Activity, double> time;
  double elapsed = 0;
  bool inOrder = true;

  void regionBegins(NodeId, double) override { until.clear(); }
  void interval(const Interval &interval) override {
    inOrder &= interval.start >= until[interval.thread] && interval.end > interval.start;
    until[interval.thread] = interval.end;
    time[interval.activity] += interval.end - interval.start;
  }
  void regionEnds(double end) override { elapsed += end; }
};

TEST(Listener, HearsEveryThreadFromForkToJoin) {
  // The region of Loss.EachShareIsWhatItSays with a lock of 5 in both tasks (thread 1 waits 7 + 5,
  // then the hand-off), on the master fork and join besides.
  TreeMaker make;
  const auto site = make.site();
  const auto task = [&](double after) {
    return Child{make.task({{make.l(0, 5), 1}, {make.u(after), 1}}), 1};
  };
  make.root({{make.section(site, {task(50), task(20)}), 1}});
  EmulationOptions options = on(2);
  options.overheads = roundNumbers();
  Heard heard;
  const Estimate estimate = Emulator(make.tree).run(options, &heard);
  EXPECT_TRUE(heard.inOrder);
  EXPECT_EQ(heard.elapsed, estimate.ticks);
  EXPECT_EQ(heard.time[Activity::Compute], 70);
  EXPECT_EQ(heard.time[Activity::Locked], 10);
  EXPECT_EQ(heard.time[Activity::LockWait], 12);
  EXPECT_EQ(heard.time[Activity::Overhead], 3000 + 2 * 110 + 7 + 70);
  EXPECT_EQ(heard.time[Activity::BarrierWait], 45); // 107 against 62
}

TEST(Overheads, OfAThousandBillionIterationsLeaveTimesExact) {
  // Times are integers: what a run could add up to says how fine they are.
  TreeMaker make;
  const NodeId tasks = make.section(make.site(), {{make.work(0.37), 1'000'000'000'000}});
  const Tree &tree = make.root({{make.u(3.7e11), 1}, {tasks, 1}});
  for (unsigned threads : {16u, 1024u, 65536u})
    for (Schedule schedule : {Schedule{}, static1, dynamicOne}) {
      EmulationOptions options = on(threads, schedule);
      options.overheads = Overheads::typical(options.runtime);
      const Estimate found = emulate(tree, options);
      EXPECT_NEAR(found.serialTicks, 7.4e11, 2e-4 * 7.4e11);
      EXPECT_LE(found.speedup, 2 / (1 + 1.0 / threads) * (1 + 1e-4));
      EXPECT_GE(found.ticks, 3.7e11);
      if (schedule.kind == Schedule::Kind::Static) {
        EXPECT_NEAR(found.serialTicks, 7.4e11, 2e-6 * 7.4e11);
        EXPECT_NEAR(found.speedup, 2 / (1 + 1.0 / threads), 1e-4);
      }
    }
}

TEST(Overheads, OfThreadsOnOneCoreAddUpOnItsClock) {
  // 16 threads that stay on one core each start two loops, run the code between them and wait for
  // turns: times are integers, in which all of that has to fit.
  TreeMaker make;
  const auto first = make.site(), second = make.site();
  make.tree.sites[first].nowait = true;
  const auto loop = [&](std::uint32_t site) { return make.section(site, {{make.work(1), 16}}); };
  const Tree &tree = make.root({{loop(first), 1}, {make.u(1000), 1}, {loop(second), 1}});
  for (Schedule schedule : {Schedule{}, Schedule{Schedule::Kind::Dynamic, 1, true}}) {
    EmulationOptions options = on(16, schedule);
    options.cores = 1;
    options.overheads = Overheads::typical(OmpRuntime::Libomp);
    options.overheads.staticBlock.start = options.overheads.queue.start = {1e5};
    const Estimate found = emulate(tree, options);
    EXPECT_GE(found.ticks, 2 * 16 * 1e5 + 16 * 1000 + 32);
    EXPECT_LE(found.ticks, 2 * 16 * 1e5 + 16 * 1000 + 32 + 1e6);
  }
}

TEST(Overheads, OfTasksInInnerLoopsAreTheSameWhereALockThatCostsNothingHasThemSteppedThrough) {
  for (const bool locked : {false, true}) {
    TreeMaker make;
    std::vector<Child> parts{{make.u(1000), 1}};
    if (locked)
      parts.push_back({make.l(0, 0), 1});
    const NodeId spawned = make.section(make.site(SiteKind::Tasks), {{make.task(parts), 100}});
    const NodeId inner = make.section(make.site(), {{make.task({{spawned, 1}}), 10}});
    make.root({{make.section(make.site(), {{make.task({{inner, 1}}), 3}}), 1}});
    const double tasks = 100 * (1000 + 3) + 50;
    const double iteration = 500 + 100 + 10 + 10 * tasks; // of the outer loop: a serialised region
    const double region = 3000 + 100 + 10, most[] = {3, 2, 1}; // of a thread, on one to three
    for (const unsigned threads : {1u, 2u, 3u}) {
      EmulationOptions options = on(threads);
      options.overheads = roundNumbers();
      options.overheads.lockPair = 0;
      options.overheads.tasks = {3, 0, 50};
      EXPECT_EQ(emulate(make.tree, options).ticks, region + most[threads - 1] * iteration)
          << threads << (locked ? ", with a lock" : "");
    }
  }
}

} // namespace
