//===- emulatorDealer.h - Who runs which iterations, plainly ----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every chunk is a list of iterations, and lies on the pile of the thread that is
// to run it; one pile for all where there is a central queue.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"
#include "predictor/tree/Tree.h"

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

namespace prophet::test {

/// GuidedGnu, GuidedLlvm: schedule(guided,chunk) of libgomp and of libomp; AutoLlvm: libomp's auto.
enum class Policy { Static, StaticChunk, Queue, Steal, GuidedGnu, GuidedLlvm, AutoLlvm };

/// How the runtime of `options` shares loops of `site`.
Policy policyOf(const Tree &tree, std::uint32_t site, const EmulationOptions &options);

class Dealer {
public:
  using Chunk = std::deque<std::size_t>; // numbers of iterations

  Dealer(std::size_t iterations, Policy policy, std::size_t chunk, unsigned threads);

  /// What `thread` runs next.
  std::optional<Chunk> next(unsigned thread);

  /// Whether what a thread gets depends on when it asks.
  bool isFirstCome() const { return policy == Policy::Queue || policy == Policy::Steal; }

private:
  Policy policy;
  std::vector<std::deque<Chunk>> piles;
  std::vector<bool> here;      ///< has come to the loop
  std::vector<bool> empty;     ///< has found its pile used up and stolen nothing that is left
  std::vector<unsigned> first; ///< whom to look at first

  std::size_t ownerOf(std::size_t chunk, std::size_t chunks) const;
  std::optional<Chunk> steal(unsigned thread);
};

} // namespace prophet::test
