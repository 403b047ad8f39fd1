//===- StreamEnds.cpp - What streams get that begin anew ------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/StreamEnds.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace prophet::memmodel {

/// Of a stream that gets `ahead` where it goes on. Behind the longest of `runs` it loses as much
/// time at each end.
static double gbsOfRun(const std::map<unsigned, double> &runs, double run, double ahead) {
  if (runs.empty())
    return ahead;
  if (const auto &[longest, gbs] = *runs.rbegin(); run >= longest)
    return 1 / (1 / ahead + std::max(0.0, 1 / gbs - 1 / ahead) * longest / run);
  const auto above = runs.lower_bound(static_cast<unsigned>(std::ceil(run)));
  double result = above->second;
  if (above != runs.begin()) {
    const auto &[lines, gbs] = *std::prev(above);
    const double part = std::log(run / lines) / std::log(double(above->first) / lines);
    result = gbs + (above->second - gbs) * part;
  }
  return std::min(result, ahead);
}

/// How fast what streams take together rises with their number: 0 to 1.
static double power(const EndsTogether &ends) {
  return ends.streams < 2 || ends.times <= 0 ? 0.5 : std::log(ends.times) / std::log(ends.streams);
}

double EndsTogether::timesOf(double number) const {
  return number <= 1 ? number : std::pow(number, power(*this));
}

double EndsTogether::ofAll(const std::vector<double> &ns) const {
  const double longest = ns.empty() ? 0 : *std::ranges::max_element(ns), p = power(*this);
  constexpr double least = 1e-3; // powers above its inverse leave the longest
  if (longest <= 0 || p < least)
    return std::max(0.0, longest);
  double sum = 0;
  for (const double one : ns)
    sum += std::pow(std::max(0.0, one) / longest, 1 / p);
  return longest * std::pow(sum, p);
}

double StreamRunTables::gbs(StreamEnds ends, double ahead) const {
  const auto towards = [&](const auto &runs, double gbs, double part) {
    if (runs.empty())
      return gbs;
    return 1 / std::lerp(1 / gbs, 1 / std::min(gbs, gbsOfRun(runs, ends.run, ahead)), part);
  };
  const double part = (ends.accesses - StreamEnds::leanAccesses) /
                      (StreamEnds::busyAccesses - StreamEnds::leanAccesses);
  const double read = towards(busy, gbsOfRun(lean, ends.run, ahead), std::clamp(part, 0.0, 1.0));
  return towards(written, read, ends.written);
}

} // namespace prophet::memmodel
