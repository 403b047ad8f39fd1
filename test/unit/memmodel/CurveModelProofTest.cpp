//===- CurveModelProofTest.cpp - The memory models on a simulated memory --===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DramSimulator.h"
#include "memmodel/PaperModel.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace prophet::memmodel;

namespace {

constexpr unsigned mostThreads = 12, workloads = 80, dealtWorkloads = 40, misses = 600;

constexpr dram::Memory memory;
constexpr dram::Core core = {{{24, 0.7}, {12, 0.2}, {8, 0.05}, {1, 0.05}}};

dram::Workload randomWorkload(std::mt19937_64 &random) {
  std::uniform_real_distribution<double> share;
  dram::Workload workload;
  double sum = 0;
  for (double &part : workload.mix)
    sum += part = share(random) < 0.5 ? share(random) : 0;
  if (sum == 0)
    sum = workload.mix[random() % accessClasses] = 1;
  for (double &part : workload.mix)
    part /= sum;
  workload.compute = std::exp(std::uniform_real_distribution<double>(0, std::log(150))(random));
  workload.overlap = 0.4 * share(random);
  workload.writeBacks = share(random) < 0.4 ? 0 : share(random);
  return workload;
}

/// Relative errors of a model's speedups.
struct Errors {
  std::vector<double> all;
  void add(double predicted, double real) { all.push_back(std::abs(predicted / real - 1)); }
  double at(double share) {
    std::ranges::sort(all);
    return all[static_cast<std::size_t>(share * static_cast<double>(all.size() - 1))];
  }
  double mean() const {
    double sum = 0;
    for (double error : all)
      sum += error;
    return sum / static_cast<double>(all.size());
  }
};

void say(const char *name, Errors &errors) {
  std::printf("%-24s mean %5.1f %%  p90 %5.1f %%  max %5.1f %%\n", name, 100 * errors.mean(),
              100 * errors.at(0.9), 100 * errors.at(1));
}

/// y = slope x + offset, least squares, and what it leaves of y's variance.
struct Line {
  double slope, offset, rest;
};
Line fit(const std::vector<std::pair<double, double>> &points) {
  double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  const double n = static_cast<double>(points.size());
  for (const auto &[a, b] : points)
    x += a / n, y += b / n, xx += a * a / n, xy += a * b / n, yy += b * b / n;
  const double slope = (xy - x * y) / (xx - x * x);
  return {slope, y - slope * x, 1 - slope * slope * (xx - x * x) / (yy - y * y)};
}

/// The paper's formulas for the simulated machine, as §V-E derives them: by a benchmark that
/// misses with ever more computation between two misses, on one thread and on t.
Coefficients fitPaper() {
  std::map<unsigned, std::vector<std::pair<double, double>>> linear, logarithmic;
  std::vector<std::pair<double, double>> stalls;
  for (double compute = 150; compute > 0.4; compute /= 1.6) {
    dram::Workload workload;
    workload.mix[static_cast<std::size_t>(AccessClass::Irregular)] = 0.5;
    workload.mix[static_cast<std::size_t>(AccessClass::Stream)] = 0.5;
    workload.compute = compute;
    const double one = run(memory, core, workload, 1, misses, 3).gbs * 1e3;
    if (one < 2000)
      continue;
    for (unsigned threads = 1; threads <= mostThreads; ++threads) {
      const dram::Run all = run(memory, core, workload, threads, misses, 3);
      linear[threads].emplace_back(one, all.gbs * 1e3);
      logarithmic[threads].emplace_back(std::log(one), all.gbs * 1e3);
      const double stall = all.ns / misses - compute;
      if (compute < 5 && stall > 0) // the memory is what holds it up, so the traffic tells
        stalls.emplace_back(std::log(all.gbs * 1e3 / threads), std::log(stall));
    }
  }
  Coefficients machine;
  for (unsigned threads = 2; threads <= mostThreads; ++threads) {
    const Line straight = fit(linear[threads]), curved = fit(logarithmic[threads]);
    const bool log = curved.rest < straight.rest;
    const Line &line = log ? curved : straight;
    machine.psi[threads] = {log ? TrafficLine::Shape::Logarithmic : TrafficLine::Shape::Linear,
                            line.slope, line.offset};
  }
  const Line phi = fit(stalls);
  machine.phiScale = std::exp(phi.offset);
  machine.phiExponent = phi.slope;
  return machine;
}

} // namespace

TEST(CurveModel, predictsASimulatedMemoryBetterThanItsRivals) {
  const MemorySystem machine = dram::calibrate(memory, core, mostThreads);
  const Coefficients paper = fitPaper();
  std::mt19937_64 random(1);
  Errors curve, none, bound, printed;
  for (unsigned i = 0; i < workloads; ++i) {
    const dram::Workload workload = randomWorkload(random);
    const dram::Run one = run(memory, core, workload, 1, misses, i);
    const SectionCounters counters{1e5, one.ns, one.traffic.fetched(), 1e9, 64};
    for (unsigned t = 2; t <= mostThreads; ++t) {
      const double real = t * one.ns / run(memory, core, workload, t, misses, i).ns;
      const Contention solved = solve(machine, {one.ns, one.traffic, one.traffic, t});
      curve.add(t / solved.burden, real);
      none.add(t, real);
      const double most = machine.curves.mostBandwidth(one.traffic.readShare());
      bound.add(std::min<double>(t, std::max(1.0, most / one.gbs)), real);
      printed.add(t / *burdenFactor(paper, counters, t), real);
    }
  }
  say("curve", curve);
  say("no burden", none);
  say("min(t delta, B_max)", bound);
  say("the paper's shape", printed);
  EXPECT_LE(curve.mean(), 0.05);
  EXPECT_LT(curve.mean(), none.mean());
  EXPECT_LT(curve.mean(), bound.mean());
  EXPECT_LT(curve.mean(), printed.mean());
}

TEST(CurveModel, predictsThreadsThatPauseBetweenChunksBetterThanItsRivals) {
  const MemorySystem machine = dram::calibrate(memory, core, mostThreads);
  std::mt19937_64 random(1);
  Errors dealt, busy, even;
  for (unsigned i = 0; i < dealtWorkloads; ++i) {
    dram::Workload workload = randomWorkload(random);
    workload.compute = std::min(workload.compute, 20.0); // else little waits for memory
    const dram::Run one = run(memory, core, workload, 1, misses, i);
    workload.chunk = std::exp(
        std::uniform_real_distribution<double>(std::log(25), std::log(misses / 2))(random));
    // From a tenth of what a chunk takes to ten times as long.
    workload.pause = one.ns * workload.chunk / misses *
                     std::exp(std::uniform_real_distribution<double>(-2.3, 2.3)(random));
    const double pauses = misses / workload.chunk * workload.pause;
    for (unsigned t = 2; t <= mostThreads; ++t) {
      const double real = run(memory, core, workload, t, 4 * misses, i).ns / 4;
      SectionLoad load{one.ns, one.traffic, one.traffic, t};
      busy.add(solve(machine, load).burden * one.ns + pauses, real);
      load.serialNs += pauses; // as if they computed so much more for each miss
      even.add(solve(machine, load).burden * load.serialNs, real);
      load.serialNs = one.ns;
      load.dealing.ns = pauses;
      dealt.add(solve(machine, load).burden * one.ns + pauses, real);
    }
  }
  say("at each moment", dealt);
  say("no pauses", busy);
  say("evenly", even);
  EXPECT_LE(dealt.mean(), 0.05);
  EXPECT_LT(dealt.mean(), busy.mean());
  EXPECT_LT(dealt.mean(), even.mean());
}
