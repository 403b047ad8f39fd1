//===- Crew.h - Threads that make traffic on cores of their own -*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace memory_figures {

/// What a job has done so far; read by another thread while it goes on.
struct alignas(128) Meter {
  std::atomic<std::uint64_t> done{0};
  std::atomic<bool> stop{false};

  bool goOn() const { return !stop.load(std::memory_order_relaxed); }
  void add(std::uint64_t count) {
    done.store(done.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
  }
};

/// Goes on, and counts, until it is told to stop.
using Job = std::function<void(Meter &)>;

/// How fast jobs went on in a window.
struct Paces {
  std::vector<double> rates; ///< of each, counts per nanosecond: the median of five parts
  /// How far apart the middle three of the five are, over the median, of the job where they are the
  /// farthest; infinite where one stood still.
  double apart = 0;
};

/// A window with what a host disturbs left out as well as can be: while it halts a thread's core
/// for longer than most of the parts, `measure`, which returns Paces, is called again, up to three
/// times; the steadiest count.
/// \param repeats that there may still be, which are counted down: where nothing is steady, a few
/// do not help
template <typename Measure> Paces steadiest(unsigned &repeats, Measure measure) {
  constexpr int most = 3;
  constexpr double steady = 0.25;
  Paces best = measure();
  for (int more = 0; more < most && repeats > 0 && best.apart > steady; ++more, --repeats)
    if (Paces again = measure(); again.apart < best.apart)
      best = std::move(again);
  return best;
}

/// Threads, each pinned to a core. They live as long as the crew, so that a guard can ask the
/// system afterwards how long each of them has waited.
class Crew {
public:
  explicit Crew(const std::vector<int> &cpus);
  ~Crew();

  std::size_t size() const { return threads.size(); }
  /// Runs `job` with 0, 1, ... on every thread to its end.
  void each(const std::function<void(std::size_t)> &job);
  /// Runs jobs on the first threads, all at the same time, after a lead of so many milliseconds,
  /// and of a quarter of the window at least.
  Paces paces(const std::vector<Job> &jobs, double milliseconds, double leadMs = 0);
  /// The steadiest() of such windows. There are few repeats in a crew's life, some 0.5 s.
  template <typename Measure> Paces steadiest(Measure measure) {
    return memory_figures::steadiest(repeats, measure);
  }
  /// Of jobs that go on alike, and can be run again: those of the steadiest window.
  std::vector<double> rates(const std::vector<Job> &jobs, double milliseconds) {
    return steadiest([&] { return paces(jobs, milliseconds); }).rates;
  }

private:
  struct Worker {
    Meter meter;
    std::function<void()> task;
    std::atomic<unsigned> asked{0}, finished{0};
  };
  void start(std::size_t number, std::function<void()> task);
  void wait(std::size_t number);

  unsigned repeats = 20; ///< of windows that were not steady
  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<std::thread> threads;
};

} // namespace memory_figures
