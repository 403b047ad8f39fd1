//===- emulatorPatterns.h - Random programs of the paper's patterns *- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parallel Prophet §VII-B, Figures 9 and 10: Test1 is a loop with imbalance and
// two critical sections, Test2 a loop around Test1. Lengths are whole ticks, so
// sums are exact and threads really do meet at the same moment.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "emulatorTrees.h"

#include <random>

namespace prophet::test {

/// A stretch of an iteration; `lock` < 0: none.
struct Segment {
  int lock;
  double length;
};
using Task = std::vector<Segment>;

/// The arguments of one Test1 (Figure 9).
struct Test1 {
  enum class Pattern { Random, Rising, Falling, Sawtooth, Equal, Mixed };
  std::size_t iterations;
  Pattern pattern;
  std::uint64_t least, most; ///< ComputeOverhead's m and M
  unsigned ratios[5];        ///< delay 1, lock 1, delay 2, lock 2, delay 3
  bool locks[2];
  bool sameLock; ///< both critical sections are one name's
};

/// Draws arguments; `locked` is the probability of each critical section.
Test1 drawTest1(std::mt19937_64 &random, double locked);

/// The iterations of one execution, written out.
std::vector<Task> iterationsOf(const Test1 &test, std::mt19937_64 &random);

/// A section of `site` with these iterations; `compress` merges equal ones in a row.
NodeId addSection(TreeMaker &make, std::uint32_t site, const std::vector<Task> &tasks,
                  bool compress);

/// A whole program of Test1: one loop, or `loops` of them of which all but the last have `nowait`.
Tree drawTest1Program(std::mt19937_64 &random, double locked, unsigned loops = 1);

/// A whole program of `sections`, with locks.
Tree drawSectionsProgram(std::mt19937_64 &random, double locked);

/// A loop whose iterations take one lock, and some of them a second one inside it.
Tree drawLockInLockProgram(std::mt19937_64 &random);

/// A whole program of Test2 (Figure 10): a loop around delay A, Test1, delay B.
Tree drawTest2Program(std::mt19937_64 &random, double locked);

/// Quicksort: a call parts its elements at a random place and spawns both parts; few are sorted at
/// once. `locked` is the probability that a call ends with a critical section.
Tree drawQuicksortProgram(std::mt19937_64 &random, double locked = 0);

/// A fast Fourier transform: a call spawns its two halves, and puts their results together.
Tree drawFourierProgram(std::mt19937_64 &random);

/// One spawner of tasks of random lengths, which does something itself between them.
Tree drawFlatTasksProgram(std::mt19937_64 &random, double locked);

/// A loop, each of whose iterations spawns tasks and waits for them; or `loops` of them, of which
/// all but the last have `nowait`.
Tree drawTasksInLoopProgram(std::mt19937_64 &random, double locked, unsigned loops = 1);

/// Tasks or iterations that open loops, and a spawner that does while its tasks wait; iterations of
/// these loops spawn tasks again. All of them compute, and some hold a lock.
Tree drawTeamsInTasksProgram(std::mt19937_64 &random, double locked);

} // namespace prophet::test
