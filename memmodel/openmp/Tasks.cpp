//===- Tasks.cpp - What OpenMP tasks cost ---------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The spawner is one thread of the team. Where its own queue is measured the
// others are kept busy by a delay of their own, and where stealing is, it keeps
// itself busy until the others have run all tasks.
//
//===----------------------------------------------------------------------===//

#include "memmodel/openmp/Constructs.h"
#include "memmodel/openmp/Measuring.h"

#include <atomic>
#include <omp.h>

namespace openmp_overheads {

namespace {

/// Few enough for both runtimes to queue them all: libomp's deques hold 256, libgomp queues 64 a
/// thread.
constexpr int tasks = 60;

struct OwnQueue {
  double create, run; ///< per task
};

/// The spawner makes tasks and runs them all itself.
OwnQueue ownQueue(int threads) {
  std::vector<double> creates, runs, plains;
  const auto plain = plainLoop(tasks);
  for (Repetitions repetition; repetition.more(); repetition.count()) {
    double begin = 0, made = 0, end = 0;
    std::atomic<bool> done = false;
#pragma omp parallel num_threads(threads)
    {
#pragma omp barrier
      if (omp_get_thread_num() == 0) {
        begin = now();
        for (int i = 0; i < tasks; ++i)
#pragma omp task
          delay(bodySteps);
        made = now();
#pragma omp taskwait
        end = now();
        done = true;
      } else {
        while (!done)
          delay(bodySteps);
      }
    }
    const double plainBegin = now();
    plain();
    const double plainTime = now() - plainBegin;
    if (!repetition.warm())
      continue;
    creates.push_back(made - begin);
    runs.push_back(end - made);
    plains.push_back(plainTime);
  }
  // A team of one may run each task as it is met: both together are all that can be said.
  if (threads == 1)
    return {(median(creates) + median(runs) - median(plains)) / tasks, 0};
  return {median(creates) / tasks, (median(runs) - median(plains)) / tasks};
}

} // namespace

double taskCreate(int threads) {
  const OwnQueue own = ownQueue(threads);
  return own.create + own.run;
}

double taskSteal(int threads) {
  if (threads == 1)
    return 0; // from whom?
  // From the spawner's last task to when the others have run all of them, in parallel.
  constexpr int longBody = 8 * bodySteps;
  std::vector<double> values, plains;
  for (Repetitions repetition; repetition.more(); repetition.count()) {
    double made = 0;
    std::atomic<int> left = tasks;
    std::atomic<bool> ready = false;
    std::vector<double> ends(static_cast<std::size_t>(threads) * 8);
#pragma omp parallel num_threads(threads)
    {
      const int self = omp_get_thread_num();
#pragma omp barrier
      if (self == 0) {
        for (int i = 0; i < tasks; ++i)
#pragma omp task shared(left, ends)
        {
          delay(longBody);
          ends[static_cast<std::size_t>(omp_get_thread_num()) * 8] = now();
          left.fetch_sub(1, std::memory_order_relaxed);
        }
        made = now();
        ready = true;
        while (left.load(std::memory_order_relaxed) > 0)
          delay(bodySteps);
      } else {
        while (!ready) // or they would begin while tasks are made
          delay(10);
      }
    }
    const double plainBegin = now();
    for (int i = 0; i < tasks; ++i)
      delay(longBody);
    const double plainTime = now() - plainBegin;
    if (!repetition.warm())
      continue;
    values.push_back(*std::max_element(ends.begin(), ends.end()) - made);
    plains.push_back(plainTime);
  }
  const int thieves = threads - 1;
  // The busiest thief's share; what each of its tasks took beyond the body.
  const int share = (tasks + thieves - 1) / thieves;
  return median(values) / share - median(plains) / tasks - ownQueue(threads).run;
}

double taskWait(int threads) {
  constexpr int waits = 100;
  const auto with = [] {
    for (int i = 0; i < waits; ++i) {
      delay(bodySteps);
#pragma omp taskwait
    }
  };
  const auto plain = plainLoop(waits);
  return difference([&] { return teamTime(threads, with); },
                    [&] { return teamTime(threads, plain); }) /
         waits;
}

} // namespace openmp_overheads
