//===- MemoryTeams.h - Filters of accesses that move together ---*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a loop of one block, which is most of what is worth the trouble, accesses that move steadily
// are asked about where the loop begins and then where one of them comes to a line that may be in
// the sample. Until then the loop only counts iterations down, to its own end at most where that is
// known: each address that it looked at would be one more register for it to keep.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang-plugin/FilterBuilder.h"

namespace prophet {

/// A group that moves steadily through a loop of one block, or stays, and its address in the first
/// iteration.
struct TeamMember {
  const AccessGroup *Group;
  llvm::Value *Start;

  uint64_t step() const { return static_cast<uint64_t>(std::abs(Group->Step)); }
  /// The byte that comes to a new line first, from the group's address.
  int64_t front() const;
};

/// Those of one loop.
struct Team {
  llvm::SmallVector<TeamMember, 4> Members;
  Counts InIteration{}; ///< of all that the loop's block does

  llvm::Instruction *jump() const { return Members.front().Group->Jump; }
  /// Whether some member moves, so that addTeam() counts iterations.
  bool isWatched() const;
};

/// Forms teams; returns the groups that are in none. Before any filter is added.
std::vector<const AccessGroup *> findTeams(FilterBuilder &Builder, const FunctionAccesses &Accesses,
                                           std::vector<Team> &Teams);

/// Adds the filters of one, and where it is watched what all iterations count together.
void addTeam(FilterBuilder &Builder, const Team &Steady);

} // namespace prophet
