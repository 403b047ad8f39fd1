//===- SynthesizedText.h - What the real runtime said -----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   By libomp itself (--method synth), its threads spin
//     threads                2       4
//     dynamic,1          1.94x   3.81x
//     static             1.60x   2.41x
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/report/Prediction.h"
#include "predictor/support/Terminal.h"

#include <string>
#include <string_view>
#include <vector>

namespace prophet {

/// The system that runs the tree under `options`.
const char *executingRuntime(const EmulationOptions &options);

/// The estimates by --method synth, and those of changed programs, as text under the emulator's.
/// \param nameWidth columns of a schedule's name
/// \param full whether notes follow, which tell of thread counts with extrapolated overheads
std::string renderSynthesizedGrid(const Prediction &prediction, Style style, std::size_t nameWidth,
                                  bool full);

/// A whole table where there is no other method.
std::string renderSynthesizedTable(const Prediction &prediction, Style style, bool full);

/// How they were made, a paragraph each.
std::vector<std::string> describeSynthesis(const Prediction &prediction);

/// One estimate as a JSON object.
std::string renderSynthesizedJson(const Prediction &prediction, const SynthesizedPoint &point);

} // namespace prophet
