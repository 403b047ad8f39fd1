//===- Simulation.h - One emulated run --------------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Emulator.h"
#include "predictor/emulator/Outline.h"
#include "predictor/emulator/RegionContext.h"

namespace prophet {

/// What one emulated run of a program comes to, in virtual time.
struct RunResult {
  explicit RunResult(const Tree &tree)
      : tally(tree), regions(tree.sites.size()), solo(tree.sites.size()),
        soloAsleep(tree.sites.size()), forks(tree.sites.size()), forksAsleep(tree.sites.size()) {}

  Tally tally;
  double elapsed = 0;               ///< of the whole program
  double outside = 0;               ///< of it, outside of any region
  std::vector<ThreadTimes> regions; ///< of `tally`, by the site whose section opens the region
  /// By site: executions as a region of its own without inner sections, and those of them that
  /// start asleep.
  std::vector<double> solo, soloAsleep;
  /// By site: regions that its sections open, and those of them that start asleep.
  std::vector<double> forks, forksAsleep;
};

/// Emulates the program of `timed`, whose grid must have room for the run.
RunResult simulate(const TimedTree &timed, const EmulationOptions &options,
                   EventListener *listener);

/// Whether threads stay on the cores that they share in some region of `timed` under `options`:
/// then a run is a draw.
bool placesAtRandom(const TimedTree &timed, const EmulationOptions &options);

/// How many pieces of the program simulate() steps through one by one, at most: all that is
/// executed in regions in which threads can meet, each region once. Others take closed forms.
double countSteps(const TimedTree &timed, const EmulationOptions &options);

/// Whether `site` was always a region of its own without inner sections in `run`.
inline bool isSolo(const TimedTree &timed, const RunResult &run, std::uint32_t site) {
  return run.solo[site] == timed.siteExecutions[site];
}

/// How much longer the regions of each site that isSolo in `run` take where no other site is
/// parallel: their threads wait longer in between, and more of them are asleep.
std::vector<double> extraWaking(const TimedTree &timed, const EmulationOptions &options,
                                const RunResult &run);

} // namespace prophet
