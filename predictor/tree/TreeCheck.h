//===- TreeCheck.h - Rules that need the whole tree ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/tree/Tree.h"

#include <optional>
#include <string>

namespace prophet {

/// The first broken rule that can only be seen once every table of the file is
/// read: references to sites, locks and the root, what a section may contain,
/// and totals that no machine number holds. Cost: linear in nodes and children.
/// \returns "what is wrong; what to do", or nothing.
std::optional<std::string> findTreeProblem(const Tree &tree);

/// Adds to Tree::warnings what the user must know before trusting a prediction.
void addTreeWarnings(Tree &tree);

} // namespace prophet
