//===- TeamLoop.h - A worksharing loop that a team shares -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/RegionContext.h"
#include "predictor/emulator/StaticSteal.h"

#include <optional>
#include <utility>

namespace prophet {

/// Deals out one loop to a team whose members may come at any time.
class TeamLoop {
public:
  TeamLoop(const RegionContext &context, NodeId section, unsigned threads);

  const LoopPlan plan;

  /// Iterations from the first up to the second, for the `turn`th time that `thread` asks; nothing
  /// when there is none left for it.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> take(unsigned thread, std::uint64_t turn);

private:
  std::uint64_t iterations;
  std::uint64_t chunks; ///< 0 for Guided, whose chunks shrink
  unsigned threads;
  std::uint64_t next = 0; ///< Queue: first chunk not taken
  std::optional<StealRing> ring;
  std::optional<GuidedChunks> guided;
};

} // namespace prophet
