//===- openmp_overheads.h - Measurements of OpenMP's constructs -*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All results are nanoseconds, never below 0: work with the construct less the same
// work without, `repetitions` times in turns, in batches; of the batches' medians
// the least, which other programs disturbed least.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace overheads {

extern const char *const runtimeName;

/// From the master's meeting a parallel region to its last thread's start.
double forkCost(int threads, int repetitions);
/// From the last thread's end to the master's going on.
double joinCost(int threads, int repetitions);
/// From the release of a lock that others wait for to the next one's start.
double handoffCost(int threads, int repetitions);

/// A loop's cost per thread beyond its chunks, and the cost of a chunk, by schedule.
double staticStart(int threads, int repetitions);
double staticBlock(int threads, int repetitions);
double chunkStart(int threads, int repetitions);
double chunkChunk(int threads, int repetitions);
double queueStart(int threads, int repetitions);
double queueChunk(int threads, int repetitions);
double stealStart(int threads, int repetitions);
double stealChunk(int threads, int repetitions);

/// Taking and releasing a lock that nobody else wants.
double lockPair(int repetitions);
/// A region inside a region where only one level is active.
double serializedRegion(int repetitions);

} // namespace overheads
