//===- StatementReader.cpp - Reads one statement, token by token *- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every function reads one construct and returns false where the tokens are not
// that construct; what was read so far is then in Result all the same.
//
//===----------------------------------------------------------------------===//
#include "rewriter/StatementReader.h"

#include "llvm/ADT/SmallVector.h"

using namespace clang;

namespace prophet {

/// Statements nested deeper than this are refused before they exhaust the stack.
static const unsigned MaxDepth = 2000;

Region StatementReader::read(unsigned Number) {
  Pending.push_front(Number);
  bool Done = annotated();
  // Looking for an `else` may have run into the annotation of the statement that follows.
  while (Done && !Lexed.empty() && annotationsAhead())
    Done = annotated();
  for (const Item &I : Lexed)
    Result.Tokens.push_back(I.Tok);
  dropIdleBarriers();
  if (!Done)
    Result.Edits.clear();
  for (const Edit &E : Result.Edits)
    Annotations[E.Annotation].Placed = true;
  return std::move(Result);
}

const StatementReader::Item &StatementReader::ahead(unsigned Distance) {
  while (Lexed.size() <= Distance) {
    Item I;
    PP.Lex(I.Tok);
    I.Annotations.swap(Pending);
    Lexed.push_back(std::move(I));
  }
  return Lexed[Distance];
}

bool StatementReader::take() {
  if (at(tok::eof))
    return false;
  if (annotationsAhead()) {
    unsigned Number = ahead().Annotations.front();
    return refuse(Number, Annotations[Number].Begin,
                  "must stand before a statement, not inside one");
  }
  Result.Tokens.push_back(ahead().Tok);
  Lexed.pop_front();
  return true;
}

bool StatementReader::statement() {
  if (++Depth > MaxDepth)
    return false;
  bool Done = prefixes() && (annotationsAhead() ? annotated() : unprefixedStatement());
  --Depth;
  return Done;
}

/// Labels, attributes and what other pragmas left in the token stream.
bool StatementReader::prefixes() {
  while (!annotationsAhead()) {
    bool Read = true;
    if (at(tok::annot_pragma_openmp))
      Read = openMPPragma();
    else if (ahead().Tok.isAnnotation())
      Read = take();
    else if (at(tok::kw___attribute))
      Read = take() && brackets();
    else if (at(tok::l_square) && at(tok::l_square, 1))
      Read = brackets();
    else if (!label())
      return true;
    if (!Read)
      return false;
  }
  return true;
}

bool StatementReader::openMPPragma() {
  while (!at(tok::annot_pragma_openmp_end))
    if (!take())
      return false;
  return take();
}

/// `name:`, `default:` or `case value:`. Takes nothing where there is none.
bool StatementReader::label() {
  if (at(tok::identifier))
    return at(tok::colon, 1) && take() && take() && labelAttributes();
  if (at(tok::kw_default))
    return at(tok::colon, 1) && take() && take();
  if (!take(tok::kw_case))
    return false;
  unsigned Questions = 0; // each takes a colon of its own
  while (!at(tok::colon) || Questions != 0) {
    if (at(tok::question))
      ++Questions;
    else if (at(tok::colon))
      --Questions;
    bool Bracket = at(tok::l_paren) || at(tok::l_square) || at(tok::l_brace);
    if (!(Bracket ? brackets() : take()))
      return false;
  }
  return take();
}

/// In C, GNU attributes after a label are the label's; in C++ they are the statement's.
bool StatementReader::labelAttributes() {
  while (!PP.getLangOpts().CPlusPlus && at(tok::kw___attribute) && !annotationsAhead())
    if (!take() || !at(tok::l_paren) || !brackets())
      return false;
  return true;
}

bool StatementReader::unprefixedStatement() {
  switch (ahead().Tok.getKind()) {
  case tok::l_brace:
    return brackets();
  case tok::kw_for:
    return forHeader() && statement();
  case tok::kw_while:
  case tok::kw_switch:
    return take() && at(tok::l_paren) && brackets() && statement();
  case tok::kw_if:
    return ifStatement();
  case tok::kw_do:
    return take() && statement() && take(tok::kw_while) && at(tok::l_paren) && brackets() &&
           take(tok::semi);
  case tok::kw_try:
    return tryStatement();
  case tok::kw___try: // extensions that do not end at a semicolon
  case tok::at:
    return false;
  default:
    return simpleStatement();
  }
}

bool StatementReader::forHeader() {
  return take(tok::kw_for) && (!at(tok::kw_co_await) || take()) && at(tok::l_paren) && brackets();
}

bool StatementReader::ifStatement() {
  // An `else if` chain is read in a loop: it may be long.
  do {
    if (!take())
      return false;
    if (at(tok::exclaim) && !take())
      return false;
    if ((at(tok::kw_constexpr) || at(tok::kw_consteval)) && !take())
      return false;
    if (at(tok::l_paren) && !brackets())
      return false;
    if (at(tok::kw_if) || !statement())
      return false;
    if (!at(tok::kw_else))
      return true;
    if (!take())
      return false;
  } while (at(tok::kw_if) && !annotationsAhead());
  return statement();
}

bool StatementReader::tryStatement() {
  if (!take() || !at(tok::l_brace) || !brackets())
    return false;
  while (at(tok::kw_catch))
    if (!take() || !at(tok::l_paren) || !brackets() || !at(tok::l_brace) || !brackets())
      return false;
  return true;
}

/// An expression, a jump or a declaration: everything up to its semicolon.
bool StatementReader::simpleStatement() {
  while (!at(tok::semi)) {
    bool Bracket = at(tok::l_paren) || at(tok::l_square) || at(tok::l_brace);
    if (!(Bracket ? brackets() : !at(tok::r_brace) && take()))
      return false;
  }
  return take();
}

/// From an opening bracket to the one that closes it.
bool StatementReader::brackets() {
  llvm::SmallVector<tok::TokenKind, 16> Open;
  do {
    if (annotationsAhead() && !Open.empty() && Open.back() == tok::r_brace) {
      if (!annotated())
        return false;
      continue;
    }
    tok::TokenKind Kind = ahead().Tok.getKind();
    if (Kind == tok::l_brace)
      Open.push_back(tok::r_brace);
    else if (Kind == tok::l_paren)
      Open.push_back(tok::r_paren);
    else if (Kind == tok::l_square)
      Open.push_back(tok::r_square);
    else if (Kind == tok::r_brace || Kind == tok::r_paren || Kind == tok::r_square)
      if (Open.pop_back_val() != Kind)
        return false;
    if (!take())
      return false;
  } while (!Open.empty());
  return true;
}

} // namespace prophet
