//===- AddedBlock.cpp - Added blocks, seen in the syntax tree ---*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/AddedBlock.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"

using namespace clang;

namespace prophet {

std::optional<unsigned> annotationOf(const CompoundStmt *Block, size_t Annotations) {
  auto *First = Block->body_empty() ? nullptr : dyn_cast<DeclStmt>(Block->body_front());
  auto *Variable =
      First && First->isSingleDecl() ? dyn_cast<VarDecl>(First->getSingleDecl()) : nullptr;
  if (!Variable || !Variable->hasAttr<CleanupAttr>() || !Variable->getIdentifier())
    return std::nullopt;
  StringRef Name = Variable->getName();
  unsigned Number = 0;
  bool Added = Name.consume_front("prophet_section_") || Name.consume_front("prophet_task_") ||
               Name.consume_front("prophet_tasks_") || Name.consume_front("prophet_lock_");
  if (!Added || Name.getAsInteger(10, Number) || Number >= Annotations)
    return std::nullopt;
  return Number;
}

} // namespace prophet
