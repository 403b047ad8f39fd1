//===- LoopExits.h - Ways out of annotated loops ----------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/Region.h"

#include "clang/AST/Decl.h"

namespace prophet {

/// Reports each `break`, `return` and `goto` that leaves an annotated loop without the clause
/// `cancel`, which no parallel loop can do, and each declaration that an annotation was put on.
void checkLoopExits(clang::Decl &D, const AnnotationList &Annotations,
                    clang::DiagnosticsEngine &Diags);

} // namespace prophet
