//===- Seeds.cpp - What random stealing leaves open -----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/Seeds.h"

#include "predictor/emulator/TaskRegions.h"

#include <algorithm>
#include <array>

namespace prophet {

Draws drawSeeds(const Emulator &emulator, EmulationOptions options) {
  std::array<std::pair<double, std::uint64_t>, 5> runs; // of equal speedups the first seed is first
  for (auto &[speedup, seed] : runs) {
    speedup = emulator.speedup(options);
    seed = options.seed++;
  }
  std::ranges::sort(runs);
  const auto &[speedup, seed] = runs[runs.size() / 2];
  return {seed, speedup, {runs.front().first, runs.back().first}};
}

double medianSpeedup(const Emulator &emulator, const Tree &tree, const EmulationOptions &options) {
  return stealsAtRandom(tree, options) ? drawSeeds(emulator, options).speedup
                                       : emulator.speedup(options);
}

} // namespace prophet
