//===- Liveness.cpp - Whether a variable's value is used later ------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/Liveness.h"

#include "rewriter/Accesses.h"
#include "rewriter/AnnotatedStatements.h"

#include "clang/AST/ExprCXX.h"

#include <set>

using namespace clang;

namespace prophet {

LoopFlow::LoopFlow(const Decl *Function, const Stmt *Loop, ASTContext &Context)
    : Body(Function->getBody()) {
  auto *Scope = dyn_cast<DeclContext>(Function);
  if (!Body || !Scope || Scope->isDependentContext())
    return; // of a template nothing is known before it is instantiated
  CFG::BuildOptions Options;
  Options.setAllAlwaysAdd();
  Graph = CFG::buildCFG(Function, const_cast<Stmt *>(Body), &Context, Options);
  if (!Graph)
    return;
  for (const CFGBlock *Block : *Graph)
    if (Block->getTerminatorStmt() == Loop && Block->succ_size() == 2)
      Condition = Block;
}

/// Whether all uses of a variable can be seen: it is a local scalar, and nothing else can reach it.
bool LoopFlow::isKnown(const VarDecl *Variable) const {
  if (!Condition || !Variable->hasLocalStorage() || !Variable->getType()->isScalarType() ||
      Variable->getType().isVolatileQualified())
    return false;
  bool Escapes = false;
  auto Escape = [&](const Expr *E) { Escapes |= E && variableIn(E) == Variable; };
  forEachStatement(Body, [&](const Stmt *S) {
    if (auto *Operator = dyn_cast<UnaryOperator>(S); Operator && Operator->getOpcode() == UO_AddrOf)
      Escape(Operator->getSubExpr());
    if (auto *Declaration = dyn_cast<DeclStmt>(S))
      for (const Decl *D : Declaration->decls())
        if (auto *V = dyn_cast<VarDecl>(D); V && V->getType()->isReferenceType())
          Escape(V->getInit());
    if (auto *Lambda = dyn_cast<LambdaExpr>(S))
      for (const LambdaCapture &C : Lambda->captures())
        Escapes |= C.capturesVariable() && C.getCapturedVar() == Variable;
    if (auto *Block = dyn_cast<BlockExpr>(S))
      for (const BlockDecl::Capture &C : Block->getBlockDecl()->captures())
        Escapes |= C.getVariable() == Variable;
    if (auto *Call = dyn_cast<CallExpr>(S))
      for (const Expr *Argument : Call->arguments())
        if (Argument->isLValue()) // bound to a reference
          Escape(Argument);
    return !Escapes && !isa<UnaryExprOrTypeTraitExpr>(S);
  });
  return !Escapes;
}

namespace {
enum class Effect { None, Reads, Overwrites };

/// What one element of a block does with a variable. Every subexpression is an element of its own.
Effect effectOf(const Stmt *S, const VarDecl *Variable) {
  if (auto *Reference = dyn_cast<DeclRefExpr>(S))
    return Reference->getDecl() == Variable ? Effect::Reads : Effect::None;
  if (auto *Assignment = dyn_cast<BinaryOperator>(S))
    return Assignment->getOpcode() == BO_Assign && variableIn(Assignment->getLHS()) == Variable
               ? Effect::Overwrites
               : Effect::None;
  if (auto *Declaration = dyn_cast<DeclStmt>(S))
    for (const Decl *D : Declaration->decls())
      if (D == Variable)
        return Effect::Overwrites;
  return Effect::None;
}
} // namespace

/// Whether a path from the start of `From` reads the variable before it is overwritten.
bool LoopFlow::mayRead(const CFGBlock *From, const VarDecl *Variable) const {
  // The left side of a plain assignment is an element, too, but reads nothing.
  std::set<const Stmt *> Assigned;
  forEachStatement(Body, [&](const Stmt *S) {
    auto *Assignment = dyn_cast<BinaryOperator>(S);
    if (Assignment && Assignment->getOpcode() == BO_Assign)
      Assigned.insert(Assignment->getLHS()->IgnoreParenImpCasts());
    return true;
  });
  std::set<const CFGBlock *> Seen;
  std::vector<const CFGBlock *> Left = {From};
  while (!Left.empty()) {
    const CFGBlock *Block = Left.back();
    Left.pop_back();
    if (!Block || !Seen.insert(Block).second)
      continue;
    Effect Found = Effect::None;
    for (const CFGElement &Element : *Block) {
      auto Part = Element.getAs<CFGStmt>();
      if (Part && !Assigned.count(Part->getStmt()))
        Found = effectOf(Part->getStmt(), Variable);
      if (Found != Effect::None)
        break;
    }
    if (Found == Effect::Reads)
      return true;
    if (Found == Effect::None)
      for (const CFGBlock::AdjacentBlock &Next : Block->succs())
        Left.push_back(Next.getReachableBlock());
  }
  return false;
}

bool LoopFlow::isPrivate(const VarDecl *Variable) const {
  if (!isKnown(Variable))
    return false;
  for (const CFGBlock::AdjacentBlock &Next : Condition->succs())
    if (mayRead(Next.getReachableBlock(), Variable))
      return false;
  return true;
}

bool LoopFlow::isReadAfter(const VarDecl *Variable) const {
  if (!isKnown(Variable))
    return true;
  return mayRead(*(Condition->succ_begin() + 1), Variable);
}

} // namespace prophet
