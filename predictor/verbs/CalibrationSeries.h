//===- CalibrationSeries.h - Rounds of measuring programs -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the measuring programs in turns, one round each, until every one has
// enough rounds that nothing disturbed, or the time is up.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/calibration/MemoryRounds.h"
#include "predictor/support/Capture.h"

#include <map>
#include <string>
#include <vector>

namespace prophet {

/// One measuring program with its arguments, and its rounds so far.
struct Series {
  std::string part; ///< of the calibration: "memory", or a runtime's name
  std::vector<std::string> command;
  Environment environment;
  std::string title;
  unsigned enough; ///< quiet rounds
  Rounds *rounds;

  bool isDone() const { return rounds->quiet() >= enough; }
};

/// `program` of memmodel/openmp, which measures `runtime`, threads waiting as `policy` says, on
/// `cores`.
Series overheadSeries(const std::string &runtime, const std::string &program,
                      const std::string &policy, Rounds &rounds, unsigned cores);

/// `program` of memmodel/memory for one group, on the hardware threads `cpus`.
Series memorySeries(const std::string &program, MemoryGroup &group, const std::vector<int> &cpus);

/// What could not be measured, and why, by part.
using Failures = std::map<std::string, Error>;

/// Rounds in turns, each at least once, for `most` seconds. Of a part that fails no more are made,
/// and the others go on.
Failures measureInTurns(const std::vector<Series> &series, unsigned most);

} // namespace prophet
