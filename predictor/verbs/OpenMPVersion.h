//===- OpenMPVersion.h - A source with OpenMP pragmas -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Capture.h"
#include "predictor/verbs/ClangCommand.h"

#include <optional>
#include <string>
#include <vector>

namespace prophet {

/// What `prophet-rewrite --openmp` made of a source.
struct OpenMPVersion {
  struct File {
    std::string path;
    std::string text;
  };
  std::vector<File> files; ///< the source, then headers that change
  /// Options with which Clang compiles the result under the original names, and messages name the
  /// original lines. They are valid as long as the directory that the files are in.
  std::vector<std::string> options;
};

enum class ChangeHeaders { No, Yes };

/// Runs prophet-rewrite, which prints its own messages unless they are captured; `plan` is its
/// plan's text, or empty. Nothing where it found errors.
Result<std::optional<OpenMPVersion>>
makeOpenMPVersion(const Compilation &compilation, const std::string &plan, ChangeHeaders headers,
                  const TemporaryDirectory &directory, CaptureErrors messages);

} // namespace prophet
