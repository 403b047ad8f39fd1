//===- Reach.cpp - How long a cache keeps how much ------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/Reach.h"

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

std::vector<ReachPoint> asReach(std::vector<ReachPoint> measured) {
  constexpr double near = 1.1;
  std::ranges::sort(measured, {}, &ReachPoint::ns);
  std::vector<ReachPoint> result;
  for (auto first = measured.begin(); first != measured.end();) {
    ReachPoint mean = *first;
    const double end = near * first->ns;
    for (double number = 2; ++first != measured.end() && first->ns < end; ++number) {
      mean.ns *= std::pow(first->ns / mean.ns, 1 / number);
      mean.size *= std::pow(first->size / mean.size, 1 / number);
    }
    result.push_back(mean);
  }
  double most = 0;
  for (ReachPoint &point : result | std::views::reverse)
    most = point.size = std::max(most, point.size);
  return result;
}

bool isReach(const std::vector<ReachPoint> &points) {
  const auto goesOn = [](const ReachPoint &a, const ReachPoint &b) {
    return !(b.ns > a.ns && b.size <= a.size);
  };
  const auto isPositive = [](const ReachPoint &point) { return point.ns > 0 && point.size > 0; };
  return std::ranges::all_of(points, isPositive) &&
         std::ranges::adjacent_find(points, goesOn) == points.end();
}

} // namespace prophet::memmodel
