//===- LatencyBySize.cpp - Where a cache ends -----------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/calibration/LatencyBySize.h"

#include "memmodel/CurveFamily.h"

#include <algorithm>

namespace prophet {

LatencyBySize::LatencyBySize(const std::map<unsigned, Figure> &byKib) {
  for (const auto &[kib, figure] : byKib) {
    sizes.push_back(kib * 1024.0);
    latencies.push_back(figure.ns);
  }
  memmodel::poolViolators(latencies);
}

double LatencyBySize::at(double bytes) const {
  const auto above = std::ranges::upper_bound(sizes, bytes) - sizes.begin();
  return latencies[static_cast<std::size_t>(std::max<std::ptrdiff_t>(above - 1, 0))];
}

double LatencyBySize::steepest(double least) const {
  double where = 0, most = 1.5;
  for (const double bytes : sizes)
    if (bytes >= least && 2 * bytes <= largest() && growth(bytes) > most) {
      where = bytes;
      most = growth(bytes);
    }
  return where;
}

double LatencyBySize::plateau(double least) const {
  const auto isFlat = [&](double bytes) {
    return bytes >= least && (2 * bytes > largest() || growth(bytes) < 1.25);
  };
  const auto found = std::ranges::find_if(sizes, isFlat);
  return found == sizes.end() ? largest() : *found;
}

std::pair<double, double> LatencyBySize::between(double ns, double more) const {
  const auto upTo = std::ranges::upper_bound(latencies, ns) - latencies.begin();
  const auto there = std::ranges::lower_bound(latencies, more) - latencies.begin();
  const auto last = std::ssize(sizes) - 1;
  return {sizes[static_cast<std::size_t>(std::max<std::ptrdiff_t>(upTo - 1, 0))],
          sizes[static_cast<std::size_t>(std::min(there, last))]};
}

} // namespace prophet
