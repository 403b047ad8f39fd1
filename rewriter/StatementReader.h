//===- StatementReader.h - Reads one statement, token by token --*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the end of an annotated statement in the token stream, before the parser
// has seen it. Annotations met on the way are handled in the same pass, so a
// token is read once however deep annotations nest.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/Region.h"

#include "clang/Lex/Preprocessor.h"

#include <deque>
#include <string>
#include <vector>

namespace prophet {

class StatementReader {
public:
  /// `Pending` receives, while the preprocessor lexes, the numbers of the annotations that stand
  /// before the token it returns.
  StatementReader(clang::Preprocessor &PP, AnnotationList &Annotations,
                  std::deque<unsigned> &Pending)
      : PP(PP), Annotations(Annotations), Pending(Pending) {}

  /// Reads the statement that annotation `Number` stands before. On a syntax error the region has
  /// no edits, and the parser is left to report it.
  Region read(unsigned Number);

private:
  /// A token that was lexed but not yet taken, and the annotations that stand before it.
  struct Item {
    clang::Token Tok;
    std::deque<unsigned> Annotations;
  };

  // DirectiveReader.cpp
  bool annotated();
  unsigned takeAnnotation();
  void skipOpenMPBesideProphet(std::deque<unsigned> &Numbers);
  bool annotatedLoop(unsigned Number, size_t PragmaBefore);
  bool loopNest(unsigned Number, unsigned Loops);
  bool annotatedSections(unsigned Number, size_t PragmaBefore);
  bool part(unsigned Sections, bool First);
  bool wrapped(EditKind Kind, unsigned Number, size_t PragmaBefore);
  bool standingAlone(unsigned Number);
  void findScope(unsigned Number);
  void dropIdleBarriers();
  void warnOfWorkByHand(unsigned Number, size_t FirstEdit, size_t FirstToken);
  bool refuse(unsigned Number, clang::SourceLocation Loc, const std::string &Message);
  bool wrongStatement(unsigned Number, const char *Needs);

  // StatementReader.cpp
  bool statement();
  bool unprefixedStatement();
  bool forHeader();
  bool ifStatement();
  bool tryStatement();
  bool simpleStatement();
  bool prefixes();
  bool label();
  bool labelAttributes();
  bool openMPPragma();
  bool brackets();

  const Item &ahead(unsigned Distance = 0);
  bool annotationsAhead() { return !ahead().Annotations.empty(); }
  bool at(clang::tok::TokenKind Kind, unsigned Distance = 0) {
    return ahead(Distance).Tok.is(Kind);
  }
  bool take();
  bool take(clang::tok::TokenKind Kind) { return at(Kind) && take(); }
  void edit(EditKind Kind, unsigned Number, size_t PragmaBefore) {
    Result.Edits.push_back({Kind, Number, Result.Tokens.size(), PragmaBefore, false});
  }

  clang::Preprocessor &PP;
  AnnotationList &Annotations;
  std::deque<unsigned> &Pending;
  Region Result;
  std::deque<Item> Lexed;
  /// The edits around the current place whose statements hold the tasks in them, innermost last.
  std::vector<size_t> Scopes;
  unsigned Depth = 0;
};

} // namespace prophet
