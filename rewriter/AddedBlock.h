//===- AddedBlock.h - Added blocks, seen in the syntax tree -----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/AST/Stmt.h"

#include <optional>

namespace prophet {

/// The annotation, of so many, that the block was added for: its variable is the first in it. A
/// loop's section and its iterations have a block each.
std::optional<unsigned> annotationOf(const clang::CompoundStmt *Block, size_t Annotations);

} // namespace prophet
