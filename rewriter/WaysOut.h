//===- WaysOut.h - Ways out of annotated statements -------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/Region.h"

#include "clang/AST/Decl.h"

namespace prophet {

/// Reports what only the syntax tree shows: each `break`, `continue`, `return` and `goto` that
/// leaves what could not be left in a parallel run, declarations that an annotation was put on, and
/// annotations that would become the whole body of an `if` or a loop.
void checkWaysOut(clang::Decl &D, const AnnotationList &Annotations,
                  clang::DiagnosticsEngine &Diags);

} // namespace prophet
