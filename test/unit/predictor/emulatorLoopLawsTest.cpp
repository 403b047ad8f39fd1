//===- emulatorLoopLawsTest.cpp - What holds for lock-free loops ----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Laws of single loops without locks and inner sections, on as many cores as
// threads. For more than these they fail: what does is tested beside them.
//
//===----------------------------------------------------------------------===//

#include "emulatorPrograms.h"
#include "emulatorTrees.h"
#include "predictor/emulator/Emulator.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace prophet;
using namespace prophet::test;

namespace {

using Lengths = std::vector<double>;

double ticks(const Lengths &lengths, unsigned threads, Schedule schedule,
             OmpRuntime runtime = OmpRuntime::Libgomp) {
  TreeMaker make;
  make.root({{make.loop(lengths), 1}});
  EmulationOptions options;
  options.threads = threads;
  options.schedule = schedule;
  options.runtime = runtime;
  return Emulator(make.tree).runWithoutGains(options).ticks;
}

constexpr Schedule blocks{};
Schedule roundRobin(std::uint64_t chunk) { return {Schedule::Kind::StaticChunk, chunk}; }
Schedule dynamic(std::uint64_t chunk) { return {Schedule::Kind::Dynamic, chunk}; }

/// Loops of 1 to 60 iterations.
class Loops {
public:
  Loops() : random(seedOfPrograms(9)) {}
  std::size_t below(std::size_t bound) { return random() % bound; }
  Lengths draw() {
    Lengths lengths(1 + below(60));
    for (double &length : lengths)
      length = static_cast<double>(below(1000));
    return lengths;
  }

private:
  std::mt19937_64 random;
};

constexpr std::uint64_t count = 200;

TEST(LoopLaws, StaticIsTheLargestSumOfABlock) {
  Loops loops;
  for (std::uint64_t number = 0; number < programsToDraw(count); ++number) {
    const Lengths lengths = loops.draw();
    const std::size_t n = lengths.size(), threads = 1 + loops.below(12), chunk = 1 + loops.below(5);
    Lengths block(threads), dealt(threads);
    for (std::size_t i = 0, owner = 0; i < n; ++i) {
      // Thread t's block begins at t floor(n/T) + min(t, n mod T).
      while (owner + 1 < threads &&
             i >= (owner + 1) * (n / threads) + std::min(owner + 1, n % threads))
        ++owner;
      block[owner] += lengths[i];
      dealt[i / chunk % threads] += lengths[i];
    }
    const auto size = static_cast<unsigned>(threads);
    EXPECT_EQ(ticks(lengths, size, blocks), *std::max_element(block.begin(), block.end()));
    EXPECT_EQ(ticks(lengths, size, roundRobin(chunk)),
              *std::max_element(dealt.begin(), dealt.end()));
  }
}

TEST(LoopLaws, EqualTasksTakeAsLongAsTheFullestThread) {
  // n equal tasks in chunks of c, c a divisor of n: ceil(n / cT) chunks, however they are dealt;
  // in blocks of any n: ceil(n / T) tasks. So more threads are never slower.
  Loops loops;
  for (std::uint64_t number = 0; number < programsToDraw(count); ++number) {
    const std::size_t chunk = 1 + loops.below(4), chunks = 1 + loops.below(40);
    const Lengths lengths(chunk * chunks, 7);
    for (unsigned threads = 1; threads <= 12; ++threads) {
      const auto most = static_cast<double>((chunks + threads - 1) / threads * chunk);
      EXPECT_EQ(ticks(lengths, threads, roundRobin(chunk)), 7 * most);
      EXPECT_EQ(ticks(lengths, threads, dynamic(chunk)), 7 * most);
      EXPECT_EQ(ticks(lengths, threads, dynamic(chunk), OmpRuntime::Libomp), 7 * most)
          << threads << " threads, " << chunks << " chunks of " << chunk;
      EXPECT_EQ(ticks(lengths, threads, blocks),
                7 * static_cast<double>((lengths.size() + threads - 1) / threads));
    }
  }
}

TEST(LoopLaws, AQueueIsNeverSlowerWithMoreThreadsOrShorterTasks) {
  // List scheduling of independent tasks: by induction, at each take every one of the threads' free
  // times in order is no later than before. (Graham's anomalies need tasks that wait for others.)
  Loops loops;
  for (std::uint64_t number = 0; number < programsToDraw(count); ++number) {
    Lengths lengths = loops.draw();
    const auto threads = static_cast<unsigned>(1 + loops.below(12));
    const Schedule schedule = dynamic(1 + loops.below(4));
    const double before = ticks(lengths, threads, schedule);
    EXPECT_LE(ticks(lengths, threads + 1, schedule), before);
    double &length = lengths[loops.below(lengths.size())];
    length = static_cast<double>(loops.below(static_cast<std::size_t>(length) + 1));
    EXPECT_LE(ticks(lengths, threads, schedule), before);
  }
}

TEST(LoopLaws, MoreThreadsMayBeSlowerElsewhere) {
  // Blocks of 3 and 2 become blocks of 2, 2 and 1: the fives meet.
  EXPECT_EQ(ticks({0, 0, 5, 5, 0}, 2, blocks), 5);
  EXPECT_EQ(ticks({0, 0, 5, 5, 0}, 3, blocks), 10);
  EXPECT_EQ(ticks({0, 5, 5, 0, 0, 0, 5, 0}, 2, roundRobin(1)), 10);
  EXPECT_EQ(ticks({5, 1, 1, 5, 1}, 2, roundRobin(1)), 7);
  EXPECT_EQ(ticks({5, 1, 1, 5, 1}, 3, roundRobin(1)), 10);
}

TEST(LoopLaws, NobodyIsIdleWhileAChunkIsLeft) {
  // So a queue and stealing end within Graham's bound: the work left of the longest chunk, shared,
  // and that chunk.
  Loops loops;
  for (std::uint64_t number = 0; number < programsToDraw(count); ++number) {
    const Lengths lengths = loops.draw();
    const double work = std::accumulate(lengths.begin(), lengths.end(), 0.0);
    const double longest = *std::max_element(lengths.begin(), lengths.end());
    for (OmpRuntime runtime : {OmpRuntime::Libgomp, OmpRuntime::Libomp})
      for (unsigned threads : {2u, 3u, 8u})
        EXPECT_LE(ticks(lengths, threads, dynamic(1), runtime),
                  ((work - longest) / threads + longest) * (1 + 1e-12));
  }
}

} // namespace
