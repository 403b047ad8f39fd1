//===- Repetitions.h - Real runs until they agree ---------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs that spin are repeated until the median of those that nothing disturbed is
// known well enough, or the time is up. Repetitions of one run lie far apart, so
// that what disturbs one does not disturb the next. In virtual time one run is
// exact, but where tasks are stolen at random it is a draw, of which many are made.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/synthesizer/Synthesizer.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace prophet {

/// When repetitions are enough.
struct Patience {
  double seconds = 30;     ///< for all runs together: then none is begun that is not a run's first
  double precision = 0.01; ///< of half the 95 % interval of a run's median, over the median
  unsigned cores = 1;      ///< that this machine offers
  double overtime = 10;    ///< after so much, and as long as `seconds`, what still runs is killed

  double utmost() const { return seconds + std::max(seconds, overtime); }
};

/// One run, and its repetitions.
struct Repeated {
  Synthesis run; ///< the medians of what counts
  /// The 95 % interval of run.ticks; none where too few repetitions count for one.
  std::optional<std::pair<double, double>> range;
  std::pair<double, double> extremes; ///< of the ticks of what counts
  unsigned tried = 0, counted = 0;    ///< repetitions
  bool settled = false;               ///< the interval is as narrow as was asked for
  bool disturbed = false;             ///< too few repetitions were quiet, so all count

  /// Half the interval's width over the median, where there is an interval.
  std::optional<double> uncertainty() const {
    if (!range)
      return std::nullopt;
    return run.ticks > 0 ? (range->second - range->first) / 2 / run.ticks : 0;
  }
};

/// How often `run` is made in virtual time: once, since it is exact, or as often as says how far
/// apart those runs are in which libomp's idle threads steal from others.
unsigned virtualRepetitions(const Tree &tree, const Synthesis &run);

/// What `all`, repetitions of one run, say together. \pre there are any
Repeated summarize(const std::vector<Synthesis> &all, const Patience &patience);

/// Says how far it is: runs that are done, of how many.
using Report = std::function<void(std::size_t done, std::size_t of)>;

/// Makes `wanted`, runs of `tree` as Synthesizer::run has them.
Result<std::vector<Repeated>> repeat(const Tree &tree, const Synthesizer &synthesizer,
                                     const std::vector<Synthesis> &wanted,
                                     const std::string &executor, const Patience &patience,
                                     const Report &report);

/// The distribution-free interval that holds the median of what `sorted` is a sample of, with 95 %
/// where there are at least six values: from one of them to another.
std::pair<double, double> medianInterval(const std::vector<double> &sorted);

} // namespace prophet
