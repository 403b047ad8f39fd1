//===- SelfNesting.h - Sites whose sections nest ----------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A site in a recursion runs inside itself. The time that it takes is that of its
// outermost executions: what is inside another one is a part of that.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/tree/Tree.h"

#include <optional>

namespace prophet {

/// The sites of which a section lies inside another one, ascending.
std::vector<std::uint32_t> findSelfNestedSites(const Tree &tree);

/// By node: how often the program runs it outside of all sections of `site`, `site`'s own sections
/// among the nodes.
std::vector<double> countOutermost(const Tree &tree, std::uint32_t site);

/// `tree`, with two nodes for each section of which some executions are inside another section of
/// its site and some are not. Nothing where there is none; nor where it would take more than twice
/// the nodes, and a few.
std::optional<Tree> splitSelfNested(const Tree &tree);

} // namespace prophet
