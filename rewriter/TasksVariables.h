//===- TasksVariables.h - Which variable holds a task's section -*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task belongs to the section that the innermost annotated statement around it
// holds, or else the function it stands in. Where a function begins is not seen in
// the tokens of a region, and its body is not known while they are read (a member
// function's is parsed later). So added text refers to a name that nothing is called,
// and Clang's look-up asks here what it means, in the middle of the parse.
//
// A function's own variable is declared once its body has ended, in front of it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/NameSource.h"
#include "rewriter/Region.h"

#include "clang/AST/ASTMutationListener.h"
#include "clang/Sema/Sema.h"

#include "llvm/ADT/MapVector.h"

#include <functional>

namespace prophet {

class Outlet;

class TasksVariables : public NameSource {
public:
  TasksVariables(clang::Sema &S, AnnotationList &Annotations, Outlet *Out)
      : S(S), Annotations(Annotations), Out(Out) {}

  bool LookupUnqualified(clang::LookupResult &R, clang::Scope *Place) override;
  /// Declares the variables of the functions whose bodies have ended. To be called before such a
  /// body is compiled or instantiated.
  void declare();

private:
  struct Pending {
    clang::VarDecl *Variable;
    unsigned Annotation; ///< the first that needed it
  };

  clang::VarDecl *variableFor(unsigned Number);
  clang::VarDecl *ofStatement(unsigned Scope);
  clang::VarDecl *ofFunction(unsigned Number);
  clang::Stmt *declaredIn(clang::Stmt *Body, const Pending &P);
  bool declareIn(clang::DeclContext *Function, const Pending &P);

  clang::Sema &S;
  AnnotationList &Annotations;
  Outlet *Out;
  llvm::MapVector<clang::DeclContext *, Pending> Open; ///< functions whose bodies have not ended
};

/// Calls `Ended` wherever Clang is about to use a body that it has just parsed.
class BodyWatcher : public clang::ASTMutationListener {
public:
  explicit BodyWatcher(std::function<void()> Ended) : Ended(std::move(Ended)) {}

  void CompletedTagDefinition(const clang::TagDecl *) override { Ended(); } // a lambda's, too
  void AddedCXXTemplateSpecialization(const clang::ClassTemplateDecl *,
                                      const clang::ClassTemplateSpecializationDecl *) override {
    Ended();
  }
  void AddedCXXTemplateSpecialization(const clang::FunctionTemplateDecl *,
                                      const clang::FunctionDecl *) override {
    Ended();
  }
  void InstantiationRequested(const clang::ValueDecl *) override { Ended(); }

private:
  std::function<void()> Ended;
};

} // namespace prophet
