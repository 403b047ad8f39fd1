//===- SynthesizedFigures.cpp - From repetitions to an estimate -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/SynthesizedFigures.h"

#include <algorithm>

namespace prophet {

/// Only what was measured can be above.
double SynthesizedFigures::bound(const SynthesizedPoint &point,
                                 const EmulationOptions &options) const {
  const double most = std::min(gainOfCores(*subject.tree, options), maximumGain(*subject.tree));
  return std::max(point.estimate.speedup, most * subject.growth);
}

void SynthesizedFigures::setInterval(SynthesizedPoint &point, const Repeated &made,
                                     const std::optional<std::pair<double, double>> &runs) const {
  const double speedup = point.estimate.speedup, most = bound(point, made.run.options);
  const double tolerance = subject.tree->tolerance;
  // A speedup is not known to more than this share, to either side.
  double low = 1, high = 1;
  const auto add = [&](OpenedBy source, double down, double up) {
    point.intervalParts.push_back({source, {speedup * down, std::min(speedup * up, most)}});
    low *= down;
    high *= up;
  };
  const auto addTimes = [&](OpenedBy source, std::pair<double, double> ticks) {
    if (ticks.first < ticks.second)
      add(source, made.run.ticks / ticks.second, made.run.ticks / ticks.first);
  };
  if (made.run.delay == Delay::Virtual)
    addTimes(OpenedBy::Stealing, made.extremes);
  else if (made.counted > 1)
    addTimes(OpenedBy::Repeating, made.range.value_or(made.extremes));
  else
    point.unknownParts.push_back(OpenedBy::Repeating);
  if (runs)
    add(OpenedBy::Runs, runs->first / speedup, runs->second / speedup);
  if (!point.sampleError)
    point.unknownParts.push_back(OpenedBy::Sampling);
  else if (const double share = std::min(point.sampleError->margin, 0.99); share > 0)
    add(OpenedBy::Sampling, 1 / (1 + share), 1 / (1 - share));
  if (tolerance > 0)
    add(OpenedBy::Merging, 1 / (1 + tolerance), 1 / (1 - tolerance));
  std::ranges::sort(point.intervalParts, {}, [](const IntervalPart &part) {
    return std::pair(part.range.first - part.range.second, part.source);
  });
  point.interval = {speedup * low, std::min(speedup * high, most)};
}

std::vector<SiteEstimate> SynthesizedFigures::sitesOf(const Repeated &made) const {
  std::vector<SiteEstimate> sites;
  for (std::uint32_t site = 0; site < subject.tree->sites.size(); ++site) {
    if (!synthesizer.timesSite(site))
      continue;
    SiteEstimate entry;
    entry.site = site;
    entry.serialTicks = synthesizer.siteSerialTicks(site);
    if (unchanged) {
      const auto same = std::ranges::find(unchanged->sites, site, &SiteEstimate::site);
      if (same == unchanged->sites.end())
        continue;
      entry.serialTicks = same->serialTicks;
    }
    entry.ticks = made.run.siteTicks[site];
    entry.speedup = entry.ticks > 0 ? entry.serialTicks / entry.ticks : 1;
    sites.push_back(entry);
  }
  return sites;
}

SynthesizedPoint SynthesizedFigures::of(const Repeated &made) const {
  const Synthesis &run = made.run;
  SynthesizedPoint point;
  point.choice.schedule = run.options.schedule;
  point.sites = run.options.sites;
  point.threads = run.options.threads;
  point.cores = run.options.cores ? run.options.cores : run.options.threads;
  Estimate &estimate = point.estimate;
  estimate.serialTicks = subject.tree->serialLengths()[subject.tree->root] * subject.growth;
  estimate.ticks = run.ticks;
  estimate.speedup = run.ticks > 0 ? estimate.serialTicks / run.ticks : 1;
  estimate.sites = sitesOf(made);
  point.delay = run.delay;
  point.seconds = run.wallSeconds;
  point.walkShare = run.walkTicks / std::max(run.walkTicks + run.ticks, 1e-300);
  point.tried = made.tried;
  point.counted = made.counted;
  point.uncertainty = made.uncertainty();
  point.settled = made.settled;
  point.disturbed = made.disturbed;
  point.priority = run.priority;
  point.wakeUpNs = run.wakeUpNs;
  point.sampleError = run.sampleError;
  if (point.sampleError)
    for (double *value : {&point.sampleError->standard, &point.sampleError->margin})
      *value /= std::max(run.ticks, 1e-300);
  return point;
}

} // namespace prophet
