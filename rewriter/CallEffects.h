//===- CallEffects.h - What called functions change -------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/Accesses.h"

#include <optional>
#include <string>

namespace prophet {

/// Why calls of the function from several threads at once are not safe, as far as its definition
/// is in this file: "writes the global variable 'state'". A function without a definition is
/// judged by its name alone, if it is known to keep state between calls, such as rand().
std::optional<std::string> unsafeEffect(const clang::CallExpr *Call,
                                        const AnnotationList &Annotations,
                                        clang::ASTContext &Context);

} // namespace prophet
