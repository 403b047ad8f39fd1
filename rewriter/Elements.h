//===- Elements.h - Which iterations write which elements -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/Accesses.h"
#include "rewriter/DataSharing.h"

#include <set>

namespace prophet {

/// Writes through pointers and subscripts in a loop's body that two iterations may do to the same
/// place: where the place does not depend on the iteration; where its index comes from data; where
/// another iteration's element is used, as in `a[i] = a[i - 1]`.
/// `Own` are variables of which every iteration has one of its own.
std::vector<SharingFinding>
examineElements(const clang::Stmt *Body, const Accesses &Inside,
                const std::vector<const clang::VarDecl *> &LoopVariables,
                const std::set<std::string> &Own, clang::ASTContext &Context);

} // namespace prophet
