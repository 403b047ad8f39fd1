//===- Causes.h - What keeps a program from being faster --------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"
#include "predictor/emulator/Waterfall.h"
#include "predictor/tree/Tree.h"

#include <cstdint>
#include <optional>

namespace prophet {

/// A site's regions that keep the cores busy for this share of their time have no more to gain on
/// them.
inline constexpr double FullCores = 0.95;

/// `waterfall.program` by cause, on `cores` cores: where there are fewer cores than threads, and a
/// site's regions keep them busy nearly all the time, its threads wait for want of cores, whatever
/// they wait for: without locks and imbalance they would wait for cores instead.
TimeParts causesOf(const Waterfall &waterfall, unsigned cores);

/// Whom threads wait for at the end of a region.
enum class Awaited : std::uint8_t {
  Iterations,   ///< the slowest thread of a loop
  NoIterations, ///< the same, of a loop with fewer iterations than threads
  Sections,     ///< the longest of its sections
  NoSections,   ///< the same, where they are fewer than threads
  Tasks,        ///< those that run others' tasks, while there are no more
};

/// The site whose threads wait longest at its regions' ends.
struct Idleness {
  Awaited awaited = Awaited::Iterations;
  std::optional<std::uint32_t> site; ///< none: nothing is known of single sites
  bool isShared = false;             ///< threads wait at other sites' ends, too
};

/// \param options what `waterfall` was emulated under
Idleness idlenessOf(const Tree &tree, const Waterfall &waterfall, const EmulationOptions &options);

} // namespace prophet
