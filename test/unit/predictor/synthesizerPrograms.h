//===- synthesizerPrograms.h - Random trees, really run ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "emulatorPrograms.h"
#include "predictor/emulator/Emulator.h"
#include "predictor/synthesizer/Synthesizer.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace prophet::test {

/// What `program` takes by `executor` in virtual time, in ticks.
inline double realTime(const Program &program, const std::string &executor) {
  std::vector<Synthesis> runs(1);
  runs.front().options = program.options;
  const auto error = synthesize(program.tree, runs, executor);
  EXPECT_FALSE(error) << error->message;
  return runs.front().ticks;
}

/// Trees of any shape take as long by `executor`, which has `runtime`, as they do emulated, once
/// `change` has had its way with each. PROPHET_TEST_PROGRAMS and PROPHET_TEST_SEED draw others than
/// `seed` does.
template <typename Change>
void expectRandomTreesAlike(std::uint64_t usualSeed, OmpRuntime runtime,
                            const std::string &executor, const Change &change) {
  const std::uint64_t seed = seedOfPrograms(usualSeed);
  std::mt19937_64 random(seed);
  const auto differ = [&](Program program) {
    program.options.runtime = runtime; // which shrinking would change
    const double expected = emulate(program.tree, program.options).ticks;
    return std::abs(realTime(program, executor) - expected) > 1e-9 * expected;
  };
  for (std::uint64_t number = 0, programs = programsToDraw(10); number < programs; ++number) {
    Program program = drawProgram(random);
    change(program, random);
    if (!differ(program))
      continue;
    Program small = shrink(program, differ);
    small.options.runtime = runtime;
    FAIL() << "program " << number << " of seed " << seed << ":\n"
           << print(small) << "\nemulated " << emulate(small.tree, small.options).ticks << ", real "
           << realTime(small, executor);
  }
}

} // namespace prophet::test
