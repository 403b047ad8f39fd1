//===- MachineTest.cpp - What a machine file knows of memory --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/Machine.h"

#include <gtest/gtest.h>
#include <limits>

using namespace prophet::memmodel;

namespace {

Machine sample() {
  Machine machine;
  machine.name = "EPYC";
  machine.cores = 4;
  machine.sockets = 1;
  machine.smt = 2;
  machine.frequencyHz = 2.45e9;
  machine.caches = {
      {1, 32768, 1, 1.6, {}},
      {3, 33554432, 4, 17.5, {16777216, 25165824}, {{2e6, 24e6}, {5e6, 12e6}}, 1.25, 2, .5}};
  MemoryFigures memory;
  memory.source = "prophet calibrate";
  memory.threads = 4;
  memory.saturationSeen = true;
  memory.curves = {{0.5, {{1, 90}, {10, 120}}}, {1, {{1, 88}, {20, 110}}}};
  memory.classGbs = {12, 6, 5, 0.7};
  memory.streamRuns = {{{16, 7}, {256, 9.5}}, {{4, 3}, {64, 5.25}}, {{4, 3.5}}};
  memory.sharedRuns = {{{4, 12}, {80, 16}}, {{4, 11}}, {{80, 14}}};
  memory.memoryEnds = {5, 4.5};
  memory.sharedEnds = {4, 1.25, 3.5, 2.25};
  memory.ownEnds.ns = {{5, 0}, {17, 170}};
  memory.ownEndsTogether = {5, 3.75};
  memory.moved = {{4.5, {{{5, 20}, {17, 60}}}}, {5.5, {{{17, 0}}}}, {0, {{{83, 70}}}}};
  memory.sharedCacheGbs = 25;
  memory.sharedStreamGbs = 32;
  memory.sharedByAll = {4, 64, 50};
  memory.sparseGbs = 1.6;
  memory.memoryOverlap = {{0.25, 1}, {2, 0.25}};
  memory.sharedOverlap = {{0.5, 0.625}};
  memory.transferOverlap = {{0.5, 0.875}};
  memory.together = {4, 14.5, {{0.5, 0.75}, {1, 0.25}}, {{2, 0}}};
  memory.transferNs = 61.5;
  memory.transferAheadNs = 7.25;
  memory.accessesPerNs = 9.5;
  memory.additionNs = 0.625;
  memory.quality = {90, 84, true, 5, 61.25, 240.5, {{"chase", 0.012}}};
  machine.memory = memory;
  machine.paper = westmere();
  return machine;
}

} // namespace

TEST(Machine, isReadAsItWasWritten) {
  std::string problem;
  const std::string text = mergeMachine(sample(), "");
  const auto read = readMachine(text, problem);
  ASSERT_TRUE(read) << problem;
  EXPECT_EQ(mergeMachine(*read, ""), text);
  EXPECT_EQ(read->memory->curves[1].points[1], (CurvePoint{20, 110}));
  EXPECT_EQ(read->memory->streamRuns, sample().memory->streamRuns);
  EXPECT_EQ(read->memory->sharedRuns, sample().memory->sharedRuns);
  const auto system = memorySystem(*read, problem);
  ASSERT_TRUE(system) << problem;
  EXPECT_EQ(system->sharedAheadNs, 2);
  EXPECT_EQ(system->sharedLeastNs(3, system->sharedByAll.gbs), 3);
  EXPECT_EQ(system->sharedByAll.irregularGbs, 50);
  EXPECT_EQ(read->memory->memoryOverlap, sample().memory->memoryOverlap);
  EXPECT_EQ(system->memoryOverlap.shows(2), 0.25);
  EXPECT_NEAR(system->irregularWindow, 64 * (1.6 * 88 / 64 - 1), 1e-9); // of 88 ns 1.2 more lines
  EXPECT_EQ(system->sharedOverlap.shows(2), 0.625);
  EXPECT_EQ(system->transferOverlap.shows(2), 0.875);
  ASSERT_TRUE(system->together);
  EXPECT_EQ(system->together->streams, 4);
  EXPECT_EQ(system->together->gbs, 14.5);
  EXPECT_EQ(system->together->memoryOverlap.shows(1), 0.25);
  EXPECT_EQ(system->together->sharedOverlap.shows(2), 0);
  EXPECT_EQ(system->streamRuns, sample().memory->streamRuns);
  EXPECT_EQ(system->sharedRuns, sample().memory->sharedRuns);
  EXPECT_EQ(system->memoryEnds, sample().memory->memoryEnds);
  EXPECT_EQ(system->sharedEnds, sample().memory->sharedEnds);
  EXPECT_EQ(system->ownEnds, sample().memory->ownEnds);
  EXPECT_EQ(system->ownEndsTogether, sample().memory->ownEndsTogether);
  EXPECT_EQ(system->moved, sample().memory->moved);
  EXPECT_EQ(system->moved.read.ends.at(17), 60);
  EXPECT_EQ(read->memory->additionNs, 0.625);
  EXPECT_EQ(read->memory->quality.accepted, 84u);
  EXPECT_EQ(read->caches[1].effectiveBytes.second, 25165824);
  EXPECT_EQ(read->caches[1].reach, sample().caches[1].reach);
  EXPECT_EQ(read->caches[1].reachSpread, 1.25);
  EXPECT_EQ(read->caches[1].reachSigma, 0.5);
  const CacheSizes sizes = cacheSizes(*read, 2);
  EXPECT_EQ(sizes.privateLines, 512);
  EXPECT_EQ(sizes.sharedLines, 327680);
  EXPECT_EQ(sizes.sharers, 2u); // as was seen
  EXPECT_EQ(sizes.reach, (std::vector<ReachPoint>{{2e6, 375e3}, {5e6, 187.5e3}}));
  EXPECT_EQ(sizes.reachSigma, 0.5);
  EXPECT_EQ(read->paper->psi.at(12).offset, westmere().psi.at(12).offset);
}

TEST(Machine, isReadWithAllThatItHad) {
  Machine machine = sample();
  machine.lineBytes = 128;
  machine.paper->leastTraffic = 1500;
  machine.paper->leastMissRate = 0.0025;
  std::string problem;
  const auto read = readMachine(mergeMachine(machine, ""), problem);
  ASSERT_TRUE(read) << problem;
  EXPECT_EQ(read->name, "EPYC");
  EXPECT_EQ(read->cores, 4u);
  EXPECT_EQ(read->sockets, 1u);
  EXPECT_EQ(read->smt, 2u);
  EXPECT_EQ(read->frequencyHz, 2.45e9);
  EXPECT_EQ(read->lineBytes, 128);
  EXPECT_EQ(read->caches[0].level, 1u);
  EXPECT_EQ(read->caches[0].bytes, 32768);
  EXPECT_EQ(read->caches[1].sharedBy, 4u);
  EXPECT_EQ(read->caches[1].latencyNs, 17.5);
  EXPECT_EQ(read->caches[1].effectiveBytes.first, 16777216);
  const MemoryFigures &memory = *read->memory;
  EXPECT_EQ(memory.source, "prophet calibrate");
  EXPECT_EQ(memory.threads, 4u);
  EXPECT_TRUE(memory.saturationSeen);
  EXPECT_EQ(memory.curves[0].readShare, 0.5);
  EXPECT_EQ(memory.classGbs, (std::array<double, accessClasses>{12, 6, 5, 0.7}));
  EXPECT_EQ(memory.sharedCacheGbs, 25);
  EXPECT_EQ(memory.sharedStreamGbs, 32);
  EXPECT_EQ(memory.sparseGbs, 1.6);
  EXPECT_EQ(memory.transferNs, 61.5);
  EXPECT_EQ(memory.transferAheadNs, 7.25);
  EXPECT_EQ(memory.accessesPerNs, 9.5);
  EXPECT_EQ(memory.quality.tried, 90u);
  EXPECT_TRUE(memory.quality.disturbed);
  EXPECT_EQ(memory.quality.elsewhereNs, 240.5);
  EXPECT_EQ(memory.quality.iqr.at("chase"), 0.012);
  const Coefficients &paper = *read->paper;
  EXPECT_EQ(paper.psi.at(2).shape, TrafficLine::Shape::Linear);
  EXPECT_EQ(paper.psi.at(2).slope, 1.35);
  EXPECT_EQ(paper.psi.at(12).shape, TrafficLine::Shape::Logarithmic);
  EXPECT_EQ(paper.phiScale, 101481);
  EXPECT_EQ(paper.phiExponent, -0.964);
  EXPECT_EQ(paper.leastTraffic, 1500);
  EXPECT_EQ(paper.leastMissRate, 0.0025);
}

TEST(Machine, aFigureIsWrittenWithFourDigits) {
  Machine machine = sample();
  machine.memory->transferNs = 61.23456;
  machine.memory->sparseGbs = std::numeric_limits<double>::infinity(); // of no time at all
  machine.caches.back().reach = {{5123456.7, 112634567.8}, {5123456.7, 20000.4}};
  machine.caches.back().reachSigma = 0.49999;
  std::string problem;
  const std::string text = mergeMachine(machine, "");
  EXPECT_NE(text.find("112600000"), std::string::npos) << text; // not 112599999.99999999
  const auto read = readMachine(text, problem);
  ASSERT_TRUE(read) << problem;
  EXPECT_EQ(read->memory->transferNs, 61.23);
  const std::vector<ReachPoint> reach{{5123e3, 1126e5}, {5123e3, 20000}};
  EXPECT_EQ(read->caches.back().reach, reach);
  EXPECT_EQ(read->caches.back().reachSigma, 0.5);
  EXPECT_EQ(read->memory->sparseGbs, 0); // not known
}

TEST(Machine, aNameMayBeOfAnyBytes) {
  Machine machine = sample();
  machine.name = "EPYC\xff";
  std::string problem;
  EXPECT_TRUE(readMachine(mergeMachine(machine, ""), problem)) << problem;
}

TEST(Machine, whatAFileDoesNotSayIsAsUsual) {
  std::string problem;
  const auto read = readMachine(R"({"format": "prophet-machine", "version": 1,
      "caches": [{"level": 3, "bytes": 4194304}, {"level": 2, "bytes": 1048576, "shared_by": 2}],
      "memory": {"curves": {"1": [[1, 80]]}},
      "paper": {"psi": {"4": {"shape": "linear", "slope": 1, "offset": 2}},
                "phi": {"scale": 3, "exponent": -1}}})",
                                problem);
  ASSERT_TRUE(read) << problem;
  EXPECT_EQ(read->lineBytes, 64);
  EXPECT_EQ(read->caches[0].level, 2u); // levels ascend
  EXPECT_EQ(read->caches[1].sharedBy, 1u);
  EXPECT_EQ(read->caches[1].reachSpread, 1);
  EXPECT_EQ(read->memory->threads, 1u);
  EXPECT_FALSE(read->memory->saturationSeen);
  EXPECT_EQ(read->paper->leastTraffic, 2000);
  EXPECT_EQ(read->paper->leastMissRate, 0.001);
}

TEST(Machine, whatElseAFileHasStays) {
  const std::string text = mergeMachine(
      sample(), R"({"overheads": {"libomp": {"lock_pair": 25}}, "mine": 1, "cores": 64})");
  EXPECT_NE(text.find(R"("lock_pair": 25)"), text.npos);
  EXPECT_NE(text.find(R"("mine": 1)"), text.npos);
  EXPECT_EQ(text.find("64,"), text.find("64,\n \"caches\"")) << text;
}

TEST(Machine, westmereIsBuiltIn) {
  const auto machine = presetMachine("westmere");
  ASSERT_TRUE(machine);
  EXPECT_EQ(machine->paper->phiScale, 101481);
  EXPECT_EQ(machine->cores, 12u);
  EXPECT_EQ(machine->sockets, 2u);
  EXPECT_EQ(machine->smt, 1u);
  EXPECT_FALSE(presetMachine("eastmere"));
}

TEST(Machine, theCurveModelNeedsCurvesAndClasses) {
  std::string problem;
  EXPECT_FALSE(memorySystem(*presetMachine("westmere"), problem));
  EXPECT_EQ(problem, "has no memory curves; run 'prophet calibrate', or use --memory none");
  Machine machine = sample();
  machine.memory->classGbs = {12, 6, 5, 0};
  const auto system = memorySystem(machine, problem);
  ASSERT_TRUE(system);
  EXPECT_DOUBLE_EQ(system->classGbs[3], 64 / 88.0); // one line under way
  EXPECT_DOUBLE_EQ(system->sharedHitNs, 64 / 25.0);
  machine.memory->classGbs[2] = 0;
  EXPECT_FALSE(memorySystem(machine, problem));
  EXPECT_NE(problem.find("\"irregular\""), problem.npos);
}

TEST(Machine, theCurveModelHasWhatTheMachineHas) {
  std::string problem;
  Machine machine = sample();
  machine.lineBytes = 128;
  machine.memory->classGbs[3] = 0;
  auto system = memorySystem(machine, problem);
  ASSERT_TRUE(system) << problem;
  EXPECT_EQ(system->lineBytes, 128);
  EXPECT_DOUBLE_EQ(system->classGbs[3], 128 / 88.0);
  EXPECT_EQ(system->transferNs, 61.5);
  EXPECT_EQ(system->transferAheadNs, 7.25);
  EXPECT_TRUE(system->saturationSeen);
  EXPECT_EQ(system->measuredThreads, 4u);
  EXPECT_NEAR(system->irregularAtOnce(0.05), 1 + 0.05 * 64 * (1.6 * 88 / 128 - 1), 1e-12);
  machine.memory->saturationSeen = false;
  machine.memory->transferAheadNs = 0;
  machine.memory->sparseGbs = 1; // less than a line under way
  system = memorySystem(machine, problem);
  ASSERT_TRUE(system) << problem;
  EXPECT_FALSE(system->saturationSeen);
  EXPECT_EQ(system->transferAheadNs, 61.5);
  EXPECT_EQ(system->irregularAtOnce(0.5), 1);
}

TEST(Machine, hasCachesOfItsCores) {
  Machine machine;
  EXPECT_EQ(privateBytes(machine), 0);
  EXPECT_EQ(sharedBytes(machine), 0);
  EXPECT_EQ(firstCacheBytes(machine), 32768); // a common size
  machine.caches = {{3, 1 << 24, 4}};
  EXPECT_EQ(privateBytes(machine), 0);
  EXPECT_EQ(firstCacheBytes(machine), 32768);
  machine.caches = {{1, 49152, 1}, {2, 1 << 21, 2}, {3, 1 << 24, 4}};
  EXPECT_EQ(privateBytes(machine), 1 << 20); // two cores share the second one
  EXPECT_EQ(firstCacheBytes(machine), 49152);
}

TEST(Machine, hasMoreAndLessCacheAtAKnifesEdge) {
  Machine machine;
  EXPECT_TRUE(otherCaches(machine).empty());
  machine.caches = {{1, 32768, 1}, {2, 1e6, 2}, {3, 1e7, 8}};
  auto others = otherCaches(machine);
  ASSERT_EQ(others.size(), 2u);
  EXPECT_DOUBLE_EQ(privateBytes(others[0]), 35e4);
  EXPECT_DOUBLE_EQ(privateBytes(others[1]), 7e5);
  EXPECT_DOUBLE_EQ(sharedBytes(others[0]), 7e6);
  EXPECT_DOUBLE_EQ(sharedBytes(others[1]), 14e6);
  EXPECT_EQ(others[0].caches[0].bytes, 32768); // which the model does not look into
  // What was seen to fit and not to, where that is further apart; of a reach its spread.
  machine.caches.back().effectiveBytes = {4e6, 16e6};
  machine.caches.back().reach = {{1e6, 8e6}, {4e6, 2e6}};
  machine.caches.back().reachSpread = 2;
  others = otherCaches(machine);
  EXPECT_DOUBLE_EQ(sharedBytes(others[0]), 4e6);
  EXPECT_DOUBLE_EQ(sharedBytes(others[1]), 16e6);
  EXPECT_EQ(others[0].caches.back().reach[1], (ReachPoint{2e6, 1e6}));
  EXPECT_EQ(others[1].caches.back().reach[1], (ReachPoint{8e6, 4e6}));
  machine.caches.back().effectiveBytes = {9e6, 11e6};
  EXPECT_DOUBLE_EQ(sharedBytes(otherCaches(machine)[0]), 7e6);
  machine.caches.erase(machine.caches.begin(), machine.caches.begin() + 2); // one level alone
  EXPECT_DOUBLE_EQ(sharedBytes(otherCaches(machine)[1]), 14e6);
}

TEST(Machine, isPredictedWithItsCoresElsewhereIfTheyOftenWere) {
  Machine machine = sample();
  EXPECT_FALSE(otherPlaces(machine));
  Quality &quality = machine.memory->quality;
  machine.cores = 2;
  machine.caches = {{2, 1e6, 1, 5}, {3, 1e7, 4}};
  machine.memory->transferNs = 60;
  machine.memory->transferAheadNs = 4;
  quality.accepted = 36;
  quality.handoverNs = 50;
  quality.elsewhereNs = 200;
  quality.elsewhere = 4;
  EXPECT_FALSE(otherPlaces(machine)); // one of ten
  quality.elsewhere = 5;
  auto other = otherPlaces(machine);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->memory->transferNs, 240);
  EXPECT_EQ(other->memory->transferAheadNs, 16);
  EXPECT_EQ(other->memory->ownEnds.ns.at(17), 4 * machine.memory->ownEnds.ns.at(17));
  EXPECT_EQ(other->memory->moved.read.aheadNs, 4 * 4.5);
  EXPECT_EQ(other->memory->moved.written.ends.ns.at(83), 4 * 70);
  EXPECT_EQ(sharedBy(other->caches.back()), 1u); // each has a cache of its own
  EXPECT_EQ(other->memory->sharedByAll.threads, 0u);
  machine.caches.back().effectiveSharedBy = 1;
  EXPECT_EQ(otherPlaces(machine)->memory->sharedByAll.gbs, 64); // as it was
  quality.handoverNs = 200;
  quality.elsewhereNs = 100; // through the one that they share
  other = otherPlaces(machine);
  EXPECT_EQ(other->memory->transferNs, 30);
  EXPECT_EQ(sharedBy(other->caches.back()), 4u);
  EXPECT_EQ(other->memory->sharedByAll.threads, 0u);
  quality.elsewhereNs = 101; // from one to another, too
  EXPECT_EQ(sharedBy(otherPlaces(machine)->caches.back()), 1u);
  quality.elsewhereNs = 100;
  machine.caches.front().latencyNs = 0; // so nobody knows
  EXPECT_EQ(sharedBy(otherPlaces(machine)->caches.back()), 1u);
  machine.caches.front().latencyNs = 5;
  machine.cores = 4; // of which some may
  EXPECT_EQ(sharedBy(otherPlaces(machine)->caches.back()), 1u);
  machine.caches.clear();
  EXPECT_EQ(otherPlaces(machine)->memory->transferNs, 30);
  quality.handoverNs = 0; // of a calibration that did not measure it
  EXPECT_FALSE(otherPlaces(machine));
  quality.handoverNs = 1e-300;
  EXPECT_FALSE(otherPlaces(machine));
  machine.memory.reset();
  EXPECT_FALSE(otherPlaces(machine));
}

TEST(Machine, hasNoMoreLastLevelCachesThanCoresToFillThem) {
  Machine machine;
  machine.caches = {{2, 65536, 1}, {3, 1 << 20, 4}};
  machine.cores = 4;
  EXPECT_EQ(sharedBytes(machine), 1 << 20);
  EXPECT_EQ(sharers(machine, 3), 4u);
  EXPECT_EQ(sharers(machine, 16), 16u);
  machine.cores = 8;
  EXPECT_EQ(sharers(machine, 8), 4u);
  EXPECT_EQ(sharers(machine, 16), 8u);
  machine.cores = 6; // four and two of them
  EXPECT_EQ(sharers(machine, 7), 4u);
  machine.cores = 16; // of which two are a core's threads
  machine.smt = 2;
  EXPECT_EQ(sharers(machine, 8), 4u);
  EXPECT_EQ(sharers(machine, 16), 8u);
  machine.cores = 0; // not known
  EXPECT_EQ(sharers(machine, 16), 4u);
  machine.caches.clear();
  EXPECT_EQ(sharers(machine, 7), 7u);
}
