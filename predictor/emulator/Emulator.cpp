//===- Emulator.cpp - Fast-forward emulation of a program tree ------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Emulator.h"

#include "predictor/emulator/Simulation.h"
#include "predictor/emulator/TaskRegions.h"
#include "predictor/tree/SelfNesting.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

namespace prophet {

namespace {

/// How much longer than its serial length a run may be on the grid that estimates share.
constexpr double headroom = 8;

/// The largest burden factor.
double mostBurden(const TimedTree &timed, const EmulationOptions &options) {
  double factor = 1;
  for (unsigned size : options.teamSizes())
    for (std::uint32_t site = 0; site < timed.tree.sites.size(); ++site)
      factor = std::max(factor, options.burdenFactor(timed.tree, site, size));
  return factor;
}

/// How much of its time work takes, at least, while others do not compute: overheads take longer by
/// a clock that goes by work.
double leastRelief(const Tree &tree, const EmulationOptions &options) {
  double least = 1;
  for (std::uint32_t site = 0; site < tree.sites.size(); ++site)
    for (const double ease : options.relief(site, options.teamSize(site)))
      least = std::min(least, ease);
  return least;
}

double ratio(double serial, double parallel) { return parallel > 0 ? serial / parallel : 1; }

/// How many teams there are inside each other, at most: loops open one, sections of tasks only do
/// outside of all.
unsigned teamDepth(const TimedTree &timed, const Chains &chains, Paradigm paradigm) {
  std::vector<unsigned> inside(timed.tree.nodes.size()), outside(inside);
  for (NodeId id = 0; id <= timed.tree.root; ++id) {
    for (const Child &child : timed.tree.childrenOf(id)) {
      inside[id] = std::max(inside[id], inside[child.node]);
      outside[id] = std::max(outside[id], outside[child.node]);
    }
    if (timed.tree.nodes[id].kind != NodeKind::Section || !chains.parallel(id))
      continue;
    outside[id] = inside[id] + 1;
    inside[id] += !isSpawning(timed, chains, paradigm, id);
  }
  return outside[timed.tree.root];
}

/// How many threads a run can keep busy: the team's size, or, where teams nest and there are cores
/// for it, as many as can be ready at once.
double width(const TimedTree &timed, const EmulationOptions &options) {
  const double threads = options.threads;
  if (options.maxActiveLevels <= 1) // teams do not nest
    return threads;
  const unsigned depth = teamDepth(timed, Chains(timed, options), options.paradigm);
  const double most = std::pow(threads, std::min(depth, options.maxActiveLevels));
  const double cores = options.cores ? options.cores : options.threads;
  return std::max(threads, std::min(cores, most));
}

/// What the threads of some regions do not do, on `width` cores.
struct Idling {
  double weight = 1; ///< what their waits are worth, of which more threads than `width` have more
  double none = 0;   ///< for want of threads, where inner teams come and go

  Idling(const ThreadTimes &times, double width) {
    const double idle = std::max(0.0, width * times.elapsed - times.busy());
    const double waits = times.barrierWait + times.lockWait + times.preempted + times.teamWait;
    if (waits > idle)
      weight = idle / waits;
    none = std::max(0.0, idle - waits * weight);
  }
};

/// Where threads spend `times`, in ticks.
TimeParts partsOf(const ThreadTimes &times, double weight, TimeGrid grid) {
  TimeParts parts;
  parts.useful = grid.ticks(times.useful);
  parts.memory = grid.ticks(times.memory);
  parts.outlining = grid.ticks(times.outlining);
  parts.overhead = grid.ticks(times.overhead + times.teamWait * weight);
  parts.lock = grid.ticks(times.lockWait * weight);
  parts.imbalance = grid.ticks(times.barrierWait * weight);
  parts.cores = grid.ticks(times.preempted * weight);
  return parts;
}

Waterfall waterfallOf(const TimedTree &timed, const RunResult &run, double width) {
  const TimeGrid grid = timed.grid;
  Waterfall result;
  result.width = width;
  result.threadTicks = grid.ticks(width * run.elapsed);
  // What many regions add up to is rounded, and can be more than the whole.
  const double outside = std::max(0.0, run.outside);
  result.outside.useful = grid.ticks(outside);
  result.outside.serial = grid.ticks(outside * (width - 1));
  std::vector<double> weights;
  result.sites.resize(run.regions.size());
  for (const ThreadTimes &times : run.regions) {
    const Idling idling(times, width);
    result.sites[weights.size()].serial = grid.ticks(idling.none);
    result.regions.push_back(partsOf(times, idling.weight, grid));
    result.regions.back().serial = grid.ticks(idling.none);
    weights.push_back(idling.weight);
  }
  for (const auto &[by, times] : run.tally.times)
    result.sites[by.site] += partsOf(times, weights[by.opener], grid);
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> locks; // by site and lock
  for (const auto &[where, wait] : run.tally.lockWaits) {
    const auto &[by, lock] = where;
    locks[{by.site, lock}] += grid.ticks(wait * weights[by.opener]);
  }
  for (const auto &[where, ticks] : locks)
    result.locks.push_back({where.first, where.second, ticks});
  settle(result);
  return result;
}

/// The whole program's speedup if only `site` were parallel. `extra`: extraWaking of `run`.
double gain(const TimedTree &timed, const EmulationOptions &options, const RunResult &run,
            const std::vector<double> &extra, std::uint32_t site) {
  const auto serial = static_cast<double>(timed.serial());
  const bool alone = timed.tree.sites.size() == 1 || options.onlySite == site;
  if (alone)
    return ratio(serial, run.elapsed);
  // A site that is always a region of its own runs the same whatever else is parallel, but for
  // its threads' waking up.
  // Where threads stay on cores, it matters which region is the one that they are created in.
  const bool mayStay = Charges::waitersYield(options) &&
                       (options.threads > options.usableCores() || options.maxActiveLevels > 1);
  if (!options.onlySite && !mayStay && isSolo(timed, run, site))
    return ratio(serial,
                 serial - timed.siteSerial[site] + run.tally.siteElapsed[site] + extra[site]);
  EmulationOptions only = options;
  only.onlySite = site;
  return ratio(serial, simulate(timed, only, nullptr).elapsed);
}

enum class Gains : std::uint8_t { Computed, LeftOut };

/// \param alone knows some sites' factors for their gains, which are left out then; or null
Estimate estimate(const TimedTree &timed, const EmulationOptions &options, EventListener *listener,
                  Gains gains, const BurdenModel *alone = nullptr) {
  const RunResult run = simulate(timed, options, listener);
  const auto serial = static_cast<double>(timed.serial());
  Estimate result;
  result.serialTicks = timed.grid.ticks(serial);
  result.ticks = timed.grid.ticks(run.elapsed);
  result.speedup = ratio(serial, run.elapsed);
  result.waterfall = waterfallOf(timed, run, width(timed, options));
  result.loss = result.waterfall.shares();
  std::vector<double> extra;
  if (gains == Gains::Computed && !options.onlySite)
    extra = extraWaking(timed, options, run);
  for (std::uint32_t site = 0; site < timed.tree.sites.size(); ++site) {
    SiteEstimate &entry = result.sites.emplace_back();
    entry.site = site;
    entry.serialTicks = timed.grid.ticks(timed.siteSerial[site]);
    entry.ticks = timed.grid.ticks(run.tally.siteElapsed[site]);
    entry.speedup = ratio(entry.serialTicks, entry.ticks);
    if (run.forks[site] > 0)
      entry.asleep = run.forksAsleep[site] / run.forks[site];
    if (gains == Gains::Computed && timed.siteExecutions[site] > 0 &&
        !(alone && alone->knowsAlone(site)))
      entry.gain = gain(timed, options, run, extra, site);
  }
  return result;
}

} // namespace

Emulator::Emulator(const Tree &profiled)
    : split(splitSelfNested(profiled)), tree(split ? *split : profiled) {
  const double serial = tree.serialLengths()[tree.root];
  timed = std::make_unique<TimedTree>(tree, TimedTree::gridFor(serial * headroom));
}

Emulator::~Emulator() = default;

template <typename Use> auto Emulator::onGrid(const EmulationOptions &asked, const Use &use) const {
  assert(asked.threads >= 1 && asked.maxActiveLevels >= 1);
  std::optional<EmulationOptions> burdened;
  const EmulationOptions &options = asked.burdenModel ? burdened.emplace(asked.burdened()) : asked;
  // What the run adds up to on one thread, at most, without overheads and with them.
  const double serial = timed->grid.ticks(static_cast<double>(timed->serial()));
  const double factor = mostBurden(*timed, options), room = headroom * serial;
  const auto with = [&, least = leastRelief(tree, options)](double overheads) {
    return factor * (serial + overheads / least);
  };
  if (with(Charges::bound(options, *timed)) <= room)
    return use(*timed, options);
  const double needed = with(Charges::tightBound(options, *timed));
  if (needed <= room)
    return use(*timed, options);
  return use(TimedTree(tree, TimedTree::gridFor(needed)), options);
}

Estimate Emulator::run(const EmulationOptions &options, EventListener *listener) const {
  const BurdenModel *model = options.useBurden ? options.burdenModel.get() : nullptr;
  Estimate result = onGrid(options, [&](const TimedTree &fine, const EmulationOptions &own) {
    return estimate(fine, own, listener, Gains::Computed, model);
  });
  for (SiteEstimate &entry : result.sites)
    if (model && model->knowsAlone(entry.site)) {
      EmulationOptions only = options;
      only.onlySite = entry.site;
      entry.gain = options.onlySite == entry.site ? result.speedup : speedup(only);
    }
  return result;
}

Estimate Emulator::runWithoutGains(const EmulationOptions &options) const {
  return onGrid(options, [](const TimedTree &fine, const EmulationOptions &own) {
    return estimate(fine, own, nullptr, Gains::LeftOut);
  });
}

double Emulator::speedup(const EmulationOptions &options) const {
  return onGrid(options, [](const TimedTree &fine, const EmulationOptions &own) {
    return ratio(static_cast<double>(fine.serial()), simulate(fine, own, nullptr).elapsed);
  });
}

Chance Emulator::chance(const EmulationOptions &options) const {
  if (placesAtRandom(*timed, options))
    return Chance::Placement;
  return stealsAtRandom(tree, options) ? Chance::Stealing : Chance::None;
}

double Emulator::steps(const EmulationOptions &options) const {
  return countSteps(*timed, options);
}

Estimate emulate(const Tree &tree, const EmulationOptions &options) {
  return Emulator(tree).run(options);
}

} // namespace prophet
