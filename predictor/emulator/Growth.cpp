//===- Growth.cpp - Costs of teams that were not measured -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Growth.h"

#include <algorithm>
#include <cmath>
#include <iterator>

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

namespace {

struct NamedGrowth {
  OmpRuntime runtime;
  std::string_view cost;
  KnownGrowth growth;
};

/// What the runtimes' code does, and by how much of what two threads cost each step is more: the
/// median of three calibrations on sixteen virtual cores (docs/emulation.md). What is not here is
/// constant: what a thread does for itself, or one access to a word that it shares.
constexpr NamedGrowth growths[] = {
    // Barriers are trees (kmp_barrier.cpp, hyper).
    {OmpRuntime::Libomp, "active.fork", {Growth::Log, 0.26}},
    {OmpRuntime::Libomp, "active.join", {Growth::Log, 0.21}},
    {OmpRuntime::Libomp, "passive.fork", {Growth::Log, 0.77}},
    {OmpRuntime::Libomp, "passive.join", {Growth::Log, 0.23}},
    // A range for each thread (kmp_dispatch.cpp), and a thief that tries one after the other; of
    // eight threads: with sixteen no processor was left for anything else.
    {OmpRuntime::Libomp, "dynamic_steal.start", {Growth::Log, 0.35}},
    {OmpRuntime::Libomp, "tasks.steal", {Growth::Linear, 0.7}},
    // Of two threads' empty chunks each follows the other after half of what one costs: they wait
    // for themselves, and not yet for the counter.
    {OmpRuntime::Libomp, "dynamic_queue.interval", {Growth::Divided, 2}},
    {OmpRuntime::Libomp, "guided.interval", {Growth::Divided, 2}},
    // It starts its threads one by one, and all count on one word (team.c, config/linux/bar.c).
    {OmpRuntime::Libgomp, "active.fork", {Growth::Linear, 0.1}},
    {OmpRuntime::Libgomp, "active.join", {Growth::Linear, 0.05}},
    {OmpRuntime::Libgomp, "passive.fork", {Growth::Linear, 0.16}},
    {OmpRuntime::Libgomp, "passive.join", {Growth::Linear, 0.11}},
    // All spin on the same word of its futex (config/linux/mutex.c), which wakes one of those that
    // sleep; a team of n has n - 1 that wait. Its tasks, too, are under one lock (task.c); thieves
    // of eight threads, as libomp's.
    {OmpRuntime::Libgomp, "active.lock_handoff", {Growth::Linear, 0.044}},
    {OmpRuntime::Libgomp, "tasks.create", {Growth::Linear, 0.013}},
    {OmpRuntime::Libgomp, "tasks.steal", {Growth::Linear, 3.2}}};

} // namespace

KnownGrowth knownGrowth(OmpRuntime runtime, std::string_view cost) {
  const auto *const found = std::ranges::find_if(
      growths, [&](const NamedGrowth &one) { return one.runtime == runtime && one.cost == cost; });
  return found == std::end(growths) ? KnownGrowth{} : found->growth;
}

} // namespace prophet
