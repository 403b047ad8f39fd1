//===- TreeSummary.h - What is in a tree --------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The figures behind `prophet tree`. Every cost is linear in the file's nodes
// and children (times a logarithm for medians), never in what they repeat to.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/tree/Tree.h"

#include <cstdint>
#include <string>
#include <vector>

namespace prophet {

/// Values with how often each occurs.
struct Distribution {
  std::uint64_t count = 0;
  double min = 0, median = 0, max = 0;
};

struct SiteSummary {
  std::uint64_t executions = 0;
  std::uint64_t tasks = 0;   ///< over all executions
  double ticks = 0;          ///< over all executions that are in no other one of the site
  double outermostTasks = 0; ///< over these
  Distribution trips;        ///< tasks of one execution
  Distribution taskLengths;  ///< ticks of one task; of summarizeCounts() nothing

  /// Ticks of a task of `outermostTasks`, in the mean; 0 where there is none.
  double meanTask() const { return outermostTasks > 0 ? ticks / outermostTasks : 0; }
};

struct LockSummary {
  std::uint64_t entries = 0;
  double ticks = 0; ///< held, over all entries
};

struct TreeSummary {
  double serialTicks = 0;
  std::uint64_t executedNodes = 0;
  std::uint64_t executedTasks = 0;
  std::vector<SiteSummary> sites; ///< one for each of Tree::sites
  std::vector<LockSummary> locks; ///< one for each of Tree::locks
};

TreeSummary summarize(const Tree &tree);
/// The same without the distributions of lengths, for which all tasks would have to be sorted.
TreeSummary summarizeCounts(const Tree &tree);
/// SiteSummary::trips of `site` alone.
Distribution tripsOf(const Tree &tree, std::uint32_t site);

/// How often the program ran each node, from the root down.
std::vector<std::uint64_t> executionCounts(const Tree &tree);

std::string renderSummaryText(const Tree &tree, const std::string &name);
/// Format "prophet-tree-summary", version 1.
std::string renderSummaryJson(const Tree &tree, const std::string &name);

} // namespace prophet
