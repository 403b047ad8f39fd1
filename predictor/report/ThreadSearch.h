//===- ThreadSearch.h - The fewest threads that gain most ---*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which numbers of threads are emulated to find out from how many on more are no use
// (emulation.md, "Beyond the estimates").
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Emulator.h"
#include "predictor/report/TreeSummary.h"

#include <functional>
#include <map>
#include <vector>

namespace prophet {

/// How far from the maximum counts as the maximum.
inline constexpr double Nearly = 1.005;

/// Thread counts up to `bound` that share out the chunks of some site without a remainder, or
/// nearly: where there are few chunks a thread, the maximum is at one of these. Of the sites that
/// take most of the time first, 16 at most.
std::vector<unsigned> evenCounts(const TreeSummary &summary, const EmulationOptions &options,
                                 unsigned bound);

class ThreadSearch {
public:
  /// \param estimate gives the estimates on all of these, in their order.
  using Estimator = std::function<std::vector<Estimate>(const std::vector<unsigned> &)>;
  ThreadSearch(unsigned bound, Estimator estimate) : bound(bound), estimate(std::move(estimate)) {}

  /// All from 1 to `bound`.
  void tryAll();
  /// Some dozens, `likely` ones among them: then around the maximum, and what lies below it.
  void tryFinely(const std::vector<unsigned> &likely);
  /// About ten: `asked` and `bound`, and from what of these are the fewest down as long as half as
  /// many come near, too.
  void tryDoublings(std::vector<unsigned> asked);

  /// The fewest that come near the maximum of those that were tried.
  unsigned fewest() const;
  const std::map<unsigned, Estimate> &tried() const { return known; }

private:
  unsigned bound;
  Estimator estimate;
  std::map<unsigned, Estimate> known; ///< by number of threads

  void add(std::vector<unsigned> counts);
  void tryAround();
};

} // namespace prophet
