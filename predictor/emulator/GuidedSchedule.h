//===- GuidedSchedule.h - schedule(guided,c), and libomp's auto -*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One central queue, as under schedule(dynamic), of chunks that get smaller. How
// they do depends on the runtime, but never on who takes them:
//
//   libgomp  (iter.c, gomp_iter_guided_next)  ceil(left / T), at least c
//   libomp   (kmp_dispatch.cpp, kmp_sch_guided_iterative_chunked)  left / 2T,
//            and c as soon as fewer than 2T(c + 1) are left
//   libomp's schedule(auto)  (kmp_sch_guided_analytical_chunked)  the first k
//            chunks end at n - ceil(n (1 - 1/2T)^k) until that shrinks below
//            what 2c + 1 iterations a thread are; then c = 1 each
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"
#include "predictor/emulator/Runs.h"

namespace prophet {

/// Who decides how chunks shrink.
enum class Shrinking : std::uint8_t { Libgomp, Libomp, LibompAuto };

/// Whether libomp deals out these chunks one by one from the start, since they are too large, or
/// the iterations too few, to shrink.
bool isTooShortToShrink(std::uint64_t iterations, unsigned threads, std::uint64_t chunk);

/// The chunks of one loop, in the order in which they are taken. O(T log n) of them, and for libomp
/// up to 4T more.
class GuidedChunks {
public:
  /// \pre for libomp's: threads > 1 and !isTooShortToShrink(iterations, threads, chunk).
  GuidedChunks(Shrinking shrinking, std::uint64_t iterations, unsigned threads,
               std::uint64_t chunk);

  /// Iterations that have been taken.
  std::uint64_t taken() const { return begin; }
  /// Takes the next chunk; returns its size, 0 where nothing is left.
  std::uint64_t next();

private:
  Shrinking shrinking;
  std::uint64_t iterations, chunk;
  unsigned threads;
  std::uint64_t begin = 0;
  std::uint64_t turn = 0;   ///< LibompAuto: chunks taken
  std::uint64_t shrink = 0; ///< LibompAuto: how many of them shrink

  std::uint64_t remaining(std::uint64_t turns) const;
  void findCrossover();
};

/// `chunks` of `tasks`, each taking `perChunk` and then its tasks.
Runs guidedRuns(const Runs &tasks, GuidedChunks chunks, Time perChunk);

} // namespace prophet
