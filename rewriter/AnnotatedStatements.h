//===- AnnotatedStatements.h - Annotations in the AST -----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parser has seen each annotated statement in a block that begins with one
// of Prophet's variables. By these the annotations are found again in the AST.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/AddedBlock.h"
#include "rewriter/Region.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

#include <map>
#include <optional>

namespace prophet {

/// The statement of one annotation.
struct AnnotatedStatement {
  const clang::CompoundStmt *Block = nullptr; ///< what was added around it
  const clang::Stmt *Statement = nullptr;     ///< the user's
  const clang::Decl *Function = nullptr;      ///< whose body it stands in; a block or a function
  std::vector<unsigned> Around; ///< annotations around it in the same body, outermost first
};

/// By the annotation's number. Annotations that stand alone (`taskwait`) are not among them.
using AnnotatedStatements = std::map<unsigned, AnnotatedStatement>;

/// Finds the statements of all annotations outside of system headers.
AnnotatedStatements findAnnotatedStatements(clang::ASTContext &Context,
                                            const AnnotationList &Annotations);

/// Calls `Visit` for `S` and everything in it, bodies of lambdas and blocks included, in program
/// order. Where it returns false, what is inside is left out.
void forEachStatement(const clang::Stmt *S, llvm::function_ref<bool(const clang::Stmt *)> Visit);

} // namespace prophet
