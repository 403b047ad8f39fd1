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

using namespace prophet;
using namespace prophet::test;

namespace {

/// Which thread runs each iteration of the one loop that it hears, as which one of its own.
class Dealer : public EventListener {
public:
  explicit Dealer(std::uint64_t tasks) : turns(tasks) {}

  std::vector<memmodel::Turn> turns;

  void regionBegins(NodeId, double) override {}
  void interval(const Interval &heard) override {
    if (heard.activity == Activity::Compute)
      for (std::uint64_t i = 0; i < heard.place.count; ++i)
        turns[heard.place.first + i] = {heard.thread, done[heard.thread]++};
  }
  void regionEnds(double) override {}

private:
  std::map<unsigned, std::uint64_t> done;
};

} // namespace

TEST(DealtSection, IsTheEmulatorsWhereTasksAreEqual) {
  using Kind = Schedule::Kind;
  std::mt19937_64 random(11);
  for (int program = 0; program < 400; ++program) {
    const std::uint64_t tasks = 1 + random() % 300;
    const unsigned threads = 2 + static_cast<unsigned>(random() % 7);
    const Kind kind = std::array{Kind::Static, Kind::StaticChunk, Kind::Dynamic, Kind::Guided,
                                 Kind::Auto}[random() % 5];
    const bool hasChunk = kind != Kind::Static && kind != Kind::Auto;
    const Schedule schedule{kind, hasChunk ? 1 + random() % 9 : 0};
    const OmpRuntime runtime = random() % 2 ? OmpRuntime::Libomp : OmpRuntime::Libgomp;
    const EmulationOptions options = optionsWith(runtime, threads, schedule);
    TreeMaker make;
    const auto site = make.site();
    const Tree &tree = make.root({{make.section(site, {{make.work(100), tasks}}), 1}});
    Dealer dealer(tasks);
    Emulator(tree).run(options, &dealer);
    const DealtSection dealt = dealSection(tree, site, options, tasks, threads);
    const LoopPlan plan = planLoop(tree, site, options, tasks, threads);
    // Threads whose blocks have ended may still steal, though all tasks are equal.
    const bool steals = plan.dealing == Dealing::Steal;
    std::uint64_t elsewhere = 0;
    for (std::uint64_t task = 0; task < tasks; ++task) {
      const memmodel::Turn turn = dealt.turnOf(task);
      if (turn.thread != dealer.turns[task].thread) {
        ++elsewhere;
      } else if (!steals) {
        ASSERT_EQ(turn.number, dealer.turns[task].number) << program << " task " << task;
      }
    }
    ASSERT_LE(elsewhere, steals ? threads * plan.chunk : 0)
        << program << ": " << schedule.str() << ", " << tasks << " tasks on " << threads;
  }
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
