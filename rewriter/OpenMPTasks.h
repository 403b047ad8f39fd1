//===- OpenMPTasks.h - What OpenMP's tasks need besides ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An OpenMP task has copies of local variables unless told otherwise, outlives
// the function that made it, and needs a team. The serial program's meaning has to
// be kept against all three.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/AnnotatedStatements.h"

#include <string>
#include <vector>

namespace prophet {

/// Something to say about tasks.
struct TaskWarning {
  clang::SourceLocation Loc;
  std::string Message;
};

struct TasksExamination {
  std::vector<clang::SourceLocation> WaitBefore; ///< where a `taskwait` is to be added
  std::vector<TaskWarning> Warnings;
};

class TasksExaminer {
public:
  TasksExaminer(const AnnotationList &Annotations, const AnnotatedStatements &Statements,
                clang::ASTContext &Context)
      : Annotations(Annotations), Statements(Statements), Context(Context) {}

  /// The local variables that task `Number` changes for others: they must be `shared`.
  std::vector<std::string> sharedVariables(unsigned Number, std::vector<TaskWarning> &Warnings);

  /// Where tasks would outlive what holds them; and tasks that no team would share.
  TasksExamination examine();

private:
  const clang::CompoundStmt *holderOf(unsigned Number) const;
  bool isTaskwait(const clang::Stmt *S) const;
  bool holdsTask(const clang::Stmt *S, const std::vector<unsigned> &Tasks) const;
  bool outlives(const clang::VarDecl *Variable, unsigned Number) const;
  void examineHolder(const clang::CompoundStmt *Holder, const std::vector<unsigned> &Tasks,
                     TasksExamination &Result);
  void examineTeam(TasksExamination &Result);

  const AnnotationList &Annotations;
  const AnnotatedStatements &Statements;
  clang::ASTContext &Context;
};

} // namespace prophet
