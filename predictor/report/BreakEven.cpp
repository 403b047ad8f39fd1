//===- BreakEven.cpp - From how many iterations on a loop gains -------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/BreakEven.h"

#include "predictor/tree/SelfNesting.h"

#include <algorithm>

namespace prophet {

std::optional<std::uint64_t> BreakEven::trips() const {
  if (savedNs <= 0 || fixedNs / savedNs > 1e18)
    return std::nullopt;
  return static_cast<std::uint64_t>(fixedNs / savedNs);
}

BreakEven breakEven(const LoopFigures &loop, const Schedule &schedule,
                    const EmulationOptions &options) {
  const Overheads &costs = options.overheads;
  const unsigned threads = options.threads;
  const bool spins = options.blockTime() > 0;
  const double fork = spins ? loop.asleep * costs.passive.fork.at(threads) +
                                  (1 - loop.asleep) * costs.active.fork.at(threads)
                            : costs.passive.fork.at(threads);
  const double join = (spins ? costs.active : costs.passive).join.at(threads);
  const bool shrinks =
      schedule.kind == Schedule::Kind::Guided || schedule.kind == Schedule::Kind::Auto;
  const bool queue = options.runtime == OmpRuntime::Libgomp || schedule.monotonic;
  const LoopCosts &dealing = schedule.kind == Schedule::Kind::Static        ? costs.staticBlock
                             : schedule.kind == Schedule::Kind::StaticChunk ? costs.staticChunk
                             : shrinks                                      ? costs.guided
                             : queue                                        ? costs.queue
                                                                            : costs.steal;
  BreakEven result;
  result.fixedNs = fork + join + dealing.start.at(threads);
  result.savedNs = loop.iterationNs * (loop.aloneRatio - 1 / loop.freeSpeedup);
  if (schedule.chunk && !shrinks) // shrinking chunks are few
    result.savedNs -= dealing.chunk.at(threads) / (static_cast<double>(schedule.chunk) * threads);
  return result;
}

/// By node: whether a lock is in it.
static std::vector<bool> findLocks(const Tree &tree) {
  std::vector<bool> locks(tree.nodes.size());
  for (NodeId id = 0; id <= tree.root; ++id) {
    locks[id] = tree.nodes[id].kind == NodeKind::L;
    for (const Child &child : tree.childrenOf(id))
      locks[id] = locks[id] || locks[child.node];
  }
  return locks;
}

/// The most iterations that one of `threads` has of `trips` equal ones in chunks of `chunk`.
static double largestShare(std::uint64_t trips, std::uint64_t chunk, unsigned threads) {
  const auto over = [](std::uint64_t a, std::uint64_t b) { return a / b + (a % b > 0); };
  const std::uint64_t turns = over(over(trips, chunk), threads);
  return std::min(static_cast<double>(turns) * static_cast<double>(chunk),
                  static_cast<double>(trips));
}

/// How many ticks longer equal iterations of `site` take because its trip counts are no multiples;
/// nothing where it has locks.
static std::optional<double> findRemainder(const Tree &tree, std::uint32_t site,
                                           std::uint64_t chunk, unsigned threads) {
  const std::vector<double> lengths = tree.serialLengths();
  const std::vector<double> counts = countOutermost(tree, site);
  const std::vector<bool> locks = findLocks(tree);
  double ticks = 0;
  for (NodeId id = 0; id <= tree.root; ++id) {
    if (tree.nodes[id].kind != NodeKind::Section || tree.nodes[id].ref != site || counts[id] == 0)
      continue;
    if (locks[id])
      return std::nullopt;
    std::uint64_t trips = 0;
    for (const Child &child : tree.childrenOf(id))
      trips += child.repeat;
    if (trips > 0)
      ticks += counts[id] * lengths[id] *
               (largestShare(trips, chunk, threads) / static_cast<double>(trips) - 1.0 / threads);
  }
  return ticks;
}

double freeSpeedup(const Tree &tree, const Emulator &emulator, std::uint32_t site,
                   const Schedule &schedule, const EmulationOptions &given) {
  EmulationOptions options = given;
  options.schedule = schedule;
  options.sites.clear();
  options.exceptSite.reset();
  options.onlySite = site;
  options.overheads = Overheads::none();
  options.overheads.lockPair = given.overheads.lockPair;
  options.overheads.active.lockHandoff = given.overheads.active.lockHandoff;
  options.overheads.passive.lockHandoff = given.overheads.passive.lockHandoff;
  const SiteEstimate found = emulator.runWithoutGains(options).sites[site];
  const unsigned threads = options.threads, cores = options.cores ? options.cores : threads;
  const double most = std::min(threads, cores);
  const bool shrinks =
      schedule.kind == Schedule::Kind::Guided || schedule.kind == Schedule::Kind::Auto;
  const double ratio = options.bodyRatio(site); // of all that the team computes
  double ticks = found.ticks;
  if (threads <= cores && !shrinks)
    if (const auto more =
            findRemainder(tree, site, std::max<std::uint64_t>(schedule.chunk, 1), threads))
      ticks -= *more * ratio;
  constexpr double Rounding = 1e-9;
  if (ticks * most <= found.serialTicks * ratio * (1 + Rounding))
    return found.serialTicks > 0 ? most / ratio : 1;
  return found.serialTicks / ticks;
}

} // namespace prophet
