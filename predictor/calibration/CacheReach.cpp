//===- CacheReach.cpp - How long a last-level cache keeps how much --------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/calibration/CacheReach.h"

#include "memmodel/CurveFamily.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace prophet {

using memmodel::ReachPoint;

namespace {

/// How long passes take, which never falls with size, but by noise.
struct PassTimes {
  std::vector<double> sizes, nsPerByte;

  PassTimes(const std::map<unsigned, Figure> &byKib, double least) {
    for (const auto &[kib, gbs] : byKib)
      if (kib * 1024.0 >= least && gbs.ns > 0) { // of whatever unit
        sizes.push_back(kib * 1024.0);
        nsPerByte.push_back(1 / gbs.ns);
      }
    memmodel::poolViolators(nsPerByte);
  }
};

} // namespace

double passesInCache(const std::map<unsigned, Figure> &byKib, double least) {
  const PassTimes passes(byKib, least);
  return passes.nsPerByte.empty() ? 0 : 1 / passes.nsPerByte.front();
}

std::optional<ReachPoint> halfWay(const std::map<unsigned, Figure> &byKib, double least) {
  const auto [sizes, nsPerByte] = PassTimes(byKib, least);
  if (nsPerByte.empty() || nsPerByte.back() < 1.5 * nsPerByte.front())
    return std::nullopt;
  const double middle = (nsPerByte.front() + nsPerByte.back()) / 2;
  const auto above = static_cast<std::size_t>(std::ranges::lower_bound(nsPerByte, middle) -
                                              nsPerByte.begin()); // > 0: the first is below
  const double part = (middle - nsPerByte[above - 1]) / (nsPerByte[above] - nsPerByte[above - 1]);
  const double bytes = sizes[above - 1] * std::pow(sizes[above] / sizes[above - 1], part);
  return ReachPoint{bytes * middle, bytes};
}

MeasuredReach reachOf(const std::map<std::string, std::map<unsigned, Figure>> &figures,
                      const memmodel::Machine &machine) {
  MeasuredReach result;
  constexpr std::string_view prefix = "reach.", suffix = ".down";
  for (const auto &[name, down] : figures) {
    if (!name.starts_with(prefix) || !name.ends_with(suffix))
      continue;
    const std::string threads =
        name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
    unsigned number = 0;
    std::from_chars(threads.data(), threads.data() + threads.size(), number);
    const auto up = figures.find(std::string(prefix) + threads + ".up");
    const double own = number * privateBytes(machine), least = 2 * own;
    if (2 * least > machine.caches.back().bytes)
      continue; // it would begin where the cache ends
    const auto cold = halfWay(down, least);
    const auto warm = up == figures.end() ? cold : halfWay(up->second, least);
    if (!cold || !warm)
      continue;
    const double size = std::sqrt(cold->size * warm->size) - own;
    if (size <= 0)
      continue;
    result.points.push_back({std::sqrt(cold->ns * warm->ns), size});
    const double apart = (warm->size - own) / (cold->size - own); // both have twice that at least
    result.spread = std::max(result.spread, std::sqrt(std::max(apart, 1 / apart)));
  }
  return result;
}

} // namespace prophet
