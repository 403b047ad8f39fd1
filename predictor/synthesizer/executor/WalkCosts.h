//===- WalkCosts.h - What the walk over a tree costs ------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/synthesizer/executor/Plan.h"

namespace synthesizer {

/// What the walk over a tree costs, in ns (Parallel Prophet §IV-E).
struct UnitCosts {
  double accessNode = 0;    ///< OVERHEAD_ACCESS_NODE
  double recursiveCall = 0; ///< OVERHEAD_RECURSIVE_CALL: a section, beyond OpenMP's own construct
};

/// The first on the plan's own tree, since it depends on how much of that is in the caches.
UnitCosts measureUnitCosts(const Plan &plan);

} // namespace synthesizer
