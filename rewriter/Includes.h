//===- Includes.h - Which line brought a file in ----------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/ClangCompat.h"

#include "clang/Basic/SourceManager.h"

#include <map>
#include <set>

namespace prophet {

/// Remembers the directive that each file was entered by, and which files were not entered again.
class Includes : public InclusionCallbacks {
public:
  explicit Includes(const clang::SourceManager &SM) : SM(SM) {}

  /// From the `#` to the end of the file's name; invalid where no `#include` stands in a file.
  clang::SourceRange directive(clang::FileID File) const;
  /// Whether a later `#include` of the file had no effect.
  bool wasSkipped(clang::FileID File) const;

private:
  void included(clang::SourceRange Directive) override { Latest = Directive; }
  void FileChanged(clang::SourceLocation Loc, FileChangeReason Reason,
                   clang::SrcMgr::CharacteristicKind, clang::FileID) override {
    if (Reason == EnterFile)
      Directives[SM.getFileID(Loc)] = std::exchange(Latest, clang::SourceRange());
  }
  void FileSkipped(const clang::FileEntryRef &File, const clang::Token &,
                   clang::SrcMgr::CharacteristicKind) override {
    Skipped.insert(&File.getFileEntry());
  }

  const clang::SourceManager &SM;
  clang::SourceRange Latest;
  std::map<clang::FileID, clang::SourceRange> Directives;
  std::set<const clang::FileEntry *> Skipped;
};

inline clang::SourceRange Includes::directive(clang::FileID File) const {
  auto It = Directives.find(File);
  return It == Directives.end() ? clang::SourceRange() : It->second;
}

inline bool Includes::wasSkipped(clang::FileID File) const {
  return Skipped.count(SM.getFileEntryForID(File)) != 0;
}

} // namespace prophet
