//===- OpenMPGrammar.h - `#pragma omp` as annotations -----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads an OpenMP line as what it means for the profile of a serial run. Pure, as
// Grammar.h is. Nothing is an error here: whether the line is good OpenMP is for an
// OpenMP compiler to say, and what has no meaning for the profile gets a warning.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/Grammar.h"

namespace prophet {

struct OpenMPPragma {
  /// Empty where the serial run does the construct's work as it stands: `simd`, `master`, `flush`.
  std::optional<Directive> What;
  /// Variables that `threadprivate` lists.
  std::vector<std::string> ThreadPrivate;
  std::vector<Problem> Warnings;
};

/// Parses the tokens that follow `#pragma omp`, macros expanded, up to the end of the line.
OpenMPPragma parseOpenMP(const std::vector<PragmaToken> &Tokens);

} // namespace prophet
