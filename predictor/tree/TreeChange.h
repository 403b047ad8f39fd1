//===- TreeChange.h - A tree with other lengths -----------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the profile would be if the program were changed: tasks longer or
// shorter, more or fewer, a lock held for less long or not at all. A node that
// stands for executions in several places is split where they change unlike.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Result.h"
#include "predictor/tree/Tree.h"

#include <cstdint>
#include <map>

namespace prophet {

struct TreeChange {
  struct OfSite {
    double tasks = 1; ///< factor on how many tasks an execution has; a run of equal tasks stays one
    double length = 1; ///< factor on all that a task computes, inner sections included
  };
  struct OfLock {
    double length = 1;    ///< factor on all that is computed while it is held; 0: nor is it taken
    bool removed = false; ///< what it guards is computed without it
  };
  std::map<std::uint32_t, OfSite> sites;
  std::map<std::uint32_t, OfLock> locks;
  double serial = 1; ///< factor on what is computed outside of all sections

  /// Most changes of lengths that there can be in one.
  static constexpr std::size_t most = 60;
};

/// `tree` with `change`; an error where the result would be no valid tree, as of its size.
/// A factor counts once where a site's sections nest. \pre no more than TreeChange::most.
Result<Tree> changeTree(const Tree &tree, const TreeChange &change);

} // namespace prophet
