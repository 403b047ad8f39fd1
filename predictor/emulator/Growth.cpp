//===- Growth.cpp - Costs of teams that were not measured -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Growth.h"

#include <algorithm>
#include <cmath>

namespace prophet {

double steps(Growth law, unsigned threads) {
  switch (law) {
  case Growth::Constant:
    return 0;
  case Growth::Log:
    return std::log2(threads);
  case Growth::Linear:
    return threads - 1.0;
  }
  return 0;
}

namespace {

struct LeastSquares {
  double slope, rest; ///< and the squares that remain
};

LeastSquares fit(const std::vector<TeamCost::Point> &teams, Growth law) {
  const double n = static_cast<double>(teams.size());
  double meanX = 0, meanY = 0, xx = 0, xy = 0, rest = 0;
  for (const auto &[threads, ns] : teams) {
    meanX += steps(law, threads) / n;
    meanY += ns / n;
  }
  for (const auto &[threads, ns] : teams) {
    const double x = steps(law, threads) - meanX;
    xx += x * x;
    xy += x * (ns - meanY);
  }
  const double slope = xx > 0 ? std::max(0.0, xy / xx) : 0;
  for (const auto &[threads, ns] : teams) {
    const double off = ns - meanY - slope * (steps(law, threads) - meanX);
    rest += off * off;
  }
  return {slope, rest};
}

} // namespace

FittedGrowth fitGrowth(const std::vector<TeamCost::Point> &points, Growth known) {
  std::vector<TeamCost::Point> teams;
  std::copy_if(points.begin(), points.end(), std::back_inserter(teams),
               [](const TeamCost::Point &point) { return point.first > 1; });
  if (teams.empty())
    return {};
  if (teams.size() == 1) {
    const double reached = steps(known, teams[0].first);
    return {known, reached > 0 ? teams[0].second / reached : 0};
  }
  LeastSquares best = fit(teams, known);
  FittedGrowth growth{known, best.slope};
  if (teams.size() == 2)
    return growth;
  const double enough = best.rest / 2;
  for (Growth law : {Growth::Constant, Growth::Log, Growth::Linear})
    if (const LeastSquares other = fit(teams, law); other.rest < std::min(enough, best.rest)) {
      best = other;
      growth = {law, other.slope};
    }
  return growth;
}

Growth knownGrowth(OmpRuntime runtime, std::string_view cost) {
  const auto ends = [&](std::string_view end) { return cost.ends_with(end); };
  const bool libomp = runtime == OmpRuntime::Libomp;
  // libomp's barriers are trees (kmp_barrier.cpp, hyper); libgomp starts its threads one by one,
  // and all of them count on one word (team.c, config/linux/bar.c).
  if (ends(".fork") || ends(".join") || ends(".barrier"))
    return libomp ? Growth::Log : Growth::Linear;
  // A thread waits on a word of its own in libomp's queuing lock (kmp_lock.cpp), all spin on the
  // same one in libgomp's futex (config/linux/mutex.c), which wakes one of those that sleep; a team
  // of n has n - 1 that wait. Its tasks, too, are under one lock (task.c).
  if (!libomp && (cost == "active.lock_handoff" || cost.starts_with("tasks.")))
    return Growth::Linear;
  // What a thread does for itself; or one access to a word that it shares.
  return Growth::Constant;
}

} // namespace prophet
