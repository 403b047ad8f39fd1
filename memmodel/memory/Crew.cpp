//===- Crew.cpp - Threads that make traffic on cores of their own ---------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/memory/Crew.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <sched.h>

namespace memory_figures {

using Clock = std::chrono::steady_clock;

/// Of a window; the median of their rates counts: a hypervisor may halt a core for milliseconds,
/// which no clock of its guest's shows.
static constexpr std::size_t Pieces = 5;

static void pinTo(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  sched_setaffinity(0, sizeof set, &set); // else the guard tells
}

Crew::Crew(const std::vector<int> &cpus) {
  for (int cpu : cpus) {
    workers.push_back(std::make_unique<Worker>());
    Worker &worker = *workers.back();
    threads.emplace_back([&worker, cpu] {
      pinTo(cpu);
      for (unsigned last = 0;; worker.finished.notify_all()) {
        worker.asked.wait(last);
        last = worker.asked.load();
        if (!worker.task)
          return;
        worker.task();
        worker.finished.store(last);
      }
    });
  }
}

Crew::~Crew() {
  for (std::size_t i = 0; i < threads.size(); ++i) {
    start(i, nullptr);
    threads[i].join();
  }
}

void Crew::start(std::size_t number, std::function<void()> task) {
  Worker &worker = *workers[number];
  worker.task = std::move(task);
  worker.asked.fetch_add(1);
  worker.asked.notify_all();
}

void Crew::wait(std::size_t number) {
  Worker &worker = *workers[number];
  const unsigned asked = worker.asked.load();
  for (unsigned finished; (finished = worker.finished.load()) != asked;)
    worker.finished.wait(finished);
}

void Crew::each(const std::function<void(std::size_t)> &job) {
  for (std::size_t i = 0; i < size(); ++i)
    start(i, [&job, i] { job(i); });
  for (std::size_t i = 0; i < size(); ++i)
    wait(i);
}

Paces Crew::paces(const std::vector<Job> &jobs, double milliseconds, double leadMs) {
  const std::chrono::duration<double, std::milli> window(milliseconds);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    Meter &meter = workers[i]->meter;
    meter.done = 0;
    meter.stop = false;
    start(i, [&job = jobs[i], &meter] { job(meter); });
  }
  std::this_thread::sleep_for(
      std::max(window / 4, std::chrono::duration<double, std::milli>(
                               leadMs))); // until caches and prefetchers are in their stride
  std::vector<std::vector<double>> inPieces(jobs.size());
  for (std::size_t piece = 0; piece < Pieces; ++piece) {
    std::vector<std::uint64_t> before;
    for (std::size_t i = 0; i < jobs.size(); ++i)
      before.push_back(workers[i]->meter.done);
    const auto begin = Clock::now();
    std::this_thread::sleep_for(window / Pieces);
    const double ns = std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
    for (std::size_t i = 0; i < jobs.size(); ++i)
      inPieces[i].push_back(static_cast<double>(workers[i]->meter.done - before[i]) / ns);
  }
  for (std::size_t i = 0; i < jobs.size(); ++i)
    workers[i]->meter.stop = true;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    wait(i);
  constexpr double least =
      1e-5; // of a thread that did not get its core at all: no figure is infinite
  Paces result;
  for (std::vector<double> &pieces : inPieces) {
    std::ranges::sort(pieces);
    const double middle = pieces[Pieces / 2];
    result.rates.push_back(std::max(middle, least));
    const double apart = middle > 0 ? (pieces[Pieces / 2 + 1] - pieces[Pieces / 2 - 1]) / middle
                                    : std::numeric_limits<double>::infinity();
    result.apart = std::max(result.apart, apart);
  }
  return result;
}

} // namespace memory_figures
