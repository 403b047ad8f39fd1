//===- Charges.cpp - Where overheads are charged --------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Charges.h"

#include <algorithm>

namespace prophet {

namespace {

const WaitCosts &waitCosts(const EmulationOptions &options) {
  return options.waitPolicy == WaitPolicy::Active ? options.overheads.active
                                                  : options.overheads.passive;
}

const LoopCosts &loopCosts(const Overheads &overheads, Dealing dealing) {
  switch (dealing) {
  case Dealing::Block:
    return overheads.staticBlock;
  case Dealing::RoundRobin:
    return overheads.staticChunk;
  case Dealing::Queue:
    return overheads.queue;
  case Dealing::Steal:
    return overheads.steal;
  }
  return overheads.staticBlock;
}

LoopPlan planDynamic(OmpRuntime runtime, std::uint64_t chunk, std::uint64_t iterations,
                     unsigned threads) {
  if (runtime == OmpRuntime::Libgomp)
    return {Dealing::Queue, chunk};
  if (threads == 1) // __kmp_dispatch_next: a serialised team gets the whole loop at once
    return {Dealing::Queue, std::max<std::uint64_t>(iterations, 1)};
  const std::uint64_t chunks = iterations / chunk + (iterations % chunk != 0);
  return {chunks < threads ? Dealing::Queue : Dealing::Steal, chunk};
}

} // namespace

LoopPlan planLoop(SiteKind kind, const EmulationOptions &options, std::uint64_t iterations,
                  unsigned threads) {
  if (kind == SiteKind::Sections) // clang lowers sections to a static loop, GCC to a shared counter
    return {options.runtime == OmpRuntime::Libomp ? Dealing::Block : Dealing::Queue, 1};
  switch (options.schedule.kind) {
  case Schedule::Kind::Static:
    return {Dealing::Block, 1};
  case Schedule::Kind::StaticChunk:
    return {Dealing::RoundRobin, options.schedule.chunk};
  case Schedule::Kind::Dynamic:
    return planDynamic(options.runtime, options.schedule.chunk, iterations, threads);
  }
  return {Dealing::Block, 1};
}

std::uint64_t chunkCount(LoopPlan plan, std::uint64_t iterations, unsigned threads) {
  if (plan.dealing == Dealing::Block)
    return std::min<std::uint64_t>(iterations, threads);
  return iterations / plan.chunk + (iterations % plan.chunk != 0);
}

double burdenFactor(const Site &site, unsigned threads) {
  const auto above = site.burden.lower_bound(threads);
  if (above != site.burden.end() && above->first == threads)
    return above->second;
  const bool none = above == site.burden.begin();
  const double x0 = none ? 1 : std::prev(above)->first;
  const double y0 = none ? 1 : std::prev(above)->second;
  if (above == site.burden.end())
    return y0;
  return y0 + (above->second - y0) * (threads - x0) / (above->first - x0);
}

Charges::Charges(const EmulationOptions &options, TimeGrid grid, double timebaseHz) {
  const auto time = [&](double ns) { return grid.of(ns * (timebaseHz / 1e9)); };
  const WaitCosts &wait = waitCosts(options);
  fork = time(wait.fork.at(options.threads));
  join = time(wait.join.at(options.threads));
  lockPair = time(options.overheads.lockPair);
  lockHandoff = time(wait.lockHandoff.at(options.threads));
  serializedRegion = time(options.overheads.serializedRegion);
  for (std::size_t dealing = 0; dealing < 4; ++dealing) {
    const LoopCosts &costs = loopCosts(options.overheads, static_cast<Dealing>(dealing));
    loops[0][dealing] = {time(costs.start.at(options.threads)),
                         time(costs.chunk.at(options.threads))};
    loops[1][dealing] = {time(costs.start.at(1)), time(costs.chunk.at(1))};
  }
}

Time Charges::serialized(LoopPlan plan, std::uint64_t iterations) const {
  const Loop &costs = loop(plan.dealing, true);
  return serializedRegion + costs.start +
         costs.chunk * static_cast<Time>(chunkCount(plan, iterations, 1));
}

double Charges::bound(const EmulationOptions &options, const TimedTree &timed) {
  const Overheads &overheads = options.overheads;
  if (overheads.isNone())
    return 0;
  const WaitCosts &wait = waitCosts(options);
  double perSection =
      wait.fork.at(options.threads) + wait.join.at(options.threads) + overheads.serializedRegion;
  double perTask = 0;
  for (const LoopCosts *costs :
       {&overheads.staticBlock, &overheads.staticChunk, &overheads.queue, &overheads.steal})
    for (unsigned threads : {1u, options.threads}) {
      perSection += costs->start.at(threads) + costs->chunk.at(threads);
      perTask += costs->chunk.at(threads);
    }
  const double perLock = overheads.lockPair + wait.lockHandoff.at(options.threads);

  const TimedTree::Counts &counts = timed.counts;
  const double ns = counts.sections * perSection + counts.tasks * perTask + counts.locks * perLock;
  return ns * (timed.tree.timebaseHz / 1e9);
}

} // namespace prophet
