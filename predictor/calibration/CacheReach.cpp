//===- CacheReach.cpp - How long a last-level cache keeps how much --------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/calibration/CacheReach.h"

#include "memmodel/CurveFamily.h"
#include "memmodel/Median.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
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

  PassTimes(const std::map<unsigned, double> &byKib, double least, double pauseNsPerByte) {
    for (const auto &[kib, gbs] : byKib)
      if (kib * 1024.0 >= least && gbs > 0) {
        sizes.push_back(kib * 1024.0);
        nsPerByte.push_back(std::max(1 / gbs - pauseNsPerByte, 0.001 / gbs));
      }
    memmodel::poolViolators(nsPerByte);
  }
};

} // namespace

double passesInCache(const std::map<unsigned, double> &byKib, double least) {
  const PassTimes passes(byKib, least, 0);
  return passes.nsPerByte.empty() ? 0 : 1 / passes.nsPerByte.front();
}

std::optional<ReachPoint> partWay(double part, const std::map<unsigned, double> &byKib,
                                  double least, double pauseNsPerByte, double farGbs) {
  const auto [sizes, nsPerByte] = PassTimes(byKib, least, pauseNsPerByte);
  const double far = farGbs > 0 ? 1 / farGbs : 0;
  if (nsPerByte.empty() || far < 1.5 * nsPerByte.front())
    return std::nullopt;
  const double pace = std::lerp(nsPerByte.front(), far, part);
  const auto above = static_cast<std::size_t>(std::ranges::lower_bound(nsPerByte, pace) -
                                              nsPerByte.begin()); // > 0: the first is below
  if (above == nsPerByte.size())
    return std::nullopt;
  const double between = (pace - nsPerByte[above - 1]) / (nsPerByte[above] - nsPerByte[above - 1]);
  const double bytes = sizes[above - 1] * std::pow(sizes[above] / sizes[above - 1], between);
  return ReachPoint{bytes * (pace + pauseNsPerByte), bytes};
}

std::vector<CacheEnd> endsOf(const std::map<std::string, std::map<unsigned, double>> &figures,
                             const memmodel::Machine &machine) {
  constexpr double lineBytes = 64; // of memory-figures
  std::vector<CacheEnd> ends;
  for (const auto &[name, byKib] : figures) {
    const Kind kind(name);
    const double own = kind.threads * privateBytes(machine), least = 2 * own;
    const auto far = figures.find(fmt::format("reach.{}.far", kind.threads));
    if (!kind.isOne() || far == figures.end() || 2 * least > machine.caches.back().bytes)
      continue; // it would begin where the cache ends
    const double pause = kind.pauseNs / lineBytes / kind.threads; // all wait at once
    const auto behind = [&](double part) { // what cores have to themselves; > 0
      auto point = partWay(part, byKib, least, pause, far->second.begin()->second);
      if (point)
        point->size -= own;
      return point;
    };
    const auto half = behind(0.5), quarter = behind(0.25), most = behind(0.75);
    if (!half)
      continue;
    ends.push_back({kind.passes(), kind.way == ".up", *half});
    if (quarter && most)
      ends.back().quarters = {*quarter, *most};
  }
  return ends;
}

/// The median of each. \pre there are some
static ReachPoint medianOf(const std::vector<ReachPoint> &points) {
  std::vector<double> ns, sizes;
  for (const ReachPoint &point : points) {
    ns.push_back(point.ns);
    sizes.push_back(point.size);
  }
  return {memmodel::median(std::move(ns)), memmodel::median(std::move(sizes))};
}

MeasuredReach reachOf(const std::vector<std::vector<CacheEnd>> &windows) {
  struct Ways {
    std::vector<ReachPoint> up, down;
  };
  std::map<std::pair<unsigned, unsigned>, Ways> byPasses;
  for (const auto &window : windows)
    for (const CacheEnd &end : window)
      (end.isUp ? byPasses[end.passes].up : byPasses[end.passes].down).push_back(end.point);
  MeasuredReach result;
  std::vector<double> apart; // logarithms
  for (const auto &[passes, ways] : byPasses) {
    if (ways.up.empty() || ways.down.empty())
      continue;
    const ReachPoint up = medianOf(ways.up), down = medianOf(ways.down);
    const ReachPoint mean{std::sqrt(up.ns * down.ns), std::sqrt(up.size * down.size)};
    result.ends[passes] = mean;
    for (const auto &points : {ways.up, ways.down})
      for (const ReachPoint &point : points)
        apart.push_back(std::abs(std::log(point.size / mean.size)));
  }
  constexpr double within = 0.9;
  if (apart.empty())
    return result;
  std::ranges::sort(apart);
  const auto last = static_cast<std::size_t>(std::ceil(within * static_cast<double>(apart.size())));
  result.spread = std::exp(apart[last - 1]);
  return result;
}

std::optional<double> sigmaOf(const std::vector<std::vector<CacheEnd>> &windows,
                              const memmodel::Reach &reach, unsigned caches) {
  constexpr double quartiles = 1.349; // of a normal distribution, so many sigma apart
  std::vector<double> sigmas;
  for (const auto &window : windows)
    for (const CacheEnd &end : window) {
      if (!end.quarters)
        continue;
      const unsigned parts = end.passes.first > 1 ? caches : 1;
      const auto times = [&](const ReachPoint &used) {
        return reach.times({used.ns, used.size / parts});
      };
      const auto &[quarter, most] = *end.quarters;
      sigmas.push_back(std::log(times(most) / times(quarter)) / quartiles);
    }
  return sigmas.empty() ? std::nullopt : std::optional(memmodel::median(std::move(sigmas)));
}

unsigned cachesOf(const MeasuredReach &reach) {
  constexpr double steady = 1.5, nearly = 0.85;
  const auto alone = reach.ends.find({1, 0});
  const auto together = std::ranges::find_if(reach.ends, [](const auto &passesAndEnd) {
    return passesAndEnd.first.first > 1 && passesAndEnd.first.second == 0;
  });
  if (alone == reach.ends.end() || together == reach.ends.end())
    return 1;
  std::vector<ReachPoint> ofOne;
  for (const auto &[passes, end] : reach.ends)
    if (passes.first == 1)
      ofOne.push_back(end);
  const auto [least, most] = std::ranges::minmax(ofOne, {}, &ReachPoint::size);
  const ReachPoint &all = together->second;
  const bool isSteady = most.size <= steady * least.size;
  if (!isSteady && all.ns < nearly * alone->second.ns)
    return 1;
  const double one =
      isSteady ? alone->second.size
               : memmodel::Reach(memmodel::asReach(std::move(ofOne))).after(nearly * all.ns);
  constexpr double less = 0.25; // that they may fill
  unsigned caches =
      std::clamp(static_cast<unsigned>(all.size / one + less), 1u, together->first.first);
  while (together->first.first % caches != 0)
    --caches; // all are shared by as many
  return caches;
}

} // namespace prophet
