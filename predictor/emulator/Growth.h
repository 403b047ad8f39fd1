//===- Growth.h - Costs of teams that were not measured ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Overheads.h"

namespace prophet {

/// How far `law` has come with a team of `threads`: 0 for one thread, 1 for two; Divided goes down,
/// from 1/2 for two.
double steps(Growth law, unsigned threads);

/// What each step of `law` adds to a cost.
struct FittedGrowth {
  Growth law = Growth::Constant;
  double perStep = 0; ///< ns, never below 0
};

/// The law behind the last of `points` (ascending in threads). A team of one says nothing: runtimes
/// serialise it. With one larger team it grows as is `known`; with two, the known law has the slope
/// between them; with three or more, the slope by least squares, and another law, none that falls,
/// counts where it leaves less than half of the known one's squares.
FittedGrowth fitGrowth(const std::vector<TeamCost::Point> &points, KnownGrowth known);

} // namespace prophet
