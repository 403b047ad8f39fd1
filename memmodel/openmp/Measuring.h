//===- Measuring.h - Times of OpenMP code -----------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// EPCC's method (syncbench, schedbench, taskbench): the same work with a construct
// and without it, in turns, and the difference of the medians; of loops the median of
// what the team's threads take beyond their iterations, in the mean. All times are
// nanoseconds.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/openmp/Now.h"
#include "memmodel/openmp/Parts.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <omp.h>
#include <vector>

namespace openmp_overheads {

/// Work of a fixed number of steps that no compiler shortens and that touches no memory. One piece
/// of code for all: how a loop's copies lie in memory changes their speed by more than a construct
/// costs.
[[gnu::noinline]] void delay(int steps);

constexpr int bodySteps = 500;      ///< of an iteration, critical section or task
constexpr int serialSteps = 200000; ///< between regions: threads that wait passively are asleep
constexpr int repetitions = 31;     ///< of every measurement in a round

/// Counts the repetitions of a measurement: fewer where others keep the processors busy.
class Repetitions {
public:
  bool more() const { return done < repetitions && (done < 5 || now() < end); }
  void count() { ++done; }
  /// The first ones create threads and fill caches.
  bool warm() const { return done >= 0; }

private:
  static constexpr int first = -2;
  int done = first;
  double end = now() + 3e7;
};

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<long>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// `with()` - `without()`, taken in turns.
template <typename With, typename Without> double difference(With with, Without without) {
  std::vector<double> withTimes, withoutTimes;
  for (Repetitions repetition; repetition.more(); repetition.count()) {
    const double a = with(), b = without();
    if (!repetition.warm())
      continue;
    withTimes.push_back(a);
    withoutTimes.push_back(b);
  }
  return median(withTimes) - median(withoutTimes);
}

/// Time until the last thread of a team has done `body`, from when all are there.
template <typename Body> double teamTime([[maybe_unused]] int threads, Body body) {
  double begin = std::numeric_limits<double>::max(), end = 0;
#pragma omp parallel num_threads(threads) reduction(min : begin) reduction(max : end)
  {
#pragma omp barrier
    begin = now();
    body();
    end = now();
  }
  return end - begin;
}

/// What each thread of a team did of `body`, from when all are there. \param body says how many
/// iterations the thread that calls it had
template <typename Body> std::vector<Part> teamParts([[maybe_unused]] int threads, Body body) {
  std::vector<Part> parts(static_cast<std::size_t>(threads));
#pragma omp parallel num_threads(threads)
  {
#pragma omp barrier
    const double begin = now();
    const int iterations = body();
    const double end = now();
    parts[static_cast<std::size_t>(omp_get_thread_num())] = {end - begin, iterations};
  }
  return parts;
}

/// The median of beyondIterations(), of parts that are measured in turns.
template <typename With, typename Without> double differenceOfParts(With with, Without without) {
  std::vector<double> values;
  for (Repetitions repetition; repetition.more(); repetition.count()) {
    const std::vector<Part> a = with(), b = without();
    if (repetition.warm())
      values.push_back(beyondIterations(a, b));
  }
  return median(values);
}

/// `count` iterations on every thread without any construct.
inline auto plainLoop(int count, int steps = bodySteps) {
  return [=] {
    for (int i = 0; i < count; ++i)
      delay(steps);
    return count;
  };
}

/// What reading the clock once adds to an interval.
double clockCost();

} // namespace openmp_overheads
