//===- PredictionNotes.h - Whose rules the estimates follow -----*- C++ -*-===//
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

/// What the figures rest on, a paragraph each: the runtime's rules for what is in them, whose
/// overheads, how threads wait, what the profile leaves open and what is left out.
std::vector<std::string> describeModel(const Prediction &prediction);

/// Of it: whose overheads are charged, and how threads wait; nothing where all threads spin.
std::vector<std::string> describeOverheads(const Prediction &prediction);

/// Of it: which sites' loop bodies take another time as OpenMP's functions, and who says so; ""
/// where none do.
std::string describeBodyRatios(const Prediction &prediction);

} // namespace prophet
