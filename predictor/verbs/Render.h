//===- Render.h - Predictions in the format asked for -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/report/Prediction.h"
#include "predictor/verbs/PredictOptions.h"

#include <string>
#include <vector>

namespace prophet {

/// The predictions as `request.format` wants them; `color` concerns tables alone.
std::string render(const std::vector<Prediction> &predictions, const PredictRequest &request,
                   bool color);

/// Says on standard error what a format without room for warnings leaves out.
void reportWarnings(const std::vector<Prediction> &predictions, const PredictRequest &request);

} // namespace prophet
