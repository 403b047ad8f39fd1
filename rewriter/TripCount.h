//===- TripCount.h - How often a loop runs, as an expression ----*- C++ -*-===//
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

/// An expression that means the trip count of a loop such as `for (int i = a; i < b; i += 2)` where
/// it stands: "((b) - (a)) / 2". Nothing where the loop has another form, or where evaluating the
/// bounds once more could change something.
std::optional<std::string> tripCountText(const clang::Stmt *Loop, clang::ASTContext &Context);

} // namespace prophet
