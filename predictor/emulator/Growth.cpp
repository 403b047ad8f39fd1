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
  case Growth::Divided:
    return 1.0 / std::min(threads, 10u);
  }
  return 0;
}

namespace {

struct LeastSquares {
  double slope, rest; ///< and the squares that remain
};

/// \pre `teams` are some
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
  double slope = xx > 0 ? std::max(0.0, xy / xx) : 0;
  if (law == Growth::Divided) // as far as what was measured last divided by more threads
    slope = std::min(slope, teams.back().second / steps(law, teams.back().first));
  for (const auto &[threads, ns] : teams) {
    const double off = ns - meanY - slope * (steps(law, threads) - meanX);
    rest += off * off;
  }
  return {slope, rest};
}

} // namespace

FittedGrowth fitGrowth(const std::vector<TeamCost::Point> &points, KnownGrowth known) {
  std::vector<TeamCost::Point> teams;
  std::copy_if(points.begin(), points.end(), std::back_inserter(teams),
               [](const TeamCost::Point &point) { return point.first > 1; });
  if (teams.empty())
    return {};
  if (teams.size() == 1) {
    const double grown =
        1 + known.perStep * (steps(known.law, teams[0].first) - steps(known.law, 2));
    return {known.law, grown > 0 ? known.perStep * teams[0].second / grown : 0};
  }
  LeastSquares best = fit(teams, known.law);
  FittedGrowth growth{known.law, best.slope};
  if (teams.size() == 2)
    return growth;
  const double enough = best.rest / 2;
  for (Growth law : {Growth::Constant, Growth::Log, Growth::Linear}) // none that falls
    if (const LeastSquares other = fit(teams, law); other.rest < std::min(enough, best.rest)) {
      best = other;
      growth = {law, other.slope};
    }
  return growth;
}

/// Of libomp: what its code does, and by how much of what two threads cost each step is more, the
/// median of three calibrations on sixteen virtual cores (docs/emulation.md).
static KnownGrowth libompGrowth(std::string_view cost) {
  const auto is = [&](std::string_view name) { return cost == name; };
  // Barriers are trees (kmp_barrier.cpp, hyper).
  if (is("active.fork"))
    return {Growth::Log, 0.26};
  if (is("active.join"))
    return {Growth::Log, 0.21};
  if (is("passive.fork"))
    return {Growth::Log, 0.77};
  if (is("passive.join"))
    return {Growth::Log, 0.23};
  // A range for each thread (kmp_dispatch.cpp), and a thief that tries one after the other.
  if (is("dynamic_steal.start"))
    return {Growth::Log, 0.35};
  if (is("tasks.steal")) // of eight threads: with sixteen no processor was left for anything else
    return {Growth::Linear, 0.7};
  // Of two threads' empty chunks each follows the other after half of what one costs: they wait for
  // themselves, and not yet for the counter.
  if (cost.ends_with(".interval"))
    return {Growth::Divided, 2};
  // What a thread does for itself, or one access to a word that it shares; of the queuing lock each
  // waits on a word of its own (kmp_lock.cpp).
  return {};
}

/// The same of libgomp.
static KnownGrowth libgompGrowth(std::string_view cost) {
  const auto is = [&](std::string_view name) { return cost == name; };
  // It starts its threads one by one, and all count on one word (team.c, config/linux/bar.c).
  if (is("active.fork"))
    return {Growth::Linear, 0.1};
  if (is("active.join"))
    return {Growth::Linear, 0.05};
  if (is("passive.fork"))
    return {Growth::Linear, 0.16};
  if (is("passive.join"))
    return {Growth::Linear, 0.11};
  // All spin on the same word of its futex (config/linux/mutex.c), which wakes one of those that
  // sleep; a team of n has n - 1 that wait. Its tasks, too, are under one lock (task.c).
  if (is("active.lock_handoff"))
    return {Growth::Linear, 0.044};
  if (is("tasks.create"))
    return {Growth::Linear, 0.013};
  if (is("tasks.steal")) // of eight, as libomp's
    return {Growth::Linear, 3.2};
  return {};
}

KnownGrowth knownGrowth(OmpRuntime runtime, std::string_view cost) {
  return runtime == OmpRuntime::Libomp ? libompGrowth(cost) : libgompGrowth(cost);
}

} // namespace prophet
