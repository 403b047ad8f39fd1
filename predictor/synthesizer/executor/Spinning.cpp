//===- Spinning.cpp - Real time for real threads --------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/Spinning.h"

#include <algorithm>
#include <time.h>

namespace synthesizer {

namespace {

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

} // namespace

void spinFor(double ns) {
  constexpr double interrupted = 2000; // a reading takes some 30 ns
  double last = now();
  for (double left = ns; left > 0;) {
    const double time = now();
    if (time - last < interrupted)
      left -= time - last;
    last = time;
  }
}

Spinning::Spinning(std::size_t count, double nsPerUnit, double nsPerVisit)
    : nsPerUnit(nsPerUnit), nsPerVisit(nsPerVisit), locks(count) {
  for (omp_lock_t &lock : locks)
    omp_init_lock(&lock);
}

Spinning::~Spinning() {
  for (omp_lock_t &lock : locks)
    omp_destroy_lock(&lock);
}

void Spinning::begin(Worker &) { start = now(); }

double Spinning::end(Worker &initial) {
  const double overhead = static_cast<double>(initial.visits) * nsPerVisit;
  return (now() - start - overhead) / nsPerUnit;
}

void Spinning::compute(Worker &, Time length) { spinFor(static_cast<double>(length) * nsPerUnit); }

void Spinning::acquire(Worker &, std::size_t lock) { omp_set_lock(&locks[lock]); }

void Spinning::release(Worker &, std::size_t lock) { omp_unset_lock(&locks[lock]); }

void Spinning::fork(Worker &master, Team &team) {
  team.visitsBefore = team.mostVisits = master.visits;
}

void Spinning::enter(Worker &member, Team &team, unsigned number) {
  if (number > 0)
    member.visits = team.visitsBefore;
}

void Spinning::leave(Worker &member, Team &team) {
  const std::lock_guard guard(mutex);
  team.mostVisits = std::max(team.mostVisits, member.visits);
}

void Spinning::join(Worker &master, Team &team) { master.visits = team.mostVisits; }

} // namespace synthesizer
