//===- threads-tbb.h - oneTBB's threads, there from the start ---*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <atomic>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

/// No more than so many threads execute tasks, this one included. They exist when the constructor
/// returns: that happens once in a process and is no part of any section.
class Threads {
public:
  explicit Threads(int count)
      : limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count)) {
    if (count > tbb::this_task_arena::max_concurrency())
      return; // more than there are cores: some would never come
    std::atomic<int> arrived = 0;
    tbb::parallel_for(
        0, count,
        [&](int) {
          for (++arrived; arrived < count;)
            ;
        },
        tbb::simple_partitioner());
  }

private:
  tbb::global_control limit;
};
