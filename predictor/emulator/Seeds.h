//===- Seeds.h - What chance leaves open ------------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where threads choose at random whom they steal from, or the system where it puts
// them, one run is a draw, and an estimate is of several, which differ in their seed.
//
// What stealing changes is little, and figures are of the run in the middle. A thread
// that is in the right place or in the wrong one makes two groups of runs, so what is
// between them is nowhere a run's: figures are the means of all.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Emulator.h"

#include <span>
#include <utility>

namespace prophet {

/// An estimate of several runs.
struct Draws {
  Estimate estimate;
  std::uint64_t typical = 0;       ///< seed of a run in the middle
  std::pair<double, double> range; ///< of all runs' speedups
};

/// Runs the emulator's tree under `options` with seeds from options.seed on: five; or where threads
/// are placed at random 31, fewer of what takes long, but five at least.
/// \pre emulator.chance(options) is not None; else all of them are the same.
/// \param withGains whether sites' gains are to be known
Draws drawSeeds(const Emulator &emulator, const EmulationOptions &options, bool withGains = true);

/// How many runs that are.
unsigned countDraws(const Emulator &emulator, const EmulationOptions &options);

/// The speedup under `options`, or where something is random that of drawSeeds().
double typicalSpeedup(const Emulator &emulator, const EmulationOptions &options);

/// The means of all figures of `runs`, of which there is one: times are means, so speedups are
/// those of the mean time. Sites' gains are known of the first `withGains` >= 1 runs.
Estimate meanOf(std::span<const Estimate> runs, std::size_t withGains);

} // namespace prophet
