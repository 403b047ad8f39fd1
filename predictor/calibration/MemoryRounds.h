//===- MemoryRounds.h - What the memory program printed ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// memory-figures (memmodel/memory) measures one group of figures at a time. Here
// its windows become a machine's caches, curves and classes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/Machine.h"
#include "predictor/calibration/Rounds.h"

namespace prophet {

/// A group of figures that is measured at once, and its windows.
struct MemoryGroup {
  std::vector<std::string> arguments; ///< the first three of memory-figures
  Rounds rounds{};
};

/// What is measured of a machine with a last-level cache of `cacheBytes`, before it `privateBytes`
/// of each core (0: not known), and `cores`, the most important first.
std::vector<MemoryGroup> memoryGroups(std::size_t cacheBytes, std::size_t privateBytes,
                                      std::size_t cores);

/// Adds what was measured to `machine`, which has its topology.
/// \pre each group has a window.
void addMemoryFigures(memmodel::Machine &machine, const std::vector<MemoryGroup> &groups);

/// Whether too few windows of some group were quiet.
bool isDisturbed(const std::vector<MemoryGroup> &groups);

/// The figures for people.
std::string describeMemory(const memmodel::Machine &machine);

} // namespace prophet
