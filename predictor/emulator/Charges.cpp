//===- Charges.cpp - Where overheads are charged --------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Charges.h"

#include "predictor/emulator/Chain.h"
#include "predictor/emulator/TaskRegions.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace prophet {

namespace {

const LoopCosts &loopCosts(const Overheads &overheads, Dealing dealing) {
  switch (dealing) {
  case Dealing::Block:
    return overheads.staticBlock;
  case Dealing::RoundRobin:
    return overheads.staticChunk;
  case Dealing::Queue:
    return overheads.queue;
  case Dealing::Guided:
    return overheads.guided;
  case Dealing::Steal:
    return overheads.steal;
  }
  return overheads.staticBlock;
}

LoopPlan planDynamic(OmpRuntime runtime, const Schedule &schedule, std::uint64_t iterations,
                     unsigned threads) {
  const std::uint64_t chunk = schedule.chunk;
  if (runtime == OmpRuntime::Libgomp)
    return {Dealing::Queue, chunk};
  if (threads == 1) // __kmp_dispatch_next: a serialised team gets the whole loop at once
    return {Dealing::Queue, std::max<std::uint64_t>(iterations, 1)};
  if (schedule.monotonic)
    return {Dealing::Queue, chunk};
  const std::uint64_t chunks = iterations / chunk + (iterations % chunk != 0);
  return {chunks < threads ? Dealing::Queue : Dealing::Steal, chunk};
}

/// schedule(guided,chunk), or libomp's schedule(auto) as `shrinking`.
LoopPlan planGuided(Shrinking shrinking, std::uint64_t chunk, std::uint64_t iterations,
                    unsigned threads) {
  if (shrinking != Shrinking::Libgomp) {
    if (threads == 1) // serialised, as above
      return {Dealing::Queue, std::max<std::uint64_t>(iterations, 1)};
    if (isTooShortToShrink(iterations, threads, chunk))
      return {Dealing::Queue, chunk};
  }
  return {Dealing::Guided, chunk, shrinking};
}

} // namespace

LoopPlan planLoop(const Tree &tree, std::uint32_t site, const EmulationOptions &options,
                  std::uint64_t iterations, unsigned threads) {
  const bool libomp = options.runtime == OmpRuntime::Libomp;
  // clang lowers sections to a static loop, GCC to a shared counter
  if (tree.sites[site].kind == SiteKind::Sections)
    return {libomp ? Dealing::Block : Dealing::Queue, 1};
  const Schedule &schedule = options.scheduleOf(site);
  switch (schedule.kind) {
  case Schedule::Kind::Static:
    return {Dealing::Block, 1};
  case Schedule::Kind::StaticChunk:
    return {Dealing::RoundRobin, schedule.chunk};
  case Schedule::Kind::Dynamic:
    return planDynamic(options.runtime, schedule, iterations, threads);
  case Schedule::Kind::Guided:
    return planGuided(libomp ? Shrinking::Libomp : Shrinking::Libgomp, schedule.chunk, iterations,
                      threads);
  case Schedule::Kind::Auto: // libgomp maps it to static (loop.c)
    return libomp ? planGuided(Shrinking::LibompAuto, 1, iterations, threads)
                  : LoopPlan{Dealing::Block, 1};
  }
  return {Dealing::Block, 1};
}

std::uint64_t chunkCount(LoopPlan plan, std::uint64_t iterations, unsigned threads) {
  if (plan.dealing == Dealing::Block)
    return std::min<std::uint64_t>(iterations, threads);
  if (plan.dealing == Dealing::Guided) {
    GuidedChunks chunks(plan.shrinking, iterations, threads, plan.chunk);
    std::uint64_t count = 0;
    while (chunks.next() > 0)
      ++count;
    return count;
  }
  return iterations / plan.chunk + (iterations % plan.chunk != 0);
}

/// The least that a chunk takes its thread in a team of `size`, ns: while one asks the others that
/// have a core have their turns, where there is one counter.
static double turnNs(const EmulationOptions &options, Dealing dealing, unsigned size) {
  const bool isCounted = dealing == Dealing::Queue || dealing == Dealing::Guided;
  const unsigned asking = std::min(size, options.cores ? options.cores : options.threads);
  return size > 1 && isCounted ? asking * loopCosts(options.overheads, dealing).interval.at(asking)
                               : 0;
}

ChunkCosts chunkCosts(const Tree &tree, std::uint32_t site, const EmulationOptions &options,
                      std::uint64_t iterations, unsigned threads) {
  if (options.paradigm != Paradigm::OpenMP || tree.sites[site].kind == SiteKind::Tasks)
    return {};
  const LoopPlan plan = planLoop(tree, site, options, iterations, threads);
  const auto chunks = static_cast<double>(chunkCount(plan, iterations, threads));
  return {chunks * loopCosts(options.overheads, plan.dealing).chunk.at(threads),
          chunks * turnNs(options, plan.dealing, threads)};
}

static bool yieldsWaiting(const EmulationOptions &options) {
  return options.runtime == OmpRuntime::Libomp && isOpenMP(options.paradigm);
}

bool Charges::waitersYield(const EmulationOptions &options) {
  return yieldsWaiting(options) && options.overheads.baseSlice > 0 && options.blockTime() > 0;
}

Charges::Charges(const EmulationOptions &options, TimeGrid grid, double timebaseHz)
    : spinning{options.overheads.active.lockHandoff, grid, timebaseHz / 1e9},
      asleep{options.overheads.passive.lockHandoff, grid, timebaseHz / 1e9} {
  for (Handoffs *costs : {&spinning, &asleep})
    for (unsigned waiting = 0; waiting < options.widestTeam(); ++waiting)
      costs->known.push_back(costs->among(waiting));
  const auto time = [&](double ns) { return grid.ofCost(ns * (timebaseHz / 1e9)); };
  const auto waits = [&](const WaitCosts &costs, unsigned size) {
    return TeamCharges::Waits{time(costs.fork.at(size)), time(costs.join.at(size))};
  };
  lockPair = time(options.overheads.lockPair);
  blockTime = std::ldexp(options.blockTime() * (timebaseHz / 1e9), grid.exponent);
  yields = yieldsWaiting(options);
  const unsigned cores = options.cores ? options.cores : options.threads;
  const auto real = [&](double ns) { return std::ldexp(ns * (timebaseHz / 1e9), grid.exponent); };
  nextTurn = real(options.overheads.nextTurn(cores, yields));
  balancing = real(Overheads::balancing(cores));
  serializedRegion = time(options.overheads.serializedRegion);
  std::set<unsigned> sizes = options.teamSizes();
  sizes.insert(1);
  for (unsigned size : sizes) {
    TeamCharges &team = teams[size];
    team.spinning = waits(options.overheads.active, size);
    team.asleep = waits(options.overheads.passive, size);
    team.blockTime = blockTime;
    const TaskCosts &tasks = options.overheads.tasks;
    team.tasks = {time(tasks.create.at(size)), time(tasks.steal.at(size)),
                  time(tasks.wait.at(size))};
    for (std::size_t dealing = 0; dealing < std::size(team.loops); ++dealing) {
      const auto which = static_cast<Dealing>(dealing);
      const LoopCosts &costs = loopCosts(options.overheads, which);
      team.loops[dealing] = {time(costs.start.at(size)), time(costs.chunk.at(size)),
                             time(turnNs(options, which, size))};
    }
  }
}

Time Charges::serialized(LoopPlan plan, std::uint64_t iterations) const {
  const TeamCharges::Loop &costs = alone().loop(plan.dealing);
  return serializedRegion + costs.start +
         costs.chunk * static_cast<Time>(chunkCount(plan, iterations, 1));
}

/// How many threads may meet at one lock: those of all teams, each for an execution of its own.
static unsigned mostContenders(const EmulationOptions &options, const TimedTree &timed) {
  const double threads = std::pow(options.widestTeam(), options.maxActiveLevels);
  constexpr double most = std::numeric_limits<unsigned>::max();
  return static_cast<unsigned>(std::clamp(timed.counts.locks, 1.0, std::min(threads, most)));
}

/// What a section costs in a team of `size` beyond its chunks: under any schedule.
static double mostPerSection(const Overheads &overheads, unsigned size) {
  const WaitCosts &active = overheads.active, &passive = overheads.passive;
  return std::max(active.fork.at(size), passive.fork.at(size)) +
         std::max(active.join.at(size), passive.join.at(size));
}

/// How many threads' times one core's clock can add up, of a team of `size`.
static unsigned mostOnCore(const EmulationOptions &options, unsigned size) {
  const bool mayShare =
      options.maxActiveLevels > 1 || (options.cores != 0 && options.cores < options.widestTeam());
  return mayShare ? size : 1;
}

/// What a loop of `chunks` in all costs at most, of threads that pay for their starts, and wait for
/// their turns, at once or, on one core, after each other.
static double mostPerLoop(const LoopCosts &costs, unsigned size, unsigned onCore, double chunks) {
  const double turns = costs.interval.most(size) * (chunks * onCore + size);
  return onCore * costs.start.at(size) + chunks * costs.chunk.at(size) + turns;
}

/// Code between two chained loops of `section`, which all threads run.
static double mostBetween(const TimedTree &timed, NodeId section, unsigned onCore) {
  return timed.tree.sites[timed.tree.nodes[section].ref].nowait ? Chains::adjacentGap * 1e9 * onCore
                                                                : 0;
}

/// What locks and tasks cost.
static double mostOfMeeting(const EmulationOptions &options, const TimedTree &timed) {
  const Overheads &overheads = options.overheads;
  const unsigned contenders = mostContenders(options, timed);
  const TimedTree::Counts &counts = timed.counts;
  double sum = counts.locks *
               (overheads.lockPair + std::max(overheads.active.lockHandoff.most(contenders),
                                              overheads.passive.lockHandoff.most(contenders)));
  std::set<unsigned> sizes = options.teamSizes();
  sizes.insert(1);
  if (usesTasks(timed.tree, options))
    for (unsigned size : sizes) {
      // Loops are split into at most as many pieces as they have iterations, by as many splits.
      const TaskCosts &tasks = overheads.tasks;
      const double spawned = tasks.create.at(size) + tasks.steal.at(size);
      sum += counts.tasks * 2 * spawned + counts.sections * (spawned + tasks.wait.at(size));
    }
  return sum;
}

double Charges::bound(const EmulationOptions &options, const TimedTree &timed) {
  const Overheads &overheads = options.overheads;
  if (overheads.isNone())
    return 0;
  const TimedTree::Counts &counts = timed.counts;
  std::set<unsigned> sizes = options.teamSizes();
  sizes.insert(1);
  double ns = mostOfMeeting(options, timed) + counts.sections * overheads.serializedRegion;
  for (unsigned size : sizes) {
    ns += counts.sections * mostPerSection(overheads, size);
    for (const LoopCosts *costs : {&overheads.staticBlock, &overheads.staticChunk, &overheads.queue,
                                   &overheads.steal, &overheads.guided})
      ns += counts.sections * mostPerLoop(*costs, size, mostOnCore(options, size), 1) +
            counts.tasks * (costs->chunk.at(size) + size * costs->interval.most(size));
    if (std::ranges::any_of(timed.tree.sites, &Site::nowait))
      ns += counts.sections * Chains::adjacentGap * 1e9 * mostOnCore(options, size);
  }
  return ns * (timed.tree.timebaseHz / 1e9);
}

double Charges::tightBound(const EmulationOptions &options, const TimedTree &timed) {
  const Overheads &overheads = options.overheads;
  double ns = mostOfMeeting(options, timed);
  for (NodeId id = 0; id < timed.tree.root; ++id) {
    if (timed.executions[id] == 0 || timed.kind(id) != NodeKind::Section)
      continue;
    const std::uint32_t site = timed.tree.nodes[id].ref;
    const std::uint64_t iterations = timed.iterations(id);
    double one = overheads.serializedRegion;
    for (unsigned size : {1u, options.teamSize(site)}) {
      const LoopPlan plan = planLoop(timed.tree, site, options, iterations, size);
      const unsigned onCore = mostOnCore(options, size);
      one += mostPerSection(overheads, size) + mostBetween(timed, id, onCore) +
             mostPerLoop(loopCosts(overheads, plan.dealing), size, onCore,
                         static_cast<double>(chunkCount(plan, iterations, size)));
    }
    ns += timed.executions[id] * one;
  }
  return ns * (timed.tree.timebaseHz / 1e9);
}

} // namespace prophet
