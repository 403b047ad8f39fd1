//===- Liveness.h - Whether a variable's value is used later ----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "clang/Analysis/CFG.h"

#include <memory>

namespace prophet {

/// Where control and values flow around one loop of a function.
class LoopFlow {
public:
  /// \p Function is a function or a block with a body, \p Loop a statement in it.
  LoopFlow(const clang::Decl *Function, const clang::Stmt *Loop, clang::ASTContext &Context);

  /// Proved: no iteration uses a value that an earlier one, or code before the loop, gave
  /// `Variable`, and neither does code after the loop. It may be private.
  bool isPrivate(const clang::VarDecl *Variable) const;

  /// Whether code after the loop may read the value that the loop leaves in `Variable`.
  bool isReadAfter(const clang::VarDecl *Variable) const;

private:
  bool isKnown(const clang::VarDecl *Variable) const;
  bool mayRead(const clang::CFGBlock *From, const clang::VarDecl *Variable) const;

  const clang::Stmt *Body;
  std::unique_ptr<clang::CFG> Graph;
  const clang::CFGBlock *Condition = nullptr; ///< the block that ends in the loop's condition
};

} // namespace prophet
