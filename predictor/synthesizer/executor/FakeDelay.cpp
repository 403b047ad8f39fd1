//===- FakeDelay.cpp - Busy loops in the place of computation -------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/FakeDelay.h"

#include <algorithm>
#include <time.h>

namespace synthesizer {

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

double clockCost() {
  static const double cost = [] {
    constexpr int batches = 20, readings = 200;
    double least = 1e9;
    for (int batch = 0; batch < batches; ++batch) {
      const double begin = now();
      for (int i = 1; i < readings; ++i)
        now();
      least = std::min(least, (now() - begin) / readings);
    }
    return least;
  }();
  return cost;
}

/// How much longer than they should the thread's delays have been.
static thread_local double surplus = 0;

/// \param cost what a delay takes beside the time between its first and its last reading
static void spin(double ns, double mostGap, double cost) {
  double left = ns - surplus;
  if (left > 0) {
    double last = now();
    left -= cost;
    while (left > 0) {
      const double time = now();
      if (time - last < mostGap)
        left -= time - last;
      last = time;
    }
  }
  surplus = -left;
}

/// Half a reading before the first one and half behind the last, and the way there and back.
static double delayCost() {
  constexpr int batches = 21, delays = 100;
  constexpr double ns = 1000;
  double least = 1e9; // as clockCost(): neighbours of the core slow some batches down
  for (int batch = 0; batch < batches; ++batch) {
    surplus = 0; // what an interrupt made too long would make this batch too short
    const double begin = now();
    for (int i = 0; i < delays; ++i)
      spin(ns, longInterrupt, 0);
    least = std::min(least, (now() - begin) / delays - ns);
  }
  return std::max(least, 0.0);
}

void forgetSurplus() { surplus = 0; }

void spinFor(double ns, double mostGap) {
  static const double cost = delayCost();
  spin(ns, mostGap, cost);
}

} // namespace synthesizer
