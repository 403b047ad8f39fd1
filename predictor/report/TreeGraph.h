//===- TreeGraph.h - Trees for other tools to draw ----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Result.h"
#include "predictor/tree/Tree.h"

#include <string>

namespace prophet {

/// The tree as stored, for Graphviz: one node a node, repeats on the edges.
std::string renderDot(const Tree &tree);

/// Folded stacks for flame-graph tools: "app;rows;lock histogram TICKS", the stack being the sites
/// and locks that time was spent under. A site or lock met again inside itself folds into its outer
/// frame. An error where the tree has more different stacks than can be written out.
Result<std::string> renderFolded(const Tree &tree);

} // namespace prophet
