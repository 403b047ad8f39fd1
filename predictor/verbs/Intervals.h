//===- Intervals.h - Where a speedup lies -----------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the profile and the model leave open, put into numbers: each source is
// given a range of its own, and a speedup's interval is all of them together.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/verbs/Subjects.h"

#include <deque>
#include <vector>

namespace prophet {

/// Gives points their intervals: the merge tolerance of the program's tree, whom threads steal
/// from, and trees of other runs of the program.
class Intervals {
public:
  /// \pre all of them outlive this.
  Intervals(const Subject &subject, const Emulator &emulator, const std::vector<Subject> &others);

  /// Sets `point`'s interval and the parts that make it up. May be called from several threads.
  /// \pre `point` has its estimate, of `point.seed`, `choice.schedule` is what was emulated, and of
  /// its parts there is what random stealing leaves open.
  void set(PredictionPoint &point) const;

private:
  using Range = std::pair<double, double>;
  const Subject &subject;
  const Emulator &emulator;
  const std::vector<Subject> &others;
  std::deque<Emulator> otherEmulators; ///< of `others`
  const double maximum;                ///< maximumGain of the subject's tree

  double bound(const EmulationOptions &options) const;
  /// Of the run of one seed, but for placements, whose estimate is a mean.
  double speedupOf(const EmulationOptions &options) const;
  /// With the heaviest burdens that the machine's figures leave open.
  Range slowed(const PredictionPoint &point, EmulationOptions options) const;
  /// With each of `models` in place of the one that is predicted with.
  Range burdenedBy(const std::vector<std::shared_ptr<const BurdenModel>> &models,
                   const PredictionPoint &point, const EmulationOptions &options) const;
  Range measured(const PredictionPoint &point) const;
};

} // namespace prophet
