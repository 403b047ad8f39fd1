//===- ValidationText.h - Validations to read --------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   collatz.c: predicted beside measured, 5 rounds; the serial program takes 285.2 ms
//
//     threads  schedule    predicted  measured                   error
//           2  static          1.94x     1.93x (1.92x to 1.94x)  +0.5 %
//           2  static,1        2.00x     1.98x (1.97x to 1.99x)  +0.9 %
//
//   Off by 0.7 % in the mean, by 0.9 % at most (2 threads, static,1).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Terminal.h"
#include "predictor/validation/Validation.h"

#include <string>

namespace prophet {

/// For people. `corrected`, if any, is the same measurement beside the prediction that knows how
/// long sites take on one thread.
std::string renderValidationTable(const Tree &tree, const Validation &validation,
                                  const Validation *corrected, Style style);

/// "prophet-validation", version 1 (docs/validate.md). Ends in a newline.
std::string renderValidationJson(const Tree &tree, const Validation &validation,
                                 const Validation *corrected);

} // namespace prophet
