//===- CurveFamily.h - A machine's bandwidth-latency curves -----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How long a memory access takes while others use the memory: latency over the
// bandwidth of all threads, one curve for each mix of reads and writes (as the
// Mess benchmark measures them, Esmaili-Dokht et al., MICRO 2024).
//
// Units: bandwidth in GB/s (10^9 bytes, reads and writes together), latency in ns.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <vector>

namespace prophet::memmodel {

struct CurvePoint {
  double gbs; ///< of all threads, >= 0
  double ns;  ///< of one access meanwhile, > 0
  bool operator==(const CurvePoint &) const = default;
};

/// One curve as it was measured: in any order, with noise.
struct MeasuredCurve {
  double readShare; ///< of the bytes that move, from 0 to 1
  std::vector<CurvePoint> points;
};

/// `points` as a function: bandwidths ascend, latencies never fall. Behind saturation a measured
/// curve turns back (more threads, longer latency, less bandwidth); that branch is left out. Points
/// that violate the order by noise are averaged (pool adjacent violators).
std::vector<CurvePoint> monotone(std::vector<CurvePoint> points);

/// Gives each run of falling values its mean: the nearest order that never falls (Barlow et al.,
/// Statistical Inference under Order Restrictions, 1972, section 1.2).
void poolViolators(std::vector<double> &values);

/// All curves of a machine.
class CurveFamily {
public:
  /// \pre each curve has a point with a bandwidth above 0, and no two have the same read share.
  explicit CurveFamily(const std::vector<MeasuredCurve> &measured);

  /// B_max: no mix of this read share moves more. Linear between the curves' shares, the nearest
  /// curve's beyond them.
  double mostBandwidth(double readShare) const;

  /// L(B, read share). Along a curve linear between points, and that of the first point below it.
  /// Between curves those are weighted that stand at the same part of their B_max, since a mix
  /// saturates at its own. It never falls as B grows. \pre 0 <= gbs <= mostBandwidth(readShare)
  double latency(double gbs, double readShare) const;

  /// L(0, 1): of a thread that has the memory to itself and only reads.
  double idleLatency() const { return latency(0, 1); }

private:
  struct Curve {
    double readShare;
    std::vector<CurvePoint> points;
    double most() const { return points.back().gbs; }
    double at(double gbs) const;
  };
  /// Two curves, and the weight of the second.
  struct Between {
    const Curve &below, &above;
    double weight;
  };
  Between around(double readShare) const;

  std::vector<Curve> curves; ///< read shares ascend
};

} // namespace prophet::memmodel
