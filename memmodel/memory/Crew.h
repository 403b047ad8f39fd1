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

/// Threads, each pinned to a core. They live as long as the crew, so that a guard can ask the
/// system afterwards how long each of them has waited.
class Crew {
public:
  explicit Crew(const std::vector<int> &cpus);
  ~Crew();

  std::size_t size() const { return threads.size(); }
  /// Runs `job` with 0, 1, ... on every thread to its end.
  void each(const std::function<void(std::size_t)> &job);
  /// Runs jobs on the first threads, all at the same time; each job's counts per nanosecond, the
  /// median of parts of the window, after a lead of so many milliseconds, and of a quarter of the
  /// window at least.
  std::vector<double> rates(const std::vector<Job> &jobs, double milliseconds, double leadMs = 0);

private:
  struct Worker {
    Meter meter;
    std::function<void()> task;
    std::atomic<unsigned> asked{0}, finished{0};
  };
  void start(std::size_t number, std::function<void()> task);
  void wait(std::size_t number);

  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<std::thread> threads;
};

} // namespace memory_figures
