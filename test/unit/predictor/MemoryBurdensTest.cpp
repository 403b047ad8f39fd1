//===- MemoryBurdensTest.cpp - Burden factors by a memory profile ---------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorOptions.h"
#include "emulatorTrees.h"
#include "memoryProgram.h"
#include "predictor/emulator/Emulator.h"

#include <cmath>
#include <gtest/gtest.h>
#include <thread>

using namespace prophet;
using namespace prophet::test;

TEST(ReplayedBurdens, AreOfTheSchedule) {
  const Program program;
  const auto burdens = program.burdens();
  // Every line changes its owner under static; with pairs of tasks by turns too, on two threads.
  const auto factor = [&](unsigned threads, Schedule schedule) {
    return burdens->factors(optionsWith(OmpRuntime::Libomp, threads, schedule))[0].at(threads);
  };
  EXPECT_NEAR(factor(2, {Schedule::Kind::Static, 0}), 1.5, 1e-9);
  EXPECT_NEAR(factor(4, {Schedule::Kind::Static, 0}), 1.5, 1e-9);
  EXPECT_NEAR(factor(2, {Schedule::Kind::StaticChunk, 2}), 1.5, 1e-9);
  EXPECT_NEAR(factor(2, {Schedule::Kind::StaticChunk, 64}), 1, 1e-9);
}

TEST(ReplayedBurdens, AreOfOneThreadWhereTheSiteIsLeftSerial) {
  const auto burdens = Program().burdens();
  EmulationOptions options = optionsWith(OmpRuntime::Libomp, 2, {});
  EXPECT_NEAR(burdens->factors(options)[0].at(2), 1.5, 1e-9);
  options.exceptSite = 0;
  EXPECT_NEAR(burdens->factors(options)[0].at(2), 1, 1e-9);
}

TEST(ReplayedBurdens, FindMoreInASharedCacheThatOthersFillTheFasterTheyAre) {
  // 64 lines, gone through four times in 64 us each: too late in the serial run to find them still.
  Program program;
  program.readAgain(4, 64, 1, memmodel::AccessClass::Stream);
  program.machine.caches = {{2, 256, 1}, {3, 1 << 20, 64, 0, {}, {{40e3, 100 * 64}, {60e3, 64}}}};
  const auto burdens = program.burdens({2}, 256e3);
  const auto factors =
      burdens->factors(optionsWith(OmpRuntime::Libomp, 2, {Schedule::Kind::Static, 0}));
  EXPECT_NEAR(factors[0].at(2), 1 - 192 * (16 / 3.0) / 256e3, 1e-9); // the first time they miss
}

TEST(ReplayedBurdens, AreOthersWhereASharedCacheThatOthersFillKeepsMoreOrLess) {
  // 64 lines, gone through four times, which two threads find there again, and one does not.
  Program program;
  program.readAgain(4, 64, 1, memmodel::AccessClass::Stream);
  program.machine.caches = {{2, 256, 1}, {3, 1 << 20, 64, 0, {}, {{40e3, 110 * 64}, {41e3, 640}}}};
  const EmulationOptions options = optionsWith(OmpRuntime::Libomp, 2, {Schedule::Kind::Static, 0});
  const auto factorOf = [&](const BurdenModel &model) { return model.factors(options)[0].at(2); };
  const auto burdens = [&](double spread) {
    program.machine.caches.back().reachSpread = spread;
    return program.burdens({2}, 256e3);
  };
  const auto model = burdens(1.5);
  const auto others = model->otherCaches();
  ASSERT_EQ(others.size(), 2u);
  EXPECT_GT(factorOf(*others[0]), factorOf(*model) + 1e-4); // fewer, and for less long
  EXPECT_EQ(factorOf(*others[1]), factorOf(*model));        // which finds all
  EXPECT_TRUE(others[0]->otherCaches().empty() && others[1]->otherCaches().empty());
  EXPECT_EQ(model->otherCaches(), others); // made once
  for (memmodel::ReachPoint &point : program.machine.caches.back().reach)
    point.size /= 2;
  const auto smaller = burdens(1.5);
  EXPECT_LT(factorOf(*smaller->otherCaches()[1]), factorOf(*smaller) - 1e-4);
}

TEST(ReplayedBurdens, AreOthersAtAKnifesEdge) {
  // Four times through 64 lines, of which two threads have 32 each in caches of 40, and of 56; in
  // ones of 28 none by the time that they come to them again, as one thread has none in any of
  // these.
  Program program;
  program.readAgain(4, 64, 1, memmodel::AccessClass::Irregular);
  program.machine.caches = {{2, 40 * 64, 1}, {3, 1 << 20, 64}};
  program.machine.memory->sharedCacheGbs = 8; // a line in 8 ns
  const EmulationOptions options = optionsWith(OmpRuntime::Libomp, 2, {Schedule::Kind::Static, 0});
  const auto factorOf = [&](const BurdenModel &model) { return model.factors(options)[0].at(2); };
  const auto model = program.burdens({2}, 256e3);
  EXPECT_NEAR(factorOf(*model), 1 - 192 * 8 / 256e3, 1e-9);
  const auto others = model->otherCaches();
  ASSERT_EQ(others.size(), 2u);
  EXPECT_NEAR(factorOf(*others[0]), 1, 1e-9);
  EXPECT_NEAR(factorOf(*others[1]), 1 - 192 * 8 / 256e3, 1e-9);
  EXPECT_TRUE(others[0]->otherCaches().empty() && others[1]->otherCaches().empty());
  program.profile->log.reset(); // by stack distances: the same for any number of threads
  EXPECT_EQ(factorOf(*program.burdens({2}, 256e3)->otherCaches().at(0)), 1);
}

TEST(ReplayedBurdens, AreOthersWhereCoresWereElsewhere) {
  const EmulationOptions options = optionsWith(OmpRuntime::Libomp, 2, {Schedule::Kind::Static, 0});
  const auto factorOf = [&](const BurdenModel &model) { return model.factors(options)[0].at(2); };
  Program program;
  EXPECT_FALSE(program.burdens()->otherPlaces());
  program.machine.memory->quality = {10, 8, false, 2, 50, 100, {}};
  const auto model = program.burdens();
  EXPECT_NEAR(factorOf(*model), 1.5, 1e-9);
  const auto other = model->otherPlaces();
  ASSERT_TRUE(other);
  EXPECT_NEAR(factorOf(*other), 2, 1e-9); // lines take twice as long from core to core
  EXPECT_FALSE(other->otherPlaces());
  EXPECT_TRUE(other->otherCaches().empty());
  EXPECT_EQ(model->otherPlaces(), other); // made once
}

TEST(ReplayedBurdens, DealTasksByHowLongTheyTake) {
  // Two sections of a long task and three short ones, which change lines 0 to 3 and then, the short
  // ones, each other's.
  Program program;
  program.profile->sites[0].executions = 2;
  auto &log = *program.profile->log;
  log = {};
  for (const auto &lines : {std::array{0u, 1u, 2u, 3u}, {0, 2, 3, 1}}) {
    log.parts.push_back({0, 4, log.tasks.size(), 4});
    for (std::uint64_t task = 0; task < 4; ++task) {
      log.tasks.push_back({task, log.references.size(), 1});
      log.references.push_back({lines[task], memmodel::AccessClass::Stream, true});
    }
  }
  const auto factor = [&](std::initializer_list<Child> tasks, TreeMaker make) {
    make.site();
    program.tree = std::make_shared<Tree>(make.root({{make.section(0, tasks), 2}}));
    const Schedule oneByOne{Schedule::Kind::Dynamic, 1};
    return program.burdens({2}, 12e3)->factors(optionsWith(OmpRuntime::Libgomp, 2, oneByOne))[0].at(
        2);
  };
  TreeMaker make;
  const NodeId three = make.work(3000), one = make.work(1000);
  EXPECT_NEAR(factor({{three, 1}, {one, 3}}, make), 1, 1e-9); // one thread has all short ones
  EXPECT_GT(factor({{one, 4}}, make), 1.001);                 // they take turns
}

TEST(ReplayedBurdens, AreLinearBetweenThreadCountsThatAreReplayed) {
  Program program;
  program.machine.memory->transferAheadNs = 100;
  const auto factor = [](const ReplayedBurdens &burdens, unsigned threads) {
    return burdens.factors(optionsWith(OmpRuntime::Libomp, threads, {}))[0].at(threads);
  };
  const auto some = program.burdens(), exact = program.burdens({5, 7});
  EXPECT_NEAR(factor(*some, 5), (factor(*some, 4) + factor(*some, 6)) / 2, 1e-9);
  EXPECT_EQ(factor(*exact, 6), factor(*some, 6));
  EXPECT_GT(factor(*exact, 7), 1);
  EXPECT_EQ(factor(*some, 200), factor(*some, ReplayedBurdens::MostReplayed));
}

TEST(ReplayedBurdens, AreTheCoresWhereThreadsAreMore) {
  const Program program;
  EmulationOptions options = optionsWith(OmpRuntime::Libomp, 4, {});
  options.cores = 1;
  EXPECT_NEAR(program.burdens()->factors(options)[0].at(4), 1, 1e-9);
}

TEST(ReplayedBurdens, WithoutALogAreByTheSerialRunsDistances) {
  Program program;
  program.profile->log.reset();
  program.profile->sites[0].classes[0].cold = 1000;
  const auto burdens = program.burdens();
  EXPECT_NEAR(burdens->factors(optionsWith(OmpRuntime::Libomp, 2, {}))[0].at(2), 1, 1e-9);
  // 1000 lines of a stream at 80 / 15 ns each, and as many bytes on each thread
  const auto roofline = burdens->rooflines(optionsWith(OmpRuntime::Libomp, 2, {}))[0];
  ASSERT_TRUE(roofline);
  EXPECT_NEAR(roofline->gbs, 2 * 64e3 / 128e3, 1e-9);
  EXPECT_FALSE(roofline->gflops);
  EXPECT_FALSE(roofline->flopsPerByte);
  // The tree has twice 64 tasks, each of which is dealt out for as long as it takes.
  EmulationOptions dealt = optionsWith(OmpRuntime::Libomp, 2, {Schedule::Kind::Dynamic, 1});
  dealt.overheads.steal.chunk = 1000;
  EXPECT_NEAR(burdens->rooflines(dealt)[0]->gbs, 2 * 64e3 / 256e3, 1e-9);
}

TEST(ReplayedBurdens, LeaveTheMemoryToOthersWhileChunksAreDealtOut) {
  // Two threads want 16 GB/s each where there are 16 in all: they take twice as long, one as ever.
  Program program;
  program.readAgain(3, 64, 512, memmodel::AccessClass::Stream); // twice the last cache
  program.machine.memory->curves = {{1, {{0, 80}, {16, 80}}}};
  const double ns = 3 * 64 * 512 * 64 / 16.0;
  const auto burdens = program.burdens({2}, ns);
  EmulationOptions options = optionsWith(OmpRuntime::Libomp, 2, {Schedule::Kind::Dynamic, 2});
  EXPECT_NEAR(burdens->factors(options)[0].at(2), 2, 1e-9);
  // As long: 1 / x = 1 - 1/2 x / (x + 1), in three sections of 32 chunks.
  options.overheads.steal.chunk = ns / 96;
  EXPECT_NEAR(burdens->factors(options)[0].at(2), std::sqrt(2.0), 1e-9);
  options.schedule = {};
  EXPECT_NEAR(burdens->factors(options)[0].at(2), 2, 1e-9);
}

TEST(ReplayedBurdens, SayHowMuchIsComputedWhereTheProfileHasIt) {
  Program program;
  program.profile->log.reset();
  program.profile->sites[0].classes[0].cold = 1000;
  program.profile->sites[0].flops = 32e3; // in 128 us on one thread, with 64 kB moved
  for (const unsigned threads : {1u, 2u}) {
    const auto point =
        program.burdens()->rooflines(optionsWith(OmpRuntime::Libomp, threads, {}))[0];
    ASSERT_TRUE(point && point->gflops && point->flopsPerByte);
    EXPECT_NEAR(*point->gflops, threads * 0.25, 1e-9);
    EXPECT_NEAR(*point->flopsPerByte, 0.5, 1e-9);
  }
}

TEST(ReplayedBurdens, AreOfTheLastCacheThatAThreadHas) {
  // Lines that one thread has written and half of which it has itself, read by the other one: the
  // others from the last-level cache, but from the first one's if it is not both threads'.
  Program program;
  auto &log = program.profile->log.emplace();
  for (const bool isWrite : {true, false, false}) {
    log.parts.push_back({0, 2, log.tasks.size(), 2});
    for (std::uint32_t task = 0; task < 2; ++task) {
      log.tasks.push_back({task, log.references.size(), isWrite == (task == 0) ? 2000u : 0u});
      for (std::uint32_t line = 0; line < log.tasks.back().count; ++line)
        log.references.push_back({line, memmodel::AccessClass::Chase, isWrite});
    }
  }
  program.machine.memory->sharedCacheGbs = 64;
  const auto factor = [&](unsigned sharedBy) {
    program.machine.caches = {{2, 65536, 1}, {3, 1 << 20, sharedBy}};
    const auto burdens = program.burdens();
    return burdens->factors(optionsWith(OmpRuntime::Libomp, 2, {}))[0].at(2);
  };
  EXPECT_GT(factor(1), 1.8 * factor(2));
}

TEST(ReplayedBurdens, AreDoubtfulBySamplesOfFewLines) {
  Program program;
  const EmulationOptions options = optionsWith(OmpRuntime::Libomp, 2, {Schedule::Kind::Static, 0});
  const auto warnings = [&] { return program.burdens()->warnings(options); };
  program.profile->sampledLines = 99;
  EXPECT_TRUE(warnings().empty()); // that are all there are
  program.profile->rate = 1.0 / 64;
  EXPECT_EQ(warnings(), std::vector<std::string>{
                            "the memory profile knows of 99 cache lines, 1 of 64: what memory does "
                            "to the speedups may be far off; make it on larger input, or with "
                            "PROPHET_MEMORY_RATE=1/8"});
  program.profile->sampledLines = 100;
  EXPECT_TRUE(warnings().empty());
  std::vector<std::uint32_t> &places = program.profile->log->places;
  const std::vector<std::uint32_t> all = places;
  places.assign(99, 0);
  program.profile->log->rate = 1.0 / 64;
  EXPECT_TRUE(warnings().empty()); // the program uses no more
  program.profile->log->rate = 1.0 / 256;
  places.assign(99, 0);
  EXPECT_EQ(warnings(),
            std::vector<std::string>{
                "the memory profile's log has 99 cache lines, 1 of 256, of a run that is too long "
                "for more: what memory does to the speedups may be far off; make it of a shorter "
                "one"});
  places.assign(100, 0);
  EXPECT_TRUE(warnings().empty());
  places = all;
  program.profile->sampledLines = 99;
  program.machine.memory->transferNs = 0; // it does nothing
  EXPECT_TRUE(warnings().empty());
}

TEST(ReplayedBurdens, AreTheSameWhicheverThreadAsks) {
  const Program program;
  const auto burdens = program.burdens();
  std::vector<BurdenFactors> asked(8);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < asked.size(); ++i)
      threads.emplace_back(
          [&, i] { asked[i] = burdens->factors(optionsWith(OmpRuntime::Libomp, 2 + i % 2, {})); });
  }
  for (std::size_t i = 2; i < asked.size(); ++i)
    EXPECT_EQ(asked[i], asked[i % 2]);
}

TEST(ReplayedBurdens, BurdenAnEmulatedRun) {
  const Program program;
  EmulationOptions options = optionsWith(OmpRuntime::Libomp, 2, {});
  options.useBurden = true;
  options.burdenModel = program.burdens();
  const Emulator emulator(*program.tree);
  EXPECT_NEAR(emulator.run(options).ticks, 64e3 * 1.5, 1e-6);
  EXPECT_NEAR(emulator.runWithoutGains(options).ticks, 64e3 * 1.5, 1e-6);
  EXPECT_NEAR(emulator.speedup(options), 2 / 1.5, 1e-9);
  options.schedule = {Schedule::Kind::StaticChunk, 64};
  EXPECT_NEAR(emulator.run(options).ticks, 128e3, 1e-6);
  options.useBurden = false;
  EXPECT_NEAR(emulator.run(options).ticks, 128e3, 1e-6);
}
