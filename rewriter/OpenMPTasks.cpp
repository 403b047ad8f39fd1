//===- OpenMPTasks.cpp - What OpenMP's tasks need besides -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/OpenMPTasks.h"

#include "rewriter/Accesses.h"
#include "rewriter/AddedBlock.h"
#include "rewriter/DataSharing.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace prophet {

/// What the user wrote inside of added blocks.
static const Stmt *withoutAddedBlocks(const Stmt *S, size_t Annotations) {
  auto *Block = dyn_cast_or_null<CompoundStmt>(S);
  while (Block && annotationOf(Block, Annotations)) {
    S = Block->body_back();
    Block = dyn_cast<CompoundStmt>(S);
  }
  return S;
}

/// The block at whose end the serial program has run task `Number`: that of a task, a `section` or
/// an iteration around it, else the function's. Null where OpenMP waits by itself, or there is
/// none.
const CompoundStmt *TasksExaminer::holderOf(unsigned Number) const {
  const std::optional<unsigned> &Scope = Annotations[Number].Scope;
  const AnnotatedStatement &Task = Statements.at(Number);
  if (!Scope)
    return dyn_cast_or_null<CompoundStmt>(Task.Function->getBody());
  auto Found = Statements.find(*Scope);
  if (Found == Statements.end() || Annotations[*Scope].What.Kind == DirectiveKind::ParallelTasks)
    return nullptr;
  const Stmt *S = Found->second.Statement;
  for (unsigned Depth = Annotations[*Scope].What.collapsed(); loopIn(S) && Depth != 0; --Depth)
    S = withoutAddedBlocks(bodyOf(loopIn(S)), Annotations.size());
  return dyn_cast<CompoundStmt>(withoutAddedBlocks(S, Annotations.size()));
}

bool TasksExaminer::isTaskwait(const Stmt *S) const {
  return llvm::any_of(Annotations, [&](const Annotation &A) {
    return A.What.Kind == DirectiveKind::Taskwait && A.Following.isValid() &&
           A.Following == S->getBeginLoc();
  });
}

bool TasksExaminer::holdsTask(const Stmt *S, const std::vector<unsigned> &Tasks) const {
  bool Found = false;
  forEachStatement(S, [&](const Stmt *Part) {
    for (unsigned Task : Tasks)
      Found |= Part == Statements.at(Task).Block;
    return !Found;
  });
  return Found;
}

/// Whether the variable's block may end before the task has run.
bool TasksExaminer::outlives(const VarDecl *Variable, unsigned Number) const {
  const AnnotatedStatement &Task = Statements.at(Number);
  const CompoundStmt *Declaring = nullptr;
  forEachStatement(Task.Function->getBody(), [&](const Stmt *S) {
    if (auto *Block = dyn_cast<CompoundStmt>(S))
      for (const Stmt *Child : Block->body())
        if (auto *Declaration = dyn_cast<DeclStmt>(Child);
            Declaration && llvm::is_contained(Declaration->decls(), Variable))
          Declaring = Block;
    return true;
  });
  if (!Declaring || Declaring == Task.Function->getBody() || Declaring == holderOf(Number))
    return false;
  const SourceManager &SM = Context.getSourceManager();
  bool Around = holdsTask(Declaring, {Number});
  return Around && llvm::none_of(Annotations, [&](const Annotation &A) {
           return A.What.Kind == DirectiveKind::Taskwait &&
                  SM.isBeforeInTranslationUnit(Annotations[Number].Hash, A.Hash) &&
                  SM.isBeforeInTranslationUnit(A.Hash, Declaring->getRBracLoc());
         });
}

/// Objects that `S` calls member functions of that may change them, or makes references to. For a
/// loop that is no change by itself (`v[i]`, `begin(v)`); a task would have a copy.
static std::vector<const VarDecl *> objectsReached(const Stmt *S) {
  std::vector<const VarDecl *> Found;
  auto Reach = [&](const Expr *E) {
    while (E) {
      E = E->IgnoreParenImpCasts();
      auto *Member = dyn_cast<MemberExpr>(E);
      if (!Member || Member->isArrow())
        break;
      E = Member->getBase();
    }
    const VarDecl *V = E ? variableIn(E) : nullptr;
    if (V && !V->getType()->isPointerType())
      Found.push_back(V);
  };
  auto Changes = [](QualType T) {
    return T->isReferenceType() && !T->getPointeeType().isConstQualified();
  };
  forEachStatement(S, [&](const Stmt *Part) {
    if (auto *Call = dyn_cast<CXXMemberCallExpr>(Part))
      if (const CXXMethodDecl *M = Call->getMethodDecl(); M && !M->isConst())
        Reach(Call->getImplicitObjectArgument());
    if (auto *Call = dyn_cast<CXXOperatorCallExpr>(Part))
      if (auto *M = dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee()); M && !M->isConst())
        Reach(Call->getArg(0));
    if (auto *Made = dyn_cast<CXXConstructExpr>(Part))
      for (unsigned I = 0; I < Made->getNumArgs(); ++I)
        if (const CXXConstructorDecl *C = Made->getConstructor();
            I < C->getNumParams() && Changes(C->getParamDecl(I)->getType()))
          Reach(Made->getArg(I));
    if (auto *Declaration = dyn_cast<DeclStmt>(Part))
      for (const Decl *D : Declaration->decls())
        if (auto *V = dyn_cast<VarDecl>(D); V && Changes(V->getType()))
          Reach(V->getInit());
    return true;
  });
  return Found;
}

std::vector<std::string> TasksExaminer::sharedVariables(unsigned Number,
                                                        std::vector<TaskWarning> &Warnings) {
  std::vector<std::string> Shared;
  auto Share = [&](const VarDecl *V, SourceLocation Loc) {
    std::string Name = V->getNameAsString();
    if (!V->hasLocalStorage() || V->getTLSKind() || llvm::is_contained(Shared, Name))
      return;
    Shared.push_back(Name);
    if (outlives(V, Number))
      Warnings.push_back({Loc, "'" + Name +
                                   "' may be gone when the task uses it; put '#pragma prophet "
                                   "taskwait' before the end of the block that declares it"});
  };
  const Stmt *Task = Statements.at(Number).Statement;
  Accesses Inside = collectAccesses(Task, Annotations, Context);
  for (const Access &A : Inside.All)
    if (const VarDecl *V = A.Variable)
      if (A.Kind != AccessKind::Read || A.Where->getType()->isArrayType() ||
          V->getType()->isReferenceType())
        Share(V, A.Where->getExprLoc());
  for (const VarDecl *V : objectsReached(Task))
    if (!Inside.Locals.contains(V))
      Share(V, Annotations[Number].Begin);
  return Shared;
}

/// Jumps out of a function that stand in `S`, after `From` where that is valid.
static void findExits(const Stmt *S, SourceLocation From, const SourceManager &SM,
                      TasksExamination &Result) {
  forEachStatement(S, [&](const Stmt *Part) {
    bool Exit = isa<ReturnStmt, GotoStmt, CoreturnStmt>(Part);
    if (Exit && (From.isInvalid() || SM.isBeforeInTranslationUnit(From, Part->getBeginLoc())))
      Result.Warnings.push_back({Part->getBeginLoc(),
                                 "tasks may still run when this is left here; put '#pragma prophet "
                                 "taskwait' before it"});
    return !isa<Expr>(Part);
  });
}

void TasksExaminer::examineHolder(const CompoundStmt *Holder, const std::vector<unsigned> &Tasks,
                                  TasksExamination &Result) {
  const SourceManager &SM = Context.getSourceManager();
  bool Open = false;
  for (const Stmt *Child : Holder->body()) {
    if (isTaskwait(Child)) {
      Open = false;
    } else if (isa<ReturnStmt, CoreturnStmt>(Child)) {
      if (Open)
        Result.WaitBefore.push_back(Child->getBeginLoc());
      Open = false;
    } else if (holdsTask(Child, Tasks)) {
      findExits(Child, Open ? SourceLocation() : Annotations[Tasks.front()].Hash, SM, Result);
      Open = true;
    } else if (Open) {
      findExits(Child, SourceLocation(), SM, Result);
    }
  }
  if (Open)
    Result.WaitBefore.push_back(Holder->getRBracLoc());
}

/// Tasks that nothing in the file runs in a team.
void TasksExaminer::examineTeam(TasksExamination &Result) {
  const Annotation *First = nullptr;
  const FunctionDecl *Function = nullptr;
  for (const auto &[Number, Found] : Statements) {
    DirectiveKind Kind = Annotations[Number].What.Kind;
    if (Kind == DirectiveKind::ParallelTasks || Kind == DirectiveKind::ParallelFor ||
        Kind == DirectiveKind::ParallelSections)
      return;
    if (Kind == DirectiveKind::Task && !First) {
      First = &Annotations[Number];
      Function = dyn_cast<FunctionDecl>(Found.Function);
    }
  }
  if (!First)
    return;
  const SourceManager &SM = Context.getSourceManager();
  std::string Call = "a call that leads here";
  for (const Decl *D : Context.getTranslationUnitDecl()->decls()) {
    auto *Caller = dyn_cast<FunctionDecl>(D);
    if (!Function || !Caller || !Caller->doesThisDeclarationHaveABody() || Caller == Function ||
        SM.isInSystemHeader(D->getLocation()))
      continue;
    forEachStatement(Caller->getBody(), [&](const Stmt *S) {
      auto *Found = dyn_cast<CallExpr>(S);
      const FunctionDecl *Callee = Found ? Found->getDirectCallee() : nullptr;
      if (Callee && Callee->getCanonicalDecl() == Function->getCanonicalDecl())
        Call = "the call of '" + Function->getNameAsString() + "' in line " +
               std::to_string(SM.getPresumedLineNumber(Found->getBeginLoc()));
      return true;
    });
  }
  Result.Warnings.push_back({First->Begin, "no other thread takes these tasks; put " + Call +
                                               " in '#pragma prophet parallel tasks'"});
}

TasksExamination TasksExaminer::examine() {
  TasksExamination Result;
  std::map<const CompoundStmt *, std::vector<unsigned>> Holders;
  std::vector<const CompoundStmt *> Order;
  for (const auto &[Number, Found] : Statements) {
    if (Annotations[Number].What.Kind != DirectiveKind::Task)
      continue;
    if (const CompoundStmt *Holder = holderOf(Number)) {
      if (!Holders.count(Holder))
        Order.push_back(Holder);
      Holders[Holder].push_back(Number);
    }
  }
  for (const CompoundStmt *Holder : Order)
    examineHolder(Holder, Holders[Holder], Result);
  examineTeam(Result);
  return Result;
}

} // namespace prophet
