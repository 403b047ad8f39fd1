//===- Estimates.h - A request and a tree to a prediction ---*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/verbs/PredictOptions.h"
#include "predictor/verbs/Subjects.h"

#include <memory>
#include <string>
#include <vector>

namespace prophet {

/// By schedule of `prediction`: which of them gives the same estimates. Only loops have schedules,
/// so without one all do as the first; what is written has thread counts of its own.
std::vector<std::size_t> equalSchedules(const Tree &tree, const Prediction &prediction);

/// Estimates, by the methods asked for, the one of `runs`, trees of runs of one program, that has
/// the median serial time (of an even number the shorter one of the two in the middle); how far the
/// others' speedups are apart is part of the intervals.
Result<Prediction> predict(std::vector<NamedTree> runs, const PredictRequest &request);

/// Emulates `tree` under every schedule and thread count of `request`, `request.jobs` at a time.
/// The result does not depend on the number of jobs.
Result<Prediction> predict(std::shared_ptr<const Tree> tree, std::string treeName,
                           const PredictRequest &request);

} // namespace prophet
