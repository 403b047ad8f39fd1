//===- Constructs.h - What single OpenMP constructs cost --------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each measures itself once, in a team of so many threads, in nanoseconds. Where
// the clock or another program interferes, a cheap construct can come out below 0.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace openmp_overheads {

/// From the master's meeting a parallel region to its last thread's start.
double forkCost(int threads);
/// From the last thread's end to the master's going on.
double joinCost(int threads);
/// From the release of a lock that others wait for to the next one's start; in a team of one, that
/// of lockPair().
double handoffCost(int threads);

/// A loop's cost per thread beyond its chunks, and that of a chunk, by schedule.
double staticStart(int threads);
double roundRobinStart(int threads);
double roundRobinChunk(int threads);
double queueStart(int threads);
double queueChunk(int threads);
/// The time between two chunks of a loop whose iterations are empty, whoever takes them.
double queueInterval(int threads);
double stealStart(int threads);
double stealChunk(int threads);
/// What a chunk costs one of two threads more, while the other waits, that goes on in memory where
/// the one before it ended, in one stream, with more lines than the first cache has.
double stealRestart();
double guidedStart(int threads);
double guidedChunk(int threads);

/// Creating a task that waits in a queue, taking it out of there again and ending it.
double taskCreate(int threads);
/// What it costs more when another thread takes the task.
double taskSteal(int threads);
/// A taskwait with nothing to wait for.
double taskWait(int threads);

/// Taking and releasing a free lock.
double lockPair(int threads);
/// One of the turns that libgomp spins, as many as OMP_WAIT_POLICY says, before a thread sleeps.
double spinTurn(int threads);
/// A parallel region inside another, below max_active_levels.
double serializedRegion(int threads);

} // namespace openmp_overheads
