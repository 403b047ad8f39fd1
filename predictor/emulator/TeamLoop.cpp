//===- TeamLoop.cpp - A worksharing loop that a team shares ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/TeamLoop.h"

#include "predictor/emulator/StaticSchedule.h"

#include <algorithm>

namespace prophet {

TeamLoop::TeamLoop(const RegionContext &context, NodeId section, unsigned threads)
    : plan(context.plan(section, threads)), iterations(context.timed.iterations(section)),
      chunks(plan.dealing == Dealing::Guided ? 0 : chunkCount(plan, iterations, threads)),
      threads(threads) {
  if (plan.dealing == Dealing::Steal)
    ring.emplace(threads, chunks);
  if (plan.dealing == Dealing::Guided)
    guided.emplace(plan.shrinking, iterations, threads, plan.chunk);
}

TeamLoop::Chunk TeamLoop::take(unsigned thread, std::uint64_t turn) {
  std::uint64_t chunk = 0;
  switch (plan.dealing) {
  case Dealing::Block:
    if (turn > 0)
      return {};
    return {staticBlockStart(iterations, threads, thread),
            staticBlockStart(iterations, threads, thread + 1)};
  case Dealing::Guided: {
    const std::uint64_t begin = guided->taken();
    return {begin, begin + guided->next()};
  }
  case Dealing::RoundRobin:
    chunk = thread + turn * threads;
    break;
  case Dealing::Queue:
    chunk = next++;
    break;
  case Dealing::Steal: {
    if (turn == 0)
      ring->arrive(thread);
    const auto taken = ring->take(thread);
    if (!taken)
      return {};
    chunk = *taken;
    break;
  }
  }
  if (chunk >= chunks)
    return {};
  const std::uint64_t begin = chunk * plan.chunk;
  return {begin, begin + std::min(plan.chunk, iterations - begin)};
}

} // namespace prophet
