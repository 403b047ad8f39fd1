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

/// Between the figures of the next shorter and the next longer run, linear in its logarithm; before
/// the first one as there. \pre there are some, and the longest is not shorter
static double between(const std::map<unsigned, double> &runs, double run) {
  const auto above = runs.lower_bound(static_cast<unsigned>(std::ceil(run)));
  if (above == runs.begin())
    return above->second;
  const auto &[lines, figure] = *std::prev(above);
  const double part = std::log(run / lines) / std::log(double(above->first) / lines);
  return figure + (above->second - figure) * part;
}

/// Of a stream that gets `ahead` where it goes on. Behind the longest of `runs` it loses as much
/// time at each end.
static double gbsOfRun(const std::map<unsigned, double> &runs, double run, double ahead) {
  if (runs.empty())
    return ahead;
  if (const auto &[longest, gbs] = *runs.rbegin(); run >= longest)
    return 1 / (1 / ahead + std::max(0.0, 1 / gbs - 1 / ahead) * longest / run);
  return std::min(between(runs, run), ahead);
}

/// How busy a loop with so many accesses to a line is: 0 to 1.
static double busyPart(double accesses) {
  return std::clamp((accesses - StreamEnds::leanAccesses) /
                        (StreamEnds::busyAccesses - StreamEnds::leanAccesses),
                    0.0, 1.0);
}

double EndsTogether::power(double accesses, double written) const {
  if (streams < 2 || times <= 0)
    return 0.5;
  const auto of = [&](double ofKind) {
    return std::log(ofKind > 0 ? ofKind : times) / std::log(streams);
  };
  return std::lerp(std::lerp(of(leanTimes), of(times), busyPart(accesses)), of(writtenTimes),
                   written);
}

double EndsTogether::timesOf(double number, double accesses, double written) const {
  return number <= 1 ? number : std::pow(number, power(accesses, written));
}

double EndsTogether::ofAll(const std::vector<double> &ns, double accesses, double written) const {
  const double longest = ns.empty() ? 0 : *std::ranges::max_element(ns);
  const double p = power(accesses, written);
  constexpr double least = 1e-3; // powers above its inverse leave the longest
  if (longest <= 0 || p < least)
    return std::max(0.0, longest);
  double sum = 0;
  for (const double one : ns)
    sum += std::pow(std::max(0.0, one) / longest, 1 / p);
  return longest * std::pow(sum, p);
}

double EndTimes::at(double run) const {
  if (ns.empty())
    return 0;
  const auto &[shortest, least] = *ns.begin();
  if (run < shortest)
    return least * run / shortest;
  return run >= ns.rbegin()->first ? ns.rbegin()->second : between(ns, run);
}

double StreamRunTables::gbs(StreamEnds ends, double ahead) const {
  const auto towards = [&](const auto &runs, double gbs, double part) {
    if (runs.empty())
      return gbs;
    return 1 / std::lerp(1 / gbs, 1 / std::min(gbs, gbsOfRun(runs, ends.run, ahead)), part);
  };
  const double read = towards(busy, gbsOfRun(lean, ends.run, ahead), busyPart(ends.accesses));
  return towards(written, read, ends.written);
}

} // namespace prophet::memmodel
