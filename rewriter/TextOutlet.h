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
// that holds an annotation or needs an edit is replaced by what it expands to.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/Engine.h"

#include <map>
#include <set>

namespace prophet {

class TextOutlet : public Outlet {
public:
  explicit TextOutlet(clang::Preprocessor &PP);

  void region(const Region &R, const AnnotationList &Annotations) override;
  void finish(const AnnotationList &Annotations) override;

  /// The rewritten file; complete after a parse without errors.
  const std::string &text() const { return Text; }

private:
  /// Replace the characters [Begin, End) of the main file. Of two at one place the one with the
  /// smaller `Order` comes first.
  struct Change {
    unsigned Begin, End, Order;
    std::string Text;
  };
  /// A macro expansion in the main file.
  struct Expansion {
    unsigned End = 0, Order = 0;
    std::string Text;            ///< its tokens and what is added among them
    std::vector<Change> Outside; ///< what is added beside it, where it can stay as it is
    bool Replaced = false;
    unsigned Pragmas = 0; ///< heard of while it was expanded
    unsigned Ours = 0;    ///< of these, from our annotations
  };
  class PragmaCounter;
  enum class Side { Before, After };

  void record(const clang::Token &Tok);
  void placeGroup(const Region &R, size_t First, size_t Last, const AnnotationList &Annotations);
  void addAt(const clang::Token &Tok, Side Where, const std::string &Added, const Annotation &A);
  void removePragma(const Annotation &A);
  void refuseLostPragmas();
  bool insideMainFile(clang::SourceLocation Loc, const Annotation &A);
  clang::SourceRange pragmaRange(const Annotation &A) const;
  Expansion &expansionOf(clang::SourceLocation Loc);
  unsigned offset(clang::SourceLocation Loc) const { return SM.getFileOffset(Loc); }
  unsigned endOffset(clang::SourceLocation Loc) const;
  std::string newlines(unsigned Begin, unsigned End) const;

  clang::Preprocessor &PP;
  clang::SourceManager &SM;
  std::vector<Change> Changes;
  std::map<unsigned, Expansion> Expansions; ///< by where they begin in the main file
  std::set<const Annotation *> Elsewhere;   ///< annotations reported to stand in another file
  unsigned NextOrder = 0;
  std::string Text;
};

} // namespace prophet
