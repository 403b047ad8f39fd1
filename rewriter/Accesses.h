//===- Accesses.h - What a statement reads and writes -----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/Region.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

#include "llvm/ADT/DenseSet.h"

#include <string>
#include <vector>

namespace prophet {

enum class AccessKind {
  Read,
  Write,   ///< a plain assignment
  Update,  ///< reads and writes at once: `+=`, `++`, or `x = x + e`
  Address, ///< passed on by address or reference to what may change it
};

/// One access to something that is declared outside of the statement.
struct Access {
  AccessKind Kind = AccessKind::Read;
  const clang::Expr *Where = nullptr; ///< the whole expression that is accessed, e.g. `a[i].x`
  /// The variable, where `Where` is one or a part of one; null where memory is reached through a
  /// pointer, a reference to an object, or `this`.
  const clang::VarDecl *Variable = nullptr;
  /// Elements are chosen: `Where` holds a subscript, or reaches memory through a pointer.
  bool Element = false;
  bool Protected = false;   ///< a critical section or an atomic is around it
  bool Conditional = false; ///< not in every execution of the statement
  std::string Operator;     ///< of an update: "+", "*", "max"; empty where it is no reduction's
};

struct Accesses {
  std::vector<Access> All; ///< in program order, an assignment's right side before its left
  llvm::DenseSet<const clang::VarDecl *> Locals; ///< declared inside of the statement
  std::vector<const clang::CallExpr *> UnprotectedCalls;
};

/// The accesses of `S` with everything in it.
Accesses collectAccesses(const clang::Stmt *S, const AnnotationList &Annotations,
                         clang::ASTContext &Context);

/// The variable that `E` is, or null.
const clang::VarDecl *variableIn(const clang::Expr *E);

/// Whether two expressions are spelled alike.
bool isSameExpression(const clang::Expr *A, const clang::Expr *B, clang::ASTContext &Context);

} // namespace prophet
