//===- StreamBurdensTest.cpp - Burdens where streams end and begin anew ---===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorOptions.h"
#include "memoryProgram.h"

#include <cmath>
#include <gtest/gtest.h>
#include <span>

using namespace prophet;
using namespace prophet::test;

TEST(ReplayedBurdens, HaveShorterStreamsWhereTheNextTaskIsAnotherThreads) {
  // 64 lines come from memory; at 12 GB/s they take 16/3 ns each, one by one ten times that.
  Program program;
  program.machine.memory->transferNs = 0;
  program.machine.memory->streamRuns.lean = {{1, 1.2}, {64, 12}};
  const auto factor = [&](Schedule schedule) {
    return program.burdens()->factors(optionsWith(OmpRuntime::Libomp, 2, schedule))[0].at(2);
  };
  const Schedule one{Schedule::Kind::StaticChunk, 1}, eight{Schedule::Kind::StaticChunk, 8};
  EXPECT_NEAR(factor(one), 1, 1e-9); // where lines are is not known
  for (std::uint32_t line = 0; line < 64; ++line)
    program.profile->log->places.push_back(1000 + line);
  EXPECT_NEAR(factor(one), 1 + 64 * (16 / 3.0) * 9 / 128e3, 1e-9);
  EXPECT_NEAR(factor(eight), 1 + 64 * (64 / 6.6 - 16 / 3.0) / 128e3, 1e-9); // half way
  // The loop is busy where it has 16 accesses for each of the 128 lines that are fetched.
  program.machine.memory->streamRuns.busy = {{1, 0.6}, {64, 12}};
  const auto withAccesses = [&](double ofLine) {
    program.profile->sites[0].reads = 128 * ofLine;
    return factor(one);
  };
  const double lean = 64 / 1.2, busy = 64 / 0.6;
  EXPECT_NEAR(withAccesses(4), 1 + 64 * (lean - 16 / 3.0) / 128e3, 1e-9);
  EXPECT_NEAR(withAccesses(10), 1 + 64 * ((lean + busy) / 2 - 16 / 3.0) / 128e3, 1e-9);
  EXPECT_NEAR(withAccesses(16), 1 + 64 * (busy - 16 / 3.0) / 128e3, 1e-9);
  program.profile->sites[0].reads = 0;
  const double whole = factor({Schedule::Kind::Static, 0});
  EXPECT_GT(whole, 1);
  EXPECT_LT(whole, factor(eight));
}

TEST(ReplayedBurdens, HaveStreamsGoOnWhereEachThreadUsesEachLine) {
  Program program;
  program.machine.memory->transferNs = 0;
  program.machine.memory->streamRuns.lean = {{1, 1.2}, {64, 12}};
  auto &log = *program.profile->log;
  log.places.resize(16);
  for (std::uint32_t line = 0; line < 16; ++line)
    log.places[line] = 1000 + line;
  for (memmodel::Reference &reference : log.references) // four tasks in each line
    reference.line /= 4;
  const auto factor = [&](unsigned threads) {
    const Schedule one{Schedule::Kind::StaticChunk, 1};
    return program.burdens()->factors(optionsWith(OmpRuntime::Libomp, threads, one))[0].at(threads);
  };
  EXPECT_NEAR(factor(2), 1, 1e-9);
  EXPECT_GT(factor(8), 1.001); // which leave out a line and more
}

TEST(ReplayedBurdens, HaveStreamsEndAtGapsInTheSerialRunToo) {
  // As above, with a gap of so many lines behind each task's.
  const auto factorWith = [](std::uint32_t gap) {
    Program program;
    program.machine.memory->transferNs = 0;
    program.machine.memory->streamRuns.lean = {{1, 1.2}, {64, 12}};
    for (std::uint32_t line = 0; line < 64; ++line)
      program.profile->log->places.push_back(1000 + line * (gap + 1));
    const Schedule one{Schedule::Kind::StaticChunk, 1};
    return program.burdens()->factors(optionsWith(OmpRuntime::Libomp, 2, one))[0].at(2);
  };
  const double ends = 64 * (16 / 3.0) * 9 / 128e3, slack = 2 / 64.0; // of the sample
  EXPECT_NEAR(factorWith(0), 1 + ends, 1e-9);
  EXPECT_NEAR(factorWith(8), 1 + ends * std::exp(-(8 - slack) / 20), 1e-9);
  EXPECT_NEAR(factorWith(1000), 1, 1e-9);
}

TEST(ReplayedBurdens, HaveStreamsBeginAnewAtEachChunkThatIsAskedFor) {
  // 64 tasks of 64 lines in each of two arrays, all from memory; the first cache has 1024 lines.
  Program program;
  program.machine.caches.insert(program.machine.caches.begin(), {1, 65536, 1});
  program.profile->sites[0].executions = 1;
  auto &log = *program.profile->log;
  log = {};
  log.parts.push_back({0, 64, 0, 64});
  for (std::uint32_t task = 0; task < 64; ++task) {
    log.tasks.push_back({task, log.references.size(), 128});
    for (std::uint32_t array = 0; array < 2; ++array)
      for (std::uint32_t line = 0; line < 64; ++line) {
        log.references.push_back(
            {static_cast<std::uint32_t>(log.places.size()), memmodel::AccessClass::Stream, false});
        log.places.push_back(array * 4096 + task * 64 + line);
      }
  }
  using Kind = Schedule::Kind;
  const auto more = [&](Schedule schedule, OmpRuntime runtime = OmpRuntime::Libomp) {
    EmulationOptions options = optionsWith(runtime, 2, schedule);
    const double without = program.burdens()->factors(options)[0].at(2);
    options.overheads.steal.restart = 500;
    return (program.burdens()->factors(options)[0].at(2) - without) * 128e3;
  };
  // That there are two arrays is seen from all their lines but the first tasks'.
  const double root = std::sqrt(2 * 63 / 64.0);
  EXPECT_NEAR(more({Kind::Dynamic, 8}), 6 * 500 * root, 10); // not each thread's first chunk
  EXPECT_NEAR(more({Kind::Dynamic, 16}), 2 * 500 * root, 5);
  EXPECT_NEAR(more({Kind::Dynamic, 32}), 0, 1e-6);
  EXPECT_NEAR(more({Kind::Static, 0}), 0, 1e-6);
  EXPECT_NEAR(more({Kind::Dynamic, 4}), 0, 1e-6); // 512 lines: the runtime's stay in the cache
  EXPECT_NEAR(more({Kind::Dynamic, 8, true}), 0, 1e-6); // by turns: others go on there
  EXPECT_NEAR(more({Kind::Dynamic, 8}, OmpRuntime::Libgomp), 0, 1e-6);
  // Without a first cache in the file it has 512 lines.
  program.machine.caches.erase(program.machine.caches.begin());
  EXPECT_NEAR(more({Kind::Dynamic, 4}), 14 * 500 * root, 25);
  // One array.
  for (std::uint32_t &place : log.places)
    place = place % 4096 / 64 * 128 + place / 4096 * 64 + place % 64;
  EXPECT_NEAR(more({Kind::Dynamic, 8}), 6 * 500, 30);
  // Of a hundred executions one has it from memory.
  program.profile->sites[0].executions = 100;
  EXPECT_NEAR(more({Kind::Dynamic, 8}), 6 * 500, 30);
}

/// 64 tasks of 16 lines in each of `arrays`, which they write, three times.
static void writeArrays(Program &program, std::uint32_t arrays) {
  program.profile->sites[0].executions = 3;
  auto &log = *program.profile->log;
  log = {};
  for (int execution = 0; execution < 3; ++execution) {
    log.parts.push_back({0, 64, log.tasks.size(), 64});
    for (std::uint32_t task = 0; task < 64; ++task) {
      log.tasks.push_back({task, log.references.size(), arrays * 16});
      for (std::uint32_t line = 0; line < arrays * 16; ++line)
        log.references.push_back(
            {(line / 16 * 64 + task) * 16 + line % 16, memmodel::AccessClass::Stream, true});
    }
  }
  for (std::uint32_t line = 0; line < arrays * 64 * 16; ++line)
    log.places.push_back(line);
}

TEST(ReplayedBurdens, BeginAnewInWhatOtherThreadsHave) {
  Program program;
  program.machine.caches[0].bytes = 1 << 20; // each thread has all that it uses
  program.machine.memory->transferNs = 0;
  program.machine.memory->transferAheadNs = 0;
  constexpr double serialNs = 192e3;
  const auto more = [&](memmodel::LineMove memmodel::LineMoves::*of, std::uint64_t chunk) {
    const EmulationOptions options =
        optionsWith(OmpRuntime::Libomp, 2, {Schedule::Kind::StaticChunk, chunk});
    const auto factor = [&] { return program.burdens({2}, serialNs)->factors(options)[0].at(2); };
    memmodel::LineMoves &moved = program.machine.memory->moved;
    moved = {};
    const double without = factor();
    (moved.*of).ends.ns = {{16, 60}, {64, 90}};
    return (factor() - without) * serialNs;
  };
  using Moves = memmodel::LineMoves;
  writeArrays(program, 1);
  EXPECT_NEAR(more(&Moves::written, 1), 0, 1e-3); // a thread writes what it has written
  // Each section's tasks have the lines of the next ones of the section before.
  auto &references = program.profile->log->references;
  for (std::size_t i = 0; i < references.size(); ++i)
    references[i].line += static_cast<std::uint32_t>(i / 1024 * 16);
  for (std::uint32_t line = 1024; line < 1024 + 32; ++line)
    program.profile->log->places.push_back(line);
  const double ends = 128 * 60;
  EXPECT_NEAR(more(&Moves::written, 1), ends, 0.05 * ends);
  // Of each chunk but a section's last one, in two sections, the last task's.
  EXPECT_NEAR(more(&Moves::written, 2), 2 * 31 * 60, 1e-3);
  EXPECT_NEAR(more(&Moves::written, 4), 2 * 15 * 60, 1e-3);
  EXPECT_NEAR(more(&Moves::read, 1), 0, 1e-3);
  EXPECT_NEAR(more(&Moves::upgraded, 1), 0, 1e-3);
  // The second one reads them, of which the third one has a copy then.
  for (std::size_t i = 1024; i < 2048; ++i)
    references[i].isWrite = false;
  for (const auto of : {&Moves::read, &Moves::upgraded})
    EXPECT_NEAR(more(of, 1), ends / 2, 0.05 * ends);
  EXPECT_NEAR(more(&Moves::written, 1), 0, 1e-3);
}

/// Behind gaps lines of other threads begin anew, also where a thread has the next task, too.
TEST(ReplayedBurdens, BeginAnewBehindGapsInWhatOtherThreadsHave) {
  Program program;
  program.machine.caches[0].bytes = 1 << 20;
  program.machine.memory->transferNs = 0;
  program.machine.memory->transferAheadNs = 0;
  writeArrays(program, 1);
  auto &log = *program.profile->log;
  for (std::size_t i = 0; i < log.references.size(); ++i) // chunks of four move as a whole
    log.references[i].line += static_cast<std::uint32_t>(i / 1024 * 64);
  for (std::uint32_t line = 1024; line < 1024 + 128; ++line)
    log.places.push_back(line);
  const EmulationOptions options =
      optionsWith(OmpRuntime::Libomp, 2, {Schedule::Kind::StaticChunk, 4});
  const auto more = [&] {
    constexpr double serialNs = 192e3;
    const auto factor = [&] { return program.burdens({2}, serialNs)->factors(options)[0].at(2); };
    program.machine.memory->moved = {};
    const double without = factor();
    program.machine.memory->moved.written.ends.ns = {{16, 60}, {64, 90}};
    return (factor() - without) * serialNs;
  };
  EXPECT_NEAR(more(), 2 * 15 * 90, 1e-3);
  for (std::uint32_t &place : log.places)
    place = place / 16 * 1000 + place % 16;
  EXPECT_NEAR(more(), 2 * 60 * 60, 1e-3);
}

TEST(ReplayedBurdens, HaveLinesTakenAwayWhereNeighboursEnd) {
  Program program;
  program.machine.caches[0].bytes = 1 << 20; // each thread has all that it writes
  program.machine.memory->transferNs = 0;
  const auto more = [&](Schedule schedule, double serialNs = 192e3) {
    const EmulationOptions options = optionsWith(OmpRuntime::Libomp, 2, schedule);
    const auto factor = [&] { return program.burdens({2}, serialNs)->factors(options)[0].at(2); };
    program.machine.memory->ownEnds.ns.clear();
    const double without = factor();
    program.machine.memory->ownEnds.ns = {{16, 300}, {64, 450}};
    return (factor() - without) * serialNs;
  };
  using Kind = Schedule::Kind;
  writeArrays(program, 1);
  // In two sections of three lines are there when they are written.
  EXPECT_NEAR(more({Kind::StaticChunk, 1}), 126 * 300, 1e-3); // behind the last task nobody is
  EXPECT_NEAR(more({Kind::StaticChunk, 2}), 62 * 375, 1e-3);
  EXPECT_NEAR(more({Kind::StaticChunk, 4}), 30 * 450, 1e-3);
  EXPECT_NEAR(more({Kind::Static, 0}), 2 * 450, 1e-3); // the first thread's, of both sections
  // What chunks end with need not be there, but what is behind, of which each begins with some.
  for (std::size_t task = 64; task < 192; ++task) {
    const auto all = std::span(program.profile->log->references);
    for (memmodel::Reference &reference : all.subspan(task * 16, 16))
      reference.line += static_cast<std::uint32_t>(task / 64) * 16;
  }
  for (std::uint32_t line = 1024; line < 1024 + 32; ++line)
    program.profile->log->places.push_back(line);
  EXPECT_NEAR(more({Kind::StaticChunk, 4}), 30 * 450, 1e-3);
  EXPECT_NEAR(more({Kind::StaticChunk, 1}), 0, 1e-3);
  writeArrays(program, 3);
  EXPECT_NEAR(more({Kind::StaticChunk, 1}), 126 * 300 * std::sqrt(3), 1e-3);
  program.machine.memory->ownEndsTogether = {3, 3};
  EXPECT_NEAR(more({Kind::StaticChunk, 1}), 126 * 300 * 3, 1e-3);
  for (memmodel::Reference &reference : program.profile->log->references)
    reference.isWrite = reference.line < 64 * 16;
  EXPECT_NEAR(more({Kind::StaticChunk, 1}), 126 * 300, 1e-3);
  // Of two that are written the second is in the other thread's cache: half of the ends' time.
  const memmodel::AccessLog whole = *program.profile->log;
  for (memmodel::Reference &reference : program.profile->log->references)
    reference.isWrite = reference.line < 2 * 64 * 16;
  EXPECT_NEAR(more({Kind::StaticChunk, 1}), 126 * 300 * 2, 1e-3);
  for (std::size_t task = 64; task < 128; ++task) // of the second execution
    for (memmodel::Reference &reference :
         std::span(program.profile->log->references).subspan(task * 48 + 16, 16))
      reference.line = 1024 + (reference.line - 1024 + 16) % 1024;
  EXPECT_NEAR(more({Kind::StaticChunk, 1}), 126 * 300, 0.05 * 126 * 300);
  *program.profile->log = whole;
  for (memmodel::Reference &reference : program.profile->log->references)
    reference.isWrite = false;
  EXPECT_EQ(more({Kind::StaticChunk, 1}), 0);
  // A quarter of what the threads use fits.
  writeArrays(program, 1);
  program.machine.caches[0].bytes = 64 * 128;
  EXPECT_NEAR(more({Kind::StaticChunk, 1}), 0, 1e-3);
}
