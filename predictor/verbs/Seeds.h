//===- Seeds.h - What random stealing leaves open ---------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where threads choose at random whom they steal from, one run is a draw. Estimates
// are of the run in the middle of a few, and their interval is of all of these.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Emulator.h"

#include <utility>

namespace prophet {

/// Runs that differ in their seed.
struct Draws {
  std::uint64_t median;            ///< seed of the run in the middle
  double speedup;                  ///< that it has
  std::pair<double, double> range; ///< of all runs' speedups
};

/// Runs `tree`, that of `emulator`, under `options` with five seeds: from options.seed on.
/// \pre stealsAtRandom(tree, options); else all of them are the same.
Draws drawSeeds(const Emulator &emulator, EmulationOptions options);

/// The speedup under `options`, or where threads steal at random the median of drawSeeds().
double medianSpeedup(const Emulator &emulator, const Tree &tree, const EmulationOptions &options);

} // namespace prophet
