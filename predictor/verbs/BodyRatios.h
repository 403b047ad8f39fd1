//===- BodyRatios.h - How loop bodies run as OpenMP's functions -*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `prophet validate` measures a program's OpenMP build on one thread. What that
// says of each site is used in predictions of the same program.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Result.h"
#include "predictor/verbs/PredictOptions.h"

#include <optional>
#include <string>
#include <vector>

namespace prophet {

struct BodyRatios {
  std::vector<double> bySite; ///< EmulationOptions::bodyRatios; empty where all are 1
  std::string path;           ///< of the validation file that they are from; "" without one
  std::vector<std::string> warnings;
};

/// What `given`, --validation's word, cannot be used for under `paradigm`; before anything is run.
std::optional<Error> checkValidation(const std::string &given, Paradigm paradigm);

/// Those of `tree` by the validation file that `request` names, or by the one beside the tree's
/// file `treePath`, where it is there and knows the program.
Result<BodyRatios> chooseBodyRatios(const Tree &tree, const std::string &treePath,
                                    const PredictRequest &request);

} // namespace prophet
