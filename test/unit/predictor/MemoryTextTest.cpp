//===- MemoryTextTest.cpp - What was measured of memory, for people -------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/calibration/MemoryRounds.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace prophet;

namespace {

memmodel::Machine someMachine() {
  memmodel::Machine machine;
  machine.caches = {{1, 32768, 1, 1.5},
                    {3, 32 << 20, 4, 20, {16 << 20, 24 << 20}, {{2e6, 8 << 20}}, 1.25}};
  auto &memory = machine.memory.emplace();
  memory.quality = {40, 35, false, 0, 61, 0, {{"class.stream", 0.01}, {"transfer", 0.025}}};
  memory.classGbs = {12, 6, 0, 0.8}; // one is not known
  memory.sparseGbs = 0.7;
  memory.sharedStreamGbs = 18;
  memory.sharedByAll = {4, 48, 40};
  memory.streamRuns = {{{17, 6}}, {{17, 5}}, {{17, 4}}};
  memory.sharedRuns.lean = {{17, 14}};
  memory.ownEnds.ns = {{17, 150}};
  memory.memoryEnds = {5, 4.5, 3, 2};
  memory.transferNs = 60;
  memory.transferAheadNs = 8;
  memory.moved = {{6, {}}, {7, {{{17, 60}}}}, {}};
  memory.accessesPerNs = 7;
  memory.additionNs = 1;
  memory.memoryOverlap = {{0.1, 0.9}, {4, 0.2}};
  memory.together = {5, 16, {}, {{0.3, 0.7}}};
  memory.curves = {{0.75, {{0.5, 80}, {10, 160}, {8, 200}}}};
  memory.threads = 2;
  return machine;
}

/// The lines of `text`, with one space where there are several.
std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) {
    std::istringstream words(line);
    std::string &squeezed = lines.emplace_back();
    for (std::string word; words >> word;)
      squeezed += (squeezed.empty() ? "" : " ") + word;
  }
  return lines;
}

} // namespace

TEST(MemoryText, HasWhatWasMeasured) {
  memmodel::Machine machine = someMachine();
  // Of a line from memory 0.9 - 0.7 * 9 / 39 shows.
  std::vector<std::string> expected = {
      "memory, 35 of 40 windows counted",
      "L1 cache 1.5 ns 32 KiB",
      "L3 cache 20 ns 32768 KiB, of which 16384 to 24576 work",
      "passes fill 8192 KiB",
      "or 1.25 times as much or as little",
      "one thread, stream 12 GB/s ±1 %",
      "one thread, stride 6 GB/s",
      "one thread, chase 0.8 GB/s",
      "irregular, 64 apart 0.7 GB/s",
      "from the last cache 18 GB/s",
      "of 4 threads 48 GB/s",
      "of 4 threads, irregular 40 GB/s",
      "stream of 17 lines 6 GB/s",
      "busy loop, of 17 5 GB/s",
      "written, of 17 4 GB/s",
      "last cache, of 17 lines 14 GB/s",
      "end of 17 lines, own 150 ns, where they are written",
      "ends of 5, memory 4.5 times as long as one stream's",
      "lean loop 3 times as long as one stream's",
      "written 2 times as long as one stream's",
      "line from another core 60 ns ±2.5 %",
      "many of them in order 8 ns",
      "read 6 ns",
      "upgraded 7 ns",
      "accesses, L1 cache 7 a nanosecond",
      "dependent addition 1 ns",
      "one stream, memory 73.8 % of a line's time shows beside as much computing",
      "5 streams together 16 GB/s",
      "of these, cache 70 % of a line's time shows beside as much computing",
      "75 % reads 80 ns idle, 160 ns at 10 GB/s",
      "the memory's own limit was not reached by 2 cores"};
  EXPECT_EQ(linesOf(describeMemory(machine)), expected);
  memmodel::Cache &last = machine.caches.back();
  last.reach = {{2e6, 8 << 20}, {4e6, 4 << 20}};
  last.reachSigma = 0.5;
  last.effectiveSharedBy = 2;
  machine.memory->quality.elsewhere = 4;
  machine.memory->quality.elsewhereNs = 61.84;
  machine.memory->quality.handoverNs = 240;
  expected[0] += "; in 4 cores were not where they usually are, 61.8 ns apart, not 240";
  expected[2] += ", shared by 2 cores";
  expected[3] = "keeps for 2 ms 8192 KiB";
  expected.insert(expected.begin() + 4, "keeps for 4 ms 4096 KiB");
  expected.insert(expected.begin() + 6, "ends gradually 0.5 sigma of the logarithm");
  EXPECT_EQ(linesOf(describeMemory(machine)), expected);
  EXPECT_EQ(describePlaces(machine.memory->quality),
            "in 4 of 39 windows a line took 62 ns from one core to another, in the others 240");
  last.effectiveSharedBy = 1;
  expected[2] = "L3 cache 20 ns 32768 KiB, of which 16384 to 24576 work, each core's own";
  EXPECT_EQ(linesOf(describeMemory(machine)), expected);
  machine.memory->saturationSeen = true;
  expected.back() = "the memory's own limit was reached";
  EXPECT_EQ(linesOf(describeMemory(machine)), expected);
}
