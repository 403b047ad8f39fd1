//===- DealtSectionTest.cpp - Which thread executes which task ----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/DealtSection.h"
#include "emulatorOptions.h"
#include "emulatorTrees.h"
#include "predictor/emulator/Emulator.h"
#include "predictor/emulator/Listener.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace prophet;
using namespace prophet::test;

namespace {

/// Which thread runs each iteration of the one loop that it hears, and when.
class Dealer : public EventListener {
public:
  explicit Dealer(std::uint64_t tasks) : turns(tasks), isFirst(tasks) {}

  std::vector<memmodel::Turn> turns; ///< in ticks
  std::vector<bool> isFirst;         ///< of those that it heard of at once
  double end = 0;                    ///< of the last one

  void regionBegins(NodeId, double) override {}
  void interval(const Interval &heard) override {
    if (heard.activity != Activity::Compute)
      return;
    const double each = (heard.end - heard.start) / static_cast<double>(heard.place.count);
    for (std::uint64_t i = 0; i < heard.place.count; ++i)
      turns[heard.place.first + i] = {heard.thread, heard.start + each * static_cast<double>(i),
                                      each};
    isFirst[heard.place.first] = true;
    end = std::max(end, heard.end);
  }
  void regionEnds(double) override {}
};

/// A loop, and how it is dealt.
struct Dealt {
  std::uint64_t tasks;
  unsigned threads;
  Schedule schedule;
  OmpRuntime runtime;

  explicit Dealt(std::mt19937_64 &random)
      : tasks(1 + random() % 300), threads(2 + static_cast<unsigned>(random() % 7)) {
    using Kind = Schedule::Kind;
    const Kind kind = std::array{Kind::Static, Kind::StaticChunk, Kind::Dynamic, Kind::Guided,
                                 Kind::Auto}[random() % 5];
    const bool hasChunk = kind != Kind::Static && kind != Kind::Auto;
    schedule = {kind, hasChunk ? 1 + random() % 9 : 0};
    runtime = random() % 2 ? OmpRuntime::Libomp : OmpRuntime::Libgomp;
  }
  EmulationOptions options() const { return optionsWith(runtime, threads, schedule); }
  std::string str() const {
    return schedule.str() + ", " + std::to_string(tasks) + " tasks on " + std::to_string(threads);
  }
};

} // namespace

TEST(DealtSection, IsTheEmulatorsWhereTasksAreEqual) {
  std::mt19937_64 random(11);
  for (int program = 0; program < 400; ++program) {
    const Dealt with(random);
    TreeMaker make;
    const auto site = make.site();
    const Tree &tree = make.root({{make.section(site, {{make.work(100), with.tasks}}), 1}});
    Dealer dealer(with.tasks);
    Emulator(tree).run(with.options(), &dealer);
    const DealtSection dealt = dealSection(tree, site, with.options(), with.tasks, with.threads);
    const LoopPlan plan = planLoop(tree, site, with.options(), with.tasks, with.threads);
    // Threads whose blocks have ended may still steal, though all tasks are equal.
    const bool steals = plan.dealing == Dealing::Steal;
    std::uint64_t elsewhere = 0;
    for (std::uint64_t task = 0; task < with.tasks; ++task) {
      const memmodel::Turn turn = dealt.turnOf(task);
      if (turn.thread != dealer.turns[task].thread) {
        ++elsewhere;
      } else if (!steals) {
        ASSERT_NEAR(turn.begin * 100, dealer.turns[task].begin, 1e-6)
            << program << " task " << task;
      }
    }
    ASSERT_LE(elsewhere, steals ? with.threads * plan.chunk : 0) << program << ": " << with.str();
  }
}

TEST(DealtSection, IsTheEmulatorsWhereTasksDiffer) {
  std::mt19937_64 random(12);
  std::set<Dealing> seen, differ;
  for (int program = 0; program < 400; ++program) {
    Dealt with(random);
    TreeMaker make;
    const auto site = make.site();
    std::vector<Child> tasks;
    std::vector<TaskLengths::Run> runs;
    double ticks = 0;
    // No two equal ones: of threads that are ready at the same time either may be first.
    for (with.tasks = 2 + random() % 300; runs.size() < with.tasks;) {
      runs.push_back({1, 100 + static_cast<double>(random() % 9000000)});
      tasks.push_back({make.work(runs.back().ticks), 1});
      ticks += runs.back().ticks;
    }
    const Tree &tree = make.root({{make.section(site, tasks), 1}});
    Dealer dealer(with.tasks);
    Emulator(tree).run(with.options(), &dealer);
    const DealtSection dealt = dealSection(tree, site, with.options(), with.tasks, with.threads,
                                           std::make_shared<TaskLengths>(runs));
    const Dealing dealing = planLoop(tree, site, with.options(), with.tasks, with.threads).dealing;
    seen.insert(dealing);
    const DealtSection equal = dealSection(tree, site, with.options(), with.tasks, with.threads);
    const bool byLengths = isDealtByLengths(tree, site, with.options(), with.tasks, with.threads);
    EXPECT_FALSE(isDealtByLengths(tree, site, with.options(), with.tasks, 1));
    const double mean = ticks / static_cast<double>(with.tasks);
    for (std::uint64_t task = 0; task < with.tasks; ++task) {
      const memmodel::Turn turn = dealt.turnOf(task), &heard = dealer.turns[task];
      ASSERT_EQ(turn.thread, heard.thread) << program << ", " << task << ": " << with.str();
      if (dealer.isFirst[task]) {
        ASSERT_NEAR(turn.begin * mean, heard.begin, 1e-3) << program << ", task " << task;
      }
      if (turn.thread != equal.turnOf(task).thread) {
        ASSERT_TRUE(byLengths) << program << ": " << with.str();
        differ.insert(dealing);
      }
    }
    ASSERT_NEAR(dealt.end() * mean, dealer.end, 1e-3) << program << ": " << with.str();
  }
  EXPECT_EQ(seen.size(), 5u);
  EXPECT_EQ(differ, (std::set{Dealing::Queue, Dealing::Steal, Dealing::Guided}));
}

TEST(DealtSection, TakesTasksForEqualWhereChunksAreTooMany) {
  TreeMaker make;
  const auto site = make.site();
  const Tree &tree = make.root({});
  const std::uint64_t tasks = 3 * DealtSection::MostChunks;
  const auto lengths = std::make_shared<TaskLengths>(
      std::vector<TaskLengths::Run>{{tasks / 3, 10}, {tasks - tasks / 3, 1}});
  const auto beginOfLast = [&](Schedule schedule) {
    return dealSection(tree, site, optionsWith(OmpRuntime::Libomp, 2, schedule), tasks, 2, lengths)
        .turnOf(tasks - 1)
        .begin;
  };
  using Kind = Schedule::Kind;
  const auto all = static_cast<double>(tasks);
  EXPECT_EQ(beginOfLast({Kind::StaticChunk, 1}), all / 2 - 1);
  // 12 ticks in 3 tasks; thread 1's are half of all, and short. There are two blocks of those.
  EXPECT_NEAR(beginOfLast({Kind::Static, 0}), (all / 2 - 1) / 4, 1e-3);
  EXPECT_NEAR(beginOfLast({Kind::StaticChunk, 8}), (all / 2 * 4 - 1) / 4, 3);
}

TEST(TaskLengths, AreThoseOfTheTreesSections) {
  // Two sections of two tasks each, twice the one and once the other; and one inside another.
  TreeMaker make;
  const auto site = make.site(), other = make.site();
  const NodeId one = make.section(site, {{make.work(10), 1}, {make.work(30), 3}});
  const NodeId two = make.section(site, {{make.work(7), 4}});
  const NodeId odd = make.section(site, {{make.work(7), 5}});
  const NodeId around = make.section(other, {{make.task({{one, 1}}), 2}});
  Tree tree = make.root({{one, 2}, {make.u(5), 1}, {around, 1}, {two, 1}, {odd, 1}});
  tree.timebaseHz = 5e8; // 2 ns a tick
  memmodel::AccessLog log;
  const std::uint32_t profiled = 1;
  const auto outside = memmodel::AccessLog::Outside;
  for (const std::uint64_t tasks : {4, 4, 4, 5, 6})
    log.parts.push_back({profiled, tasks, 0, 0});
  log.parts.push_back({outside, 1, 0, 0});
  log.parts.push_back({0, 4, 0, 0}); // of a site that the tree has not
  const PartLengths found = partLengths(tree, log, {std::nullopt, site});
  EXPECT_EQ(found.taskNs, (std::vector<double>{50, 50, 14, 14, 0, 0, 0}));
  ASSERT_EQ(found.lengths.size(), 7u);
  ASSERT_TRUE(found.lengths[0]);
  EXPECT_EQ(found.lengths[1], found.lengths[0]);
  for (int i = 2; i < 7; ++i)
    EXPECT_FALSE(found.lengths[i]) << i;
  const TaskLengths &lengths = *found.lengths[0];
  EXPECT_EQ(lengths.tasks(), 4u);
  EXPECT_EQ(lengths.ticks(), 100);
  EXPECT_EQ(lengths.before(0), 0);
  EXPECT_NEAR(lengths.before(1), 0.4, 1e-12);
  EXPECT_NEAR(lengths.before(2), 1.6, 1e-12);
  EXPECT_EQ(lengths.before(4), 4);
  EXPECT_NEAR(lengths.unevenness(), (15 + 3 * 5) / 100., 1e-12);
  // Of two that the log has of three, one is taken to be of the first half, one of the second.
  log.parts.resize(2);
  EXPECT_EQ(partLengths(tree, log, {std::nullopt, site}).taskNs, (std::vector<double>{50, 14}));
}

TEST(TaskLengths, CountAsEqualWhereTheyDifferByLittle) {
  const auto areKnown = [](double one, double other) {
    TreeMaker make;
    const auto site = make.site();
    std::vector<Child> tasks;
    for (int i = 0; i < 100; ++i) // no task begins much earlier or later than if all were equal
      for (const double ticks : {one, other})
        tasks.push_back({make.work(ticks), 1});
    const Tree &tree = make.root({{make.section(site, tasks), 1}});
    memmodel::AccessLog log;
    log.parts.push_back({0, 200, 0, 0});
    const PartLengths found = partLengths(tree, log, {site});
    EXPECT_NEAR(found.taskNs[0], (one + other) / 2, 1e-9);
    return found.lengths[0] != nullptr;
  };
  EXPECT_FALSE(areKnown(100, 105));
  EXPECT_FALSE(areKnown(100, 120)); // a tenth is 110, less 11
  EXPECT_TRUE(areKnown(100, 130));
  EXPECT_TRUE(areKnown(100, 900));
}

TEST(DealtSections, AreMadeOnceForAllThatAreAlike) {
  TreeMaker make;
  const auto site = make.site(), other = make.site();
  const Tree &tree = make.root({});
  const EmulationOptions options =
      optionsWith(OmpRuntime::Libomp, 2, {Schedule::Kind::StaticChunk, 1});
  DealtSections sections(tree, options);
  const auto lengths =
      std::make_shared<TaskLengths>(std::vector<TaskLengths::Run>{{2, 100}, {2, 300}});
  const auto beginOfThird = [&](std::size_t part, std::uint32_t of, const auto &by) {
    return sections.dealt(part, of, 4, by).turnOf(2).begin;
  };
  for (std::size_t part = 0; part < 6; part += 3) { // by turns, and the same part again
    EXPECT_EQ(beginOfThird(part, site, lengths), 0.5);
    EXPECT_EQ(beginOfThird(part, site, lengths), 0.5);
    EXPECT_EQ(beginOfThird(part + 1, other, nullptr), 1);
    EXPECT_EQ(beginOfThird(part + 2, site, nullptr), 1);
  }
  EXPECT_EQ(sections.dealt(6, std::nullopt, 4, nullptr).threads(), 1u); // the tree has no such site
}

TEST(DealtSections, AreOfTheSite) {
  TreeMaker make;
  const auto site = make.site(), other = make.site(), limited = make.site();
  const Tree &tree = make.root({});
  EmulationOptions options = optionsWith(OmpRuntime::Libomp, 4, {});
  options.exceptSite = site;
  options.sites = {{{}, 0}, {{}, 0}, {{}, 2}};
  DealtSections sections(tree, options);
  EXPECT_EQ(sections.dealt(0, site, 4, nullptr).turnOf(3).thread, 0u);
  EXPECT_EQ(sections.dealt(1, other, 4, nullptr).turnOf(3).thread, 3u);
  EXPECT_EQ(sections.dealt(2, limited, 4, nullptr).turnOf(3).thread, 1u);
  EXPECT_EQ(sections.dealt(3, limited, 8, nullptr).turnOf(3).thread, 0u);
}

TEST(DealtSections, TakeTasksForEqualBehindManyChunks) {
  TreeMaker make;
  const auto site = make.site();
  const Tree &tree = make.root({});
  const EmulationOptions options =
      optionsWith(OmpRuntime::Libomp, 2, {Schedule::Kind::StaticChunk, 1});
  DealtSections sections(tree, options);
  constexpr std::uint64_t tasks = DealtSection::MostChunks;
  for (std::size_t part = 0; part < 17; ++part) {
    const auto lengths =
        std::make_shared<TaskLengths>(std::vector<TaskLengths::Run>{{1, 3}, {tasks - 1, 1}});
    const double begin = sections.dealt(part, site, tasks, lengths).turnOf(2).begin;
    EXPECT_NEAR(begin, part < 16 ? 3 : 1, 1e-3) << part;
  }
}

TEST(DealtSection, KnowsHowLongTasksTake) {
  TreeMaker make;
  const auto site = make.site();
  const Tree &tree = make.root({});
  const auto lengths =
      std::make_shared<TaskLengths>(std::vector<TaskLengths::Run>{{2, 100}, {2, 300}});
  using Kind = Schedule::Kind;
  for (const Schedule schedule : {Schedule{Kind::StaticChunk, 2}, {Kind::Dynamic, 2}, {}}) {
    const DealtSection dealt =
        dealSection(tree, site, optionsWith(OmpRuntime::Libgomp, 2, schedule), 4, 2, lengths);
    EXPECT_EQ(dealt.turnOf(0).length, 0.5);
    EXPECT_EQ(dealt.turnOf(3).length, 1.5);
    EXPECT_EQ(dealt.turnOf(3).begin, 1.5); // behind the one before it
  }
  EXPECT_EQ(dealSection(tree, site, optionsWith(OmpRuntime::Libgomp, 2, {}), 4, 2).turnOf(3).length,
            1);
}

TEST(DealtSection, KnowsHowLongTasksTakeInManyChunksThatShrink) {
  TreeMaker make;
  const auto site = make.site();
  const Tree &tree = make.root({});
  const std::uint64_t tasks = 2 * DealtSection::MostChunks;
  const auto lengths =
      std::make_shared<TaskLengths>(std::vector<TaskLengths::Run>{{tasks / 2, 1}, {tasks / 2, 3}});
  const Schedule guided{Schedule::Kind::Guided, 1};
  const DealtSection dealt =
      dealSection(tree, site, optionsWith(OmpRuntime::Libgomp, 2, guided), tasks, 2, lengths);
  EXPECT_EQ(dealt.turnOf(0).length, 0.5); // as many chunks as that are no more than some dozens
}

TEST(DealtSection, EndsInTheMeanWhereTasksAreEqual) {
  // libgomp's four threads take 3, 2, 2, 1, 1 and 1 of ten tasks.
  TreeMaker make;
  const auto site = make.site();
  const Tree &tree = make.root({});
  const Schedule guided{Schedule::Kind::Guided, 1};
  const DealtSection dealt =
      dealSection(tree, site, optionsWith(OmpRuntime::Libgomp, 4, guided), 10, 4);
  EXPECT_EQ(dealt.chunksDealt(), 6u);
  EXPECT_EQ(dealt.end(), 2.5);
  EXPECT_NEAR(dealt.tasksInARow(), 10 / 6., 1e-12);
}

TEST(DealtSection, KnowsHowManyTasksAThreadHasInARow) {
  using Kind = Schedule::Kind;
  TreeMaker make;
  const auto site = make.site();
  const Tree &tree = make.root({});
  const auto inARow = [&](Schedule schedule, std::uint64_t tasks, unsigned threads) {
    return dealSection(tree, site, optionsWith(OmpRuntime::Libomp, threads, schedule), tasks,
                       threads)
        .tasksInARow();
  };
  EXPECT_EQ(inARow({}, 64, 4), 16);
  EXPECT_EQ(inARow({}, 3, 4), 1); // one has none
  EXPECT_EQ(inARow({Kind::StaticChunk, 8}, 60, 4), 60 / 8.);
  EXPECT_EQ(inARow({Kind::Dynamic, 1}, 64, 4), 16); // each goes on in its block
  EXPECT_EQ(inARow({Kind::Dynamic, 1, true}, 64, 4), 1);
  EXPECT_EQ(inARow({Kind::StaticChunk, 1}, 64, 1), 64);
}

TEST(DealtSection, OfTasksIsDealtInBlocks) {
  TreeMaker make;
  const auto loop = make.site(), spawning = make.site(SiteKind::Tasks);
  const Tree &tree = make.root({});
  EmulationOptions options = optionsWith(OmpRuntime::Libomp, 2, {Schedule::Kind::StaticChunk, 1});
  const auto threadOfSecond = [&](std::uint32_t site) {
    return dealSection(tree, site, options, 4, 2).turnOf(1).thread;
  };
  EXPECT_EQ(threadOfSecond(loop), 1u);
  EXPECT_EQ(threadOfSecond(spawning), 0u);
  options.paradigm = Paradigm::Tbb; // loops are tasks, too
  EXPECT_EQ(threadOfSecond(loop), 0u);
}

TEST(DealtSection, HasRoomForAsManyTasksAsThereCanBe) {
  TreeMaker make;
  const auto site = make.site();
  const Tree &tree = make.root({});
  for (Schedule::Kind kind : {Schedule::Kind::StaticChunk, Schedule::Kind::Dynamic})
    for (OmpRuntime runtime : {OmpRuntime::Libomp, OmpRuntime::Libgomp})
      EXPECT_LT(dealSection(tree, site, optionsWith(runtime, 4, {kind, 3}), ~0ull, 4)
                    .turnOf(~0ull - 1)
                    .thread,
                4u);
}

TEST(DealtSection, OfASerialSiteIsOneThreads) {
  TreeMaker make;
  const auto site = make.site(), other = make.site();
  const Tree &tree = make.root({});
  EmulationOptions options = optionsWith(OmpRuntime::Libomp, 4, {Schedule::Kind::StaticChunk, 1});
  options.onlySite = other;
  const auto expectDealt = [&] {
    for (std::uint64_t task = 0; task < 10; ++task) {
      EXPECT_EQ(dealSection(tree, site, options, 10, 4).turnOf(task).thread, 0u);
      EXPECT_EQ(dealSection(tree, other, options, 10, 4).turnOf(task).thread, task % 4);
    }
  };
  expectDealt();
  options.onlySite.reset();
  options.exceptSite = site;
  expectDealt();
}

TEST(DealtSection, KnowsWhichChunksLieBehindTheirThreadsLastOnes) {
  using Kind = Schedule::Kind;
  TreeMaker make;
  const auto site = make.site();
  const Tree &tree = make.root({});
  const auto dealt = [&](OmpRuntime runtime, Schedule schedule) {
    return dealSection(tree, site, optionsWith(runtime, 3, schedule), 50, 3);
  };
  EXPECT_EQ(dealt(OmpRuntime::Libomp, {Kind::Dynamic, 4}).askedInARow(), 13u - 3);
  EXPECT_EQ(dealt(OmpRuntime::Libomp, {Kind::Dynamic, 4}).tasksOfAChunk(), 4u);
  EXPECT_EQ(dealt(OmpRuntime::Libomp, {Kind::Dynamic, 17}).askedInARow(), 0u); // one each
  EXPECT_EQ(dealt(OmpRuntime::Libomp, {Kind::Dynamic, 4, true}).askedInARow(), 0u);
  EXPECT_EQ(dealt(OmpRuntime::Libomp, {Kind::Guided, 1}).askedInARow(), 0u);
  EXPECT_EQ(dealt(OmpRuntime::Libomp, {Kind::Static, 0}).askedInARow(), 0u);
  EXPECT_EQ(dealt(OmpRuntime::Libgomp, {Kind::Dynamic, 4}).askedInARow(), 0u);
}
