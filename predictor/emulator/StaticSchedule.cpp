//===- StaticSchedule.cpp - schedule(static) and (static,c) ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/StaticSchedule.h"

namespace prophet {

namespace {

std::uint64_t countTasks(const Runs &tasks) {
  std::uint64_t count = 0;
  for (const Run &run : tasks)
    count += run.count;
  return count;
}

/// Blocks of `chunk` dealt round-robin to `threads`.
struct Deal {
  std::uint64_t chunk;
  std::uint64_t threads;

  /// How many of the first `iterations` iterations thread `thread` owns.
  std::uint64_t owned(std::uint64_t iterations, std::uint64_t thread) const {
    const std::uint64_t round = chunk * threads;
    const std::uint64_t rest = iterations % round;
    const std::uint64_t before = thread * chunk;
    return iterations / round * chunk + (rest > before ? std::min(rest - before, chunk) : 0);
  }
};

} // namespace

void runStatic(const Runs &tasks, Time perChunk, std::vector<Time> &finish) {
  const std::uint64_t count = countTasks(tasks);
  const auto threads = static_cast<unsigned>(finish.size());
  auto run = tasks.begin();
  std::uint64_t left = tasks.empty() ? 0 : run->count; // of *run
  for (unsigned thread = 0; thread < threads; ++thread) {
    std::uint64_t block =
        staticBlockStart(count, threads, thread + 1) - staticBlockStart(count, threads, thread);
    if (block > 0)
      finish[thread] += perChunk;
    while (block > 0) {
      if (left == 0)
        left = (++run)->count;
      const std::uint64_t taken = std::min(block, left);
      finish[thread] += run->duration * static_cast<Time>(taken);
      block -= taken;
      left -= taken;
    }
  }
}

void runStaticChunk(const Runs &tasks, std::uint64_t chunk, Time perChunk,
                    std::vector<Time> &finish) {
  const std::uint64_t count = countTasks(tasks);
  if (count == 0)
    return;
  const std::uint64_t threads = finish.size();
  const Deal deal{std::min(chunk, count), threads};
  const std::uint64_t chunks = (count - 1) / deal.chunk + 1;
  for (std::uint64_t thread = 0; thread < threads; ++thread)
    finish[thread] += perChunk * static_cast<Time>(Deal{1, threads}.owned(chunks, thread));

  std::uint64_t begin = 0; // of the run
  for (const Run &run : tasks) {
    const std::uint64_t end = begin + run.count;
    if (run.count / deal.chunk >= threads) {
      for (std::uint64_t thread = 0; thread < threads; ++thread)
        finish[thread] +=
            run.duration * static_cast<Time>(deal.owned(end, thread) - deal.owned(begin, thread));
    } else {
      std::uint64_t thread = begin / deal.chunk % threads;
      for (std::uint64_t at = begin; at < end;) {
        const std::uint64_t stop = std::min(end, (at / deal.chunk + 1) * deal.chunk);
        finish[thread] += run.duration * static_cast<Time>(stop - at);
        thread = thread + 1 == threads ? 0 : thread + 1;
        at = stop;
      }
    }
    begin = end;
  }
}

} // namespace prophet
