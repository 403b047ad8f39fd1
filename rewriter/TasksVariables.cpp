//===- TasksVariables.cpp - Which variable holds a task's section *- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/TasksVariables.h"

#include "rewriter/Engine.h"
#include "rewriter/Report.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Sema/Lookup.h"

using namespace clang;

namespace prophet {

bool TasksVariables::LookupUnqualified(LookupResult &R, Scope *) {
  const IdentifierInfo *Id = R.getLookupName().getAsIdentifierInfo();
  StringRef Name = Id ? Id->getName() : "";
  unsigned Number = 0;
  if (!Name.consume_front("prophet_tasks_of_") || Name.getAsInteger(10, Number) ||
      Number >= Annotations.size())
    return false;
  VarDecl *Variable = variableFor(Number);
  Annotations[Number].TasksVariable = Variable->getName();
  R.addDecl(Variable);
  R.resolveKind();
  return true;
}

VarDecl *TasksVariables::variableFor(unsigned Number) {
  std::optional<unsigned> Scope = Annotations[Number].Scope;
  VarDecl *Variable = Scope ? ofStatement(*Scope) : nullptr;
  return Variable ? Variable : ofFunction(Number);
}

/// The annotated statement's variable, or null if it is another function's.
VarDecl *TasksVariables::ofStatement(unsigned Scope) {
  IdentifierInfo &Id = S.Context.Idents.get(tasksVariable(Scope));
  for (auto It = S.IdResolver.begin(&Id); It != S.IdResolver.end(); ++It)
    if (auto *Variable = dyn_cast<VarDecl>(*It))
      return Variable->getDeclContext() == S.CurContext ? Variable : nullptr;
  return nullptr;
}

static VarDecl *createVariable(ASTContext &Context, DeclContext *Function, const std::string &Name,
                               SourceLocation Loc) {
  QualType Type = Context.UnsignedIntTy;
  auto *Variable = VarDecl::Create(Context, Function, Loc, Loc, &Context.Idents.get(Name), Type,
                                   Context.getTrivialTypeSourceInfo(Type, Loc), SC_None);
  llvm::APInt Zero(Context.getIntWidth(Type), 0);
  Variable->setInit(IntegerLiteral::Create(Context, Zero, Type, Loc));
  Variable->setImplicit();
  Variable->setIsUsed();
  Variable->setReferenced();
  auto *End = Context.getTranslationUnitDecl()
                  ->lookup(&Context.Idents.get("__prophet_tasks_end"))
                  .find_first<FunctionDecl>();
  Variable->addAttr(CleanupAttr::CreateImplicit(Context, End));
  Variable->addAttr(NoDebugAttr::CreateImplicit(Context));
  return Variable;
}

VarDecl *TasksVariables::ofFunction(unsigned Number) {
  declare();
  DeclContext *Function = S.CurContext;
  auto Known = Open.find(Function);
  if (Known != Open.end())
    return Known->second.Variable;
  const Annotation &A = Annotations[Number];
  if (!isa<FunctionDecl, BlockDecl>(Function))
    report(S.Diags, A.Begin,
           "'" + A.What.spelling() +
               "' finds no function here that could hold its tasks; put it into the block of a "
               "'#pragma prophet parallel tasks'");
  VarDecl *Variable = createVariable(S.Context, Function,
                                     "prophet_function_tasks_" + std::to_string(Number), A.Begin);
  Open[Function] = {Variable, Number};
  return Variable;
}

void TasksVariables::declare() {
  Open.remove_if([&](const auto &Entry) { return declareIn(Entry.first, Entry.second); });
}

/// Returns false while the function has no body.
bool TasksVariables::declareIn(DeclContext *Context, const Pending &P) {
  if (auto *Function = dyn_cast<FunctionDecl>(Context)) {
    if (!Function->doesThisDeclarationHaveABody() || !Function->getBody())
      return false;
    if (Stmt *Body = declaredIn(Function->getBody(), P))
      Function->setBody(Body);
    return true;
  }
  auto *Block = dyn_cast<BlockDecl>(Context);
  if (Block && !Block->getBody())
    return false;
  if (Block)
    Block->setBody(cast<CompoundStmt>(declaredIn(Block->getBody(), P)));
  return true;
}

/// The body with the declaration in front, or null where there can be none.
Stmt *TasksVariables::declaredIn(Stmt *Body, const Pending &P) {
  if (auto *Coroutine = dyn_cast<CoroutineBodyStmt>(Body)) {
    *Coroutine->child_begin() = declaredIn(Coroutine->getBody(), P);
    return Coroutine;
  }
  auto *Block = dyn_cast<CompoundStmt>(Body);
  if (!Block) { // a handler would not see the variable
    const Annotation &A = Annotations[P.Annotation];
    report(S.Diags, A.Begin,
           "'" + A.What.spelling() +
               "' cannot stand in a function whose body is a 'try' block; put it into the block of "
               "a '#pragma prophet parallel tasks'");
    return nullptr;
  }
  SourceLocation Loc = Block->getLBracLoc();
  P.Variable->setLocation(Loc);
  SmallVector<Stmt *, 32> Statements{new (S.Context) DeclStmt(DeclGroupRef(P.Variable), Loc, Loc)};
  Statements.append(Block->body_begin(), Block->body_end());
  if (Out)
    Out->functionTasks(Loc, tasksDeclaration(P.Variable->getName().str()));
  return blockLike(Block, S.Context, Statements);
}

} // namespace prophet
