//===- NameSource.h - What Clang's look-up asks -----------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/ClangCompat.h"

#include "clang/Sema/ExternalSemaSource.h"

#include "llvm/ADT/MapVector.h"

namespace prophet {

/// The base of what says, in the middle of the parse, what names in added text mean: it has
/// LookupUnqualified(). Its other functions are not in other versions of Clang, which have to be
/// able to load the plugin to be refused.
class NameSource : public clang::ExternalSemaSource {
  clang::Decl *GetExternalDecl(ExternalDeclID) override { return nullptr; }
  void ReadUndefinedButUsed(llvm::MapVector<clang::NamedDecl *, clang::SourceLocation> &) override {
  }
  void ReadMismatchingDeleteExpressions(
      llvm::MapVector<clang::FieldDecl *,
                      llvm::SmallVector<std::pair<clang::SourceLocation, bool>, 4>> &) override {}
};

} // namespace prophet
