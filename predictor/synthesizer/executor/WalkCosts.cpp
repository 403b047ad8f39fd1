//===- WalkCosts.cpp - What the walk over a tree costs --------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/WalkCosts.h"

#include "predictor/synthesizer/executor/Loops.h"
#include "predictor/synthesizer/executor/Walk.h"

namespace synthesizer {

namespace {

/// Passes no time and takes no locks: what is left is the walk.
class Nothing : public Timing {
public:
  void begin(Worker &) override {}
  double clock(Worker &initial) override { return static_cast<double>(initial.visits); }
  double overhead(const Worker &) const override { return 0; }
  void compute(Worker &, Time) override {}
  void meet(Worker &) override {}
  void acquire(Worker &, std::size_t) override {}
  void release(Worker &, std::size_t) override {}
  void fork(Worker &, Team &) override {}
  void enter(Worker &, Team &, unsigned) override {}
  void leave(Worker &, Team &) override {}
  void join(Worker &, Team &) override {}
};

/// Computes for a while, and takes no locks.
class SomeDelays : public Nothing {
public:
  /// Thrown when it has been enough. Only outside of OpenMP's regions.
  struct Enough {
    std::uint64_t visits;
  };
  explicit SomeDelays(double nsPerUnit) : nsPerUnit(nsPerUnit) {}

  double delays() const { return passed; } ///< in ns
  void begin(Worker &) override { passed = 0; }
  void compute(Worker &worker, Time length) override {
    const double ns = std::min(static_cast<double>(length) * nsPerUnit, longestMeasured);
    spinFor(ns, longInterrupt);
    passed += ns;
    if (worker.visits > measuredVisits || passed > measuredDelays)
      throw Enough{worker.visits};
  }

private:
  const double nsPerUnit;
  double passed = 0;
};

double measureAccess(const Plan &plan) {
  const Run run = serialRun(plan.sites(), Sharing::Serial);
  SomeDelays delays(nsPerUnit(plan));
  return costOfVisit([&] {
    double visits = 0;
    try {
      visits = Walk(plan, run, delays).execute().whole;
    } catch (const SomeDelays::Enough &stop) {
      visits = static_cast<double>(stop.visits);
    }
    return std::pair(visits, delays.delays());
  });
}

double measureCall() {
  const auto walk = [](const Plan &plan, const Run &run) {
    Nothing nothing;
    Walk(plan, run, nothing).execute();
  };
  return costOfCall(Sharing::Static, walk, [] {
#pragma omp parallel num_threads(1)
    shareLoop(Sharing::Static, 0, 1, [](int) {});
  });
}

} // namespace

UnitCosts measureUnitCosts(const Plan &plan) { return {measureAccess(plan), measureCall()}; }

} // namespace synthesizer
