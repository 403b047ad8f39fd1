//===- emulatorLocksTest.cpp - What locks cost that threads wait for ------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A free lock takes 7. One that is handed on takes 70 where one thread waits for it,
// 150 where two do, 300 where three do, and of those that sleep 5000, 6000, 7000.
// Fork, join and loops take nothing.
//
//===----------------------------------------------------------------------===//

#include "emulatorTrees.h"
#include "predictor/emulator/Charges.h"
#include "predictor/emulator/Emulator.h"

#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

EmulationOptions on(unsigned threads, OmpRuntime runtime) {
  EmulationOptions options;
  options.threads = threads;
  options.runtime = runtime;
  options.waitPolicy = WaitPolicy::Active;
  options.overheads.lockPair = 7;
  options.overheads.active.lockHandoff = TeamCost({{1, 7}, {2, 70}, {3, 150}, {4, 300}});
  options.overheads.passive.lockHandoff = TeamCost({{2, 5000}, {3, 6000}, {4, 7000}});
  return options;
}

/// A loop, one iteration for each of `tasks`.
const Tree &loopOf(TreeMaker &make, const std::vector<Child> &tasks) {
  return make.root({{make.section(make.site(), tasks), 1}});
}

/// A loop in which each of `threads` holds the lock for 10.
double allAtOnce(unsigned threads, const EmulationOptions &options) {
  TreeMaker make;
  return emulate(loopOf(make, {{make.task({{make.l(0, 10), 1}}), threads}}), options).ticks;
}

constexpr OmpRuntime runtimes[] = {OmpRuntime::Libomp, OmpRuntime::Libgomp};

TEST(Handoff, CostsByHowManyWait) {
  for (OmpRuntime runtime : runtimes) {
    EXPECT_EQ(allAtOnce(2, on(2, runtime)), 17 + 80);
    EXPECT_EQ(allAtOnce(3, on(3, runtime)), 17 + 160 + 80);
    EXPECT_EQ(allAtOnce(4, on(4, runtime)), 17 + 310 + 160 + 80);
  }
}

TEST(Handoff, CostsNothingMoreInTeamsOfWhichFewWait) {
  // Two of four threads ask.
  for (OmpRuntime runtime : runtimes) {
    TreeMaker make;
    const NodeId locks = make.task({{make.l(0, 10), 1}});
    const Tree &tree = loopOf(make, {{locks, 2}, {make.work(1), 2}});
    EXPECT_EQ(emulate(tree, on(4, runtime)).ticks, 17 + 80);
  }
}

TEST(Handoff, CountsThreadsOfAllTeams) { // two teams of two
  for (OmpRuntime runtime : runtimes) {
    TreeMaker make;
    const auto outer = make.site(), inner = make.site();
    const NodeId locks = make.task({{make.l(0, 10), 1}});
    const NodeId team = make.task({{make.section(inner, {{locks, 2}}), 1}});
    make.root({{make.section(outer, {{team, 2}}), 1}});
    EmulationOptions options = on(2, runtime);
    options.maxActiveLevels = 2;
    options.cores = 4;
    EXPECT_EQ(emulate(make.tree, options).ticks, 17 + 310 + 160 + 80);
  }
}

TEST(Handoff, CostsByHowManyWaitAmongTasks) { // two tasks, and the thread that created them
  for (OmpRuntime runtime : runtimes) {
    TreeMaker make;
    const NodeId locks = make.l(0, 10);
    make.root(
        {{make.section(make.site(SiteKind::Tasks), {{make.task({{locks, 1}}), 2}, {locks, 1}}),
          1}});
    EXPECT_EQ(emulate(make.tree, on(3, runtime)).ticks, 17 + 160 + 80);
  }
}

TEST(Handoff, OfThoseThatSleepWakesOne) {
  for (OmpRuntime runtime : runtimes) {
    EmulationOptions options = on(3, runtime);
    options.givenBlockTime = 0;
    EXPECT_EQ(allAtOnce(3, options), 17 + 6010 + 5010);
    options.givenBlockTime = 100; // the first has waited for 17, the other for 177
    EXPECT_EQ(allAtOnce(3, options), 17 + 160 + 5010);
  }
}

/// Libgomp's threads: the first holds the lock for 10, and `later` again, two others hold it once.
Estimate askingAgain(double later, EmulationOptions options) {
  TreeMaker make;
  const NodeId once = make.task({{make.l(0, 10), 1}});
  const NodeId twice = make.task({{make.l(0, 10), 1}, {make.u(later), 1}, {make.l(0, 10), 1}});
  return emulate(loopOf(make, {{twice, 1}, {once, 2}}), options);
}

TEST(Handoff, LeavesLibgompsLockToOthersUntilTheWordHasReachedItsHeir) {
  // The lock is free at 17, the second thread's at 87. The first asks at 22 and has it to 39.
  const EmulationOptions spinning = on(3, OmpRuntime::Libgomp);
  EXPECT_EQ(askingAgain(5, spinning).ticks, 17 + 160 + 80);
  // It asks at 90, while the second has the lock, but is kept by the third one's spinning. At 87
  // one other spins; at 177, when two do, the third is next, to 177 + 160; then the first.
  EXPECT_EQ(askingAgain(73, spinning).ticks, 17 + 160 + 160 + 80);
}

TEST(Handoff, LeavesLibgompsLockToOthersWhileItsHeirWakesUp) {
  // Free at 17, and taken from 90 to 107; the second is awake at 6017.
  EmulationOptions asleep = on(3, OmpRuntime::Libgomp);
  asleep.givenBlockTime = 0;
  EXPECT_EQ(askingAgain(73, asleep).ticks, 17 + 6010 + 5010);
}

TEST(Handoff, FoundTakenIsPaidForAgain) {
  // The first asks at 22 and has the lock until 129. The second, at 87, finds it taken and is
  // behind the third: 129 + 160, + 80.
  TreeMaker make;
  const NodeId once = make.task({{make.l(0, 10), 1}});
  const NodeId twice = make.task({{make.l(0, 10), 1}, {make.u(5), 1}, {make.l(0, 100), 1}});
  const Estimate found = emulate(loopOf(make, {{twice, 1}, {once, 2}}), on(3, OmpRuntime::Libgomp));
  EXPECT_EQ(found.ticks, 129 + 160 + 80);
  EXPECT_DOUBLE_EQ(found.loss.overhead * 3 * found.ticks, 7 + 7 + 70 + 150 + 70);
}

TEST(Handoff, IsBounded) { // each L node's execution by the most expensive one
  const auto bound = [](unsigned threads, unsigned levels, std::uint64_t executions) {
    TreeMaker make;
    loopOf(make, {{make.task({{make.l(0, 10), 1}}), executions}});
    EmulationOptions options = on(threads, OmpRuntime::Libgomp);
    options.overheads.passive = {};
    options.overheads.active.lockHandoff = TeamCost({{2, 70}, {3, 150}}, {Growth::Linear});
    options.maxActiveLevels = levels;
    const TimedTree timed(make.tree, TimeGrid{});
    return Charges::bound(options, timed);
  };
  EXPECT_EQ(bound(3, 1, 100), 100 * (7 + 150));
  EXPECT_EQ(bound(3, 2, 100), 100 * (7 + 630)); // nine threads: 80 for each more
  EXPECT_EQ(bound(4, 4, 2), 2 * (7 + 70));      // as many wait as executions are left
}

/// A thousand iterations of 2400 before a lock for 300, equal ones, with the built-in table.
double speedupBehindALock(unsigned threads) {
  TreeMaker make;
  const NodeId task = make.task({{make.u(2400), 1}, {make.l(0, 300), 1}});
  make.root({{make.section(make.site(), {{task, 1000}}), 1}});
  EmulationOptions options;
  options.threads = threads;
  options.runtime = OmpRuntime::Libgomp;
  options.overheads = Overheads::typical(OmpRuntime::Libgomp);
  return emulate(make.tree, options).speedup;
}

TEST(Handoff, OfLibgompsOneWordLetsLockedLoopsGainNoMore) {
  // Up to four threads hardly wait. From there on they do, all for one word: each more costs a
  // little, but where threads come in groups to the lock and fewer of them wait.
  EXPECT_GT(speedupBehindALock(4), 3.9);
  for (unsigned threads = 5; threads <= 32; ++threads) {
    const double more = speedupBehindALock(threads), fewer = speedupBehindALock(threads - 1);
    EXPECT_LT(more, (threads == 5 ? 1.1 : 1.04) * fewer) << threads;
    EXPECT_GT(more, 0.85 * fewer) << threads;
  }
  EXPECT_LT(speedupBehindALock(16), speedupBehindALock(5));
  EXPECT_LT(speedupBehindALock(32), 0.7 * speedupBehindALock(5));
}

} // namespace
