//===- TaskLoops.h - How loops are split into tasks -------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"

#include <algorithm>

namespace prophet {

/// A taskloop without a clause: in libomp (`__kmp_taskloop`) ten tasks a thread, in libgomp
/// (`GOMP_taskloop`) one, the first ones one iteration longer.
struct TaskloopPlan {
  std::uint64_t tasks, grain, longer;
  std::uint64_t linear; ///< libomp: more tasks than this are created by halving

  TaskloopPlan(OmpRuntime runtime, std::uint64_t iterations, unsigned threads)
      : tasks(std::min<std::uint64_t>(iterations, most(runtime, threads))),
        grain(tasks ? iterations / tasks : 0), longer(tasks ? iterations % tasks : 0),
        linear(std::min<std::uint64_t>(tasks, 256)) {}

  std::uint64_t start(std::uint64_t task) const { return task * grain + std::min(task, longer); }

private:
  static std::uint64_t most(OmpRuntime runtime, unsigned threads) {
    return (runtime == OmpRuntime::Libomp ? 10ull : 1ull) * threads;
  }
};

/// cilk_for's grain size: of min(2048, n / 8T) iterations, rounded up.
inline std::uint64_t cilkGrain(std::uint64_t iterations, unsigned threads) {
  const std::uint64_t pieces = 8ull * threads;
  return std::clamp<std::uint64_t>(iterations / pieces + (iterations % pieces != 0), 1, 2048);
}

/// The pieces of a loop on one thread; with oneTBB at most.
inline std::uint64_t loopPieces(const EmulationOptions &options, std::uint64_t iterations,
                                unsigned threads) {
  switch (options.paradigm) {
  case Paradigm::Tasks:
    return TaskloopPlan(options.runtime, iterations, threads).tasks;
  case Paradigm::Tbb:
    return std::min<std::uint64_t>(iterations, 12ull * threads); // TbbPieces.h: 2 T, 5 more of each
  case Paradigm::Cilk: {
    const std::uint64_t grain = cilkGrain(iterations, threads);
    return iterations / grain + (iterations % grain != 0);
  }
  case Paradigm::OpenMP:
    break;
  }
  return 0;
}

} // namespace prophet
