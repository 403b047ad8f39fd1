//===- synthesizerLaws.h - What holds for every runtime with tasks *- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "emulatorPatterns.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <random>

namespace prophet::test {

/// Quicksorts take as long as their work on one thread, and on more no less than the span and each
/// thread's share; where threads that wait run tasks, no longer than both together.
/// \param time of a tree, on so many threads
inline void expectNothingLost(const std::function<double(const Tree &, unsigned)> &time,
                              bool waitersRunTasks) {
  for (unsigned seed : {1u, 2u, 3u}) {
    std::mt19937_64 random(seed);
    const Tree tree = drawQuicksortProgram(random);
    const double work = tree.serialLengths()[tree.root];
    const double span = time(tree, 64);
    EXPECT_EQ(time(tree, 1), work);
    for (unsigned threads : {2u, 5u}) {
      const double ticks = time(tree, threads);
      EXPECT_GE(ticks, std::max(work / threads, span) * (1 - 1e-9));
      if (waitersRunTasks) {
        EXPECT_LT(ticks, work / threads + span);
      }
    }
  }
}

} // namespace prophet::test
