//===- AtomicForm.h - What OpenMP's atomic can do ---------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

#include <optional>
#include <string>

namespace prophet {

/// The directive that makes the statement atomic, "atomic" or "atomic write"; nothing where it has
/// none of the forms that OpenMP allows (OpenMP 4.5, 2.13.6), such as `x = max(x, e)`.
std::optional<std::string> atomicDirective(const clang::Stmt *S, clang::ASTContext &Context);

} // namespace prophet
