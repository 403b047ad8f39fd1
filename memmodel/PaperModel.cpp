//===- PaperModel.cpp - Parallel Prophet's memory model ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/PaperModel.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>

namespace prophet::memmodel {

const Coefficients &westmere() {
  using Shape = TrafficLine::Shape;
  static const Coefficients Machine = {{{2, {Shape::Linear, 1.35, 1758}},
                                        {4, {Shape::Logarithmic, 5756, -38805}},
                                        {8, {Shape::Logarithmic, 6143, -39657}},
                                        {12, {Shape::Logarithmic, 6314, -39621}}},
                                       101481,
                                       -0.964,
                                       2000,
                                       0.001};
  return Machine;
}

double serialTraffic(const SectionCounters &counters) {
  assert(counters.cycles > 0 && "a section that ran took cycles");
  double seconds = counters.cycles / counters.frequencyHz;
  return counters.llcMisses * counters.lineBytes / seconds / 1e6;
}

std::optional<double> trafficPerThread(const Coefficients &machine, double delta,
                                       unsigned threads) {
  if (threads == 1)
    return delta;
  auto line = machine.psi.find(threads);
  if (line == machine.psi.end())
    return std::nullopt;
  const auto &[shape, slope, offset] = line->second;
  double argument = shape == TrafficLine::Shape::Linear ? delta : std::log(delta);
  return (slope * argument + offset) / threads;
}

double stallCycles(const Coefficients &machine, double traffic) {
  assert(traffic > 0 && "no traffic, no stall formula");
  return machine.phiScale * std::pow(traffic, machine.phiExponent);
}

/// beta_t for a thread count that the machine was measured with.
static double measuredBurden(const Coefficients &machine, const SectionCounters &counters,
                             unsigned threads) {
  if (threads == 1 || counters.llcMisses < machine.leastMissRate * counters.instructions)
    return 1;
  double delta = serialTraffic(counters);
  if (delta < machine.leastTraffic)
    return 1;
  double deltaT = *trafficPerThread(machine, delta, threads);
  if (deltaT <= 0)
    return 1;
  // Eq. 3 over Eq. 1: the denominator CPI$ + MPI*omega is T/N, so N and CPI$ cancel.
  double more = stallCycles(machine, deltaT) - stallCycles(machine, delta);
  return std::max(1.0, 1 + counters.llcMisses * more / counters.cycles);
}

std::optional<double> burdenFactor(const Coefficients &machine, const SectionCounters &counters,
                                   unsigned threads) {
  if (threads <= 1)
    return 1;
  auto above = machine.psi.lower_bound(threads);
  if (above == machine.psi.end())
    return std::nullopt;
  std::map<unsigned, double> around = {
      {above->first, measuredBurden(machine, counters, above->first)}};
  if (above->first != threads && above != machine.psi.begin()) {
    unsigned below = std::prev(above)->first;
    around.emplace(below, measuredBurden(machine, counters, below));
  }
  return interpolateBurden(around, threads);
}

double interpolateBurden(const std::map<unsigned, double> &factors, unsigned threads) {
  auto above = factors.lower_bound(threads);
  if (above == factors.end())
    return factors.empty() ? 1 : factors.rbegin()->second;
  if (above->first == threads)
    return above->second;
  auto [x0, y0] = above == factors.begin()
                      ? std::pair(1u, 1.0)
                      : std::pair(std::prev(above)->first, std::prev(above)->second);
  auto [x1, y1] = *above;
  return y0 + (y1 - y0) * (double(threads) - x0) / (double(x1) - x0);
}

} // namespace prophet::memmodel
