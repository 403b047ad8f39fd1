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
  std::vector<std::string> arguments; ///< the first five of memory-figures
  Rounds rounds{};
};

/// What is measured first of `machine`, which has its topology: the latency in and behind the
/// last-level cache, by size.
MemoryGroup cacheGroup(const memmodel::Machine &machine);

/// Adds what cacheGroup() has shown: how much of the last-level cache works, and its latency.
/// \pre it has a window.
void findLastCache(memmodel::Machine &machine, const Rounds &rounds);

/// What is measured of `cores` of such a machine besides, the most important first.
std::vector<MemoryGroup> memoryGroups(const memmodel::Machine &machine, std::size_t cores);

/// Adds what was measured to `machine`. \param groups cacheGroup(), and all of memoryGroups()
/// \pre each group has a window.
void addMemoryFigures(memmodel::Machine &machine, const std::vector<MemoryGroup> &groups);

/// Whether too few windows of some group were quiet.
bool isDisturbed(const std::vector<MemoryGroup> &groups);

/// How often the cores were not in their usual places, and what a line took in both: a sentence's
/// end.
std::string describePlaces(const memmodel::Quality &quality);

/// The figures for people.
std::string describeMemory(const memmodel::Machine &machine);

} // namespace prophet
