//===- Installation.h - Where Prophet's other parts are -----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Result.h"

#include <string>

namespace prophet {

/// Paths of the parts that the compiler needs.
struct Installation {
  std::string plugin;  ///< prophet.so
  std::string library; ///< the directory of libprophet
  std::string include; ///< the directory that holds prophet/profile.h
};

/// The directory of the running executable.
Result<std::string> executableDirectory();

/// Finds the parts relative to the executable: in the build tree as installed.
Result<Installation> findInstallation();

/// Where the program `name` is that belongs to Prophet and runs a parallel runtime; it need not be
/// there.
Result<std::string> helperProgram(const std::string &name);

/// Where the program is that measures the overheads of OpenMP's `runtime`; it need not be there.
Result<std::string> measuringProgram(const std::string &runtime);

/// The same of the program that measures the memory system.
Result<std::string> memoryProgram();

} // namespace prophet
