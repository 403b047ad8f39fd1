//===- MemoryRoundsTest.cpp - From windows to a machine's memory --------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memoryWindows.h"

#include <gtest/gtest.h>

using namespace prophet;

namespace {

TEST(MemoryRounds, countWindowsOnCoresThatWereElsewhere) {
  auto groups = memoryWindows(1);
  for (MemoryGroup &group : groups) {
    Round round = group.rounds.thatCount().front();
    group.rounds = {};
    for (const double handover : {60., 62., 64., 240.}) {
      round.handoverNs = handover;
      group.rounds.add(round);
    }
  }
  memmodel::Machine machine = fourCores();
  addMemoryFigures(machine, groups);
  const auto &quality = machine.memory->quality;
  EXPECT_EQ(quality.elsewhere, groups.size());
  EXPECT_EQ(quality.accepted, 3 * groups.size());
  EXPECT_EQ(quality.handoverNs, 62);
  EXPECT_EQ(quality.elsewhereNs, 240);
}

TEST(MemoryRounds, becomeCurvesClassesAndCaches) {
  memmodel::Machine machine = fourCores();
  addMemoryFigures(machine, memoryWindows(1));
  const memmodel::MemoryFigures &memory = *machine.memory;
  EXPECT_EQ(machine.caches[1].latencyNs, 4);
  EXPECT_EQ(machine.caches[2].latencyNs, 15);
  EXPECT_EQ(machine.caches[2].effectiveBytes, std::pair(4194304., 16777216.));
  ASSERT_EQ(memory.curves.size(), 3u);
  EXPECT_EQ(memory.curves[0].points.front(), (memmodel::CurvePoint{0.64, 100})); // a chain's
  EXPECT_EQ(memory.curves[0].readShare, 1); // of three lines none is written, one, or each
  EXPECT_EQ(memory.curves[1].readShare, 0.75);
  EXPECT_EQ(memory.curves[2].readShare, 0.5);
  // All four threads get 6.25 GB/s each of 10, so they wait 1.6 times as long as one, 113 ns.
  EXPECT_EQ(memory.curves[0].points.back().gbs, 25);
  EXPECT_NEAR(memory.curves[0].points.back().ns, (100 + 40 / 3.) * 1.6, 1e-9);
  EXPECT_EQ(memory.threads, 4u);
  EXPECT_EQ(memory.transferNs, 50);
  EXPECT_EQ(memory.transferAheadNs, 8);
  memmodel::Machine other = machine;
  addMemoryFigures(other, memoryWindows(1, 70)); // no more than one that nobody knows of
  EXPECT_EQ(other.memory->transferAheadNs, 50);
  EXPECT_TRUE(other.memory->transferOverlap.empty()); // it was not measured of 50
  addMemoryFigures(other, memoryWindows(1, 50));
  EXPECT_EQ(other.memory->transferOverlap.size(), 2u); // of which it was
  EXPECT_EQ(memory.accessesPerNs, 8);
  EXPECT_EQ(memory.additionNs, 0.7);
  EXPECT_NEAR(memory.sharedStreamGbs, 20, 1e-9);
  EXPECT_EQ(memory.sparseGbs, 0.8);
  using Points = std::vector<memmodel::OverlapPoint>;
  EXPECT_EQ(memory.memoryOverlap, (Points{{0.25, 0.75}, {0.5, 0.75}, {2, 0.25}}));
  EXPECT_EQ(memory.sharedOverlap, (Points{{0.5, 0.5}, {1, 0.5}, {4, 0}}));
  EXPECT_EQ(memory.transferOverlap, (Points{{0.125, 0.875}, {0.25, 0.75}}));
  ASSERT_TRUE(memory.together);
  EXPECT_EQ(memory.together->streams, 5u);
  EXPECT_EQ(memory.together->gbs, 20);
  EXPECT_EQ(memory.together->memoryOverlap, (Points{{0.3125, 0.6875}, {0.625, 0.625}, {2.5, 0}}));
  EXPECT_EQ(memory.together->sharedOverlap, (Points{{0.5, 0.5}, {1, 0.25}, {4, 0}}));
  // What a line takes, 6.4 ns and what it has of an end, which took longer under what both threads
  // moved by turns.
  const auto expectRuns = [](const auto &runs, const std::map<unsigned, double> &ns) {
    ASSERT_EQ(runs.size(), ns.size());
    for (const auto &[lines, ofLine] : ns)
      EXPECT_NEAR(64 / runs.at(lines), ofLine, 1e-9);
  };
  const memmodel::CurveFamily curves(memory.curves);
  const auto longer = [&](double nsOfLine, double readShare) { // of each thread
    return curves.latency(2 * 64 / nsOfLine / readShare, readShare) / curves.idleLatency();
  };
  EXPECT_GT(longer(12.8 + 6, 1), 1.02);
  expectRuns(memory.streamRuns.lean,
             {{16, 6.4 + 6 / longer(12.8 + 6, 1)}, {64, 6.4 + 2 / longer(16 + 2, 1)}});
  expectRuns(memory.streamRuns.busy, {{16, 6.4 + 10 / longer(25.6 + 10, 1)}, {64, 6.4}});
  expectRuns(memory.streamRuns.written, {{5, 6.4 + 8 / longer(25.6 + 8, 0.5)}});
  expectRuns(memory.sharedRuns.lean, {{5, 3.2 + 0.8}});
  expectRuns(memory.sharedRuns.busy, {{5, 3.2 + 1.2}});
  expectRuns(memory.sharedRuns.written, {{5, 3.2 + 1.6}});
  // Five streams take 480 ns for an end, each of 16 lines 6; one took 160, which are 10.
  EXPECT_EQ(memory.memoryEnds.streams, 5u);
  EXPECT_NEAR(memory.memoryEnds.times, 3 * longer(25.6 + 10, 1) / longer(12.8 + 6, 1), 1e-9);
  // In a lean loop 240, 3 a line, and 96.
  EXPECT_NEAR(memory.memoryEnds.leanTimes, 2.5 * longer(12.8 + 6, 1) / longer(12.8 + 3, 1), 1e-9);
  EXPECT_EQ(memory.memoryEnds.writtenTimes, 0); // was not measured
  EXPECT_EQ(memory.sharedEnds, (memmodel::EndsTogether{5, 2, 2.5, 5}));
  EXPECT_EQ(memory.ownEnds.ns, (std::map<unsigned, double>{{5, 0}, {16, 60}, {64, 150}}));
  EXPECT_EQ(memory.ownEndsTogether, (memmodel::EndsTogether{5, 2.5}));
  EXPECT_EQ(memory.moved.read, (memmodel::LineMove{4, {{{16, 32}, {32, 0}, {64, 32}}}}));
  EXPECT_EQ(memory.moved.upgraded,
            (memmodel::LineMove{memory.transferNs, {{{16, 0}}}})); // none takes longer
  EXPECT_EQ(memory.moved.written, memmodel::LineMove{});
  EXPECT_TRUE(memory.saturationSeen);
  addMemoryFigures(machine, memoryWindows(6));
  EXPECT_FALSE(machine.memory->saturationSeen);
}

TEST(MemoryRounds, reachTheMemorysLimitWhereTheLastCoreBringsLessThanAQuarter) {
  memmodel::Machine machine = fourCores();
  addMemoryFigures(machine, memoryWindows(2.4)); // of 10
  EXPECT_TRUE(machine.memory->saturationSeen);
  addMemoryFigures(machine, memoryWindows(2.6));
  EXPECT_FALSE(machine.memory->saturationSeen);
  auto groups = memoryWindows(1);
  for (MemoryGroup &group : groups)
    if (const auto &name = group.arguments; name[0] == "load") {
      group.rounds = {};
      for (unsigned i = 0; i < FewestRounds; ++i) // on one core
        group.rounds.add({"memory", 0, 0, 0, 0, {{"load." + name[1] + ".traffic", {{1, 10}}}}});
    }
  addMemoryFigures(machine, groups);
  EXPECT_EQ(machine.memory->threads, 1u);
  EXPECT_FALSE(machine.memory->saturationSeen);
}

TEST(MemoryRounds, tellHowFarApartWindowsAre) {
  auto groups = memoryWindows(1);
  const auto group = std::ranges::find_if(
      groups, [](const MemoryGroup &one) { return one.arguments[0] == "classes"; });
  ASSERT_NE(group, groups.end());
  Round round = group->rounds.thatCount().front();
  group->rounds = {};
  for (const double gbs : {8, 9, 10, 11, 12}) {
    round.figures["class.stream"] = {{1, gbs}};
    round.figures["run.stream.gbs"] = {{16, gbs}, {64, 4}};
    group->rounds.add(round);
  }
  round.foreignCores = 3;
  group->rounds.add(round);
  memmodel::Machine machine = fourCores();
  addMemoryFigures(machine, groups);
  const memmodel::Quality &quality = machine.memory->quality;
  EXPECT_EQ(quality.tried, quality.accepted + 1);
  EXPECT_NEAR(quality.iqr.at("class.stream"), 0.2, 1e-9);
  EXPECT_NEAR(quality.iqr.at("run.stream.gbs"), 0.1, 1e-9); // the mean
  EXPECT_EQ(quality.iqr.at("run.busy.end"), 0);             // one of which is none
}

TEST(MemoryRounds, haveNoStreamsTogetherThatWereNotMeasured) {
  auto groups = memoryWindows(1);
  for (MemoryGroup &group : groups) {
    Round round = group.rounds.thatCount().front();
    round.figures.erase("together.memory");
    round.figures["run.together.end"] = {{16, 99999}}; // no more than one after the other
    round.figures["run.near.together.end"] = {{5, 2}}; // no less than one
    round.figures.erase("run.near.together.lean.end");
    round.figures.erase("run.near.together.written.end");
    round.figures.erase("run.together.lean.end");
    round.figures.erase("run.own.together.written.end");
    if (round.figures.contains("run.own.written.end"))
      round.figures["run.own.written.end"] = {{5, -3}, {16, -1}};
    group.rounds = {};
    group.rounds.add(round);
  }
  memmodel::Machine machine = fourCores();
  addMemoryFigures(machine, groups);
  EXPECT_FALSE(machine.memory->together);
  EXPECT_EQ(machine.memory->memoryEnds, (memmodel::EndsTogether{5, 5}));
  EXPECT_EQ(machine.memory->sharedEnds, (memmodel::EndsTogether{5, 1}));
  EXPECT_EQ(machine.memory->ownEndsTogether, memmodel::EndsTogether{});
  EXPECT_TRUE(machine.memory->ownEnds.ns.empty()); // prefetchers take nothing away
}

TEST(MemoryRounds, haveNoEndsThatTakeLongerThanAllTheirLinesOneByOne) {
  auto groups = memoryWindows(1);
  for (MemoryGroup &group : groups) {
    Round round = group.rounds.thatCount().front();
    for (const char *name : {"run.stream", "run.own.written"})
      if (round.figures.contains(std::string(name) + ".end"))
        round.figures[std::string(name) + ".end"] = {{16, 1e9}};
    group.rounds = {};
    group.rounds.add(round);
  }
  memmodel::Machine machine = fourCores();
  addMemoryFigures(machine, groups);
  const memmodel::MemoryFigures &memory = *machine.memory;
  const memmodel::CurveFamily curves(memory.curves);
  EXPECT_GT(64 / memory.streamRuns.lean.at(16), curves.idleLatency());
  EXPECT_LE(64 / memory.streamRuns.lean.at(16),
            6.4 + curves.latency(curves.mostBandwidth(1), 1) + 1e-9);
  EXPECT_EQ(memory.ownEnds.ns, (std::map<unsigned, double>{{16, 16 * memory.transferNs}}));
}

TEST(MemoryRounds, leaveOutWhatAThreadCannotTakeThatHasItsCore) {
  auto groups = memoryWindows(1);
  for (MemoryGroup &group : groups) {
    Round round = group.rounds.thatCount().front();
    if (round.figures.contains("addition"))
      round.figures["addition"] = {{1, 1e5}};
    if (round.figures.contains("load.0.ns"))
      round.figures["load.0.ns"] = {{1, 1e5}, {2, 1e5}};
    if (round.figures.contains("transfer")) {
      round.figures["transfer"] = {{2, 5e4}};
      round.figures["run.own.written.end"] = {{275, 1e9}};
      round.figures["moved.read.runs"] = {{275, 5e4}};
    }
    group.rounds = {};
    group.rounds.add(round);
  }
  memmodel::Machine machine = fourCores();
  addMemoryFigures(machine, groups);
  EXPECT_EQ(machine.memory->additionNs, 0);
  EXPECT_EQ(machine.memory->ownEnds.ns, (std::map<unsigned, double>{{275, 275e3}}));
  EXPECT_EQ(machine.memory->moved.read, (memmodel::LineMove{4, {{{275, 275 * (1e3 - 4)}}}}));
  std::string problem;
  EXPECT_TRUE(memmodel::readMachine(mergeMachine(machine, ""), problem)) << problem;
}

TEST(MemoryRounds, tellTheLatencyOfAnOnlyCache) {
  memmodel::Machine machine;
  machine.caches = {{1, 1 << 20, 1}};
  addMemoryFigures(machine, memoryWindows(1));
  EXPECT_EQ(machine.caches[0].latencyNs, 5); // of half of it
}

TEST(MemoryRounds, haveNoShorterLatencyWhereThreadsGetMoreTogether) {
  // 12 GB/s each of 10 that one gets alone, with the latency of those.
  memmodel::Machine machine = fourCores();
  addMemoryFigures(machine, memoryWindows(24));
  EXPECT_EQ(machine.memory->curves[0].points.back().gbs, 48);
  EXPECT_NEAR(machine.memory->curves[0].points.back().ns, 100 + 40 / 3., 1e-9);
}

} // namespace
