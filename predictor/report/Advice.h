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

/// A loop that gains less is not worth the threads.
inline constexpr double WorthIt = 1.02;

/// Where a site's sections run.
struct SitePlace {
  bool outermost = false; ///< some execution is in no other section
  bool nested = false;    ///< some execution is inside another section's task
};

/// The place of each of the tree's sites, in order. Cost: linear in the tree.
std::vector<SitePlace> findSitePlaces(const Tree &tree);

/// The point at which `site` itself is fastest on the threads of `best`; `best` where none is
/// faster by more than half a percent.
const PredictionPoint &bestPointFor(const Prediction &prediction, const PredictionPoint &best,
                                    std::uint32_t site);

/// What makes `site`, which runs at `place`, parallel in `paradigm`: a pragma, or the names of its
/// constructs.
std::string directive(Paradigm paradigm, const Site &site, const Schedule &schedule,
                      const SitePlace &place);

/// The OpenMP directive to paste above the site, with the clauses its annotation kept.
std::string openmpPragma(const Site &site, const Schedule &schedule);

/// For a `nowait` loop: the directive around it and the next loop, which has the clauses that
/// concern the whole team.
std::string enclosingPragma(const Site &site);

/// In one plain sentence, what the threads of `point` do most of their time other than useful work,
/// and what helps, as far as `prediction` has not tried it.
std::string explainLoss(const Prediction &prediction, const PredictionPoint &point);

} // namespace prophet
