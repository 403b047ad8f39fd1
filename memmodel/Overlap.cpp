//===- Overlap.cpp - What computing hides of a stream ---------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/Overlap.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace prophet::memmodel {

/// Where nothing is computed.
static constexpr OverlapPoint idle{0, 1};

Overlap::Overlap(std::vector<OverlapPoint> points) : points(std::move(points)) {
  assert(asOverlap(this->points) == this->points && "see asOverlap()");
}

double Overlap::shows(double computing) const {
  if (points.empty())
    return 1;
  if (computing >= points.back().computing)
    return points.back().shows;
  const auto high = std::ranges::upper_bound(points, computing, {}, &OverlapPoint::computing);
  const OverlapPoint &low = high == points.begin() ? idle : *std::prev(high);
  const double part = (computing - low.computing) / (high->computing - low.computing);
  return low.shows + part * (high->shows - low.shows);
}

double Overlap::showsNs(double computing, double stream) const {
  return stream > 0 ? stream * shows(computing / stream) : 0;
}

std::vector<OverlapPoint> asOverlap(std::vector<OverlapPoint> measured) {
  std::ranges::sort(measured, {}, [](const OverlapPoint &point) {
    return std::pair(point.computing, -point.shows);
  });
  std::vector<OverlapPoint> result;
  for (OverlapPoint point : measured) {
    const OverlapPoint &last = result.empty() ? idle : result.back();
    if (point.computing <= last.computing)
      continue;
    // c + s e(c / s) does not fall with c: a line of slope -1 at least. Nor with s: a line that is
    // not below 0 where nothing is computed.
    const double least = std::max(0.0, last.shows - (point.computing - last.computing));
    const double most =
        last.computing > 0 ? last.shows * point.computing / last.computing : idle.shows;
    point.shows = std::clamp(point.shows, least, std::max(least, std::min(most, idle.shows)));
    result.push_back(point);
  }
  return result;
}

} // namespace prophet::memmodel
