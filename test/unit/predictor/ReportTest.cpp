//===- ReportTest.cpp - What views and advice say ---------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/Advice.h"
#include "predictor/report/TreeGraph.h"
#include "predictor/report/TreeSummary.h"
#include "predictor/report/WaterfallText.h"
#include "predictor/tree/TreeReader.h"

#include <gtest/gtest.h>

using namespace prophet;

static Tree input(const std::string &name) {
  auto tree = readTree(PROPHET_TEST_INPUTS "/" + name);
  EXPECT_TRUE(tree) << tree.error().message;
  return *tree;
}

TEST(Interval, isWhatTheToleranceLeavesOpen) {
  EXPECT_EQ(speedupInterval(2, 0, 4), std::pair(2.0, 2.0));
  EXPECT_EQ(speedupInterval(2, 0.25, 4), std::pair(1.6, 2 / 0.75));
  EXPECT_EQ(speedupInterval(3.9, 0.05, 4), std::pair(3.9 / 1.05, 4.0));
  EXPECT_EQ(speedupInterval(4.2, 0.05, 4), std::pair(4.0, 4.2));
}

TEST(MaximumGain, isAmdahlsLimit) {
  EXPECT_DOUBLE_EQ(maximumGain(input("mandel.json")), 2701200.0 / 1200);
  EXPECT_EQ(maximumGain(input("figure7.json")), std::numeric_limits<double>::infinity());
}

TEST(SitePlaces, tellOuterLoopsFromInnerOnes) {
  auto places = findSitePlaces(input("figure7.json"));
  EXPECT_TRUE(places[0].outermost && !places[0].nested);
  EXPECT_TRUE(!places[1].outermost && places[1].nested);
}

TEST(Pragma, carriesTheScheduleAndTheKeptClauses) {
  Site site;
  Schedule dynamic{Schedule::Kind::Dynamic, 1};
  EXPECT_EQ(openmpPragma(site, dynamic), "#pragma omp parallel for schedule(dynamic,1)");
  site.vars = "cancel private(x) reduction(+ : s)";
  EXPECT_EQ(openmpPragma(site, {}),
            "#pragma omp parallel for schedule(static) private(x) reduction(+ : s)");
  site.nowait = true;
  EXPECT_EQ(openmpPragma(site, {}),
            "#pragma omp for schedule(static) nowait private(x) reduction(+ : s)");
}

TEST(Pragma, tasksInsideOthersAreForATeamThatIsThere) {
  Site site;
  site.kind = SiteKind::Tasks;
  const SitePlace outermost{true, false}, recursive{true, true};
  EXPECT_EQ(directive(Paradigm::OpenMP, site, {}, outermost),
            "#pragma omp parallel / #pragma omp single");
  EXPECT_EQ(directive(Paradigm::OpenMP, site, {}, recursive),
            "#pragma omp task / #pragma omp taskwait");
  site.kind = SiteKind::ParallelFor;
  EXPECT_EQ(directive(Paradigm::OpenMP, site, {}, recursive), openmpPragma(site, {}));
}

TEST(Pragma, clausesOfTheTeamStandOnTheDirectiveAroundANowaitLoop) {
  Site site;
  site.vars = "default(none) shared(a) private(x) if(n > 3) num_threads(4)";
  EXPECT_EQ(openmpPragma(site, {}), "#pragma omp parallel for schedule(static) default(none) "
                                    "shared(a) if(n > 3) num_threads(4) private(x)");
  site.nowait = true;
  EXPECT_EQ(openmpPragma(site, {}), "#pragma omp for schedule(static) nowait private(x)");
  EXPECT_EQ(enclosingPragma(site),
            "#pragma omp parallel default(none) shared(a) if(n > 3) num_threads(4)");
}

static PredictionPoint pointOf(Schedule schedule, unsigned threads, double speedup,
                               LossShares loss = {}) {
  PredictionPoint point;
  point.choice.schedule = schedule;
  point.threads = point.cores = threads;
  point.estimate.speedup = speedup;
  point.estimate.loss = loss;
  point.estimate.sites.resize(2);
  return point;
}

static Prediction predictionOf(std::vector<PredictionPoint> points) {
  Prediction prediction;
  prediction.tree = std::make_shared<Tree>(input("figure7.json"));
  prediction.points = std::move(points);
  return prediction;
}

static std::string explainFirst(std::vector<PredictionPoint> points) {
  Prediction prediction = predictionOf(std::move(points));
  return explainLoss(prediction, prediction.points[0]);
}

constexpr Schedule Static{};
constexpr Schedule Dynamic{Schedule::Kind::Dynamic, 1};
constexpr const char *FinerPieces =
    "40.0 % goes to waiting at the end of loops for the slowest thread: deal iterations out in "
    "smaller pieces, or dynamically";
constexpr const char *MoreIterations =
    "40.0 % goes to waiting at the end of loops for the slowest thread: make the longest "
    "iterations shorter, or the loop longer";

TEST(ExplainLoss, namesTheLargestShare) {
  EXPECT_EQ(
      explainFirst({pointOf(Static, 2, 1.4, {0.7, 0.1, 0.05, 0.15, 0, 0})}),
      "15.0 % goes to waiting for each other's critical sections: shorten them, or reduce into "
      "private copies");
  EXPECT_EQ(explainFirst({pointOf(Static, 2, 2, {0.995, 0.005, 0, 0, 0, 0})}),
            "nothing to speak of, nearly all of the threads' time is useful work");
}

TEST(ExplainLoss, advisesFinerPiecesOnlyWhereTheyAreNotKnownToBeNoBetter) {
  LossShares waiting = {0.6, 0, 0.4, 0, 0, 0};
  EXPECT_EQ(explainFirst({pointOf(Static, 4, 2, waiting)}), FinerPieces);
  EXPECT_EQ(explainFirst({pointOf(Static, 4, 2, waiting), pointOf(Dynamic, 4, 3)}), FinerPieces);
  EXPECT_EQ(explainFirst({pointOf(Static, 4, 2, waiting), pointOf(Dynamic, 2, 2)}), FinerPieces);
  EXPECT_EQ(explainFirst({pointOf(Static, 4, 2, waiting), pointOf(Dynamic, 4, 2)}), MoreIterations);
  EXPECT_EQ(explainFirst({pointOf(Dynamic, 4, 2, waiting)}), MoreIterations);
}

TEST(ExplainLoss, isOfTheSiteWhoseThreadsWaitLongest) {
  PredictionPoint point = pointOf(Static, 2, 1.2, {});
  Waterfall &waterfall = point.estimate.waterfall;
  waterfall.width = 2;
  const auto explain = [&](SiteKind inner, double outerWait, double innerWait, unsigned threads) {
    waterfall.sites = {{60 - outerWait, 0, outerWait}, {40 - innerWait, 0, innerWait}};
    waterfall.program = {};
    for (const TimeParts &site : waterfall.sites)
      waterfall.program += site;
    waterfall.threadTicks = waterfall.program.sum();
    point.threads = point.cores = threads;
    Prediction prediction = predictionOf({point});
    Tree tree = *prediction.tree; // two iterations of outer, and two of each inner
    tree.sites[1].kind = inner;
    prediction.tree = std::make_shared<Tree>(tree);
    return explainLoss(prediction, prediction.points[0]);
  };
  EXPECT_EQ(explain(SiteKind::ParallelFor, 40, 0, 2), FinerPieces);
  EXPECT_EQ(explain(SiteKind::ParallelFor, 40, 0, 3),
            "40.0 % goes to waiting at the end of loops with fewer iterations than threads: "
            "parallelize an outer loop, or several as one (collapse), or take fewer threads");
  EXPECT_EQ(explain(SiteKind::Tasks, 10, 30, 8),
            "40.0 % goes to waiting, mostly in inner, for other threads' tasks, since there are "
            "none left: make the longest chain of tasks shorter");
  EXPECT_TRUE(
      explain(SiteKind::Tasks, 30, 10, 8)
          .starts_with("40.0 % goes to waiting, mostly in outer, at the end of loops with"));
  EXPECT_EQ(explain(SiteKind::Sections, 0, 40, 2),
            "40.0 % goes to waiting for the longest section: split it");
  EXPECT_EQ(explain(SiteKind::Sections, 0, 40, 3),
            "40.0 % goes to waiting for the longest section, while there are fewer sections than "
            "threads: split them, or take fewer threads");
}

TEST(ExplainLoss, tellsWaitingForCoresFromWaitingForThreads) {
  PredictionPoint point = pointOf(Static, 8, 2, {0.25, 0, 0, 0, 0, 0, 0.75});
  point.cores = 2;
  EXPECT_EQ(explainFirst({point}),
            "75.0 % goes to waiting for a core: take no more threads than cores");
}

TEST(ExplainLoss, isTheWantOfCoresWhereThreadsKeepThemBusy) {
  PredictionPoint point = pointOf(Static, 8, 0, {});
  point.cores = 2;
  Waterfall &waterfall = point.estimate.waterfall;
  const auto explain = [&](TimeParts parts) { // in the one site's regions
    waterfall.sites = waterfall.regions = {parts};
    waterfall.program = parts;
    waterfall.width = 8;
    waterfall.threadTicks = parts.sum();
    return explainFirst({point});
  };
  // 8 threads in 100 ticks on two cores: 200 that they can run, of 800.
  EXPECT_EQ(explain({190, 0, 10, 600, 0, 0, 0}),
            "76.2 % goes to waiting while all 2 cores are busy: only more cores would help");
  EXPECT_EQ(explain({180, 0, 20, 500, 10, 0, 90}),
            "76.2 % goes to waiting while all 2 cores are busy: only more cores would help");
  EXPECT_TRUE(explain({180, 0, 20, 600, 0, 0, 0}).starts_with("75.0 % goes to waiting for each"));
  point.cores = 8; // which would be busy if there were work
  EXPECT_TRUE(explain({190, 0, 10, 600, 0, 0, 0}).starts_with("75.0 % goes to waiting for each"));
}

TEST(ExplainLoss, overheadIsOfWhatTheProgramHas) {
  Prediction prediction = predictionOf({pointOf(Static, 2, 1.4, {0.7, 0, 0, 0, 0.3, 0})});
  PredictionPoint &point = prediction.points[0];
  const auto explain = [&] { return explainLoss(prediction, point).substr(12); };
  EXPECT_EQ(explain(),
            "to OpenMP's own work, starting teams and dealing out iterations: parallelize "
            "an outer loop, or leave short loops serial");
  point.choice.kind = ScheduleChoice::Kind::Split;
  EXPECT_EQ(explain(), "to the runtime's own work, creating and dealing out tasks: parallelize an "
                       "outer loop, or leave short loops serial");
  Tree tree = *prediction.tree;
  for (Site &site : tree.sites)
    site.kind = SiteKind::Tasks;
  prediction.tree = std::make_shared<Tree>(tree);
  for (const auto kind : {ScheduleChoice::Kind::Split, ScheduleChoice::Kind::Given}) {
    point.choice.kind = kind;
    EXPECT_EQ(explain(),
              "to the runtime's own work, creating and dealing out tasks: make fewer and "
              "larger ones, in a recursion by a cut-off below which it goes on serially");
  }
}

TEST(ExplainLoss, knowsThatASiteWasAskedForAlone) {
  Prediction prediction = predictionOf({pointOf(Static, 2, 1, {0.5, 0.5, 0, 0, 0, 0})});
  prediction.options.onlySite = 1;
  EXPECT_EQ(explainLoss(prediction, prediction.points[0]),
            "50.0 % goes to code outside of the one site, where the other threads are idle: leave "
            "out --site to see what the others give");
}

TEST(SiteLosses, addUp) {
  const Tree tree = input("figure7.json");
  Waterfall waterfall;
  waterfall.sites = {{.useful = 950, .imbalance = 40, .overhead = 8, .outlining = 2}, {}};
  waterfall.regions.resize(2);
  EXPECT_EQ(describeSiteLosses(tree, waterfall, 0), "95.0 % useful, 4.0 % imbalance, 1.0 % other");
  waterfall.sites[0] = {.useful = 980, .imbalance = 60, .memory = -40};
  EXPECT_EQ(describeSiteLosses(tree, waterfall, 0),
            "98.0 % useful, 6.0 % imbalance, -4.0 % memory");
  waterfall.sites[0] = {.useful = 600, .imbalance = 400};
  EXPECT_EQ(describeSiteLosses(tree, waterfall, 0), "60.0 % useful, 40.0 % imbalance");
  EXPECT_EQ(describeSiteLosses(tree, waterfall, 1), "");
  // Inside of it another site's team computes for 1000 of 4000.
  waterfall.width = 8;
  waterfall.sites[0].serial = 2000;
  waterfall.regions[0] = {.useful = 1600, .serial = 2000, .imbalance = 400};
  EXPECT_EQ(describeSiteLosses(tree, waterfall, 0),
            "60.0 % useful, 40.0 % imbalance; 50.0 % of the 8 threads that could run in its "
            "regions are missing");
  waterfall.sites[0] = {.useful = 1000, .serial = 2000};
  EXPECT_EQ(describeSiteLosses(tree, waterfall, 0),
            "50.0 % of the 8 threads that could run in its regions are missing");
}

TEST(BestPoint, hasTheFewestThreadsOfThoseThatPrintAlike) {
  Prediction prediction = predictionOf({pointOf(Static, 2, 1.712), pointOf(Static, 16, 1.714),
                                        pointOf(Dynamic, 2, 1.713), pointOf(Dynamic, 16, 1.70)});
  EXPECT_EQ(&bestPoint(prediction), &prediction.points[0]);
  prediction.points[1].estimate.speedup = 1.72;
  EXPECT_EQ(&bestPoint(prediction), &prediction.points[1]);
}

TEST(BestPointFor, isAnotherScheduleWhereTheSiteGainsByIt) {
  Prediction prediction = predictionOf({pointOf(Static, 2, 1.9), pointOf(Dynamic, 2, 1.8)});
  const PredictionPoint &best = prediction.points[0];
  prediction.points[0].estimate.sites[0].speedup = 1.9;
  prediction.points[1].estimate.sites[0].speedup = 1.905;
  prediction.points[1].estimate.sites[1].speedup = 1.8;
  EXPECT_EQ(&bestPointFor(prediction, best, 0), &best);
  EXPECT_EQ(&bestPointFor(prediction, best, 1), &prediction.points[1]);
}

TEST(Summary, countsWhatTheTreeRepeatsTo) {
  auto summary = summarize(input("mandel.json"));
  EXPECT_EQ(summary.serialTicks, 2701200);
  EXPECT_EQ(summary.executedTasks, 1000u);
  EXPECT_EQ(summary.executedNodes, 3003u + 1000u);
  EXPECT_EQ(summary.sites[0].executions, 1u);
  EXPECT_EQ(summary.sites[0].trips.median, 1000);
  EXPECT_EQ(summary.sites[0].taskLengths.max, 2700);
  EXPECT_EQ(summary.locks[0].entries, 1000u);
  EXPECT_EQ(summary.locks[0].ticks, 300000);
}

TEST(Summary, mediansWeighRepeats) {
  auto summary = summarize(input("figure7.json"));
  EXPECT_EQ(summary.sites[1].executions, 2u);
  EXPECT_EQ(summary.sites[1].tasks, 4u);
  EXPECT_EQ(summary.sites[1].taskLengths.count, 4u);
  EXPECT_EQ(summary.sites[1].taskLengths.min, 5);
  EXPECT_EQ(summary.sites[1].taskLengths.median, 5);
  EXPECT_EQ(summary.sites[1].taskLengths.max, 10);
}

TEST(Summary, timeOfARecursiveSiteCountsOnce) {
  // root: 5, section of 10 { task of 10 { 2, section of 8 { task of 8 } } }
  Tree tree;
  tree.sites.resize(70); // the site's number is not below 64
  tree.nodes = {{NodeKind::U, 0, 8, 0, 0},        {NodeKind::Task, 0, 0, 0, 1},
                {NodeKind::Section, 69, 0, 1, 1}, {NodeKind::U, 0, 2, 0, 0},
                {NodeKind::Task, 0, 0, 2, 2},     {NodeKind::Section, 69, 0, 4, 1},
                {NodeKind::U, 0, 5, 0, 0},        {NodeKind::Root, 0, 0, 5, 2}};
  tree.children = {{0, 1}, {1, 1}, {3, 1}, {2, 1}, {4, 1}, {6, 1}, {5, 1}};
  tree.root = 7;
  const TreeSummary summary = summarize(tree);
  EXPECT_EQ(summary.serialTicks, 15);
  EXPECT_EQ(summary.sites[69].executions, 2u);
  EXPECT_EQ(summary.sites[69].ticks, 10);
}

TEST(Folded, stacksAreSitesAndLocks) {
  EXPECT_EQ(*renderFolded(input("mandel.json")),
            "./mandel 1200\n./mandel;rows 2400000\n./mandel;rows;lock histogram 300000\n");
}

TEST(Folded, refusesMoreStacksThanCanBeWritten) {
  // 64 sites that each may or may not be on the stack: 2^63 different stacks. The shape alone
  // counts.
  Tree tree;
  tree.nodes.push_back({NodeKind::U, 0, 1, 0, 0});
  NodeId below = 0;
  for (std::uint32_t s = 0; s < 64; ++s) {
    tree.sites.emplace_back().name = std::to_string(s);
    tree.nodes.push_back({NodeKind::Task, 0, 0, tree.children.size(), 1});
    tree.children.push_back({below, 1});
    tree.nodes.push_back({NodeKind::Section, s, 0, tree.children.size(), 1});
    tree.children.push_back({static_cast<NodeId>(tree.nodes.size() - 2), 1});
    tree.nodes.push_back({NodeKind::Task, 0, 0, tree.children.size(), 2});
    tree.children.push_back({static_cast<NodeId>(tree.nodes.size() - 2), 1});
    tree.children.push_back({below, 1});
    below = static_cast<NodeId>(tree.nodes.size() - 1);
  }
  tree.root = below;
  EXPECT_FALSE(renderFolded(tree));
}
