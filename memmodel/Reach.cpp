//===- Reach.cpp - How long a cache keeps how much ------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/Reach.h"

#include "memmodel/CurveFamily.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <ranges>
#include <utility>

namespace prophet::memmodel {

Reach::Reach(std::vector<ReachPoint> points) : points(std::move(points)) {
  assert(!this->points.empty() && isReach(this->points) && "see asReach()");
}

/// How many times as fast as the logarithm of time rises, that of the size falls behind the last
/// point. \pre there are several
double Reach::falls() const {
  const ReachPoint &first = points.front(), &last = points.back();
  if (last.ns <= first.ns)
    return 2;
  return std::clamp(std::log(first.size / last.size) / std::log(last.ns / first.ns), 0.5, 2.0);
}

double Reach::after(double ns) const {
  const ReachPoint &first = points.front(), &last = points.back();
  if (ns <= first.ns || points.size() == 1)
    return first.size;
  if (ns >= last.ns)
    return last.size * std::pow(ns / last.ns, -falls());
  const auto high = std::ranges::upper_bound(points, ns, {}, &ReachPoint::ns);
  const auto low = std::prev(high);
  const double part = std::log(ns / low->ns) / std::log(high->ns / low->ns);
  return low->size * std::pow(high->size / low->size, part);
}

double Reach::keeps(double size) const {
  const ReachPoint &last = points.back();
  if (size > points.front().size)
    return 0;
  if (points.size() == 1)
    return std::numeric_limits<double>::infinity();
  if (size <= last.size)
    return last.ns * std::pow(last.size / size, 1 / falls());
  const auto high =
      std::ranges::find_if(points, [&](const ReachPoint &point) { return point.size < size; });
  const auto low = std::prev(high);
  const double part = std::log(low->size / size) / std::log(low->size / high->size);
  return low->ns * std::pow(high->ns / low->ns, part);
}

double Reach::times(const ReachPoint &used) const {
  constexpr double most = 10; // logarithms
  double low = -most, high = most;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2, times = std::exp(middle);
    (used.size / times > after(used.ns / times) ? low : high) = middle;
  }
  return std::exp(high);
}

/// What is nearest to `middles` where neither times fall nor sizes rise, by the sum of squares:
/// the two conditions in turns (Boyle and Dykstra, 1986).
/// \param middles logarithms of times plus those of sizes
/// \param apart logarithms of times less those of sizes, ascending
static void straighten(std::vector<double> &middles, const std::vector<double> &apart) {
  constexpr int turns = 2000;
  const std::size_t count = middles.size();
  std::vector<double> moved[2]{std::vector<double>(count), std::vector<double>(count)};
  for (int turn = 0; turn < turns; ++turn)
    for (const int condition : {0, 1}) {
      const double sign = condition == 0 ? 1 : -1; // twice the times, or the sizes negated
      std::vector<double> wanted(count), ordered(count);
      for (std::size_t i = 0; i < count; ++i) {
        wanted[i] = middles[i] + moved[condition][i];
        ordered[i] = apart[i] + sign * wanted[i];
      }
      poolViolators(ordered);
      for (std::size_t i = 0; i < count; ++i) {
        middles[i] = sign * (ordered[i] - apart[i]);
        moved[condition][i] = wanted[i] - middles[i];
      }
    }
}

std::vector<ReachPoint> asReach(std::vector<ReachPoint> measured) {
  std::ranges::sort(measured, {}, [](const ReachPoint &point) { return point.ns / point.size; });
  std::vector<double> middles, apart;
  for (const auto &[ns, size] : measured) {
    middles.push_back(std::log(ns) + std::log(size));
    apart.push_back(std::log(ns) - std::log(size));
  }
  straighten(middles, apart);
  std::vector<ReachPoint> result;
  for (std::size_t i = 0; i < middles.size(); ++i) {
    ReachPoint point{std::exp((middles[i] + apart[i]) / 2), std::exp((middles[i] - apart[i]) / 2)};
    if (!result.empty()) // but for rounding they are in order
      point = {std::max(point.ns, result.back().ns), std::min(point.size, result.back().size)};
    if (result.empty() || point != result.back())
      result.push_back(point);
  }
  return result;
}

bool isReach(const std::vector<ReachPoint> &points) {
  const auto goesOn = [](const ReachPoint &a, const ReachPoint &b) {
    return !(b.ns >= a.ns && b.size <= a.size);
  };
  const auto isPositive = [](const ReachPoint &point) { return point.ns > 0 && point.size > 0; };
  return std::ranges::all_of(points, isPositive) &&
         std::ranges::adjacent_find(points, goesOn) == points.end();
}

} // namespace prophet::memmodel
