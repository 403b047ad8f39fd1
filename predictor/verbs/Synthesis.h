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

#include <vector>

namespace prophet {

/// Has the real runtime run `subject` under every schedule and thread count of `prediction`, whose
/// settings and warnings it adds to.
/// \pre request.synthesis
Result<std::vector<SynthesizedPoint>> synthesizeAll(const Subject &subject, Prediction &prediction,
                                                    const PredictRequest &request);

} // namespace prophet
