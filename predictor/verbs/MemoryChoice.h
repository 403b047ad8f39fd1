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

#include <memory>
#include <string>
#include <vector>

namespace prophet {

struct MemoryChoice {
  MemoryUse use;
  BurdenFactors burdens{};                    ///< EmulationOptions::burdens
  std::shared_ptr<const BurdenModel> model{}; ///< or EmulationOptions::burdenModel
  std::vector<std::string> warnings{};
};

/// Burdens `tree` as `request` asks: with the factors that it carries, or by a model with those
/// that its memory profile, or its counts of misses, and the machine give. An error where what was
/// asked for is not there.
/// \param path of the tree's file, beside which there may be a profile
Result<MemoryChoice> chooseMemory(const std::shared_ptr<const Tree> &tree, const std::string &path,
                                  const PredictRequest &request);

} // namespace prophet
