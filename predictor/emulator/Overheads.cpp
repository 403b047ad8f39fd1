//===- Overheads.cpp - What OpenMP's constructs cost ----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Growth.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace prophet {

TeamCost::TeamCost(std::vector<Point> given, KnownGrowth known) : points(std::move(given)) {
  const FittedGrowth growth = fitGrowth(points, known);
  law = growth.law;
  perStep = growth.perStep;
}

double TeamCost::at(unsigned threads) const {
  if (points.empty())
    return 0;
  if (threads <= points.front().first)
    return points.front().second;
  const auto &[most, last] = points.back();
  if (threads >= most)
    return last + perStep * (steps(law, threads) - steps(law, most));
  const auto right = std::find_if(points.begin(), points.end(),
                                  [&](const Point &point) { return threads <= point.first; });
  const auto left = right - 1;
  const double x0 = std::log2(left->first), x1 = std::log2(right->first);
  const double share = (std::log2(threads) - x0) / (x1 - x0);
  return left->second + share * (right->second - left->second);
}

double TeamCost::most(unsigned threads) const {
  double result = at(threads);
  for (const auto &[team, ns] : points)
    if (team < threads)
      result = std::max(result, ns);
  return result;
}

bool TeamCost::isZero() const {
  return std::all_of(points.begin(), points.end(), [](const Point &p) { return p.second == 0; });
}

TeamCost TeamCost::scaled(double factor) const {
  TeamCost result = *this;
  for (Point &point : result.points)
    point.second *= factor;
  result.perStep *= factor;
  return result;
}

/// Calls `visit` with each cost of `overheads` that depends on the team's size.
template <typename Table, typename Visit> static void eachTeamCost(Table &overheads, Visit visit) {
  for (auto *wait : {&overheads.active, &overheads.passive})
    for (auto *cost : {&wait->fork, &wait->join, &wait->lockHandoff})
      visit(*cost);
  for (auto *loop : {&overheads.staticBlock, &overheads.staticChunk, &overheads.queue,
                     &overheads.steal, &overheads.guided})
    for (auto *cost : {&loop->start, &loop->chunk, &loop->interval, &loop->restart})
      visit(*cost);
  for (auto *cost : {&overheads.tasks.create, &overheads.tasks.steal, &overheads.tasks.wait})
    visit(*cost);
}

Overheads Overheads::scaled(double factor) const {
  Overheads result = *this;
  eachTeamCost(result, [&](TeamCost &cost) { cost = cost.scaled(factor); });
  result.lockPair *= factor;
  result.serializedRegion *= factor;
  return result;
}

double Overheads::nextTurn(unsigned cores, bool yields) const {
  // get_update_sysctl_factor(): the more cores, up to eight, the longer.
  const double slice = baseSlice * std::bit_width(std::min(cores, 8u));
  return yields ? slice : slice / 2;
}

double Overheads::balancing(unsigned cores) {
  // sd_init(): balance_interval is the domain's weight in ms, up to twice that, 16 times where busy
  return 16e6 * cores;
}

unsigned Overheads::measured() const {
  unsigned least = 0;
  eachTeamCost(*this, [&](const TeamCost &cost) {
    if (const unsigned most = cost.measured())
      least = least == 0 ? most : std::min(least, most);
  });
  return least;
}

bool Overheads::isNone() const {
  bool free = lockPair == 0 && baseSlice == 0 && serializedRegion == 0;
  eachTeamCost(*this, [&](const TeamCost &cost) { free = free && cost.isZero(); });
  return free;
}

} // namespace prophet
