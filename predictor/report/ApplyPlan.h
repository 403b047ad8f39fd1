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
#include "predictor/report/TreeSummary.h"

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
std::vector<ScheduleChoice> schedulesToTry(const Tree &tree, const TreeSummary &summary,
                                           unsigned threads);

/// Decides every site that ran. \pre `prediction` has one thread count.
std::vector<SiteDecision> decideSites(const Prediction &prediction);

/// The decisions as `prophet-rewrite --plan` reads them.
std::string renderPlan(const Tree &tree, const std::vector<SiteDecision> &decisions);

} // namespace prophet
