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

/// GCC has no atomics of complex numbers.
static bool isAtomicType(QualType Type) {
  return Type->isScalarType() && !Type->isAnyComplexType();
}

/// Whether nothing that other threads may write is read, and nothing written: constants, and
/// local variables by themselves.
static bool readsOnlyOwn(const Expr *Value) {
  bool Own = true;
  forEachStatement(Value, [&](const Stmt *S) {
    if (auto *Reference = dyn_cast<DeclRefExpr>(S)) {
      auto *Variable = dyn_cast<VarDecl>(Reference->getDecl());
      Own &= !Variable || Variable->getType().isConstQualified() ||
             (Variable->hasLocalStorage() && !Variable->getType()->isReferenceType());
    }
    if (auto *Unary = dyn_cast<UnaryOperator>(S))
      Own &= !Unary->isIncrementDecrementOp() && Unary->getOpcode() != UO_Deref;
    if (auto *Operator = dyn_cast<BinaryOperator>(S))
      Own &= !Operator->isAssignmentOp();
    Own &= !isa<CallExpr, ArraySubscriptExpr>(S);
    if (auto *Member = dyn_cast<MemberExpr>(S))
      Own &= !Member->isArrow();
    return Own;
  });
  return Own;
}

std::optional<std::string> atomicDirective(const Stmt *S, ASTContext &Context) {
  auto *Whole = dyn_cast_or_null<Expr>(S);
  if (!Whole)
    return std::nullopt;
  Whole = Whole->IgnoreParens();
  if (auto *Cleanups = dyn_cast<ExprWithCleanups>(Whole))
    Whole = Cleanups->getSubExpr()->IgnoreParens();
  if (auto *Unary = dyn_cast<UnaryOperator>(Whole))
    return Unary->isIncrementDecrementOp() && isAtomicType(Unary->getType())
               ? std::optional<std::string>("atomic")
               : std::nullopt;
  auto *Assignment = dyn_cast<BinaryOperator>(Whole);
  if (!Assignment || !Assignment->isAssignmentOp() || !isAtomicType(Assignment->getType()))
    return std::nullopt;
  const Expr *Target = Assignment->getLHS(), *Value = Assignment->getRHS();
  if (auto *Compound = dyn_cast<CompoundAssignOperator>(Assignment))
    return isAtomicOperator(BinaryOperator::getOpForCompoundAssignment(Compound->getOpcode())) &&
                   !holds(Value, Target, Context)
               ? std::optional<std::string>("atomic")
               : std::nullopt;
  if (!holds(Value, Target, Context)) // atomic is the store alone, not what the value is made from
    return readsOnlyOwn(Value) ? std::optional<std::string>("atomic write") : std::nullopt;
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
