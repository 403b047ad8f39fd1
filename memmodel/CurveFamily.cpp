//===- CurveFamily.cpp - A machine's bandwidth-latency curves -------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/CurveFamily.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace prophet::memmodel {

void poolViolators(std::vector<double> &values) {
  struct Pool {
    double sum;
    std::size_t count;
    double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Pool> pools;
  for (const double value : values) {
    pools.push_back({value, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  std::size_t at = 0;
  for (const Pool &pool : pools)
    for (std::size_t i = 0; i < pool.count; ++i)
      values[at++] = pool.mean();
}

std::vector<CurvePoint> monotone(std::vector<CurvePoint> points) {
  if (points.empty())
    return points;
  const auto most =
      *std::ranges::max_element(points, {}, [](const CurvePoint &point) { return point.gbs; });
  std::erase_if(points, [&](const CurvePoint &point) { return point.ns > most.ns; });
  std::ranges::sort(points, {}, [](const CurvePoint &point) { return point.gbs; });
  std::vector<double> latencies;
  std::ranges::transform(points, std::back_inserter(latencies), &CurvePoint::ns);
  poolViolators(latencies);
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i].ns = latencies[i];
  const auto repeated = std::ranges::unique(points, {}, &CurvePoint::gbs);
  points.erase(repeated.begin(), repeated.end());
  return points;
}

CurveFamily::CurveFamily(const std::vector<MeasuredCurve> &measured) {
  assert(!measured.empty() && "a family has a curve");
  for (const MeasuredCurve &curve : measured)
    curves.push_back({curve.readShare, monotone(curve.points)});
  std::ranges::sort(curves, {}, &Curve::readShare);
}

double CurveFamily::Curve::at(double gbs) const {
  const auto above = std::ranges::lower_bound(points, gbs, {}, &CurvePoint::gbs);
  if (above == points.end())
    return points.back().ns; // at B_max, but for rounding
  if (above == points.begin())
    return above->ns;
  const CurvePoint &a = *std::prev(above), &b = *above;
  return a.ns + (b.ns - a.ns) * (gbs - a.gbs) / (b.gbs - a.gbs);
}

CurveFamily::Between CurveFamily::around(double readShare) const {
  const auto above = std::ranges::lower_bound(curves, readShare, {}, &Curve::readShare);
  if (above == curves.end())
    return {curves.back(), curves.back(), 0};
  if (above == curves.begin())
    return {*above, *above, 0};
  const Curve &below = *std::prev(above);
  return {below, *above, (readShare - below.readShare) / (above->readShare - below.readShare)};
}

double CurveFamily::mostBandwidth(double readShare) const {
  const auto [below, above, weight] = around(readShare);
  return below.most() + (above.most() - below.most()) * weight;
}

double CurveFamily::latency(double gbs, double readShare) const {
  const auto [below, above, weight] = around(readShare);
  const double used = gbs / (below.most() + (above.most() - below.most()) * weight);
  const double a = below.at(used * below.most()), b = above.at(used * above.most());
  return a + (b - a) * weight;
}

} // namespace prophet::memmodel
