//===- Executors.h - Where the real runtimes are ----------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"
#include "predictor/support/Result.h"

#include <string>

namespace prophet {

/// The installed program that has the real runtime of `options` run trees.
Result<std::string> findExecutor(const EmulationOptions &options);

} // namespace prophet
