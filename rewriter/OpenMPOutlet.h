//===- OpenMPOutlet.h - Annotations become OpenMP ---------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The third outlet of the engine: the user's own text with `#pragma omp` in the
// place of `#pragma prophet`, and nothing else changed.
//
//   #pragma prophet parallel for name(rows)     #pragma omp parallel for schedule(dynamic,1)
//
// What cannot be proved safe, and what could not be translated, is said by
// warnings; remarks tell what was decided.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/AnnotatedStatements.h"
#include "rewriter/Engine.h"
#include "rewriter/OpenMPTwin.h"
#include "rewriter/Plan.h"
#include "rewriter/SourceEdits.h"

#include "clang/Frontend/CompilerInstance.h"

#include <set>

namespace prophet {

enum class EditHeaders { No, Yes };

class OpenMPOutlet : public Outlet {
public:
  /// `P` outlives the outlet; null where nothing is known of a profile.
  OpenMPOutlet(clang::CompilerInstance &Compiler, const Plan *P, EditHeaders Headers);

  void region(const Region &, const AnnotationList &) override {}
  void finish(const AnnotationList &Annotations) override;

  /// After a parse without errors: the main file, then edited headers.
  const std::vector<EditedFile> &files() const { return Edited; }

private:
  bool mayEdit(const Annotation &A);
  void translate(unsigned Number);
  void translateLoop(unsigned Number);
  void translateTask(unsigned Number);
  void examineTasks();
  std::string loopPragma(const Annotation &A, const AnnotatedStatement &Found, const Twin &Old);
  std::string guard(const Annotation &A, const AnnotatedStatement &Found, const SitePlan &P);
  std::string criticalPragma(unsigned Number);
  std::optional<std::string> atomicForm(unsigned Number);
  bool leaveSerial(const Annotation &A, const SitePlan *P);
  void examine(const Annotation &A, const AnnotatedStatement &Found, std::string &Clauses);
  void put(const Annotation &A, const std::string &Pragma);
  const SitePlan *planFor(const Annotation &A) const;

  clang::DiagnosticBuilder say(clang::DiagnosticsEngine::Level Level, clang::SourceLocation Loc,
                               const std::string &Message);
  void warn(clang::SourceLocation Loc, const std::string &Message) {
    say(clang::DiagnosticsEngine::Warning, Loc, Message);
  }
  void remark(clang::SourceLocation Loc, const std::string &Message) {
    say(clang::DiagnosticsEngine::Remark, Loc, Message);
  }

  clang::CompilerInstance &Compiler;
  clang::SourceManager &SM;
  const Plan *P;
  EditHeaders Headers;
  SourceEdits Edits;
  const AnnotationList *Annotations = nullptr;
  AnnotatedStatements Statements;
  std::set<std::string> LeftHeaders;
  bool OnlyForms = true; ///< OpenMP has the form of every atomic
  std::vector<EditedFile> Edited;
};

} // namespace prophet
