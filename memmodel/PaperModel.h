//===- PaperModel.h - Parallel Prophet's memory model -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lightweight memory model of Parallel Prophet (IPDPS 2012, §V): how much
// slower a parallel section computes on t threads because they share the
// memory system. Three counters of a serial run go in; coefficients measured
// once on the target machine say how it behaves under traffic. What the model
// leaves out: caches that are shared or grow with the threads (assumption 4
// and 5), prefetchers, SMT.
//
// Units: traffic in MB/s with MB = 10^6 bytes, stalls in cycles per DRAM
// access, logarithms natural.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <map>
#include <optional>

namespace prophet::memmodel {

/// What a serial run of a top-level section counted, averaged over its executions.
struct SectionCounters {
  double instructions = 0; ///< N
  double cycles = 0;       ///< T > 0
  double llcMisses = 0;    ///< D, last-level-cache misses
  double frequencyHz = 0;  ///< of the clock that counted `cycles`
  double lineBytes = 64;   ///< moved by one miss
};

/// One line of Eq. 6: the traffic of all t threads together, from that of one alone.
struct TrafficLine {
  enum class Shape { Linear, Logarithmic };
  Shape shape;
  double slope;  ///< of delta, or of ln(delta)
  double offset; ///< MB/s
};

/// A machine's empirical formulas.
struct Coefficients {
  std::map<unsigned, TrafficLine> psi; ///< Eq. 6, by thread count
  double phiScale = 0;                 ///< Eq. 7: cycles at 1 MB/s
  double phiExponent = 0;              ///< Eq. 7
  double leastTraffic = 2000;          ///< MB/s from which Eqs. 6 and 7 hold
  double leastMissRate = 0.001;        ///< misses per instruction that matter (assumption 5)
};

/// The coefficients printed in the paper, of a 12-core Westmere machine (Eqs. 6 and 7).
const Coefficients &westmere();

/// delta: the section's DRAM traffic in MB/s in the serial run (§V-D).
double serialTraffic(const SectionCounters &counters);

/// delta^t = Psi(delta), Eqs. 4 and 6: MB/s of each of `threads` threads when all run; nothing
/// where the machine was not measured with that many.
std::optional<double> trafficPerThread(const Coefficients &machine, double delta, unsigned threads);

/// omega^t = Phi(delta^t), Eqs. 5 and 7: stall cycles per DRAM access. Below `leastTraffic` the
/// formula is extrapolated, since delta^t falls there although delta does not. \pre traffic > 0
double stallCycles(const Coefficients &machine, double traffic);

/// beta_t, Eq. 3 with CPI$ from Eq. 1: the section's lengths on `threads` threads over those of the
/// serial run, at least 1. Between measured thread counts the factors are interpolated; beyond the
/// largest there is no answer. The rules for edges apply in this order: one thread is 1, few misses
/// are 1, little serial traffic is 1, a traffic formula that leaves its range is 1.
std::optional<double> burdenFactor(const Coefficients &machine, const SectionCounters &counters,
                                   unsigned threads);

/// The factor for `threads` from factors by thread count (a tree's `burden`): linear between the
/// given counts, from 1 at one thread, and the last one beyond the largest.
double interpolateBurden(const std::map<unsigned, double> &factors, unsigned threads);

} // namespace prophet::memmodel
