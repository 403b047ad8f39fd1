//===- FakeDelay.cpp - Busy loops in the place of computation -------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/FakeDelay.h"

#include "predictor/synthesizer/executor/DelayLoop.h"

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

static thread_local DelayLoop delays;

/// Half a reading before the first one and half behind the last, and the way there and back.
static double delayCost() {
  constexpr int batches = 21, count = 100;
  constexpr double ns = 1000;
  double least = 1e9; // as clockCost(): neighbours of the core slow some batches down
  for (int batch = 0; batch < batches; ++batch) {
    delays.forgetSurplus(); // what an interrupt made too long would make this batch too short
    const double begin = now();
    for (int i = 0; i < count; ++i)
      delays.spin(ns, longInterrupt, 0, now);
    least = std::min(least, (now() - begin) / count - ns);
  }
  return std::max(least, 0.0);
}

void forgetSurplus() { delays.forgetSurplus(); }

void spinFor(double ns, double mostGap) {
  static const double cost = delayCost();
  delays.spin(ns, mostGap, cost, now);
}

} // namespace synthesizer
