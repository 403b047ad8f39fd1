//===- Runs.h - Runs of equal tasks -----------------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/TimedTree.h"

#include <vector>

namespace prophet {

/// `count` tasks (or chunks) in a row that take `duration` each.
struct Run {
  Time duration;
  std::uint64_t count;
  bool operator==(const Run &) const = default;
};
using Runs = std::vector<Run>;

/// Appends `count` tasks of `duration`, to the last run where it is of the same duration.
inline void append(Runs &runs, Run run) {
  if (!runs.empty() && runs.back().duration == run.duration)
    runs.back().count += run.count;
  else
    runs.push_back(run);
}

/// The chunks of `chunk` tasks each, the last one perhaps shorter, that a dynamic schedule deals
/// out. Every chunk takes `perChunk` and then its tasks.
Runs chunkRuns(Runs tasks, std::uint64_t chunk, Time perChunk);

} // namespace prophet
