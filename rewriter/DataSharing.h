//===- DataSharing.h - What the iterations of a loop share ------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An annotation is the programmer's word that iterations are independent. Before
// it becomes a parallel loop, what can be seen to contradict it is said, and what
// cannot be proved either way.
//
//   for (int i = 0; i < n; ++i)
//     sum += a[i];       // 'sum' is written by all iterations; likely reduction(+ : sum)
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/AnnotatedStatements.h"

#include <string>
#include <vector>

namespace prophet {

/// Something that is not proved safe.
struct SharingFinding {
  clang::SourceLocation Loc;
  std::string Variable; ///< as the source spells it
  std::string Message;
};

struct LoopSharing {
  std::vector<std::string> Private;     ///< proved to be private, and in no clause yet
  std::vector<std::string> LastPrivate; ///< loop variables whose last value is used
  std::vector<SharingFinding> Findings; ///< in program order
};

/// Examines a loop marked `parallel for`. `Clauses` are those that it will have.
LoopSharing examineLoop(const AnnotatedStatement &Loop, const Directive &What,
                        const std::string &Clauses, const AnnotationList &Annotations,
                        clang::ASTContext &Context);

/// The `for` loop that is, perhaps behind labels and attributes, the statement; or null.
const clang::Stmt *loopIn(const clang::Stmt *S);
/// What such a loop repeats.
const clang::Stmt *bodyOf(const clang::Stmt *Loop);

/// The variables that count a nest of `Depth` loops, outermost first; null where a loop has none.
std::vector<const clang::VarDecl *> loopVariables(const clang::Stmt *Loop, unsigned Depth);

/// The variables that data clauses name.
std::vector<std::string> variablesInClauses(const std::string &Clauses);

/// The source text of an expression.
std::string textOf(const clang::Stmt *S, const clang::ASTContext &Context);

} // namespace prophet
