//===- SourceEdits.h - Changes of source files, line by line ----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/Basic/SourceManager.h"

#include <map>
#include <string>
#include <vector>

namespace prophet {

/// A file as it will be.
struct EditedFile {
  std::string Path;
  std::string Text;
  std::string Marked; ///< with `#line` where lines were added: messages name the user's lines
};

/// Replaced pieces of files. Everything else stays as it is, byte for byte.
class SourceEdits {
public:
  explicit SourceEdits(const clang::SourceManager &SM) : SM(SM) {}

  /// Replaces [Begin, End) by `Text`, which may hold more lines. A file that is included twice is
  /// edited once.
  void replace(clang::SourceLocation Begin, clang::SourceLocation End, std::string Text);
  /// Puts a line before the one that `Loc` is on, or before `Loc` where something precedes it
  /// there.
  void insertLine(clang::SourceLocation Loc, const std::string &Line);

  /// What is between two places of one file.
  llvm::StringRef text(clang::SourceLocation Begin, clang::SourceLocation End) const;

  /// The files that were edited, and the main file in any case, which comes first.
  std::vector<EditedFile> apply() const;

private:
  struct Change {
    unsigned End;
    std::string Text;
  };
  EditedFile apply(clang::FileID File, const std::map<unsigned, Change> &Changes) const;

  const clang::SourceManager &SM;
  std::map<std::string, std::pair<clang::FileID, std::map<unsigned, Change>>> Files; ///< by path
};

} // namespace prophet
