//===- MemoryRun.h - The run that measures memory ---------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `prophet run --memory-build`: a second build of the program counts what it does
// to memory, and is never timed (docs/memory-profile.md).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Capture.h"
#include "predictor/support/Process.h"
#include "predictor/support/Result.h"

#include <string>
#include <vector>

namespace prophet {

/// A program that was built to measure its use of memory. It is gone with this.
class MemoryRun {
public:
  /// Has the shell run `build`, in which {} stands for the program to be made.
  /// \param program the one that is timed, of which the new one has the name
  static Result<MemoryRun> build(const std::string &build, const std::string &program);

  /// Runs it as `command` runs the one that is timed; its profile goes to `path`. What of it was
  /// compiled to be timed is said.
  Result<ProcessEnd> run(const std::vector<std::string> &command, const std::string &path) const;

private:
  MemoryRun(TemporaryDirectory directory, std::string program)
      : directory(std::move(directory)), program(std::move(program)) {}

  TemporaryDirectory directory;
  std::string program;
};

} // namespace prophet
