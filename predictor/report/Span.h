//===- Span.h - The critical path ---------------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"
#include "predictor/tree/Tree.h"

#include <cstdint>
#include <optional>

namespace prophet {

/// What bounds the speedup on any number of threads, under any schedule, without overheads and
/// burden factors: the elapsed time is at least `spanTicks`, and at least serial code +
/// `lockTicks`.
struct Span {
  double workTicks = 0;
  double spanTicks = 0;              ///< the longest chain of pieces that must follow each other
  std::optional<std::uint32_t> lock; ///< the one that is held longest in parallel sections
  double lockTicks = 0;              ///< how long that is, plus all code outside of sections

  /// Work over the longer of the two bounds; infinite where there is none.
  double speedupBound() const;
};

/// The span of `tree` under the paradigm, the levels, the sites and the sites' own teams of one
/// thread of `options`; inner loops below the active levels are serial, tasks go to the team they
/// are in. Two sections of one region, of which the first is `nowait`, may overlap wholly.
Span findSpan(const Tree &tree, const EmulationOptions &options);

/// The most that the cores of `options` can give: a bound that holds whatever the lengths are.
/// Their number, over how much more the parallel program computes than the serial one
/// (EmulationOptions::bodyRatios).
double gainOfCores(const Tree &tree, const EmulationOptions &options);

} // namespace prophet
