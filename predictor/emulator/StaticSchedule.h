//===- StaticSchedule.h - schedule(static) and (static,c) -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which iterations a thread gets is known before the loop starts, in libomp
// (kmp_sched.cpp, kmp_sch_static_balanced) and in libgomp (iter.c) alike.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Runs.h"

#include <algorithm>

namespace prophet {

/// First iteration of thread `thread`'s block under schedule(static): blocks of floor(n/T), the
/// first n mod T of them one longer. `thread` = T gives n.
inline std::uint64_t staticBlockStart(std::uint64_t iterations, unsigned threads, unsigned thread) {
  return thread * (iterations / threads) + std::min<std::uint64_t>(thread, iterations % threads);
}

/// Adds to `finish[i]` what thread i's block of `tasks` takes under schedule(static); a thread with
/// a block pays `perChunk`. O(runs + T).
void runStatic(const Runs &tasks, Time perChunk, std::vector<Time> &finish);

/// The same under schedule(static,chunk): blocks of `chunk` dealt round-robin, each at `perChunk`.
/// O(T) a run, less for runs that touch fewer blocks.
void runStaticChunk(const Runs &tasks, std::uint64_t chunk, Time perChunk,
                    std::vector<Time> &finish);

} // namespace prophet
