//===- emulatorEventsTest.cpp - Who acts next, and who needs no event -----===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorBothWays.h"
#include "emulatorPrograms.h"
#include "emulatorTrees.h"
#include "predictor/emulator/Pinning.h"
#include "predictor/emulator/Tournament.h"

#include <algorithm>
#include <random>

using namespace prophet;
using namespace prophet::test;

namespace {

TEST(Tournament, HasTheFirstOfAllEventsOnTop) {
  std::mt19937_64 random(1);
  for (const std::size_t places : {1, 2, 3, 7, 8, 13}) {
    Tournament tournament(places);
    // Threads stand anywhere: at one time the lower-numbered is first, wherever it stands.
    std::vector<Event> events(places, {Tournament::never, 0});
    for (int change = 0; change < 1000; ++change) {
      const std::size_t place = random() % places;
      const bool far = change % 2 == 1; // as late, and as high a number, as can be
      const Time at = static_cast<Time>(random() % 5), thread = static_cast<Time>(random() % 100);
      events[place] = {far ? Tournament::never - 1 - at : at,
                       static_cast<std::uint32_t>(far ? ~thread : thread)};
      tournament.set(place, events[place]);
      const Event first = *std::ranges::min_element(events, std::less<>());
      ASSERT_EQ(tournament.top().at, first.at);
      ASSERT_EQ(tournament.top().thread, first.thread);
    }
  }
}

TEST(EventHeap, KnowsWhoStaysOnTop) {
  std::mt19937_64 random(1);
  for (int drawn = 0; drawn < 1000; ++drawn) {
    EventHeap heap;
    for (std::uint32_t thread = 0; thread <= drawn % 9u; ++thread)
      heap.push({static_cast<Time>(random() % 5), thread});
    const std::uint32_t top = heap.top().thread;
    const Time later = heap.top().at + static_cast<Time>(random() % 5);
    const bool stays = heap.staysOnTop(later);
    heap.moveTop(later);
    ASSERT_EQ(heap.top().thread == top, stays);
  }
}

/// Where somebody listens every overhead is an event of its own; where nobody does, those during
/// which no other thread acts are none.
TEST(Overheads, MayPassWithoutAnEvent) {
  std::mt19937_64 random(seedOfPrograms(20261123));
  for (std::uint64_t number = 0; number < programsToDraw(600); ++number) {
    SCOPED_TRACE("program " + std::to_string(number));
    Shape shape;
    shape.tasks = number % 2 == 0;
    Program program = drawProgram(random, shape);
    EmulationOptions &options = program.options;
    options.threads = static_cast<unsigned>(2 + random() % 6);
    options.cores = 0;
    options.maxActiveLevels = 1;
    options.overheads = Overheads::typical(options.runtime);
    ticks(program.tree, options);
  }
}

/// Whether all figures are the same where each chunk is an event, which it is if somebody listens.
bool isSameByChunks(const Program &program) {
  Silent listener;
  const Emulator emulator(program.tree);
  const Estimate one = emulator.run(program.options),
                 other = emulator.run(program.options, &listener);
  const auto isNear = [&](double left, double right) {
    return std::abs(left - right) <= 1e-9 * other.waterfall.threadTicks;
  };
  bool same = isNear(one.ticks, other.ticks);
  for (std::size_t site = 0; site < one.sites.size(); ++site)
    same &= isNear(one.sites[site].ticks, other.sites[site].ticks);
  for (const auto part :
       {&TimeParts::useful, &TimeParts::serial, &TimeParts::imbalance, &TimeParts::lock,
        &TimeParts::overhead, &TimeParts::memory, &TimeParts::cores, &TimeParts::outlining})
    same &= isNear(one.waterfall.program.*part, other.waterfall.program.*part);
  return same;
}

/// Loops behind `nowait`, alone or inside others, on fewer cores than there are threads, and where
/// who computes is the faster the fewer others do: those in which nobody meets take an event of
/// each thread, and where somebody listens, one of each chunk.
TEST(Nowait, LoopsInWhichNobodyMeetsTakeAnEventOfEachThread) {
  std::mt19937_64 random(seedOfPrograms(20261124));
  for (std::uint64_t number = 0; number < programsToDraw(2000); ++number) {
    SCOPED_TRACE("program " + std::to_string(number));
    Shape shape;
    shape.locks = number % 4 == 0;
    shape.nested = number % 3 != 0;
    Program program = drawProgram(random, shape);
    EmulationOptions &options = program.options;
    options.threads = static_cast<unsigned>(2 + random() % 6);
    options.cores = static_cast<unsigned>(1 + random() % options.threads);
    options.maxActiveLevels = static_cast<unsigned>(1 + random() % 2);
    options.waitPolicy = WaitPolicy::Passive; // else threads stay on their cores
    options.useBurden = !shape.nested; // inner sections' times are not relieved by the formula
    options.burdens.clear();
    if (options.useBurden)
      options.burdens.resize(program.tree.sites.size(), {{1, 1}, {8, 1.75}});
    options.whileComputing = options.burdens;
    if (!isSameByChunks(program))
      FAIL() << print(
          shrink(program, [](const Program &smaller) { return !isSameByChunks(smaller); }));
  }
}

/// Loops of so many iterations come to an end, where all threads have cores, share them, or stay on
/// the two that there are.
TEST(Nowait, LongLoopsTakeNoTime) {
  const Schedule schedules[] = {{},
                                {Schedule::Kind::StaticChunk, 1},
                                {Schedule::Kind::Dynamic, 1},
                                {Schedule::Kind::Dynamic, 1, true}};
  for (const unsigned cores : {2u, 4u})
    for (const double slice : {0.0, 1.0})
      for (const Schedule &schedule : schedules) {
        TreeMaker make;
        const auto first = make.site(SiteKind::ParallelFor, true), second = make.site();
        const NodeId less = make.work(10), more = make.work(30);
        constexpr std::uint64_t many = 1'000'000'000;
        make.root({{make.section(first, {{less, many}, {more, many}}), 1},
                   {make.section(second, {{more, many}, {less, many}}), 1}});
        EmulationOptions options;
        options.threads = 4;
        options.cores = cores;
        options.overheads.baseSlice = slice;
        options.schedule = schedule;
        EXPECT_NEAR(emulate(make.tree, options).ticks, 80e9 / cores, 1e-3 * 80e9 / cores)
            << schedule.str() << " on " << cores << " cores, " << slice;
      }
}

/// The mean of 31 draws.
double meanTicks(const Tree &tree, EmulationOptions options, EventListener *listener) {
  double sum = 0;
  const Emulator emulator(tree);
  for (options.seed = 1; options.seed <= 31; ++options.seed)
    sum += emulator.run(options, listener).ticks;
  return sum / 31;
}

/// Threads on two cores on which they stay, that deal themselves a loop behind one with `nowait`.
TEST(Nowait, LoopsAreTakenInPiecesWhereNoChunkIsLong) {
  for (const unsigned threads : {3u, 4u, 8u})
    for (const bool hasLongOne : {false, true}) {
      TreeMaker make;
      const auto first = make.site(SiteKind::ParallelFor, true), second = make.site();
      std::vector<Child> uneven, tasks;
      for (unsigned i = 0; i < threads; ++i)
        uneven.push_back({make.work(10 + 7 * i), 1});
      tasks.push_back({make.work(hasLongOne ? 100'000 : 200), 1});
      for (unsigned i = 0; i < 1000 * (threads - 1); ++i)
        tasks.push_back({make.work(90 + i % 21), 1});
      make.root({{make.section(first, uneven), 1}, {make.section(second, tasks), 1}});
      EmulationOptions options;
      options.threads = threads;
      options.cores = 2;
      options.overheads.baseSlice = 1;
      options.schedule = {Schedule::Kind::Dynamic, 1, true};
      Silent listener;
      const double byChunks = meanTicks(make.tree, options, &listener);
      EXPECT_NEAR(meanTicks(make.tree, options, nullptr), byChunks,
                  (hasLongOne ? 1e-9 : 0.01) * byChunks);
    }
}

/// More work than half of what the grid of virtual time holds, shared by all threads of a core.
TEST(StayingThreads, DoTheirWorkHoweverMuchItIs) {
  for (const double factor : {1.5, 6.0, 7.9, 10.0})
    for (const unsigned threads : {2u, 12u}) {
      TreeMaker make;
      make.root({{make.section(make.site(), {{make.work(127), 12}}), 1}});
      EmulationOptions options;
      options.threads = threads;
      options.cores = 1;
      options.overheads.baseSlice = 1;
      options.useBurden = true;
      options.burdens = {{{threads, factor}}};
      EXPECT_NEAR(emulate(make.tree, options).ticks, 127 * 12 * factor, 1e-6);
    }
}

/// `trips` iterations around an inner loop and code of its own, on four threads that share two
/// cores.
Estimate aroundInner(std::uint64_t trips, OmpRuntime runtime, Schedule schedule) {
  TreeMaker make;
  const auto outer = make.site(), inner = make.site();
  const NodeId task = make.task({{make.u(30), 1}, {make.section(inner, {{make.work(10), 2}}), 1}});
  const Tree &tree = make.root({{make.section(outer, {{task, trips}}), 1}});
  EmulationOptions options;
  options.threads = 4;
  options.cores = 2;
  options.runtime = runtime;
  options.schedule = schedule;
  return emulate(tree, options);
}

TEST(Events, ManyInnerSectionsTakeNone) {
  // Of few all are stepped through, of many none: times are the same, and those of the inner site
  // but for what happens while the threads end.
  for (OmpRuntime runtime : {OmpRuntime::Libomp, OmpRuntime::Libgomp})
    for (Schedule schedule :
         {Schedule{}, Schedule{Schedule::Kind::StaticChunk, 3},
          Schedule{Schedule::Kind::Dynamic, 1}, Schedule{Schedule::Kind::Guided, 1}}) {
      const Estimate few = aroundInner(8'000, runtime, schedule);
      const Estimate many = aroundInner(8'000'000, runtime, schedule);
      EXPECT_NEAR(many.ticks, 1000 * few.ticks, 1e-2 * many.ticks) << schedule.str();
      EXPECT_NEAR(many.ticks, 8e6 * 50 / 2, 1e-3 * many.ticks) << schedule.str();
      EXPECT_NEAR(few.sites[1].ticks, 8000 * 20 * 2, 1e-2 * few.sites[1].ticks) << schedule.str();
      EXPECT_NEAR(many.sites[1].ticks, 8e6 * 20 * 2, 1e-2 * many.sites[1].ticks) << schedule.str();
    }
}

TEST(Events, PiecesOfLoopsAtOneCounterTakeAsLongAsTheirChunks) {
  // 64 threads on two cores, of which only two can be at the counter at once.
  const auto perIteration = [](std::uint64_t trips) {
    TreeMaker make;
    const auto first = make.site(), second = make.site();
    make.tree.sites[first].nowait = true;
    const Child run{make.work(1), trips};
    const Tree &tree =
        make.root({{make.section(first, {run}), 1}, {make.section(second, {run}), 1}});
    EmulationOptions options;
    options.threads = 64;
    options.cores = 2;
    options.schedule = {Schedule::Kind::Dynamic, 1, true};
    options.overheads = Overheads::typical(OmpRuntime::Libomp);
    return emulate(tree, options).ticks / static_cast<double>(trips);
  };
  const double byChunks = perIteration(manyChunks * 64), inPieces = perIteration(manyChunks * 65);
  EXPECT_NEAR(inPieces, byChunks, 0.1 * byChunks);
}

} // namespace
