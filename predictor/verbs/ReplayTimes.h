//===- ReplayTimes.h - How long a replay's tasks take -----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/MemoryProfile.h"
#include "memmodel/PartsReplay.h"
#include "predictor/tree/Tree.h"

#include <cstdint>
#include <vector>

namespace prophet {

/// A site of the tree, and what a profile knows of it.
struct KnownSite {
  std::uint32_t site;    ///< in the tree
  std::uint32_t profile; ///< in the profile
  double serialNs;       ///< of the executions that the profile has
};

/// The serial code of a run.
struct SerialTimes {
  double beforeNs = 0;  ///< the first section
  double betweenNs = 0; ///< a section and the next one, in the mean
};

/// Outside of the sections at the outermost level of `tree`.
SerialTimes serialTimes(const Tree &tree);

/// Of the serial run, for a replay of the profile's log. A site's tasks take equally long, and so
/// do the times between sections; sections of which the log has no line are part of these.
/// \param known what tree and profile have in common; the tasks of other sites take no time
/// \param tasksOf by site of the profile, of a section in the mean
/// \pre the profile has a log
memmodel::TaskTimes replayTimes(const SerialTimes &serial, const memmodel::MemoryProfile &profile,
                                const std::vector<KnownSite> &known,
                                const std::vector<double> &tasksOf);

} // namespace prophet
