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
#include <utility>

namespace prophet {

using memmodel::ReachPoint;

namespace {

/// "reach.THREADS.PAUSE.WAY", with pauses of so many ns for each of a thread's lines.
struct Kind {
  unsigned threads = 0, pauseNs = 0;
  std::string_view way;

  explicit Kind(std::string_view name) {
    constexpr std::string_view prefix = "reach.";
    const char *const end = name.data() + name.size();
    if (!name.starts_with(prefix))
      return;
    const auto first = std::from_chars(name.data() + prefix.size(), end, threads);
    const bool goesOn = first.ec == std::errc() && first.ptr != end && *first.ptr == '.';
    const auto last = goesOn ? std::from_chars(first.ptr + 1, end, pauseNs) : first;
    way = {last.ptr, end};
    if (!goesOn || last.ec != std::errc() || (way != ".up" && way != ".down"))
      threads = 0;
  }
  bool isOne() const { return threads > 0; }
  std::pair<unsigned, unsigned> passes() const { return {threads, pauseNs}; }
};

/// How long passes take beside their pauses, which never falls with size, but by noise.
struct PassTimes {
  std::vector<double> sizes, nsPerByte;

  PassTimes(const std::map<unsigned, Figure> &byKib, double least, double pauseNsPerByte) {
    for (const auto &[kib, gbs] : byKib)
      if (kib * 1024.0 >= least && gbs.ns > 0) { // of whatever unit
        sizes.push_back(kib * 1024.0);
        nsPerByte.push_back(std::max(1 / gbs.ns - pauseNsPerByte, 0.001 / gbs.ns));
      }
    memmodel::poolViolators(nsPerByte);
  }
};

} // namespace

double passesInCache(const std::map<unsigned, Figure> &byKib, double least) {
  const PassTimes passes(byKib, least, 0);
  return passes.nsPerByte.empty() ? 0 : 1 / passes.nsPerByte.front();
}

std::optional<ReachPoint> halfWay(const std::map<unsigned, Figure> &byKib, double least,
                                  double pauseNsPerByte) {
  const auto [sizes, nsPerByte] = PassTimes(byKib, least, pauseNsPerByte);
  if (nsPerByte.empty() || nsPerByte.back() < 1.5 * nsPerByte.front())
    return std::nullopt;
  const double middle = (nsPerByte.front() + nsPerByte.back()) / 2;
  const auto above = static_cast<std::size_t>(std::ranges::lower_bound(nsPerByte, middle) -
                                              nsPerByte.begin()); // > 0: the first is below
  const double part = (middle - nsPerByte[above - 1]) / (nsPerByte[above] - nsPerByte[above - 1]);
  const double bytes = sizes[above - 1] * std::pow(sizes[above] / sizes[above - 1], part);
  return ReachPoint{bytes * (middle + pauseNsPerByte), bytes};
}

std::vector<CacheEnd> endsOf(const std::map<std::string, std::map<unsigned, Figure>> &figures,
                             const memmodel::Machine &machine) {
  std::vector<CacheEnd> ends;
  for (const auto &[name, byKib] : figures) {
    const Kind kind(name);
    const double own = kind.threads * privateBytes(machine), least = 2 * own;
    if (!kind.isOne() || 2 * least > machine.caches.back().bytes)
      continue; // it would begin where the cache ends
    const double pause = kind.pauseNs / machine.lineBytes / kind.threads; // all wait at once
    if (const auto end = halfWay(byKib, least, pause))
      ends.push_back({kind.passes(), {end->ns, end->size - own}}); // > 0
  }
  return ends;
}

/// The geometric mean of both ways. \pre it is not empty
static ReachPoint meanOf(const std::vector<ReachPoint> &points) {
  double ns = 0, size = 0;
  for (const ReachPoint &point : points) {
    ns += std::log(point.ns);
    size += std::log(point.size);
  }
  const auto number = static_cast<double>(points.size());
  return {std::exp(ns / number), std::exp(size / number)};
}

MeasuredReach reachOf(const std::vector<CacheEnd> &usual,
                      const std::vector<std::vector<CacheEnd>> &windows) {
  std::map<std::pair<unsigned, unsigned>, std::vector<ReachPoint>> byPasses;
  for (const CacheEnd &end : usual)
    byPasses[end.passes].push_back(end.point);
  MeasuredReach result;
  std::map<std::pair<unsigned, unsigned>, double> sizes;
  for (const auto &[passes, points] : byPasses)
    sizes[passes] = result.points.emplace_back(meanOf(points)).size;
  double squares = 0;
  std::size_t number = 0;
  for (const auto &window : windows)
    for (const CacheEnd &end : window)
      if (const auto size = sizes.find(end.passes); size != sizes.end()) {
        const double apart = std::log(end.point.size / size->second);
        squares += apart * apart;
        ++number;
      }
  if (number > 1)
    result.spread = std::exp(2 * std::sqrt(squares / static_cast<double>(number - 1)));
  return result;
}

} // namespace prophet
