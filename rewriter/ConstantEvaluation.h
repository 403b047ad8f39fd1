//===- ConstantEvaluation.h - May a compiler execute it? --------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/Region.h"

#include "clang/Sema/Sema.h"

namespace prophet {

/// May code of a region that begins at the pragma at `Begin`, where `S` has parsed to, be evaluated
/// at compile time? True where that is not known: inside a class, whose functions are read before
/// they are parsed, in statement expressions, and where the region may hold one, or a lambda or
/// class of its own.
bool mayBeConstantEvaluated(const clang::Sema &S, const Region &R, clang::SourceLocation Begin);

} // namespace prophet
