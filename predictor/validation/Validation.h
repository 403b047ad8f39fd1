//===- Validation.h - Predicted beside measured -----------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `prophet validate` found: the serial program, the profiled one and the OpenMP
// ones, run in turns, and what was predicted of them. Every round gives ratios of its
// own, so that what changes the machine's speed from round to round cancels out.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/report/Prediction.h"
#include "predictor/validation/RegionTimes.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace prophet {

/// Of all rounds: the middle value and where they lie.
struct Spread {
  double median = 0, low = 0, high = 0;
};

/// \pre `values` is not empty
Spread spreadOf(std::vector<double> values);

/// A site's outermost executions in one run.
struct SiteTime {
  double regions = 0, seconds = 0;
};

/// One run of an OpenMP program; by site, nothing where it was not to be seen.
struct OpenMPRun {
  double seconds = 0;
  std::vector<std::optional<SiteTime>> sites;
};

/// What was measured in one round.
struct ValidationRound {
  double serialSeconds = 0;          ///< of the serial program, not profiled
  std::vector<SiteTime> serialSites; ///< by site, as its profile has them
  OpenMPRun oneThread;               ///< of the first schedule
  std::vector<OpenMPRun> runs;       ///< by schedule, then by thread count, as the prediction's
};

/// By site of `tree`, the regions that are opened at its line, or by a pragma up to `beside` lines
/// from it: `regions` at `lines`.
std::vector<std::optional<SiteTime>> timesOfSites(const Tree &tree,
                                                  const std::vector<RegionTime> &regions,
                                                  const CodeLines &lines, unsigned beside);

/// How long a site's loop bodies take as OpenMP's, beside the serial program's.
struct CheckedSite {
  /// Its regions on one thread over what was predicted of them (emulation.md: the outlined body).
  std::optional<Spread> oneThread;
  std::string why; ///< where it is not known, why
};

/// One estimate, and what came true of it.
struct ValidatedPoint {
  PredictionPoint predicted;
  Spread speedup;                           ///< over the serial program
  std::vector<std::optional<Spread>> sites; ///< speedups, by site
  double error() const { return predicted.estimate.speedup / speedup.median - 1; }
};

struct Validation {
  std::string source;
  std::vector<std::string> arguments; ///< the program's
  std::size_t rounds = 0;
  Spread serialSeconds;
  Spread oneThreadSpeedup; ///< of the OpenMP program on one thread
  /// What the OpenMP programs take longer than the serial one outside of parallel regions: the
  /// runtime's start and end. None where not all regions were seen.
  std::optional<Spread> outsideSeconds;
  std::vector<CheckedSite> sites; ///< by site of the prediction's tree
  std::vector<ValidatedPoint> points;
  std::vector<std::string> warnings;

  double meanError() const;    ///< of absolute errors
  double largestError() const; ///< absolute
  /// Whether ratios count: the median of fewer rounds may well lie outside of their range.
  bool hasRatios() const { return rounds >= 5; }
};

/// \param oneThread the prediction of the first schedule on one thread
/// \param points the prediction, in the order of ValidationRound::runs
/// \pre every round has the same shape, and there is one at least
Validation validate(const Tree &tree, const Estimate &oneThread,
                    const std::vector<PredictionPoint> &points,
                    const std::vector<ValidationRound> &rounds);

} // namespace prophet
