//===- LatencyBySize.h - Where a cache ends ---------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How long a load takes in chains of ever more bytes. Where a cache ends it rises
// steeply, within an octave or two; behind that it rises, too, but slowly, since
// pages that are far apart take ever longer to find.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/calibration/Rounds.h"

namespace prophet {

class LatencyBySize {
public:
  /// \param byKib ns; not empty. Those that fall as sizes grow, by noise, are averaged.
  explicit LatencyBySize(const std::map<unsigned, Figure> &byKib);

  /// Of the largest size up to `bytes` that was measured; of the smallest one below that.
  double at(double bytes) const;
  /// From which size on, from `least`, the next octave brings most; 0 where none brings half as
  /// much again.
  double steepest(double least) const;
  /// The first size from `least` on behind which the next octave brings less than a quarter.
  double plateau(double least) const;
  /// The largest size that takes up to `ns`, and the smallest that takes `more`.
  std::pair<double, double> between(double ns, double more) const;

private:
  std::vector<double> sizes;     ///< bytes, ascending
  std::vector<double> latencies; ///< ns of each, never falling

  double largest() const { return sizes.back(); }
  /// How often as long it is in twice `bytes`.
  double growth(double bytes) const { return at(2 * bytes) / at(bytes); }
};

} // namespace prophet
