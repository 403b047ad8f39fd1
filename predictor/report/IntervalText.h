//===- IntervalText.h - Where speedups lie, in words ------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/report/Prediction.h"

#include <string>

namespace prophet {

/// The members "interval" and "interval_parts" of an estimate's JSON.
std::string renderIntervalJson(const PredictionPoint &point);

/// The member "runs" of a prediction's JSON, a comma and a line break; "" where there is one run.
std::string renderRunsJson(const Prediction &prediction);

/// " (the median of 5, 1.01 s to 1.06 s)"; "" where there is one run.
std::string describeRuns(const Prediction &prediction);

/// Where `best` lies, and what leaves that open, the most important first; "" where nothing does.
std::string describeInterval(const Prediction &prediction, const PredictionPoint &best);

} // namespace prophet
