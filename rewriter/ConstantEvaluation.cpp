//===- ConstantEvaluation.cpp - May a compiler execute it? ------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/ConstantEvaluation.h"

#include "clang/AST/DeclCXX.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/ScopeInfo.h"

using namespace clang;

namespace prophet {

using Tokens = std::vector<Token>;

static bool is(const Tokens &T, size_t At, tok::TokenKind Kind) {
  return At < T.size() && T[At].is(Kind);
}

/// After one of these, '[' is an index or declares an array.
static bool endsOperand(const Token &Tok) {
  return Tok.isOneOf(tok::identifier, tok::r_square, tok::string_literal, tok::kw_this) ||
         Tok.isOneOf(tok::kw_bool, tok::kw_char, tok::kw_short, tok::kw_int, tok::kw_long,
                     tok::kw_signed, tok::kw_unsigned, tok::kw_float, tok::kw_double,
                     tok::kw_wchar_t) ||
         Tok.isAnnotation();
}

/// `auto [a, b]`, with a reference or without.
static bool declaresBindings(const Tokens &T, size_t Bracket) {
  size_t Before = Bracket;
  if (Before && T[Before - 1].isOneOf(tok::amp, tok::ampamp))
    --Before;
  return Before && T[Before - 1].is(tok::kw_auto);
}

/// What follows the bracket that closes the one at `Bracket`.
static size_t behind(const Tokens &T, size_t Bracket) {
  unsigned Depth = 0;
  for (size_t I = Bracket; I != T.size(); ++I) {
    Depth += T[I].is(tok::l_square);
    Depth -= T[I].is(tok::r_square);
    if (Depth == 0)
      return I + 1;
  }
  return T.size();
}

static bool mayBeginLambda(const Tokens &T, size_t Bracket) {
  if (is(T, Bracket + 1, tok::l_square) || (Bracket && is(T, Bracket - 1, tok::l_square)))
    return false; // an attribute
  if (declaresBindings(T, Bracket) || (Bracket && endsOperand(T[Bracket - 1])))
    return false;
  if (Bracket && is(T, Bracket - 1, tok::kw_delete) && is(T, Bracket + 1, tok::r_square))
    return false;
  if (!Bracket || !is(T, Bracket - 1, tok::r_paren))
    return true;
  // `(a)[i]` or `(int)[i] { ... }`.
  size_t Next = behind(T, Bracket);
  return Next != T.size() &&
         (T[Next].isOneOf(tok::l_paren, tok::l_brace, tok::less, tok::l_square, tok::arrow) ||
          T[Next].getIdentifierInfo());
}

/// Is it defined behind its first word, or only named?
static bool definesClass(const Tokens &T, size_t Word) {
  for (size_t I = Word + 1; I != T.size(); ++I) {
    if (T[I].isOneOf(tok::l_brace, tok::colon))
      return true;
    if (T[I].isOneOf(tok::semi, tok::comma, tok::equal, tok::r_paren, tok::star, tok::amp))
      return false;
  }
  return false;
}

/// Functions inside of the one that the region stands in may be constexpr, lambdas without a word,
/// and a statement that is an expression may be part of a constant.
static bool mayHoldConstants(const Tokens &T) {
  for (size_t I = 0; I != T.size(); ++I) {
    if (T[I].isOneOf(tok::kw_class, tok::kw_struct, tok::kw_union) && definesClass(T, I))
      return true;
    if (T[I].is(tok::l_square) && mayBeginLambda(T, I))
      return true;
    if (T[I].is(tok::l_paren) && is(T, I + 1, tok::l_brace))
      return true;
  }
  return false;
}

/// Does the text end in "({"? The parser looks one token ahead of the brace, so a region that comes
/// first in a statement expression is read before the expression has begun.
static bool endsInStatementExpression(StringRef Text) {
  Text = Text.rtrim();
  return Text.consume_back("{") && Text.rtrim().take_back() == "(";
}

static bool inStatementExpression(const Sema &S, SourceLocation Begin) {
  const SourceManager &SM = S.getSourceManager();
  auto [File, Offset] = SM.getDecomposedExpansionLoc(Begin);
  if (endsInStatementExpression(SM.getBufferData(File).take_front(Offset)))
    return true;
  const sema::FunctionScopeInfo *Function = S.getCurFunction();
  return Function &&
         llvm::any_of(Function->CompoundScopes, [](const auto &Scope) { return Scope.IsStmtExpr; });
}

bool mayBeConstantEvaluated(const Sema &S, const Region &R, SourceLocation Begin) {
  if (!S.getLangOpts().CPlusPlus)
    return false;
  // What is read before the parser has decided what it is may become part of something else.
  if (S.PP.isBacktrackEnabled() || inStatementExpression(S, Begin))
    return true;
  const auto *Function = dyn_cast<FunctionDecl>(S.CurContext);
  if (!Function || Function->isConstexpr())
    return true;
  const auto *Method = dyn_cast<CXXMethodDecl>(Function);
  if (Method && Method->getParent()->isLambda())
    return true;
  return mayHoldConstants(R.Tokens);
}

} // namespace prophet
