//===- SynthesizedFigures.h - From repetitions to an estimate ---*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the repetitions of a run by the real runtime say: the speedup, of the
// program and of its sites, and the interval that it lies in.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/report/Prediction.h"
#include "predictor/synthesizer/Repetitions.h"
#include "predictor/synthesizer/Synthesizer.h"
#include "predictor/verbs/Subjects.h"

#include <optional>
#include <utility>

namespace prophet {

class SynthesizedFigures {
public:
  /// \param unchanged of a changed program: an estimate of the program as it is, which its sites'
  ///        speedups are over.
  /// \pre all of them outlive this.
  SynthesizedFigures(const Subject &subject, const Synthesizer &synthesizer,
                     const Estimate *unchanged)
      : subject(subject), synthesizer(synthesizer), unchanged(unchanged) {}

  /// The estimate that `made` is, without an interval and the choice's kind.
  SynthesizedPoint of(const Repeated &made) const;

  /// Sets the interval of `point`, which is of `made`, and the parts that make it up.
  /// \param runs the least and the greatest of the speedups that the trees of other runs have;
  ///        none where there are no others.
  void setInterval(SynthesizedPoint &point, const Repeated &made,
                   const std::optional<std::pair<double, double>> &runs) const;

private:
  const Subject &subject;
  const Synthesizer &synthesizer;
  const Estimate *unchanged;

  double bound(const SynthesizedPoint &point, const EmulationOptions &options) const;
  std::vector<SiteEstimate> sitesOf(const Repeated &made) const;
};

} // namespace prophet
