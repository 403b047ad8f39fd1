//===- TextOutlet.h - The rewritten source as text --------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the main file with what the plugin would add, every line where it was:
//
//   #pragma prophet critical        { unsigned prophet_lock_0 ... = __prophet_lock_begin("");
//   sum += x;                       sum += x; }
//
// Text inside a macro's expansion has no place of its own in the file, so a macro
// that holds an annotation or needs an edit is replaced by what it expands to; an
// `#include` of a file that needs an edit, by that file's rewritten text.
//
// Places are raw source locations: one number line for all files.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/Engine.h"
#include "rewriter/Includes.h"

#include <map>

namespace prophet {

class TextOutlet : public Outlet {
public:
  explicit TextOutlet(clang::Preprocessor &PP);

  void region(const Region &R, const AnnotationList &Annotations) override;
  void functionTasks(clang::SourceLocation Brace, const std::string &Declaration) override;
  void finish(const AnnotationList &Annotations) override;

  /// The rewritten file; complete after a parse without errors.
  const std::string &text() const { return Text; }

private:
  /// Replace the characters [Begin, End). Of two at one place the one with the
  /// smaller `Order` comes first.
  struct Change {
    unsigned Begin, End, Order;
    std::string Text;
  };
  /// A macro expansion as it stands in a file.
  struct Expansion {
    unsigned End = 0, Order = 0;
    std::string Text;                     ///< its tokens and what is added among them
    std::map<unsigned, size_t> Braces;    ///< where Text goes on after each '{', by its place
    std::map<size_t, std::string> Inside; ///< to be inserted into Text
    std::vector<Change> Outside;          ///< what is added beside it, where it can stay as it is
    bool Replaced = false;
    unsigned Pragmas = 0; ///< heard of while it was expanded
    unsigned Ours = 0;    ///< of these, from our annotations
  };
  class PragmaCounter;
  enum class Side { Before, After };

  void record(const clang::Token &Tok);
  void placeGroup(const Region &R, size_t First, size_t Last, const AnnotationList &Annotations);
  void addAt(const clang::Token &Tok, Side Where, const std::string &Added);
  void removePragma(const Annotation &A);
  void refuseLostPragmas();
  clang::SourceRange pragmaRange(const Annotation &A) const;
  Expansion &expansionOf(clang::SourceLocation Loc);
  static unsigned place(clang::SourceLocation Loc) { return Loc.getRawEncoding(); }
  unsigned endPlace(clang::SourceLocation Loc) const;
  clang::FileID fileAt(unsigned Place) const;
  clang::StringRef original(unsigned Begin, unsigned End) const;
  std::string newlines(unsigned Begin, unsigned End) const;
  void settleExpansions();
  std::string withTasksVariables(llvm::StringRef Rewritten, const AnnotationList &Annotations);
  void dropPragmaOnce(clang::FileID File);
  bool replaceInclude(clang::FileID File);
  std::string lineMarker(clang::SourceLocation Loc) const;
  std::string render(clang::FileID File);

  clang::Preprocessor &PP;
  clang::SourceManager &SM;
  Includes *Included; ///< owned by the preprocessor
  std::map<clang::FileID, std::vector<Change>> Changes;
  std::map<unsigned, Expansion> Expansions; ///< by where they begin
  unsigned NextOrder = 1;                   ///< 0 is for what directly follows a function's brace
  std::string Text;
};

} // namespace prophet
