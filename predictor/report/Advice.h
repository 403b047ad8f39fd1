//===- Advice.h - What to do about a prediction -------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/report/Prediction.h"

#include <string>
#include <string_view>
#include <vector>

namespace prophet {

/// Where a site's sections run.
struct SitePlace {
  bool outermost = false; ///< some execution is in no other section
  bool nested = false;    ///< some execution is inside another section's task
};

/// The place of each of the tree's sites, in order. Cost: linear in the tree.
std::vector<SitePlace> findSitePlaces(const Tree &tree);

/// The schedule under which `site` itself is fastest on the threads of `best`; of those within
/// half a percent the first, since simpler schedules are asked for first.
Schedule bestScheduleFor(const Prediction &prediction, const PredictionPoint &best,
                         std::uint32_t site);

/// The OpenMP directive to paste above the site, with the clauses its annotation kept.
std::string openmpPragma(const Site &site, const Schedule &schedule);

/// In one plain sentence, what the threads do most of their time other than useful work, and what
/// helps where `schedule` is already in use.
std::string explainLoss(const LossShares &loss, const Schedule &schedule);

} // namespace prophet
