//===- SynthesisLimits.h - What the real runtime cannot run -----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"
#include "predictor/support/Result.h"
#include "predictor/verbs/PredictOptions.h"

#include <cstddef>
#include <optional>

namespace prophet {

/// What runs take that are asked for, in seconds.
struct NeededTime {
  std::size_t runs = 0, spinningRuns = 0;
  double spinning = 0; ///< once each
  double longest = 0;  ///< of those
  double taking = 0;   ///< in virtual time
};

/// Why that is too long.
/// \param canBeSmaller whether --scale shortens it
std::optional<Error> refuseTime(const NeededTime &needed, const SynthesisRequest &request,
                                bool canBeSmaller);

/// Why a process cannot have `threads` at once, as a run under `options` does.
std::optional<Error> refuseThreads(const EmulationOptions &options, double threads);

} // namespace prophet
