//===- openmp_constructs.cpp - Measurements of OpenMP's constructs --------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "openmp_overheads.h"

#include <algorithm>
#include <ctime>
#include <limits>
#include <omp.h>
#include <vector>

namespace overheads {

#ifdef __clang__
const char *const runtimeName = "libomp";
#else
const char *const runtimeName = "libgomp";
#endif

namespace {

double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

/// Work of a fixed number of steps that no compiler shortens and that touches no memory.
void delay(int steps) {
  for (int step = 0; step < steps; ++step)
    asm volatile("" ::: "memory");
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

/// The least of the medians of batches: the batch that other programs disturbed least.
double leastMedian(const std::vector<double> &values) {
  constexpr std::size_t batch = 21;
  double least = median(values);
  for (std::size_t begin = 0; begin + batch <= values.size(); begin += batch)
    least = std::min(least, median({values.begin() + static_cast<long>(begin),
                                    values.begin() + static_cast<long>(begin + batch)}));
  return least;
}

/// What reading the clock once adds to an interval.
double clockCost() {
  std::vector<double> values(1001);
  for (double &value : values) {
    const double begin = now();
    value = now() - begin;
  }
  return median(values);
}

/// `with()` - `without()`, taken in turns.
template <typename With, typename Without>
double difference(int repetitions, With with, Without without) {
  std::vector<double> withTimes, withoutTimes;
  for (int repetition = -1; repetition < repetitions; ++repetition) {
    const double a = with(), b = without();
    if (repetition < 0) // the first calls create threads and fill caches
      continue;
    withTimes.push_back(a);
    withoutTimes.push_back(b);
  }
  return std::max(0.0, leastMedian(withTimes) - leastMedian(withoutTimes));
}

/// A stamp of each thread on a cache line of its own.
struct alignas(64) Stamp {
  double begin, end;
};

constexpr int bodySteps = 2000;
constexpr int serialSteps = 200000; // between regions: threads that wait passively are asleep

struct ForkJoin {
  double fork, join;
};

ForkJoin forkJoin(int threads, int repetitions) {
  std::vector<double> forks, joins;
  std::vector<Stamp> stamps(static_cast<std::size_t>(threads));
  const double clock = clockCost();
  for (int repetition = -10; repetition < repetitions; ++repetition) {
    delay(serialSteps);
    const double before = now();
#pragma omp parallel num_threads(threads)
    {
      Stamp &stamp = stamps[static_cast<std::size_t>(omp_get_thread_num())];
      stamp.begin = now();
      delay(bodySteps);
      stamp.end = now();
    }
    const double after = now();
    double begin = before, end = before;
    for (const Stamp &stamp : stamps) {
      begin = std::max(begin, stamp.begin);
      end = std::max(end, stamp.end);
    }
    if (repetition < 0) // the first regions create the threads
      continue;
    forks.push_back(begin - before - clock);
    joins.push_back(after - end - clock);
  }
  return {std::max(0.0, leastMedian(forks)), std::max(0.0, leastMedian(joins))};
}

/// Time until the last thread of a team has done `body`, from when all are there.
template <typename Body> double teamTime(int threads, Body body) {
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

/// `perThread` iterations a thread without any construct.
auto plainLoop(int perThread) {
  return [=] {
    for (int i = 0; i < perThread; ++i)
      delay(bodySteps / 4);
  };
}

auto staticLoop(int count) {
  return [=] {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < count; ++i)
      delay(bodySteps / 4);
  };
}

auto chunkLoop(int count) {
  return [=] {
#pragma omp for schedule(static, 1) nowait
    for (int i = 0; i < count; ++i)
      delay(bodySteps / 4);
  };
}

auto queueLoop(int count) {
  return [=] {
#pragma omp for schedule(monotonic : dynamic, 1) nowait
    for (int i = 0; i < count; ++i)
      delay(bodySteps / 4);
  };
}

auto stealLoop(int count) {
  return [=] {
#pragma omp for schedule(nonmonotonic : dynamic, 1) nowait
    for (int i = 0; i < count; ++i)
      delay(bodySteps / 4);
  };
}

constexpr int longLoop = 400;

/// Per chunk: what a long loop of one-iteration chunks costs a thread beyond its iterations.
template <typename Loop> double perChunk(int threads, int repetitions, Loop loop) {
  const auto body = loop(threads * longLoop);
  const auto plain = plainLoop(longLoop);
  return difference(
             repetitions, [&] { return teamTime(threads, body); },
             [&] { return teamTime(threads, plain); }) /
         longLoop;
}

/// Per loop: loops of one chunk a thread in a row, less the chunks.
template <typename Loop> double perLoop(int threads, int repetitions, double chunk, Loop loop) {
  constexpr int loops = 20;
  const auto body = loop(threads);
  const auto plain = plainLoop(loops);
  const double all = difference(
      repetitions,
      [&] {
        return teamTime(threads, [&] {
          for (int i = 0; i < loops; ++i)
            body();
        });
      },
      [&] { return teamTime(threads, plain); });
  return std::max(0.0, all / loops - chunk);
}

/// Time of `count` critical sections on each of `threads` threads that do nothing else.
double criticalTime(int threads, int count) {
  return teamTime(threads, [=] {
    for (int i = 0; i < count; ++i)
#pragma omp critical(measured)
      delay(bodySteps / 4);
  });
}

} // namespace

double forkCost(int threads, int repetitions) { return forkJoin(threads, repetitions).fork; }
double joinCost(int threads, int repetitions) { return forkJoin(threads, repetitions).join; }

double handoffCost(int threads, int repetitions) {
  // With all threads at it the lock is never free: the sections' bodies and hand-offs in a row.
  const int count = longLoop / threads;
  const auto plain = plainLoop(count * threads);
  return difference(
             repetitions, [&] { return criticalTime(threads, count); },
             [&] { return teamTime(1, plain); }) /
         (count * threads);
}

double staticStart(int threads, int repetitions) {
  return perLoop(threads, repetitions, 0, staticLoop);
}
double staticBlock(int, int) { return 0; } // its one chunk is part of the start
double chunkChunk(int threads, int repetitions) {
  return perChunk(threads, repetitions, chunkLoop);
}
double chunkStart(int threads, int repetitions) {
  return perLoop(threads, repetitions, chunkChunk(threads, repetitions), chunkLoop);
}
double queueChunk(int threads, int repetitions) {
  return perChunk(threads, repetitions, queueLoop);
}
double queueStart(int threads, int repetitions) {
  return perLoop(threads, repetitions, queueChunk(threads, repetitions), queueLoop);
}
double stealChunk(int threads, int repetitions) {
  return perChunk(threads, repetitions, stealLoop);
}
double stealStart(int threads, int repetitions) {
  return perLoop(threads, repetitions, stealChunk(threads, repetitions), stealLoop);
}

double lockPair(int repetitions) {
  const auto plain = plainLoop(longLoop);
  return difference(
             repetitions, [&] { return criticalTime(1, longLoop); },
             [&] { return teamTime(1, plain); }) /
         longLoop;
}

double serializedRegion(int repetitions) {
  omp_set_max_active_levels(1);
  const auto nested = [] {
    for (int i = 0; i < longLoop; ++i)
#pragma omp parallel num_threads(2)
      delay(bodySteps / 4);
  };
  return difference(
             repetitions, [&] { return teamTime(2, nested); },
             [&] { return teamTime(2, plainLoop(longLoop)); }) /
         longLoop;
}

} // namespace overheads
