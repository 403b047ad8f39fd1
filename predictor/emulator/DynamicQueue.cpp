//===- DynamicQueue.cpp - Monotonic schedule(dynamic,c) -------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/DynamicQueue.h"

#include <algorithm>

namespace prophet {

namespace {

/// When a thread is free; the earlier, then the lower-numbered goes first.
struct Free {
  Time at;
  std::uint32_t thread;
  bool operator<(const Free &other) const {
    return at != other.at ? at < other.at : thread < other.thread;
  }
};

/// Restores the heap (earliest on top) after its top has become later.
void sinkTop(std::vector<Free> &heap) {
  const std::size_t size = heap.size();
  const Free moved = heap[0];
  std::size_t hole = 0;
  for (std::size_t child = 1; child < size; child = 2 * hole + 1) {
    if (child + 1 < size && heap[child + 1] < heap[child])
      ++child;
    if (!(heap[child] < moved))
      break;
    heap[hole] = heap[child];
    hole = child;
  }
  heap[hole] = moved;
}

std::uint64_t chunksBefore(Time limit, Time free, Time duration) {
  return limit > free ? static_cast<std::uint64_t>((limit - free - 1) / duration + 1) : 0;
}

/// Chunks of `duration` > 0 that start before `limit` on all threads together.
std::uint64_t chunksBefore(Time limit, const std::vector<Free> &heap, Time duration) {
  std::uint64_t count = 0;
  for (const Free &free : heap)
    count += chunksBefore(limit, free.at, duration);
  return count;
}

/// The latest time before which at most `count` chunks start.
Time latestFor(std::uint64_t count, const std::vector<Free> &heap, Time duration) {
  Time low = heap[0].at; // no chunk starts before the first thread is free
  Time high = low + duration * static_cast<Time>(count + 1);
  while (high - low > 1) {
    const Time middle = low + (high - low) / 2;
    (chunksBefore(middle, heap, duration) <= count ? low : high) = middle;
  }
  return low;
}

/// Deals out all but fewer than 2T of `run`'s chunks in closed form: what starts before some moment
/// comes before what starts later, whichever thread it is on. Returns how many are left.
std::uint64_t runInBulk(const Run &run, std::vector<Free> &heap) {
  const Time limit = latestFor(run.count, heap, run.duration);
  std::uint64_t left = run.count;
  for (Free &free : heap) {
    const std::uint64_t taken = chunksBefore(limit, free.at, run.duration);
    free.at += run.duration * static_cast<Time>(taken);
    left -= taken;
  }
  std::make_heap(heap.begin(), heap.end(), [](const Free &a, const Free &b) { return b < a; });
  return left;
}

} // namespace

void runQueue(const Runs &chunks, std::vector<Time> &finish) {
  std::vector<Free> heap(finish.size());
  for (std::uint32_t thread = 0; thread < finish.size(); ++thread)
    heap[thread] = {finish[thread], thread};
  std::sort(heap.begin(), heap.end());

  // Below some eight chunks a thread, one by one is cheaper than the search for the moment.
  const std::uint64_t bulk = 8 * heap.size();
  for (const Run &run : chunks) {
    if (run.duration == 0) // all taken by the first free thread, at once
      continue;
    std::uint64_t left = run.count > bulk ? runInBulk(run, heap) : run.count;
    for (; left > 0; --left) {
      heap[0].at += run.duration;
      sinkTop(heap);
    }
  }
  for (const Free &free : heap)
    finish[free.thread] = free.at;
}

} // namespace prophet
