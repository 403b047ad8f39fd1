//===- Intervals.cpp - Where a speedup lies -------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/Intervals.h"

#include "predictor/emulator/Seeds.h"

#include <algorithm>

namespace prophet {

namespace {

void widen(std::pair<double, double> &range, double speedup) {
  range.first = std::min(range.first, speedup);
  range.second = std::max(range.second, speedup);
}

} // namespace

Intervals::Intervals(const Subject &subject, const Emulator &emulator,
                     const std::vector<Subject> &others)
    : subject(subject), emulator(emulator), others(others), maximum(maximumGain(*subject.tree)) {
  for (const Subject &other : others)
    otherEmulators.emplace_back(*other.tree);
}

double Intervals::bound(const EmulationOptions &options) const {
  return std::min(gainOfCores(*subject.tree, options), maximum);
}

double Intervals::speedupOf(const EmulationOptions &options) const {
  return emulator.chance(options) == Chance::Placement ? typicalSpeedup(emulator, options)
                                                       : emulator.speedup(options);
}

Intervals::Range Intervals::slowed(const PredictionPoint &point, EmulationOptions options) const {
  Range range{point.estimate.speedup, point.estimate.speedup};
  BurdenFactors heaviest = options.burdenModel->heaviest(options);
  if (heaviest == options.burdenModel->factors(options))
    return range;
  options.burdens = std::move(heaviest);
  options.whileComputing = options.burdenModel->heaviestWhileComputing(options);
  options.burdenModel = nullptr;
  widen(range, speedupOf(options));
  return range;
}

Intervals::Range
Intervals::burdenedBy(const std::vector<std::shared_ptr<const BurdenModel>> &models,
                      const PredictionPoint &point, const EmulationOptions &options) const {
  Range range{point.estimate.speedup, point.estimate.speedup};
  for (const auto &model : models) {
    EmulationOptions other = options;
    other.burdenModel = model;
    widen(range, speedupOf(other.burdened()));
  }
  constexpr double rounding = 1e-9;
  if (range.second - range.first < rounding * point.estimate.speedup)
    return {point.estimate.speedup, point.estimate.speedup};
  return range;
}

Intervals::Range Intervals::measured(const PredictionPoint &point) const {
  Range range{point.estimate.speedup, point.estimate.speedup};
  for (std::size_t i = 0; i < others.size(); ++i)
    widen(range,
          typicalSpeedup(otherEmulators[i], others[i].optionsFor(point.threads, point.choice)) *
              (others[i].growth / subject.growth)); // as overUnchanged will state it
  return range;
}

void Intervals::set(PredictionPoint &point) const {
  EmulationOptions options = subject.optionsFor(point.threads, point.choice);
  options.seed = point.seed;
  const double speedup = point.estimate.speedup, most = bound(options);
  const double tolerance = subject.tree->tolerance;
  Range all{speedup, speedup};
  auto &parts = point.intervalParts;
  for (const IntervalPart &part : parts) {
    widen(all, part.range.first);
    widen(all, part.range.second);
  }
  const auto add = [&](OpenedBy source, Range range) {
    parts.push_back({source, range});
    widen(all, range.first);
    widen(all, range.second);
  };
  if (options.burdenModel && options.useBurden) {
    add(OpenedBy::Memory, slowed(point, options));
    add(OpenedBy::Cache, burdenedBy(options.burdenModel->otherCaches(), point, options));
    if (const auto elsewhere = options.burdenModel->otherPlaces())
      add(OpenedBy::Places, burdenedBy({elsewhere}, point, options));
  }
  if (!others.empty())
    add(OpenedBy::Runs, measured(point));
  if (tolerance > 0)
    parts.push_back({OpenedBy::Merging, speedupInterval(speedup, tolerance, most)});
  point.interval = {speedupInterval(all.first, tolerance, most).first,
                    speedupInterval(all.second, tolerance, most).second};
  std::erase_if(parts,
                [](const IntervalPart &part) { return part.range.first == part.range.second; });
  std::ranges::sort(parts, {}, [](const IntervalPart &part) {
    return std::pair(part.range.first - part.range.second, part.source);
  });
}

} // namespace prophet
