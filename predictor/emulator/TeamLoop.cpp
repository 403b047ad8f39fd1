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

std::optional<std::pair<std::uint64_t, std::uint64_t>> TeamLoop::take(unsigned thread,
                                                                      std::uint64_t turn) {
  std::uint64_t chunk = 0;
  switch (plan.dealing) {
  case Dealing::Block: {
    const std::uint64_t begin = staticBlockStart(iterations, threads, thread);
    const std::uint64_t end = staticBlockStart(iterations, threads, thread + 1);
    if (turn > 0 || begin == end)
      return std::nullopt;
    return std::pair(begin, end);
  }
  case Dealing::Guided: {
    const std::uint64_t begin = guided->taken();
    const std::uint64_t taken = guided->next();
    if (taken == 0)
      return std::nullopt;
    return std::pair(begin, begin + taken);
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
      return std::nullopt;
    chunk = *taken;
    break;
  }
  }
  if (chunk >= chunks)
    return std::nullopt;
  const std::uint64_t begin = chunk * plan.chunk;
  return std::pair(begin, begin + std::min(plan.chunk, iterations - begin));
}

} // namespace prophet
