//===- ValidationFile.h - What an OpenMP build was measured to do *- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// APP.prophet-validation.json, as predictions need it: how much longer a site's
// regions take on one thread, in the program built with OpenMP, than predicted.
//
//   {"format": "prophet-validation", "version": 1, "source": "collatz.c", ...,
//    "sites": [{"name": "blocks", "kind": "parallel_for", "file": "collatz.c", "line": 13,
//               "one_thread": {"ratio": 1.53, "low": 1.5, "high": 1.55}, ...}]}
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace prophet {

/// How many times as long as predicted a site's regions take on one thread.
struct OneThreadRatio {
  double ratio = 1;
  double low = 1, high = 1; ///< where it lies: low <= ratio <= high

  /// The ratio, where it is known to be another than 1; else 1.
  double used() const { return low <= 1 && 1 <= high ? 1 : ratio; }
};

struct ValidatedSite {
  std::string name, kind, file; ///< as the program tree has them
  std::uint64_t line = 0;
  std::optional<OneThreadRatio> oneThread; ///< nothing where it was not measured
};

struct ValidationFile {
  std::vector<ValidatedSite> sites;
};

/// The error says what is wrong with `text`: the middle of "FILE: what is wrong; what to do".
Result<ValidationFile> parseValidation(std::string_view text);

} // namespace prophet
