//===- PrivateItems.h - What clauses give each thread for its own *- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "rewriter/Directive.h"

#include <optional>
#include <string>
#include <vector>

namespace prophet {

/// A variable, or a section of an array, in a list of `private`, `firstprivate`, `lastprivate`,
/// `linear` or `reduction`.
struct PrivateItem {
  /// The text between brackets: an index, or where a section begins and how long it is.
  struct Bracket {
    std::string First; ///< maybe empty: from 0
    /// Of a section, maybe empty: to the end. None: an index.
    std::optional<std::string> Length = std::nullopt;
  };

  std::string Name;
  std::vector<Bracket> Brackets = {};
};

/// The items of all such clauses, in order. What is no variable with brackets behind it is left
/// out: `this->x`, `val(x)`.
std::vector<PrivateItem> privateItems(const Directive &D);

} // namespace prophet
