//===- AtomicForm.cpp - What OpenMP's atomic can do -----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/AtomicForm.h"

#include "rewriter/Accesses.h"
#include "rewriter/AnnotatedStatements.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace prophet {

/// Whether `E` holds an expression that is spelled as `Part` is.
static bool holds(const Expr *E, const Expr *Part, ASTContext &Context) {
  bool Found = false;
  forEachStatement(E, [&](const Stmt *S) {
    auto *Inside = dyn_cast<Expr>(S);
    Found |= Inside && isSameExpression(Inside, Part, Context);
    return !Found;
  });
  return Found;
}

static bool isAtomicOperator(BinaryOperatorKind Kind) {
  switch (Kind) {
  case BO_Add:
  case BO_Sub:
  case BO_Mul:
  case BO_Div:
  case BO_And:
  case BO_Xor:
  case BO_Or:
  case BO_Shl:
  case BO_Shr:
    return true;
  default:
    return false;
  }
}

std::optional<std::string> atomicDirective(const Stmt *S, ASTContext &Context) {
  auto *Whole = dyn_cast_or_null<Expr>(S);
  if (!Whole)
    return std::nullopt;
  Whole = Whole->IgnoreParens();
  if (auto *Cleanups = dyn_cast<ExprWithCleanups>(Whole))
    Whole = Cleanups->getSubExpr()->IgnoreParens();
  if (auto *Unary = dyn_cast<UnaryOperator>(Whole))
    return Unary->isIncrementDecrementOp() && Unary->getType()->isScalarType()
               ? std::optional<std::string>("atomic")
               : std::nullopt;
  auto *Assignment = dyn_cast<BinaryOperator>(Whole);
  if (!Assignment || !Assignment->isAssignmentOp() || !Assignment->getType()->isScalarType())
    return std::nullopt;
  const Expr *Target = Assignment->getLHS(), *Value = Assignment->getRHS();
  if (auto *Compound = dyn_cast<CompoundAssignOperator>(Assignment))
    return isAtomicOperator(BinaryOperator::getOpForCompoundAssignment(Compound->getOpcode())) &&
                   !holds(Value, Target, Context)
               ? std::optional<std::string>("atomic")
               : std::nullopt;
  if (!holds(Value, Target, Context))
    return "atomic write";
  auto *Operator = dyn_cast<BinaryOperator>(Value->IgnoreImpCasts());
  if (!Operator || !isAtomicOperator(Operator->getOpcode()))
    return std::nullopt;
  bool Left = isSameExpression(Operator->getLHS(), Target, Context);
  bool Right = isSameExpression(Operator->getRHS(), Target, Context);
  const Expr *Other = Left ? Operator->getRHS() : Operator->getLHS();
  return (Left || Right) && !holds(Other, Target, Context) ? std::optional<std::string>("atomic")
                                                           : std::nullopt;
}

} // namespace prophet
