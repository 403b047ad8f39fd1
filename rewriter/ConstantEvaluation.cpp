//===- ConstantEvaluation.cpp - May a compiler execute it? ------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/ConstantEvaluation.h"

#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace prophet {

/// A '[' after one of these is an index or a declared array; else it may begin a lambda.
static bool endsOperand(const Token &Tok) {
  return Tok.isOneOf(tok::identifier, tok::r_paren, tok::r_square, tok::string_literal,
                     tok::kw_this) ||
         Tok.isAnnotation();
}

/// `auto [a, b]`, with a reference or without.
static bool declaresBindings(const std::vector<Token> &Tokens, size_t Bracket) {
  size_t Before = Bracket;
  if (Before && Tokens[Before - 1].isOneOf(tok::amp, tok::ampamp))
    --Before;
  return Before && Tokens[Before - 1].is(tok::kw_auto);
}

/// Functions inside of the one that the region stands in may be constexpr, lambdas without a word.
static bool mayHoldFunctions(const std::vector<Token> &Tokens) {
  for (size_t I = 0; I != Tokens.size(); ++I) {
    if (Tokens[I].isOneOf(tok::kw_class, tok::kw_struct, tok::kw_union))
      return true;
    if (Tokens[I].is(tok::l_square) && !(I && endsOperand(Tokens[I - 1])) &&
        !declaresBindings(Tokens, I))
      return true;
  }
  return false;
}

bool mayBeConstantEvaluated(const Sema &S, const Region &R) {
  if (!S.getLangOpts().CPlusPlus)
    return false;
  const auto *Function = dyn_cast<FunctionDecl>(S.CurContext);
  if (!Function || Function->isConstexpr())
    return true;
  const auto *Method = dyn_cast<CXXMethodDecl>(Function);
  if (Method && Method->getParent()->isLambda())
    return true;
  return mayHoldFunctions(R.Tokens);
}

} // namespace prophet
