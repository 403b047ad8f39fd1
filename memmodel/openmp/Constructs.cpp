//===- Constructs.cpp - Regions and locks ---------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/openmp/Constructs.h"

#include "memmodel/openmp/Measuring.h"

#include <atomic>
#include <omp.h>

namespace openmp_overheads {

void delay(int steps) {
  for (int step = 0; step < steps; ++step)
    asm volatile("" ::: "memory");
}

double clockCost() {
  std::vector<double> values(101);
  for (double &value : values) {
    const double begin = now();
    value = now() - begin;
  }
  return median(values);
}

namespace {

/// A stamp of each thread on a cache line of its own.
struct alignas(64) Stamp {
  double begin, end;
};

/// One region: when the master met it and went on, its threads' first begin and last end.
struct Region {
  double met, lastBegin, lastEnd, left;
};

template <typename Interval> double regionCost(int threads, Interval interval) {
  std::vector<double> values;
  std::vector<Stamp> stamps(static_cast<std::size_t>(threads));
  const double clock = clockCost();
  for (Repetitions repetition; repetition.more(); repetition.count()) {
    delay(serialSteps);
    Region region{now(), 0, 0, 0};
#pragma omp parallel num_threads(threads)
    {
      Stamp &stamp = stamps[static_cast<std::size_t>(omp_get_thread_num())];
      stamp.begin = now();
      delay(4 * bodySteps);
      stamp.end = now();
    }
    region.left = now();
    region.lastBegin = region.lastEnd = region.met;
    for (const Stamp &stamp : stamps) {
      region.lastBegin = std::max(region.lastBegin, stamp.begin);
      region.lastEnd = std::max(region.lastEnd, stamp.end);
    }
    if (repetition.warm())
      values.push_back(interval(region) - clock);
  }
  return median(values);
}

constexpr int count = 200;

} // namespace

double forkCost(int threads) {
  return regionCost(threads, [](const Region &region) { return region.lastBegin - region.met; });
}

double joinCost(int threads) {
  return regionCost(threads, [](const Region &region) { return region.left - region.lastEnd; });
}

double handoffCost(int threads) {
  if (threads == 1)
    return lockPair(1);
  // All others wait for a lock, if they may, asleep. Then it goes to the first of them, and on;
  // none asks again, or libgomp's lock would stay where it is.
  std::vector<double> values;
  const double clock = clockCost();
  omp_lock_t lock;
  omp_init_lock(&lock);
  for (Repetitions repetition; repetition.more(); repetition.count()) {
    std::atomic<int> waiting = 0;
    double released = 0, firstHeld = 0;
#pragma omp parallel num_threads(threads)
    {
      const bool isFirst = omp_get_thread_num() == 0;
      if (isFirst)
        omp_set_lock(&lock);
#pragma omp barrier
      if (isFirst) {
        while (waiting < threads - 1)
          delay(10);
        delay(serialSteps);
        released = now();
      } else {
        ++waiting;
        omp_set_lock(&lock);
        const double held = now();
        if (firstHeld == 0)
          firstHeld = held;
      }
      omp_unset_lock(&lock);
    }
    if (repetition.warm())
      values.push_back(firstHeld - released - clock);
  }
  omp_destroy_lock(&lock);
  return median(values);
}

double lockPair(int) {
  const auto plain = plainLoop(count);
  const auto critical = [] {
    for (int i = 0; i < count; ++i)
#pragma omp critical(measured)
      delay(bodySteps);
  };
  return difference([&] { return teamTime(1, critical); }, [&] { return teamTime(1, plain); }) /
         count;
}

double spinTurn(int) {
  constexpr int turns = 20000;
  std::vector<double> values;
  const volatile int word = 0;
  for (Repetitions repetition; repetition.more(); repetition.count()) {
    const double begin = now();
    for (int turn = 0; turn < turns && word == 0; ++turn) {
#if defined(__x86_64__) || defined(__i386__)
      __builtin_ia32_pause(); // its cpu_relax()
#endif
    }
    if (repetition.warm())
      values.push_back((now() - begin) / turns);
  }
  return median(values);
}

double serializedRegion(int) {
  const auto nested = [] {
    for (int i = 0; i < count; ++i)
#pragma omp parallel num_threads(2)
      delay(bodySteps);
  };
  const auto plain = plainLoop(count);
  return difference([&] { return teamTime(2, nested); }, [&] { return teamTime(2, plain); }) /
         count;
}

} // namespace openmp_overheads
