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

namespace prophet {

/// Deals out one loop to a team whose members may come at any time.
class TeamLoop {
public:
  TeamLoop(const RegionContext &context, NodeId section, unsigned threads);

  const LoopPlan plan;

  /// Iterations [begin, end).
  struct Chunk {
    std::uint64_t begin = 0, end = 0;
    bool isEmpty() const { return begin == end; }
  };
  /// What `thread` gets when it asks for the `turn`th time; an empty chunk when nothing is left for
  /// it.
  Chunk take(unsigned thread, std::uint64_t turn);

private:
  std::uint64_t iterations;
  std::uint64_t chunks; ///< 0 for Guided, whose chunks shrink
  unsigned threads;
  std::uint64_t next = 0; ///< Queue: first chunk not taken
  std::optional<StealRing> ring;
  std::optional<GuidedChunks> guided;
};

} // namespace prophet
