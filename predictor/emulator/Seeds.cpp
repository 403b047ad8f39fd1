//===- Seeds.cpp - What chance leaves open --------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Seeds.h"

#include <algorithm>
#include <map>
#include <vector>

namespace prophet {

namespace {

/// A run's speedup, and its seed.
using Draw = std::pair<double, std::uint64_t>;

/// The fewest runs, an odd number as all are.
constexpr unsigned least = 5;

Draws sorted(std::vector<Draw> runs) {
  std::ranges::sort(runs); // of equal speedups the first seed is first
  Draws draws;
  draws.typical = runs[runs.size() / 2].second;
  draws.range = {runs.front().first, runs.back().first};
  return draws;
}

double mean(std::span<const Estimate> runs, auto figure) {
  double sum = 0;
  for (const Estimate &run : runs)
    sum += figure(run);
  return sum / static_cast<double>(runs.size());
}

TimeParts meanParts(std::span<const Estimate> runs, auto parts) {
  TimeParts result;
  for (double TimeParts::*part :
       {&TimeParts::useful, &TimeParts::serial, &TimeParts::imbalance, &TimeParts::lock,
        &TimeParts::overhead, &TimeParts::memory, &TimeParts::cores, &TimeParts::outlining})
    result.*part = mean(runs, [&](const Estimate &run) { return parts(run.waterfall).*part; });
  return result;
}

/// Every lock that some run waits for, in order.
std::vector<LockTime> meanLocks(std::span<const Estimate> runs) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> sums;
  for (const Estimate &run : runs)
    for (const LockTime &time : run.waterfall.locks)
      sums[{time.site, time.lock}] += time.ticks;
  std::vector<LockTime> result;
  for (const auto &[where, ticks] : sums)
    result.push_back({where.first, where.second, ticks / static_cast<double>(runs.size())});
  return result;
}

Waterfall meanWaterfall(std::span<const Estimate> runs) {
  Waterfall result = runs.front().waterfall;
  result.threadTicks = mean(runs, [](const Estimate &run) { return run.waterfall.threadTicks; });
  result.outside = meanParts(runs, [](const Waterfall &one) { return one.outside; });
  for (std::size_t site = 0; site < result.sites.size(); ++site)
    result.sites[site] = meanParts(runs, [&](const Waterfall &one) { return one.sites[site]; });
  for (std::size_t site = 0; site < result.regions.size(); ++site)
    result.regions[site] = meanParts(runs, [&](const Waterfall &one) { return one.regions[site]; });
  result.locks = meanLocks(runs);
  settle(result);
  return result;
}

} // namespace

Estimate meanOf(std::span<const Estimate> runs, std::size_t withGains) {
  const auto ratio = [](double serial, double ticks) { return ticks > 0 ? serial / ticks : 1; };
  Estimate result = runs.front();
  result.ticks = mean(runs, [](const Estimate &run) { return run.ticks; });
  result.speedup = ratio(result.serialTicks, result.ticks);
  result.waterfall = meanWaterfall(runs);
  result.loss = result.waterfall.shares();
  for (std::size_t i = 0; i < result.sites.size(); ++i) {
    SiteEstimate &site = result.sites[i];
    site.ticks = mean(runs, [&](const Estimate &run) { return run.sites[i].ticks; });
    site.speedup = ratio(site.serialTicks, site.ticks);
    if (withGains > 0)
      site.gain = 1 / mean(runs.first(withGains),
                           [&](const Estimate &run) { return 1 / run.sites[i].gain; });
  }
  return result;
}

unsigned countDraws(const Emulator &emulator, const EmulationOptions &options) {
  if (emulator.chance(options) != Chance::Placement)
    return least;
  constexpr double most = 2e6; // steps in all
  const double fit = most / (emulator.steps(options) + static_cast<double>(emulator.size()));
  return static_cast<unsigned>(std::clamp(fit, 1.0 * least, 31.0)) | 1;
}

Draws drawSeeds(const Emulator &emulator, const EmulationOptions &options, bool withGains) {
  const bool isPlaced = emulator.chance(options) == Chance::Placement;
  const unsigned count = countDraws(emulator, options);
  std::vector<Draw> speedups;
  std::vector<Estimate> estimates;
  EmulationOptions run = options;
  for (; run.seed < options.seed + count; ++run.seed)
    if (isPlaced) {
      // Gains take one more run for each site.
      estimates.push_back(withGains && estimates.size() < least ? emulator.run(run)
                                                                : emulator.runWithoutGains(run));
      speedups.emplace_back(estimates.back().speedup, run.seed);
    } else {
      speedups.emplace_back(emulator.speedup(run), run.seed);
    }
  Draws draws = sorted(std::move(speedups));
  run.seed = draws.typical;
  draws.estimate = isPlaced    ? meanOf(estimates, withGains ? least : 0)
                   : withGains ? emulator.run(run)
                               : emulator.runWithoutGains(run);
  return draws;
}

double typicalSpeedup(const Emulator &emulator, const EmulationOptions &options) {
  return emulator.chance(options) == Chance::None
             ? emulator.speedup(options)
             : drawSeeds(emulator, options, false).estimate.speedup;
}

} // namespace prophet
