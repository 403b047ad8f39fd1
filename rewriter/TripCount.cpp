//===- TripCount.cpp - How often a loop runs, as an expression ------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/TripCount.h"

#include "rewriter/Accesses.h"
#include "rewriter/DataSharing.h"

using namespace clang;

namespace prophet {
namespace {

/// A loop's header: from `First` by `Step` while `Variable` `Relation` `Bound`.
struct Header {
  const VarDecl *Variable;
  const Expr *First, *Bound;
  BinaryOperatorKind Relation;
  const Expr *Step; ///< null: 1
};

bool isPure(const Expr *E, const ASTContext &Context) {
  return !E->HasSideEffects(Context) && E->getBeginLoc().isFileID() && E->getEndLoc().isFileID() &&
         textOf(E, Context).find('\n') == std::string::npos;
}

const Expr *firstValue(const ForStmt *For, const VarDecl *Variable) {
  if (isa_and_nonnull<DeclStmt>(For->getInit()))
    return Variable->getInit();
  return cast<BinaryOperator>(For->getInit())->getRHS();
}

/// The step of `i++`, `i += s`, `i = i + s`; null pointer for 1; nothing for other forms.
std::optional<const Expr *> stepOf(const Expr *Increment, const VarDecl *Variable) {
  if (auto *Unary = dyn_cast_or_null<UnaryOperator>(Increment))
    return Unary->isIncrementOp() ? std::optional<const Expr *>(nullptr) : std::nullopt;
  auto *Operator = dyn_cast_or_null<BinaryOperator>(Increment);
  if (!Operator)
    return std::nullopt;
  if (Operator->getOpcode() == BO_AddAssign)
    return Operator->getRHS();
  auto *Sum = dyn_cast<BinaryOperator>(Operator->getRHS()->IgnoreParenImpCasts());
  if (Operator->getOpcode() != BO_Assign || !Sum || Sum->getOpcode() != BO_Add ||
      variableIn(Sum->getLHS()) != Variable)
    return std::nullopt;
  return Sum->getRHS();
}

std::optional<Header> readHeader(const Stmt *Loop) {
  auto *For = dyn_cast<ForStmt>(Loop);
  const VarDecl *Variable = For ? loopVariables(Loop, 1).front() : nullptr;
  auto *Condition = For ? dyn_cast_or_null<BinaryOperator>(For->getCond()) : nullptr;
  if (!Variable || !Condition || !Variable->getType()->isIntegerType() ||
      variableIn(Condition->getLHS()) != Variable)
    return std::nullopt;
  BinaryOperatorKind Relation = Condition->getOpcode();
  auto Step = stepOf(For->getInc(), Variable);
  const Expr *First = firstValue(For, Variable);
  if (!Step || !First || (Relation != BO_LT && Relation != BO_LE && Relation != BO_NE))
    return std::nullopt;
  return Header{Variable, First, Condition->getRHS(), Relation, *Step};
}

/// In parentheses, unless it is one word.
std::string operand(const Expr *E, const ASTContext &Context) {
  std::string Text = textOf(E, Context);
  return isa<DeclRefExpr, IntegerLiteral, ParenExpr, MemberExpr, ArraySubscriptExpr, CallExpr>(
             E->IgnoreImpCasts())
             ? Text
             : "(" + Text + ")";
}

} // namespace

std::optional<std::string> tripCountText(const Stmt *Loop, ASTContext &Context) {
  std::optional<Header> H = readHeader(Loop);
  if (!H || !isPure(H->First, Context) || !isPure(H->Bound, Context) ||
      (H->Step && !isPure(H->Step, Context)))
    return std::nullopt;
  Expr::EvalResult First;
  bool FromZero = !H->First->isValueDependent() && H->First->EvaluateAsInt(First, Context) &&
                  First.Val.getInt().isZero();
  std::string Count = FromZero ? operand(H->Bound, Context)
                               : operand(H->Bound, Context) + " - " + operand(H->First, Context);
  if (H->Relation == BO_LE)
    Count += " + 1";
  if (H->Step)
    Count = (Count.find(' ') == std::string::npos ? Count : "(" + Count + ")") + " / " +
            operand(H->Step, Context);
  return Count;
}

} // namespace prophet
