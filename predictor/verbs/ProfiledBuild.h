//===- ProfiledBuild.h - Compiling with the plugin ---------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/verbs/Installation.h"

#include <string>
#include <vector>

namespace prophet {

/// A compiler's arguments, and those that were left out.
struct KeptArguments {
  std::vector<std::string> kept, dropped;
};

/// `arguments` for a program whose OpenMP pragmas are annotations: OpenMP itself stays off, though
/// the program is told that it is on where they turn it on.
KeptArguments withoutOpenMP(const std::vector<std::string> &arguments);

/// The command that compiles by `clang` as `arguments` say, with profiling calls: what Prophet adds
/// comes first, and for static links last.
std::vector<std::string> profiledCommand(const Installation &place,
                                         const std::vector<std::string> &clang,
                                         const std::vector<std::string> &arguments);

} // namespace prophet
