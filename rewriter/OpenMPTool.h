//===- OpenMPTool.h - From a command line to OpenMP -------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/OpenMPOutlet.h"

#include "clang/Tooling/Tooling.h"

#include <optional>

namespace prophet {

/// Runs the outlet over the tool's one source, and has Clang compile the result with OpenMP.
/// Nothing where either reports errors.
std::optional<std::vector<EditedFile>> applyOpenMP(clang::tooling::ClangTool &Parse,
                                                   clang::tooling::ClangTool &Compile,
                                                   const Plan *P, EditHeaders Headers);

/// For another program: writes the Nth file to DIRECTORY/N.text and DIRECTORY/N.marked, and the
/// files' own paths to DIRECTORY/paths, one a line. Bytes stay bytes, whatever the encoding.
llvm::Error writeInto(const std::string &Directory, const std::vector<EditedFile> &Files);

} // namespace prophet
