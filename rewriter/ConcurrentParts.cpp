//===- ConcurrentParts.cpp - What tasks and sections share ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/ConcurrentParts.h"

#include "rewriter/Accesses.h"
#include "rewriter/ClangCompat.h"
#include "rewriter/DataSharing.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

#include <set>

using namespace clang;

namespace prophet {

namespace {

/// An access of a part that may still run.
struct OpenAccess {
  Access What;
  unsigned Line; ///< of the part's annotation
};

class PartsExaminer {
public:
  PartsExaminer(const AnnotationList &Annotations, const AnnotatedStatements &Statements,
                ASTContext &Context)
      : Annotations(Annotations), Statements(Statements), Context(Context),
        SM(Context.getSourceManager()) {}

  void examineSections(const Stmt *Parts);
  void examineTasks(const Stmt *S, std::vector<OpenAccess> &Open);
  std::vector<TaskWarning> Warnings;

private:
  void examineBlock(const CompoundStmt *Block, std::vector<OpenAccess> &Open);
  void examineTask(unsigned Number, std::vector<OpenAccess> &Open);
  void examineSimple(const Stmt *S, std::vector<OpenAccess> &Open);
  std::vector<Access> accesses(const Stmt *S) const;
  const OpenAccess *conflict(const Access &A, const std::vector<OpenAccess> &Open) const;
  bool isTaskwait(const Stmt *S) const;
  unsigned lineOf(const Stmt *S) const { return SM.getPresumedLineNumber(S->getBeginLoc()); }
  void warn(const Access &A, const std::string &Message) {
    if (Said.insert(A.Where->getExprLoc()).second)
      Warnings.push_back({A.Where->getExprLoc(), Message});
  }

  const AnnotationList &Annotations;
  const AnnotatedStatements &Statements;
  ASTContext &Context;
  const SourceManager &SM;
  std::set<SourceLocation> Said;
};

/// Whole variables alone: of elements it is not known which they are.
std::vector<Access> PartsExaminer::accesses(const Stmt *S) const {
  std::vector<Access> Found;
  for (Access &A : collectAccesses(S, Annotations, Context).All)
    if (A.Variable && !A.Element && !A.Variable->getTLSKind() &&
        !A.Variable->getType().isConstQualified() && !A.Where->getType()->isArrayType() &&
        !SM.isInSystemHeader(A.Variable->getLocation()))
      Found.push_back(std::move(A));
  return Found;
}

const OpenAccess *PartsExaminer::conflict(const Access &A,
                                          const std::vector<OpenAccess> &Open) const {
  for (const OpenAccess &O : Open) {
    bool Written = A.Kind != AccessKind::Read || O.What.Kind != AccessKind::Read;
    bool Members = isa<MemberExpr>(A.Where) && isa<MemberExpr>(O.What.Where) &&
                   !isSameExpression(A.Where, O.What.Where, Context);
    if (A.Variable == O.What.Variable && Written && !(A.Protected && O.What.Protected) && !Members)
      return &O;
  }
  return nullptr;
}

void PartsExaminer::examineSections(const Stmt *Parts) {
  std::vector<OpenAccess> Others;
  for (const Stmt *Part : Parts->children()) {
    std::vector<Access> Own = accesses(Part);
    for (const Access &A : Own)
      if (const OpenAccess *O = conflict(A, Others))
        warn(A, "'" + A.Variable->getNameAsString() + "' is used here and in line " +
                    std::to_string(lineOf(O->What.Where)) +
                    ", in another part that may run at the same time, and one writes it; give each "
                    "part its own, or protect it by '#pragma prophet critical'");
    for (Access &A : Own)
      Others.push_back({std::move(A), 0});
  }
}

bool PartsExaminer::isTaskwait(const Stmt *S) const {
  return llvm::any_of(Annotations, [&](const Annotation &A) {
    return A.What.Kind == DirectiveKind::Taskwait && A.Following.isValid() &&
           A.Following == S->getBeginLoc();
  });
}

/// What stands in no task, while those in `Open` may run.
void PartsExaminer::examineSimple(const Stmt *S, std::vector<OpenAccess> &Open) {
  for (const Access &A : accesses(S))
    if (const OpenAccess *O = conflict(A, Open))
      warn(A, "'" + A.Variable->getNameAsString() + "' is used here while the task of line " +
                  std::to_string(O->Line) +
                  " may still run, and one writes it; put '#pragma prophet taskwait' before this");
  if (auto *Declaration = dyn_cast<DeclStmt>(S)) // a new one in each iteration
    llvm::erase_if(Open, [&](const OpenAccess &O) {
      return llvm::is_contained(Declaration->decls(), O.What.Variable);
    });
}

void PartsExaminer::examineTask(unsigned Number, std::vector<OpenAccess> &Open) {
  const Annotation &A = Annotations[Number];
  std::vector<std::string> Copies;
  for (ClauseKind Kind : {ClauseKind::Private, ClauseKind::FirstPrivate})
    if (const Clause *C = A.What.find(Kind))
      for (std::string &Name :
           variablesInClauses(std::string(clauseKeyword(Kind)) + "(" + C->Argument + ")"))
        Copies.push_back(std::move(Name));
  const Stmt *Task = Statements.at(Number).Statement;
  std::vector<OpenAccess> Own;
  for (Access &Use : accesses(Task)) {
    if (llvm::is_contained(Copies, Use.Variable->getNameAsString()))
      continue;
    if (const OpenAccess *O = conflict(Use, Open))
      warn(Use, "'" + Use.Variable->getNameAsString() + "' is used here and by the task of line " +
                    std::to_string(O->Line) +
                    ", which may run at the same time, and one writes it; put '#pragma prophet "
                    "taskwait' between them, or protect it by '#pragma prophet critical'");
    // What a task only reads it has a copy of, made before anything later can write it.
    if (Use.Kind != AccessKind::Read)
      Own.push_back({std::move(Use), SM.getPresumedLineNumber(A.Hash)});
  }
  std::vector<OpenAccess> Inside;
  examineTasks(Task, Inside);
  Open.insert(Open.end(), Own.begin(), Own.end());
}

void PartsExaminer::examineBlock(const CompoundStmt *Block, std::vector<OpenAccess> &Open) {
  std::optional<unsigned> Number = annotationOf(Block, Annotations.size());
  DirectiveKind Kind = Number ? Annotations[*Number].What.Kind : DirectiveKind::Critical;
  if (Number && Kind == DirectiveKind::Task && Statements.count(*Number))
    return examineTask(*Number, Open);
  size_t Before = Open.size();
  for (const Stmt *Child : Block->body()) {
    if (isTaskwait(Child)) {
      Open.clear();
      Before = 0;
    }
    examineTasks(Child, Open);
  }
  bool Waits = Number && isOneOf(Kind, {DirectiveKind::ParallelTasks, DirectiveKind::ParallelFor,
                                        DirectiveKind::ParallelSections, DirectiveKind::Section});
  if (Waits && Open.size() > Before)
    Open.resize(Before);
}

void PartsExaminer::examineTasks(const Stmt *S, std::vector<OpenAccess> &Open) {
  if (!S)
    return;
  if (auto *Block = dyn_cast<CompoundStmt>(S))
    return examineBlock(Block, Open);
  bool Loop = isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S);
  if (Loop ||
      isa<IfStmt, SwitchStmt, SwitchCase, LabelStmt, AttributedStmt, CXXTryStmt, CXXCatchStmt>(S)) {
    for (int Pass = 0; Pass != (Loop ? 2 : 1); ++Pass) // the second meets the first's tasks
      for (const Stmt *Child : S->children())
        examineTasks(Child, Open);
    return;
  }
  examineSimple(S, Open);
}

} // namespace

std::vector<TaskWarning> examineConcurrentParts(const AnnotationList &Annotations,
                                                const AnnotatedStatements &Statements,
                                                ASTContext &Context) {
  PartsExaminer Examiner(Annotations, Statements, Context);
  std::set<const Decl *> Functions;
  for (const auto &[Number, Found] : Statements) {
    if (Annotations[Number].What.Kind == DirectiveKind::ParallelSections && Found.Statement)
      Examiner.examineSections(Found.Statement);
    if (Annotations[Number].What.Kind != DirectiveKind::Task ||
        !Functions.insert(Found.Function).second)
      continue;
    std::vector<OpenAccess> Open;
    Examiner.examineTasks(Found.Function->getBody(), Open);
  }
  return std::move(Examiner.Warnings);
}

} // namespace prophet
