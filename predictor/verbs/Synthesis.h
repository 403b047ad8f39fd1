//===- Synthesis.h - Estimates by the real runtime --------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --method synth: which estimates spin and which are in virtual time, how long they
// may take, and what a table and JSON say of them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/report/Prediction.h"
#include "predictor/support/Result.h"
#include "predictor/verbs/Intervals.h"
#include "predictor/verbs/PredictOptions.h"

#include <optional>
#include <string>
#include <vector>

namespace prophet {

/// A program, as it is or changed.
struct ToSynthesize {
  const Subject &subject;
  const std::vector<Subject> &others; ///< of other runs; estimates in virtual time cover them
  const WhatIf *change = nullptr;     ///< that made `subject`; null: the program as it is
};

/// Why `what` cannot be run under every schedule and thread count of `prediction`, in the time
/// that there is. Runs nothing. \pre request.synthesis
std::optional<Error> refuseSynthesis(const ToSynthesize &what, Prediction &prediction,
                                     const PredictRequest &request);

/// Has the real runtime run `what` under every schedule and thread count of `prediction`, whose
/// settings and warnings it adds to.
/// \pre request.synthesis
Result<std::vector<SynthesizedPoint>>
synthesizeAll(const ToSynthesize &what, Prediction &prediction, const PredictRequest &request);

} // namespace prophet
