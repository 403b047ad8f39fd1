//===- emulatorReference.h - A slow, plain emulator to test against *- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shares no code with the emulator: every iteration is written out as a list of
// segments, every event is found by looking at all threads. Slow and obvious.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <vector>

namespace prophet::test {

/// A stretch of a task; `lock` < 0: none.
struct Segment {
  int lock;
  double length;
};
using Task = std::vector<Segment>;

/// GuidedGnu, GuidedLlvm: schedule(guided,chunk) of libgomp and of libomp; AutoLlvm: libomp's auto.
enum class Policy { Static, StaticChunk, Queue, Steal, GuidedGnu, GuidedLlvm, AutoLlvm };

/// How long `tasks` take on `threads` threads and `cores` cores. Threads act in the order of
/// time, then of number; a segment, even of no length, ends in a new act; locks are FIFO.
double referenceTime(const std::vector<Task> &tasks, Policy policy, std::size_t chunk, int threads,
                     int cores);

} // namespace prophet::test
