//===- OutlookTest.cpp - Saturation, what to do first ----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/Outlook.h"

#include "emulatorTrees.h"
#include "predictor/report/Prediction.h"

#include <gtest/gtest.h>

using namespace prophet;
using test::TreeMaker;

/// What `prophet predict --overheads none --schedule static` has of `tree`.
static Prediction predictionOf(const Tree &tree, unsigned threads) {
  Prediction prediction;
  prediction.tree = std::make_shared<Tree>(tree);
  prediction.threads = {threads};
  PredictionPoint point;
  point.threads = point.cores = threads;
  EmulationOptions options;
  options.threads = threads;
  point.estimate = emulate(tree, options);
  prediction.points.push_back(point);
  return prediction;
}

static Result<Outlook> look(const Prediction &prediction, unsigned jobs,
                            const OutlookLimits &limits = {}) {
  return lookFurther(prediction, Emulator(*prediction.tree), jobs, limits);
}

TEST(Outlook, namesTheLockThatStopsTheGain) {
  TreeMaker make;
  // 48 iterations of 70 and 10 under a lock: 8 threads keep the lock busy.
  const NodeId task = make.task({{make.u(70), 1}, {make.l(0, 10), 1}});
  make.root({{make.section(make.site(), {{task, 48}}), 1}});
  const auto outlook = look(predictionOf(make.tree, 4), 1);
  ASSERT_TRUE(outlook);
  const Saturation &saturation = outlook->saturation;
  EXPECT_EQ(saturation.cause, "lock");
  EXPECT_EQ(saturation.lock, 0u);
  EXPECT_EQ(saturation.bound, 64u);
  EXPECT_FALSE(saturation.hurts());
  // On 8: 48 x 10 for the lock and 70 before it; nothing is left to gain.
  EXPECT_EQ(saturation.threads, 8u);
  EXPECT_DOUBLE_EQ(saturation.speedup, 48 * 80 / 550.0);
}

TEST(Outlook, namesTheCoresWhereNoMoreCanBeRunOnThem) {
  TreeMaker make; // as above, on two cores, which four threads keep busy
  const NodeId task = make.task({{make.u(70), 1}, {make.l(0, 10), 1}});
  make.root({{make.section(make.site(), {{task, 48}}), 1}});
  Prediction prediction = predictionOf(make.tree, 4);
  prediction.options.cores = prediction.points[0].cores = 2;
  EmulationOptions options = prediction.options;
  options.threads = 4;
  prediction.points[0].estimate = emulate(make.tree, options);
  const auto outlook = look(prediction, 1);
  ASSERT_TRUE(outlook);
  EXPECT_EQ(outlook->saturation.cause, "cores");
  EXPECT_FALSE(outlook->saturation.lock);
  EXPECT_EQ(outlook->saturation.threads,
            2u); // one waits for the lock while the other is in it, once
}

TEST(Outlook, saysWhatEndsTheGainShortOfTheBound) {
  TreeMaker make; // 51 threads have one iteration each; every further one only costs
  make.root({{make.section(make.site(), {{make.work(1000), 51}}), 1}});
  Prediction prediction = predictionOf(make.tree, 4);
  prediction.options.overheads.active.fork =
      TeamCost({{1, 0}, {2, 0}, {50, 0}, {51, 0}, {64, 500}});
  const auto outlook = look(prediction, 1);
  ASSERT_TRUE(outlook);
  const Saturation &saturation = outlook->saturation;
  EXPECT_EQ(saturation.threads, 51u);
  EXPECT_TRUE(saturation.hurts());
  EXPECT_EQ(saturation.cause, "overhead");
}

TEST(Outlook, triesAllThreadsWhereThatIsFast) {
  TreeMaker make; // 41 threads are as fast as 40, but for what teams cost
  make.root({{make.section(make.site(), {{make.work(5000), 40}}), 1}});
  Prediction prediction = predictionOf(make.tree, 4);
  prediction.options.overheads.active.fork = TeamCost({{1, 0}, {40, 0}, {41, 5000}});
  const auto outlook = look(prediction, 1);
  ASSERT_TRUE(outlook);
  EXPECT_EQ(outlook->saturation.threads, 40u);
  EXPECT_DOUBLE_EQ(outlook->saturation.speedup, 40);
}

TEST(Outlook, triesThreadsThatShareIterationsOutEvenly) {
  TreeMaker make; // the same up to 1024 threads, of which not all are tried
  make.root({{make.section(make.site(), {{make.work(5000), 700}}), 1}});
  Prediction prediction = predictionOf(make.tree, 300);
  prediction.options.overheads.active.fork = TeamCost({{1, 0}, {700, 0}, {701, 5000}});
  const auto outlook = look(prediction, 1);
  ASSERT_TRUE(outlook);
  EXPECT_EQ(outlook->saturation.bound, 1024u);
  EXPECT_EQ(outlook->saturation.threads, 700u);
  EXPECT_DOUBLE_EQ(outlook->saturation.speedup, 700);
}

TEST(Outlook, looksOnEitherSideOfTheMaximum) {
  TreeMaker make; // long enough for any team, which is cheapest on 600 threads
  make.root({{make.section(make.site(), {{make.work(1), 1'000'000}}), 1}});
  Prediction prediction = predictionOf(make.tree, 300);
  prediction.options.overheads.active.fork =
      TeamCost({{1, 0}, {512, 8000}, {600, 0}, {768, 9000}, {1024, 9000}});
  const auto outlook = look(prediction, 1);
  ASSERT_TRUE(outlook);
  EXPECT_EQ(outlook->saturation.threads, 600u);
}

TEST(Outlook, findsTheFewestThreads) {
  TreeMaker make; // 101 threads have an iteration each, 100 one twice
  make.root({{make.section(make.site(), {{make.work(10), 101}}), 1}});
  const auto outlook = look(predictionOf(make.tree, 32), 1);
  ASSERT_TRUE(outlook);
  EXPECT_EQ(outlook->saturation.threads, 101u);
  EXPECT_DOUBLE_EQ(outlook->saturation.speedup, 101);
}

TEST(Outlook, hasNoCauseWhereTheGainGoesOn) {
  TreeMaker make;
  make.root({{make.section(make.site(), {{make.work(10), 6400}}), 1}});
  const auto outlook = look(predictionOf(make.tree, 4), 1);
  ASSERT_TRUE(outlook);
  EXPECT_EQ(outlook->saturation.threads, 64u);
  EXPECT_FALSE(outlook->saturation.reached());
}

TEST(Outlook, sumsUpWhatEachSiteIsWorth) {
  TreeMaker make;
  const auto small = make.site(), large = make.site();
  make.root(
      {{make.u(20), 1},
       {make.section(small, {{make.work(5), 4}}), 1},
       {make.section(large, {{make.work(15), 3}, {make.work(10), 1}, {make.work(5), 1}}), 1}});
  // 100 in all. On 2 threads `small` takes 10 of its 20 and `large`, 15 15 15 | 10 5 under
  // static, 45.
  const auto outlook = look(predictionOf(make.tree, 2), 2);
  ASSERT_TRUE(outlook);
  ASSERT_EQ(outlook->sites.size(), 2u);
  const SiteOutlook &first = outlook->sites[0], &second = outlook->sites[1];
  EXPECT_EQ(first.site, large);
  EXPECT_DOUBLE_EQ(first.gainAlone, 100.0 / (20 + 20 + 45));
  EXPECT_DOUBLE_EQ(first.gainWithout.value(), 100.0 / (20 + 10 + 60));
  EXPECT_DOUBLE_EQ(second.gainAlone, 100.0 / (20 + 10 + 60));
  // Stolen: 15 15 | 10 5 15.
  EXPECT_EQ(first.schedule.str(), "dynamic,1");
  EXPECT_EQ(first.ticks, 30);
  EXPECT_EQ(second.schedule.str(), "static");
  EXPECT_EQ(first.breakEvenTrips, 2u); // without overheads
}

TEST(Outlook, breaksEvenWhereTheEstimatesDo) {
  // On two threads 60 iterations of 100 save 3000, less than the four forks cost on average where
  // all but the first find their threads asleep: 3500.
  TreeMaker make;
  const NodeId region = make.section(make.site(), {{make.work(100), 60}}), gap = make.u(3e8);
  make.root({{region, 1}, {gap, 1}, {region, 1}, {gap, 1}, {region, 1}, {gap, 1}, {region, 1}});
  for (const bool sleep : {false, true}) {
    Prediction prediction = predictionOf(make.tree, 2);
    EmulationOptions &options = prediction.options;
    options.overheads.active.fork = 2000;
    options.overheads.passive.fork = 4000;
    options.waitPolicy = sleep ? WaitPolicy::Default : WaitPolicy::Active;
    EmulationOptions all = options;
    all.threads = 2;
    prediction.points.front().estimate = emulate(make.tree, all);
    EXPECT_EQ(prediction.points.front().estimate.sites[0].asleep, sleep ? 0.75 : 0);
    const auto outlook = look(prediction, 1);
    ASSERT_TRUE(outlook);
    EXPECT_EQ(outlook->sites[0].breakEvenTrips, sleep ? 72u : 42u);
    EXPECT_EQ(outlook->sites[0].speedup > 1, !sleep);
  }
}

TEST(Outlook, aLoopUnderALockNeverBreaksEven) {
  TreeMaker make;
  make.root({{make.section(make.site(), {{make.task({{make.l(0, 1000), 1}}), 50}}), 1}});
  const auto outlook = look(predictionOf(make.tree, 4), 1);
  ASSERT_TRUE(outlook);
  EXPECT_FALSE(outlook->sites[0].breakEvenTrips);
}

/// A loop of `count` iterations with a lock, and one of a billion without.
static Tree lockedAndFree(std::uint64_t count) {
  TreeMaker make;
  const NodeId task = make.task({{make.l(0, 10), 1}});
  const auto locked = make.site(), free = make.site();
  return make.root({{make.section(locked, {{task, count}}), 2},
                    {make.section(free, {{make.work(100), 1'000'000'000}}), 1}});
}

TEST(Outlook, isLeftOutWhereItWouldTakeLong) {
  EXPECT_TRUE(look(predictionOf(lockedAndFree(4), 4), 1));
  Prediction prediction = predictionOf(lockedAndFree(4), 4);
  prediction.tree = std::make_shared<Tree>(lockedAndFree(10'000'000));
  const auto outlook = look(prediction, 1);
  ASSERT_FALSE(outlook);
  EXPECT_EQ(outlook.error().message,
            "there is no outlook beyond the estimates: it would take ten or more emulations of "
            "20000001 pieces each, in sections with locks, nowait, inner teams or tasks; profile a "
            "smaller input to have one");
  // Threads that are placed at random on one core: several runs of each emulation.
  prediction.options.cores = prediction.points[0].cores = 1;
  prediction.options.overheads = Overheads::typical(OmpRuntime::Libomp);
  prediction.tree = std::make_shared<Tree>(lockedAndFree(2'500'000));
  const auto placed = look(prediction, 1);
  ASSERT_FALSE(placed);
  EXPECT_NE(placed.error().message.find("5000001 pieces each, 5 times over, in sections"),
            std::string::npos)
      << placed.error().message;
}

TEST(Outlook, isAShortOneWhereAllOfItWouldTakeLong) {
  TreeMaker make; // as above: 8 threads keep the lock busy
  const NodeId task = make.task({{make.u(70), 1}, {make.l(0, 10), 1}});
  make.root({{make.section(make.site(), {{task, 48}}), 1}});
  const Prediction prediction = predictionOf(make.tree, 4);
  const auto whole = look(prediction, 1);
  ASSERT_TRUE(whole);
  EXPECT_FALSE(whole->isReduced());
  OutlookLimits limits;
  limits.steps = 100; // of 1 + 3 x 48
  const auto outlook = look(prediction, 1, limits);
  ASSERT_TRUE(outlook);
  EXPECT_TRUE(outlook->leftOut.starts_with(
      "the outlook beyond the estimates is a short one, since all of it would take dozens of "
      "emulations of 145 pieces each, in sections with locks,"))
      << outlook->leftOut;
  EXPECT_EQ(outlook->saturation.threads, 8u);
  EXPECT_DOUBLE_EQ(outlook->saturation.speedup, 48 * 80 / 550.0);
  EXPECT_EQ(outlook->saturation.cause, "lock");
  EXPECT_EQ(outlook->saturation.lock, 0u);
  ASSERT_EQ(outlook->sites.size(), 1u);
  EXPECT_EQ(outlook->sites[0].schedule.str(), "static"); // the one that was asked for
  EXPECT_EQ(outlook->sites[0].ticks, prediction.points[0].estimate.ticks);
  EXPECT_EQ(outlook->sites[0].gainWithout, 1) << "which takes no steps";
  EXPECT_EQ(outlook->sites[0].breakEvenTrips, whole->sites[0].breakEvenTrips);
  limits.steps = 9;
  EXPECT_FALSE(look(prediction, 1, limits));
}

TEST(Outlook, aShortOneSaysOfTheSiteThatGainsMostWhatAllOthersGain) {
  TreeMaker make; // 100 in five loops, whose iterations meet at a lock for the time 0
  std::vector<Child> sections;
  for (const double length : {5, 10, 20, 10, 5}) {
    const NodeId task = make.task({{make.u(length), 1}, {make.l(0, 0), 1}});
    sections.push_back({make.section(make.site(), {{task, 2}}), 1});
  }
  make.root(sections);
  OutlookLimits limits;
  limits.steps = 10;
  const auto outlook = look(predictionOf(make.tree, 2), 1, limits);
  ASSERT_TRUE(outlook && outlook->isReduced());
  ASSERT_EQ(outlook->sites.size(), 5u);
  EXPECT_EQ(outlook->sites[0].site, 2u);
  EXPECT_DOUBLE_EQ(outlook->sites[0].gainAlone, 100.0 / 80);
  EXPECT_DOUBLE_EQ(outlook->sites[0].gainWithout.value(), 100.0 / 70);
  EXPECT_EQ(outlook->sites[1].site, 1u);
  EXPECT_FALSE(outlook->sites[1].gainWithout);
}

TEST(Outlook, aShortOneTriesFewerThreadsThanWereAskedForToo) {
  TreeMaker make; // two iterations: two threads, of 16 that were asked for
  make.root(
      {{make.section(make.site(), {{make.task({{make.l(0, 10), 1}, {make.u(90), 1}}), 2}}), 1}});
  OutlookLimits limits;
  limits.steps = 1;
  const auto outlook = look(predictionOf(make.tree, 16), 1, limits);
  ASSERT_TRUE(outlook);
  EXPECT_TRUE(outlook->isReduced());
  EXPECT_EQ(outlook->saturation.threads, 2u);
  EXPECT_DOUBLE_EQ(outlook->saturation.speedup, 200.0 / 110);
  EXPECT_EQ(outlook->saturation.cause, "imbalance");
}

TEST(Steps, areThoseOfRegionsInWhichThreadsMeet) {
  const Tree tree = lockedAndFree(4);
  const Emulator emulator(tree);
  EmulationOptions options;
  options.threads = 4;
  EXPECT_EQ(emulator.steps(options), 1 + 4 * 2); // the region, which repeats, once
  options.maxActiveLevels = 2;                   // nothing nests
  EXPECT_EQ(emulator.steps(options), 1 + 4 * 2);
  options.exceptSite = 0;
  EXPECT_EQ(emulator.steps(options), 0);
  options.exceptSite.reset();
  options.threads = 1;
  EXPECT_EQ(emulator.steps(options), 0);
}

TEST(Steps, countInnerLoopsWhereTheyOpenTeamsOrShareCores) {
  TreeMaker make;
  const auto outer = make.site();
  const NodeId task = make.task({{make.section(make.site(), {{make.work(5), 10}}), 1}});
  make.root({{make.section(outer, {{task, 3}}), 1}});
  const Emulator emulator(make.tree);
  EmulationOptions options;
  options.threads = 2;
  EXPECT_EQ(emulator.steps(options), 0);
  options.maxActiveLevels = 2; // teams of two
  EXPECT_EQ(emulator.steps(options), 1 + 2 + 3 * (1 + (1 + 2)));
  options.maxActiveLevels = 1;
  options.cores = 1;
  EXPECT_EQ(emulator.steps(options), 1 + 3 * (1 + (1 + 2)));
}

TEST(Steps, countTasksAndLoopsThatShareARegion) {
  TreeMaker make;
  const auto tasks = make.site(SiteKind::Tasks), first = make.site(SiteKind::ParallelFor, true);
  const NodeId loop = make.section(first, {{make.work(5), 6}});
  const NodeId next = make.section(make.site(), {{make.work(5), 2}});
  make.root({{make.section(tasks, {{make.work(5), 7}}), 1}, {loop, 1}, {next, 1}});
  EmulationOptions options;
  options.threads = 2;
  EXPECT_EQ(Emulator(make.tree).steps(options), 1 + 7 + 1 + 6 + 1 + 2);
}
