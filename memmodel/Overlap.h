//===- Overlap.h - What computing hides of a stream -------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A core goes on computing while its prefetchers fetch the lines that follow, so a
// loop that computes c ns a line on a stream that takes s ns a line takes less than
// c + s, but no less than the longer one of them. It takes c + s e(c / s); e, the
// part of the stream's time that shows, is measured.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <vector>

namespace prophet::memmodel {

struct OverlapPoint {
  double computing; ///< over the stream's time, > 0
  double shows;     ///< of the stream's time, 0 to 1

  bool operator==(const OverlapPoint &) const = default;
};

class Overlap {
public:
  /// All of it shows, whatever is computed.
  Overlap() = default;
  /// \param points as asOverlap() makes them
  explicit Overlap(std::vector<OverlapPoint> points);

  bool isKnown() const { return !points.empty(); }
  /// e. Nothing computed: 1; linear from there through the points; behind the last one as there.
  /// \param computing c / s >= 0
  double shows(double computing) const;
  /// s e(c / s), which never falls with s, as c + s e(c / s) never does with c.
  /// \param computing ns, >= 0 \param stream ns, >= 0
  double showsNs(double computing, double stream) const;

private:
  std::vector<OverlapPoint> points;
};

/// Points that were measured, in any order, as an Overlap can have them: a loop that computes more
/// is no faster, nor is one with a slower stream; the first is taken at its word as far as it can
/// be, then the next.
std::vector<OverlapPoint> asOverlap(std::vector<OverlapPoint> measured);

} // namespace prophet::memmodel
