//===- RuntimeProgram.h - Prophet's programs that run OpenMP ----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A process has one OpenMP runtime, which reads its environment once. So what
// needs a runtime is a program of its own: `prophet calibrate` has some that
// measure, `--method synth` some that run trees.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Capture.h"

namespace prophet {

/// `settings`, and of the user's own for parallel runtimes none.
Environment runtimeEnvironment(Environment settings);

/// KMP_BLOCKTIME of `ns`, which may be infinite: milliseconds, or microseconds with a unit.
std::string kmpBlockTime(double ns);

/// Runs such a program to its end. Its last argument is this process's id, with which it ends.
/// \param environment from runtimeEnvironment()
/// \returns what it printed, or nothing if its time was up; if it failed, an error with all that it
/// said.
Result<std::optional<std::string>>
runRuntimeProgram(std::vector<std::string> command, const Environment &environment,
                  std::optional<std::string_view> input = std::nullopt,
                  Deadline deadline = std::nullopt);

} // namespace prophet
