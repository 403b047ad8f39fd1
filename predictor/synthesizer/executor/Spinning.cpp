//===- Spinning.cpp - Real time for real threads --------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/Spinning.h"

#include <cmath>

namespace synthesizer {

Spinning::Spinning(std::size_t count, double nsPerUnit, double mostGap, UnitCosts costs)
    : nsPerUnit(nsPerUnit), mostGap(mostGap), costs(costs), locks(count) {
  for (omp_lock_t &lock : locks)
    omp_init_lock(&lock);
}

Spinning::~Spinning() {
  for (omp_lock_t &lock : locks)
    omp_destroy_lock(&lock);
}

void Spinning::begin(Worker &) { start = now(); }

double Spinning::clock(Worker &initial) {
  forgetSurplus(); // what lies before is of another account
  const double time = now() - start - overheadOf(initial);
  initial.overhead += clockCost();
  return time / nsPerUnit;
}

void Spinning::compute(Worker &, Time length) {
  spinFor(static_cast<double>(length) * nsPerUnit, mostGap);
}

void Spinning::acquire(Worker &, std::size_t lock) { omp_set_lock(&locks[lock]); }

void Spinning::release(Worker &, std::size_t lock) { omp_unset_lock(&locks[lock]); }

void Spinning::fork(Worker &master, Team &team) { team.overheadBefore = overheadOf(master); }

void Spinning::enter(Worker &member, Team &team, unsigned number) {
  if (number > 0)
    member.overhead = team.overheadBefore;
}

void Spinning::join(Worker &master, Team &team) {
  double most = 0; // mostly all are above 0, or all below
  for (const Worker *member : team.members)
    if (const double overhead = overheadOf(*member); std::abs(overhead) > std::abs(most))
      most = overhead;
  master.visits = master.calls = 0;
  master.overhead = most;
}

} // namespace synthesizer
