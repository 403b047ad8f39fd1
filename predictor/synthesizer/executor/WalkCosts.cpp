//===- WalkCosts.cpp - What the walk over a tree costs --------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/WalkCosts.h"

#include "predictor/synthesizer/executor/Loops.h"
#include "predictor/synthesizer/executor/Walk.h"

#include <chrono>

namespace synthesizer {

namespace {

constexpr int repetitions = 7; // the fastest counts

/// Passes no time and takes no locks: what is left is the walk.
class Nothing : public Timing {
public:
  /// Thrown when there have been enough visits. Only outside of OpenMP's regions.
  struct Enough {
    std::uint64_t visits;
  };
  explicit Nothing(std::uint64_t most) : most(most) {}

  void begin(Worker &) override {}
  double clock(Worker &initial) override { return static_cast<double>(initial.visits); }
  double overhead(const Worker &) const override { return 0; }
  void compute(Worker &worker, Time) override {
    if (worker.visits > most)
      throw Enough{worker.visits};
  }
  void meet(Worker &) override {}
  void acquire(Worker &, std::size_t) override {}
  void release(Worker &, std::size_t) override {}
  void fork(Worker &, Team &) override {}
  void enter(Worker &, Team &, unsigned) override {}
  void leave(Worker &, Team &) override {}
  void join(Worker &, Team &) override {}

private:
  const std::uint64_t most;
};

template <typename Work> double fastest(const Work &work) {
  double least = 1e300;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    const auto begin = std::chrono::steady_clock::now();
    const double amount = work();
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
    least = std::min(least, time.count() / std::max(amount, 1.0));
  }
  return least;
}

Run serialRun(std::size_t sites, Sharing sharing) {
  Run run{};
  run.nsPerUnit = run.cores = run.levels = 1;
  run.sites.assign(sites, {sharing, 0, 1, 1.0});
  return run;
}

double measureAccess(const Plan &plan) {
  constexpr std::uint64_t enough = 200'000;
  const Run run = serialRun(plan.sites(), Sharing::Serial);
  Nothing nothing(enough);
  return fastest([&] {
    try {
      return Walk(plan, run, nothing).execute().whole;
    } catch (const Nothing::Enough &stop) {
      return static_cast<double>(stop.visits);
    }
  });
}

/// A section of one empty task, beyond the same construct written out.
double measureCall(double accessNode) {
  constexpr int calls = 500;
  Plan plan;
  plan.nodes = {{Kind::Compute, 0, 0, {}, {}, 0},
                {Kind::Task, 0, 0, {{0, 1}}, {}, 0},
                {Kind::Section, 0, 0, {{1, 1}}, {0}, 1}};
  plan.program = {{2, calls, std::nullopt}};
  const Run run = serialRun(1, Sharing::Static);
  Nothing nothing(std::numeric_limits<std::uint64_t>::max());
  const double walked = fastest([&] {
    Walk(plan, run, nothing).execute();
    return calls;
  });
  const double bare = fastest([&] {
    for (int i = 0; i < calls; ++i) {
#pragma omp parallel num_threads(1)
      shareLoop(Sharing::Static, 0, 1, [](int) {});
    }
    return calls;
  });
  constexpr double visits = 3; // the section, its task, and what that computes
  return std::max(0.0, walked - bare - visits * accessNode);
}

} // namespace

UnitCosts measureUnitCosts(const Plan &plan) {
  const double access = measureAccess(plan);
  return {access, measureCall(access)};
}

} // namespace synthesizer
