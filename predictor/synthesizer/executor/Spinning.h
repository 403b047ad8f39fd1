//===- Spinning.h - Real time for real threads ------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parallel Prophet's FakeDelay (§IV-E, Figure 8): computation is a busy loop that
// touches no memory. What the walk over the tree costs is counted by thread, and
// that of the longest chain of threads is taken off.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/synthesizer/executor/FakeDelay.h"
#include "predictor/synthesizer/executor/Timing.h"
#include "predictor/synthesizer/executor/WalkCosts.h"

#include <omp.h>

namespace synthesizer {

class Spinning : public Timing {
public:
  /// \param mostGap as spinFor has it
  Spinning(std::size_t locks, double nsPerUnit, double mostGap, UnitCosts costs);
  ~Spinning() override;

  void begin(Worker &initial) override;
  double clock(Worker &initial) override;
  double overhead(const Worker &initial) const override { return overheadOf(initial) / nsPerUnit; }
  void compute(Worker &worker, Time length) override;
  void meet(Worker &) override {}
  void acquire(Worker &worker, std::size_t lock) override;
  void release(Worker &worker, std::size_t lock) override;
  void fork(Worker &master, Team &team) override;
  void enter(Worker &member, Team &team, unsigned number) override;
  void leave(Worker &, Team &) override {}
  void join(Worker &master, Team &team) override;

private:
  const double nsPerUnit, mostGap;
  const UnitCosts costs;
  double start = 0;
  std::vector<omp_lock_t> locks;

  double overheadOf(const Worker &worker) const {
    return worker.overhead + static_cast<double>(worker.visits) * costs.accessNode +
           static_cast<double>(worker.calls) * costs.recursiveCall;
  }
};

} // namespace synthesizer
