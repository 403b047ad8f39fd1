//===- ClangCommand.h - The user's compiler options, reused -*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace prophet {

/// The Clang that Prophet uses ($PROPHET_CLANG names another one), as a command for sources like
/// `source`.
std::vector<std::string> clangFor(const std::string &source);

/// A file of the LLVM that Prophet uses, such as "lib/libarcher.so".
std::string llvmFile(const std::string &path);

/// What stands before, and what after the first "--": Clang's options and the program's arguments.
std::pair<std::vector<std::string>, std::vector<std::string>>
splitAtMarker(const std::vector<std::string> &words);

/// Whether an argument names a C or C++ source.
bool isSourceFile(const std::string &argument);

/// A compilation: one source and the user's options for it, without what says what comes out.
struct Compilation {
  std::string source;
  std::vector<std::string> options;

  Compilation(std::string source, const std::vector<std::string> &arguments);
  /// The command that compiles and links to `output`; libraries come after the source.
  std::vector<std::string> link(const std::vector<std::string> &added,
                                const std::string &output) const;
  /// The command that compiles only, and throws the object away.
  std::vector<std::string> compile(const std::vector<std::string> &added) const;
  bool optimizes() const; ///< the user says how far to optimize
};

} // namespace prophet
