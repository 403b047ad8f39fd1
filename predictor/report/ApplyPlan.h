//===- ApplyPlan.h - What OpenMP each site deserves ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From estimates to decisions, site by site: the schedule that is fastest for it,
// whether it gains at all, and from how many iterations on. docs/apply.md has the
// rules.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/report/Prediction.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace prophet {

struct SiteDecision {
  std::uint32_t site = 0;
  std::string schedule;               ///< empty: a site that takes none, or that stays serial
  std::optional<std::uint64_t> guard; ///< parallel only for more iterations than this
  bool serial = false;
  std::string note; ///< why, in one line
};

/// The schedules to estimate: OpenMP's three plain ones, `dynamic` in chunks of powers of two as
/// long as each of `threads` could take four of them, `guided`, and what the annotations ask for.
std::vector<ScheduleChoice> schedulesToTry(const Tree &tree, unsigned threads);

/// Decides every site that ran. \pre `prediction` has one thread count.
std::vector<SiteDecision> decideSites(const Prediction &prediction);

/// How long an iteration takes: where the loop is not parallel, l, and in a team, p.
struct IterationNs {
  double alone, inTeam;
};

/// When a loop of n iterations is faster on T threads than on one: n l > F + n p / T + n d / (c T),
/// where F is what the region and the loop's start cost, and d what each chunk of c iterations
/// costs.
struct BreakEven {
  double fixedNs = 0; ///< F
  double savedNs = 0; ///< l - p / T - d / (c T): what an iteration saves; below 0: loses
  /// The most iterations that do not gain; nothing where no number of them does.
  std::optional<std::uint64_t> trips() const;
};

/// \param asleep share of the loop's regions whose threads have to be woken up first, as
/// SiteEstimate::asleep
BreakEven breakEven(IterationNs iteration, const Schedule &schedule, double asleep,
                    const EmulationOptions &options);

/// The decisions as `prophet-rewrite --plan` reads them.
std::string renderPlan(const Tree &tree, const std::vector<SiteDecision> &decisions);

} // namespace prophet
