//===- Repetitions.h - Real runs until they agree ---------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs that spin are repeated until the median of those that nothing disturbed is
// known well enough, or the time is up. Repetitions of one run lie far apart, so
// that what disturbs one does not disturb the next.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/synthesizer/Synthesizer.h"

#include <functional>
#include <string>
#include <utility>

namespace prophet {

/// When repetitions are enough.
struct Patience {
  double seconds = 30;     ///< for all runs together; each is made once whatever it takes
  double precision = 0.01; ///< of half the 95 % interval of a run's median, over the median
  unsigned cores = 1;      ///< that this machine offers
};

/// One run, of which spinning ones have been repeated.
struct Repeated {
  Synthesis run;                   ///< the medians of what counts
  std::pair<double, double> range; ///< the 95 % interval of run.ticks
  unsigned tried = 0, counted = 0; ///< repetitions
  bool settled = false;            ///< the interval is as narrow as was asked for
  bool disturbed = false;          ///< too few repetitions were quiet, so all count

  /// Half the interval's width over the median.
  double uncertainty() const {
    return run.ticks > 0 ? (range.second - range.first) / 2 / run.ticks : 0;
  }
};

/// Says how far it is: runs that are done, of how many.
using Report = std::function<void(std::size_t done, std::size_t of)>;

/// Makes `wanted`, runs as Synthesizer::run has them.
Result<std::vector<Repeated>> repeat(const Synthesizer &synthesizer,
                                     const std::vector<Synthesis> &wanted,
                                     const std::string &executor, const Patience &patience,
                                     const Report &report);

/// The distribution-free interval that holds the median of what `sorted` is a sample of, with 95 %
/// where there are at least six values: from one of them to another.
std::pair<double, double> medianInterval(const std::vector<double> &sorted);

} // namespace prophet
