//===- PredictionTable.h - Predictions for people -----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   md.prophet.json: ./md 512
//   Serial run 1.24 s, 97.3 % of it in parallel sections
//
//   Maximum gain 3.85x: 4 threads, schedule(dynamic,1)
//
//     threads                2       4
//     dynamic,1          1.95x   3.85x  <- best
//     static             1.60x   2.40x
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/report/Prediction.h"
#include "predictor/support/Terminal.h"

#include <cstdint>
#include <string>

namespace prophet {

/// How much a table says.
enum class Detail : std::uint8_t { Grid, Full };

/// The prediction as text of at most 100 columns (names of files and clauses may run over).
std::string renderTable(const Prediction &prediction, Style style, Detail detail);

} // namespace prophet
