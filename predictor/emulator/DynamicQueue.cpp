//===- DynamicQueue.cpp - Monotonic schedule(dynamic,c) -------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/DynamicQueue.h"

#include "predictor/emulator/EventHeap.h"

#include <algorithm>

namespace prophet {

namespace {

std::uint64_t chunksBefore(Time limit, Time free, Time duration) {
  return limit > free ? static_cast<std::uint64_t>((limit - free - 1) / duration + 1) : 0;
}

/// Chunks of `duration` > 0 that start before `limit` on all threads together.
std::uint64_t chunksBefore(Time limit, EventHeap &heap, Time duration) {
  std::uint64_t count = 0;
  for (const Event &free : heap)
    count += chunksBefore(limit, free.at, duration);
  return count;
}

/// The latest time before which at most `count` chunks start.
Time latestFor(std::uint64_t count, EventHeap &heap, Time duration) {
  Time low = heap.top().at; // no chunk starts before the first thread is free
  const Time allFree = std::ranges::max_element(heap, {}, &Event::at)->at;
  Time high = allFree + duration * static_cast<Time>(count / heap.size() + 2);
  while (high - low > 1) {
    const Time middle = low + (high - low) / 2;
    (chunksBefore(middle, heap, duration) <= count ? low : high) = middle;
  }
  return low;
}

/// Deals out all but fewer than 2T of `run`'s chunks in closed form: what starts before some moment
/// comes before what starts later, whichever thread it is on. Returns how many are left.
std::uint64_t runInBulk(const Run &run, EventHeap &heap) {
  const Time limit = latestFor(run.count, heap, run.duration);
  std::uint64_t left = run.count;
  for (Event &free : heap) {
    const std::uint64_t taken = chunksBefore(limit, free.at, run.duration);
    free.at += run.duration * static_cast<Time>(taken);
    left -= taken;
  }
  heap.rebuild();
  return left;
}

} // namespace

void runQueue(const Runs &chunks, std::vector<Time> &finish) {
  EventHeap heap; // of the times at which threads are free
  for (std::uint32_t thread = 0; thread < finish.size(); ++thread)
    heap.push({finish[thread], thread});

  // Below some eight chunks a thread, one by one is cheaper than the search for the moment.
  const std::uint64_t bulk = 8 * heap.size();
  for (const Run &run : chunks) {
    if (run.duration == 0) // all taken by the first free thread, at once
      continue;
    std::uint64_t left = run.count > bulk ? runInBulk(run, heap) : run.count;
    for (; left > 0; --left)
      heap.moveTop(heap.top().at + run.duration);
  }
  for (const Event &free : heap)
    finish[free.thread] = free.at;
}

} // namespace prophet
