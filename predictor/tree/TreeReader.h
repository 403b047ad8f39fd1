//===- TreeReader.h - Program tree files to trees -----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the program-tree format, version 1 (docs/program-tree.md), in one pass
// and without a DOM: memory is the tree itself, 32 bytes a node and 16 a child.
// Keys may come in any order, unknown ones are ignored at any depth, and
// nothing here recurses. What leaves the reader satisfies every rule of the
// format, so the emulator may assert instead of check.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Files.h"
#include "predictor/support/Result.h"
#include "predictor/tree/Tree.h"

#include <string>

namespace prophet {

/// Reads the program tree in `path` ("-" is standard input).
/// \returns the tree, or one line "FILE: what is wrong; what to do" with the
/// position: node or site index, or line and byte for broken JSON.
Result<Tree> readTree(const std::string &path);

/// Reads a program tree from `source`; `name` stands in error messages.
Result<Tree> parseTree(ByteSource &source, const std::string &name);

} // namespace prophet
