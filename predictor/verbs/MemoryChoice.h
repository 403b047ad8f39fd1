//===- MemoryChoice.h - Which memory model burdens a program ----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/report/Prediction.h"
#include "predictor/support/Result.h"
#include "predictor/verbs/PredictOptions.h"

#include <map>
#include <string>
#include <vector>

namespace prophet {

struct MemoryChoice {
  MemoryUse use;
  std::vector<std::map<unsigned, double>> burdens{}; ///< a model's: EmulationOptions::burdens
  std::vector<std::string> warnings{};
};

/// Burdens `tree` as `request` asks: with the factors that it carries, or by a model with those
/// that its counts of misses and the machine give. An error where what was asked for is not there.
Result<MemoryChoice> chooseMemory(const Tree &tree, const PredictRequest &request);

} // namespace prophet
