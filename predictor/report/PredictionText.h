//===- PredictionText.h - Predictions for programs: JSON and CSV ---*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/report/Prediction.h"

#include <string>
#include <vector>

namespace prophet {

/// The `prophet-prediction` format, version 1 (docs/cli.md): one object for one tree, an array of
/// them for several.
std::string renderJson(const std::vector<Prediction> &predictions);

/// One row for the whole program and one for each site of every estimate, under a header line:
/// tree,method,paradigm,schedule,threads,cores,memory,site,name,serial_ticks,ticks,speedup,...
std::string renderCsv(const std::vector<Prediction> &predictions);

/// How long `point`'s threads spin before they sleep: milliseconds, as --block-time takes them, or
/// "infinite" between `quotes`.
std::string renderBlockTime(const Prediction &prediction, const PredictionPoint &point,
                            const char *quotes);

} // namespace prophet
