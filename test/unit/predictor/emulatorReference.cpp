//===- emulatorReference.cpp - A slow, plain emulator to test against -----===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorReference.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <optional>

namespace prophet::test {

namespace {

using Chunk = std::deque<std::size_t>; // task numbers

/// libomp: half of each thread's part of what is left; once less than 2 * threads * (chunk + 1) is
/// left, or where it is little from the start, the chunk that was asked for.
std::size_t sizeForLlvm(double tasks, double left, double chunk, double threads) {
  if (threads == 1)
    return static_cast<std::size_t>(tasks);
  const bool small = (2 * chunk + 1) * threads >= tasks || left < 2 * threads * (chunk + 1);
  return static_cast<std::size_t>(small ? chunk : left * (0.5 / threads));
}

/// The same with what is left after k chunks in closed form, tasks * (1 - 1/(2 threads))^k, rounded
/// up; the chunk that was asked for from where no more than (2 chunk + 1) * threads is left.
std::size_t sizeForLlvmAuto(double tasks, double threads, int k) {
  const auto left = [&](int turn) { // no rounding matters but that of the base
    const double base = 1 - 0.5 / threads;
    return tasks * std::pow(static_cast<long double>(base), turn);
  };
  if (threads == 1)
    return static_cast<std::size_t>(tasks);
  if (3 * threads >= tasks || left(k) <= 3 * threads)
    return 1;
  return static_cast<std::size_t>(std::ceil(left(k)) - std::ceil(left(k + 1)));
}

/// How many tasks the chunk holds that begins behind `done` tasks and `turn` chunks.
std::size_t chunkSize(Policy policy, std::size_t tasks, std::size_t done, int turn,
                      std::size_t chunk, std::size_t threads) {
  const std::size_t left = tasks - done;
  std::size_t size = chunk;
  if (policy == Policy::GuidedGnu)
    size = std::max(chunk, (left + threads - 1) / threads);
  if (policy == Policy::GuidedLlvm)
    size = sizeForLlvm(static_cast<double>(tasks), static_cast<double>(left),
                       static_cast<double>(chunk), static_cast<double>(threads));
  if (policy == Policy::AutoLlvm)
    size = sizeForLlvmAuto(static_cast<double>(tasks), static_cast<double>(threads), turn);
  return std::min(size, left);
}

/// Deals out chunks with one deque of chunks a thread; the queue is everybody's deque number 0.
class Dealer {
public:
  Dealer(std::size_t tasks, Policy policy, std::size_t chunk, int threads)
      : policy(policy), piles(threads), here(threads), empty(threads), first(threads) {
    std::vector<Chunk> chunks;
    for (std::size_t task = 0, end = 0; task < tasks; ++task) {
      if (task == end) {
        end += chunkSize(policy, tasks, task, static_cast<int>(chunks.size()), chunk, piles.size());
        chunks.emplace_back();
      }
      chunks.back().push_back(task);
    }
    if (policy >= Policy::GuidedGnu)
      this->policy = Policy::Queue;
    if (policy == Policy::Steal && (threads == 1 || chunks.size() < piles.size()))
      this->policy = Policy::Queue;
    for (std::size_t i = 0; i < chunks.size(); ++i)
      piles[ownerOf(i, chunks.size())].push_back(chunks[i]);
    for (int thread = 0; thread < threads; ++thread)
      first[thread] = (thread + 1) % threads;
  }

  std::optional<Chunk> next(int thread) {
    std::deque<Chunk> &own = piles[policy == Policy::Queue ? 0 : thread];
    here[thread] = true;
    if (!own.empty()) {
      Chunk taken = own.front();
      own.pop_front();
      return taken;
    }
    if (policy == Policy::Steal)
      return steal(thread);
    return std::nullopt;
  }

private:
  Policy policy;
  std::vector<std::deque<Chunk>> piles;
  std::vector<bool> here;  ///< has come to the loop
  std::vector<bool> empty; ///< has found its pile used up and stolen nothing that is left
  std::vector<int> first;  ///< whom to look at first

  std::size_t ownerOf(std::size_t chunk, std::size_t chunks) const {
    const std::size_t threads = piles.size();
    if (policy == Policy::Queue)
      return 0;
    if (policy == Policy::StaticChunk)
      return chunk % threads;
    std::size_t owner = 0; // blocks, the first ones longer
    for (std::size_t end = 0;; ++owner) {
      end += chunks / threads + (owner < chunks % threads ? 1 : 0);
      if (chunk < end)
        return owner;
    }
  }

  std::optional<Chunk> steal(int thread) {
    const int threads = static_cast<int>(piles.size());
    empty[thread] = true;
    for (int attempt = 1; attempt < threads; ++attempt) {
      int victim = first[thread];
      for (int step = 1; step < threads && (victim == thread || empty[victim]); ++step)
        victim = (victim + 1) % threads;
      if (victim == thread || empty[victim])
        continue;
      first[thread] = (victim + 1) % threads;
      if (piles[victim].empty())
        continue;
      std::size_t count = piles[victim].size();
      if (here[victim]) {
        first[thread] = victim;
        count = count > 7 ? count / 4 : 1;
      } else {
        empty[victim] = true;
      }
      std::deque<Chunk> &own = piles[thread];
      own.assign(piles[victim].end() - static_cast<long>(count), piles[victim].end());
      piles[victim].resize(piles[victim].size() - count);
      Chunk taken = own.front();
      own.pop_front();
      empty[thread] = own.empty();
      return taken;
    }
    return std::nullopt;
  }
};

struct Worker {
  double left = 0; ///< of its segment
  int holds = -1;  ///< lock of its segment
  bool waits = false, done = false;
  Chunk chunk;
  std::deque<Segment> task; ///< what is left of it
};

class Machine {
public:
  Machine(const std::vector<Task> &tasks, Dealer dealer, int threads, int cores)
      : tasks(tasks), dealer(std::move(dealer)), workers(threads), cores(cores) {}

  double run() {
    double time = 0;
    while (Worker *next = soonest()) {
      const double step = next->left;
      double ready = 0;
      for (const Worker &worker : workers)
        ready += isReady(worker);
      for (Worker &worker : workers)
        if (isReady(worker))
          worker.left -= step;
      time += step * std::max(1.0, ready / cores);
      act(*next);
    }
    return time;
  }

private:
  const std::vector<Task> &tasks;
  Dealer dealer;
  std::vector<Worker> workers;
  int cores;
  std::map<int, bool> held;
  std::map<int, std::deque<Worker *>> queues;

  static bool isReady(const Worker &worker) { return !worker.waits && !worker.done; }

  Worker *soonest() {
    Worker *first = nullptr;
    for (Worker &worker : workers)
      if (isReady(worker) && (!first || worker.left < first->left))
        first = &worker;
    return first;
  }

  void act(Worker &worker) {
    if (worker.holds >= 0)
      release(worker);
    while (!worker.done && worker.task.empty())
      nextTask(worker);
    if (worker.done)
      return;
    const Segment segment = worker.task.front();
    worker.task.pop_front();
    worker.left = segment.length;
    if (segment.lock < 0)
      return;
    worker.holds = segment.lock;
    if (held[segment.lock]) {
      worker.waits = true;
      queues[segment.lock].push_back(&worker);
    }
    held[segment.lock] = true;
  }

  void release(Worker &worker) {
    std::deque<Worker *> &queue = queues[worker.holds];
    held[worker.holds] = !queue.empty();
    worker.holds = -1;
    if (queue.empty())
      return;
    queue.front()->waits = false;
    queue.pop_front();
  }

  void nextTask(Worker &worker) {
    if (worker.chunk.empty()) {
      if (auto chunk = dealer.next(static_cast<int>(&worker - workers.data())))
        worker.chunk = *chunk;
      else {
        worker.done = true;
        return;
      }
    }
    const Task &task = tasks[worker.chunk.front()];
    worker.task.assign(task.begin(), task.end());
    worker.chunk.pop_front();
  }
};

} // namespace

double referenceTime(const std::vector<Task> &tasks, Policy policy, std::size_t chunk, int threads,
                     int cores) {
  return Machine(tasks, Dealer(tasks.size(), policy, chunk, threads), threads, cores).run();
}

} // namespace prophet::test
