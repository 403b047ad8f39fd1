//===- LatencyBySize.cpp - Where a cache ends -----------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/calibration/LatencyBySize.h"

#include <algorithm>
#include <iterator>

namespace prophet {

using memmodel::CurvePoint;

LatencyBySize::LatencyBySize(const std::map<unsigned, Figure> &byKib) {
  for (const auto &[kib, figure] : byKib)
    points.push_back({kib * 1024.0, figure.ns});
  memmodel::poolViolators(points);
}

double LatencyBySize::at(double bytes) const {
  const auto above = std::ranges::upper_bound(points, bytes, {}, &CurvePoint::gbs);
  return above == points.begin() ? above->ns : std::prev(above)->ns;
}

double LatencyBySize::steepest(double least) const {
  double where = 0, most = 1.5;
  for (const auto &[bytes, ns] : points)
    if (bytes >= least && 2 * bytes <= largest() && growth(bytes) > most) {
      where = bytes;
      most = growth(bytes);
    }
  return where;
}

double LatencyBySize::plateau(double least) const {
  for (const auto &[bytes, ns] : points)
    if (bytes >= least && (2 * bytes > largest() || growth(bytes) < 1.25))
      return bytes;
  return largest();
}

std::pair<double, double> LatencyBySize::between(double ns, double more) const {
  const auto behind = std::ranges::upper_bound(points, ns, {}, &CurvePoint::ns);
  const auto there = std::ranges::lower_bound(points, more, {}, &CurvePoint::ns);
  return {behind == points.begin() ? behind->gbs : std::prev(behind)->gbs,
          there == points.end() ? largest() : there->gbs};
}

} // namespace prophet
