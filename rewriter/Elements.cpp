//===- Elements.cpp - Which iterations write which elements ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/Elements.h"

#include "clang/AST/ExprCXX.h"

#include <optional>

using namespace clang;

namespace prophet {
namespace {

using Variables = llvm::DenseSet<const VarDecl *>;

class ElementExaminer {
public:
  ElementExaminer(const Stmt *Body, const Accesses &Inside,
                  const std::vector<const VarDecl *> &LoopVariables,
                  const std::set<std::string> &Own, ASTContext &Context)
      : Body(Body), Inside(Inside), LoopVariables(LoopVariables), Own(Own), Context(Context) {
    for (const VarDecl *V : LoopVariables)
      if (V)
        Varying.insert(V);
    while (spread())
      ;
  }

  std::vector<SharingFinding> examine();

private:
  struct Element {
    const VarDecl *Base;
    int64_t Offset; ///< from the loop's variable
  };

  bool spread();
  bool assign(const VarDecl *Target, const Expr *Value);
  bool varies(const Stmt *S) const;
  bool isLoaded(const Expr *Index) const;
  bool hasLoadedIndex(const Expr *E) const;
  std::optional<Element> elementOf(const Expr *E) const;
  std::optional<int64_t> offsetOf(const Expr *Index) const;
  bool report(const Access &A);
  void find(const Access &A, std::string Message) {
    Result.push_back({A.Where->getExprLoc(), textOf(A.Where, Context), std::move(Message)});
  }

  const Stmt *Body;
  const Accesses &Inside;
  const std::vector<const VarDecl *> &LoopVariables;
  const std::set<std::string> &Own;
  ASTContext &Context;
  Variables Varying; ///< their values depend on the iteration, or may do so
  Variables Loaded;  ///< their values come out of memory
  std::set<std::string> Said;
  std::vector<SharingFinding> Result;
};

/// Calls may return anything.
bool ElementExaminer::varies(const Stmt *S) const {
  bool Found = false;
  forEachStatement(S, [&](const Stmt *Part) {
    if (auto *Reference = dyn_cast<DeclRefExpr>(Part))
      if (auto *V = dyn_cast<VarDecl>(Reference->getDecl()))
        Found |= Varying.contains(V);
    Found |= isa<CallExpr>(Part) && !isa<CXXOperatorCallExpr>(Part);
    return !Found;
  });
  return Found;
}

bool ElementExaminer::assign(const VarDecl *Target, const Expr *Value) {
  if (!Target || !Value ||
      !(Inside.Locals.contains(Target) || Own.count(Target->getNameAsString())))
    return false;
  bool New = varies(Value) && Varying.insert(Target).second;
  New |= isLoaded(Value) && Loaded.insert(Target).second;
  return New;
}

/// One step of what depends on the iteration, from variable to variable.
bool ElementExaminer::spread() {
  bool New = false;
  forEachStatement(Body, [&](const Stmt *S) {
    if (auto *Declaration = dyn_cast<DeclStmt>(S)) {
      for (const Decl *D : Declaration->decls())
        if (auto *V = dyn_cast<VarDecl>(D))
          New |= assign(V, V->getInit());
    } else if (auto *Operator = dyn_cast<BinaryOperator>(S);
               Operator && Operator->isAssignmentOp()) {
      New |= assign(variableIn(Operator->getLHS()), Operator->getRHS());
    } else if (auto *Lambda = dyn_cast<LambdaExpr>(S)) {
      for (const ParmVarDecl *P : Lambda->getCallOperator()->parameters())
        New |= Varying.insert(P).second;
    } else if (auto *Address = dyn_cast<UnaryOperator>(S);
               Address && Address->getOpcode() == UO_AddrOf) {
      const VarDecl *V = variableIn(Address->getSubExpr());
      New |= V && Inside.Locals.contains(V) && Varying.insert(V).second;
    }
    return true;
  });
  return New;
}

/// Whether an integer comes out of an array, a pointer's target or a function.
bool ElementExaminer::isLoaded(const Expr *Index) const {
  if (!Index->getType()->isIntegralOrEnumerationType())
    return false;
  bool Found = false;
  forEachStatement(Index, [&](const Stmt *Part) {
    if (auto *Reference = dyn_cast<DeclRefExpr>(Part))
      if (auto *V = dyn_cast<VarDecl>(Reference->getDecl()))
        Found |= Loaded.contains(V);
    auto *Operator = dyn_cast<UnaryOperator>(Part);
    Found |= isa<ArraySubscriptExpr>(Part) || (Operator && Operator->getOpcode() == UO_Deref);
    return !Found;
  });
  return Found;
}

bool ElementExaminer::hasLoadedIndex(const Expr *E) const {
  bool Found = false;
  forEachStatement(E, [&](const Stmt *Part) {
    if (auto *Subscript = dyn_cast<ArraySubscriptExpr>(Part))
      Found |= isLoaded(Subscript->getIdx());
    if (auto *Operator = dyn_cast<CXXOperatorCallExpr>(Part))
      if (Operator->getOperator() == OO_Subscript && Operator->getNumArgs() == 2)
        Found |= isLoaded(Operator->getArg(1));
    return !Found;
  });
  return Found;
}

/// `i`, `i + 2`, `1 + i`, `i - 3`: how far from the loop's variable.
std::optional<int64_t> ElementExaminer::offsetOf(const Expr *Index) const {
  Index = Index->IgnoreParenImpCasts();
  if (variableIn(Index) && variableIn(Index) == LoopVariables.front())
    return 0;
  auto *Sum = dyn_cast<BinaryOperator>(Index);
  if (!Sum || (Sum->getOpcode() != BO_Add && Sum->getOpcode() != BO_Sub))
    return std::nullopt;
  const Expr *Left = Sum->getLHS(), *Right = Sum->getRHS();
  if (Sum->getOpcode() == BO_Add && variableIn(Right) == LoopVariables.front())
    std::swap(Left, Right);
  Expr::EvalResult Constant;
  if (!variableIn(Left) || variableIn(Left) != LoopVariables.front() || Right->isValueDependent() ||
      !Right->EvaluateAsInt(Constant, Context))
    return std::nullopt;
  int64_t Value = Constant.Val.getInt().getExtValue();
  return Sum->getOpcode() == BO_Add ? Value : -Value;
}

std::optional<ElementExaminer::Element> ElementExaminer::elementOf(const Expr *E) const {
  std::optional<int64_t> Offset;
  for (E = E->IgnoreParenImpCasts();; E = E->IgnoreParenImpCasts()) {
    if (auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
      if (auto Here = offsetOf(Subscript->getIdx()))
        Offset = Here;
      E = Subscript->getBase();
    } else if (auto *Member = dyn_cast<MemberExpr>(E); Member && !Member->isArrow()) {
      E = Member->getBase();
    } else {
      break;
    }
  }
  const VarDecl *Base = variableIn(E);
  return Base && Offset ? std::optional(Element{Base, *Offset}) : std::nullopt;
}

/// Whether something was found.
bool ElementExaminer::report(const Access &A) {
  std::string Text = textOf(A.Where, Context);
  if (!varies(A.Where)) {
    find(A, "all iterations write '" + Text +
                "', which is the same place for all of them; give each iteration its own, or "
                "protect it by '#pragma prophet critical'");
    return true;
  }
  if (A.Kind == AccessKind::Address)
    return false;
  if (hasLoadedIndex(A.Where)) {
    find(A, "two iterations may write the same element '" + Text +
                "': its index is data; protect it by '#pragma prophet atomic', or see that no "
                "index comes twice");
    return true;
  }
  std::optional<Element> Written = elementOf(A.Where);
  for (const Access &Other : Inside.All) {
    std::optional<Element> Used = Written ? elementOf(Other.Where) : std::nullopt;
    if (!Used || Used->Base != Written->Base || Used->Offset == Written->Offset)
      continue;
    find(A, "'" + Text + "' is written by one iteration, and '" + textOf(Other.Where, Context) +
                "' is used by it, too: an element that another iteration writes; write into "
                "another array, or leave the loop serial");
    return true;
  }
  return false;
}

std::vector<SharingFinding> ElementExaminer::examine() {
  for (const Access &A : Inside.All) {
    bool Settled =
        A.Variable && (Own.count(A.Variable->getNameAsString()) || A.Variable->getTLSKind());
    if (A.Kind == AccessKind::Read || A.Protected || !A.Element || Settled)
      continue;
    if (!Said.count(textOf(A.Where, Context)) && report(A))
      Said.insert(textOf(A.Where, Context));
  }
  return std::move(Result);
}

} // namespace

std::vector<SharingFinding> examineElements(const Stmt *Body, const Accesses &Inside,
                                            const std::vector<const VarDecl *> &LoopVariables,
                                            const std::set<std::string> &Own, ASTContext &Context) {
  return ElementExaminer(Body, Inside, LoopVariables, Own, Context).examine();
}

} // namespace prophet
