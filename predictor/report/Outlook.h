//===- Outlook.h - What else the profile says ---------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Questions beyond the estimates that were asked for: from how many threads on
// more are no use and why, which schedule and chunk suits each site, from which
// trip count on a site gains, and which site to make parallel first.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"
#include "predictor/report/Causes.h"
#include "predictor/report/Span.h"
#include "predictor/support/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace prophet {

class Emulator;
struct Prediction;

/// Where more threads stop helping, under the best estimate's schedule.
struct Saturation {
  unsigned threads = 0; ///< the fewest that come within half a percent of the maximum
  double speedup = 1;   ///< on them
  unsigned bound = 0;   ///< the most threads that were tried
  double atBound = 1;   ///< the speedup on those
  /// Why twice as many, or where they make it slower all of `bound`, are no use: a key of the loss
  /// shares, or "" where the gain goes on up to `bound`. See findBottleneck().
  std::string cause;
  std::optional<std::uint32_t> lock;     ///< the one, where the cause is "lock"
  bool isInRegions = false;              ///< threads are missing in regions, where it is "serial"
  Awaited awaited = Awaited::Iterations; ///< what there are too few of, where it is "imbalance"
  bool isExtrapolated = false;           ///< overheads on `bound` threads are

  bool reached() const { return !cause.empty(); }
  bool hurts() const { return atBound < 0.98 * speedup; }
};

struct SiteOutlook {
  std::uint32_t site = 0;
  Schedule schedule;                           ///< the fastest for the site
  double ticks = 0;                            ///< under it
  double speedup = 1;                          ///< under it
  bool isScheduleKnown = true;                 ///< else the above say nothing
  std::optional<std::uint64_t> breakEvenTrips; ///< a region of at least so many gains; none: never
  double gainAlone = 1;                        ///< the program's speedup if only it is parallel
  std::optional<double> gainWithout;           ///< if all others are; none: not known
};

/// All for the threads of the best estimate.
struct Outlook {
  unsigned threads = 0;
  Saturation saturation;
  std::vector<SiteOutlook> sites; ///< those that ran, the one to make parallel first in front
  std::string leftOut;            ///< what would take long, and why; "": nothing

  bool isReduced() const { return !leftOut.empty(); }
};

/// Up to what an outlook is tried.
struct OutlookLimits {
  /// What each emulation may have to step through; where it is several runs, all of them; and how
  /// many (node, repeat) pairs the tree may have, which is what formulas go by. Programs whose
  /// estimates take several runs have few thread counts that are tried.
  double steps = 1e6, drawnSteps = 2e6, runs = 4e6;
  /// Up to so many times that, the outlook is a reduced one of about ten emulations.
  double reducedTimes = 10;
};

/// Where emulating the tree that often would take long, less of it; where even that would, an error
/// that says so, and what to do.
/// \param emulator of the prediction's tree
/// \param jobs estimates computed at a time; no effect on the result.
Result<Outlook> lookFurther(const Prediction &prediction, const Emulator &emulator, unsigned jobs,
                            const OutlookLimits &limits = {});

} // namespace prophet
