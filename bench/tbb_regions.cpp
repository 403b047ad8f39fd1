//===- tbb_regions.cpp - Many short loops of oneTBB -----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   tbb_regions REGIONS TASKS MICROSECONDS THREADS REPETITIONS
//
// REGIONS times 5 us of serial code and a parallel_for of TASKS busy waits of MICROSECONDS. Prints
// the speedup of each repetition over what the waits add up to.
//
//===----------------------------------------------------------------------===//

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;

static void spin(double microseconds) {
  const auto end = Clock::now() + Microseconds(microseconds);
  while (Clock::now() < end)
    ;
}

int main(int argc, char **argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: tbb_regions REGIONS TASKS MICROSECONDS THREADS REPETITIONS\n");
    return 2;
  }
  const int regions = std::atoi(argv[1]), tasks = std::atoi(argv[2]);
  const double length = std::atof(argv[3]), serial = 5;
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(std::atoi(argv[4])));
  tbb::parallel_for(0, 200, [](int) { spin(50); }); // threads are there
  for (int repetition = std::atoi(argv[5]); repetition > 0; --repetition) {
    const auto begin = Clock::now();
    for (int region = 0; region < regions; ++region) {
      spin(serial);
      tbb::parallel_for(0, tasks, [=](int) { spin(length); });
    }
    const Microseconds time = Clock::now() - begin;
    std::printf("%.4f\n", regions * (serial + tasks * length) / time.count());
  }
}
