//===- Patterns.h - Programs that are compared ------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"
#include "predictor/tree/Tree.h"

#include <optional>
#include <random>
#include <span>

namespace real_runtimes {

/// Random programs of one kind.
struct Pattern {
  const char *name;
  bool nested; ///< two active levels
  bool locks;
  prophet::Tree (*draw)(std::mt19937_64 &random);
  /// Tasks: stealing is random, so many runs are compared with many.
  std::optional<prophet::Paradigm> tasks{};
  bool crowded = false; ///< nested: as many cores as one team has threads, in the place of one each
};

/// All that there are.
std::span<const Pattern> patterns();

} // namespace real_runtimes
