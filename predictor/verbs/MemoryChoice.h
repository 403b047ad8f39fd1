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

namespace prophet {

struct MemoryChoice {
  std::shared_ptr<const Tree> tree; ///< whose sites have the burden factors
  MemoryUse use;
  std::vector<std::string> warnings{};
};

/// Burdens `tree` as `request` asks: with the factors that it carries, or by a model with those
/// that its counts of misses and the machine give. An error where what was asked for is not there.
Result<MemoryChoice> chooseMemory(std::shared_ptr<const Tree> tree, const PredictRequest &request);

} // namespace prophet
