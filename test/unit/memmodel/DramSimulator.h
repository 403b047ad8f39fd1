//===- DramSimulator.h - A queueing model of a memory system ----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cores that compute and miss, channels with banks that serve the misses: a closed
// loop, simulated request by request. It knows nothing of the memory models, which
// are tried on it: what the models assume (one latency for all, stalls that add up,
// a fixed number of misses under way) is not put in here.
//
// A core issues misses in batches of as many as its window holds; then it computes,
// the first part while the batch is under way; after some of them it may pause. Dirty lines go back
// without anybody waiting, unless the core's write buffer is full. A bank takes requests in the
// order in which they arrive and opens a row, where it is not open; the channel's bus moves lines
// in the order in which their rows are open, after a pause where it turns from reading to writing.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/CurveModel.h"

#include <cstdint>
#include <vector>

namespace dram {

/// The memory system; times in ns.
struct Memory {
  unsigned channels = 2;
  unsigned banks = 16;          ///< of each channel
  double path = 55;             ///< from the core to the channel and back
  double rowHit = 14, row = 42; ///< of a bank, whose row is open or is not
  double burst = 3.3;           ///< of a channel's bus, for a line
  double turn = 7.5;            ///< between a read and a write
};

/// How a core meets the memory by one kind of access.
struct Kind {
  double window; ///< misses in a batch
  double rowHits;
};

/// By AccessClass: what cores of one machine can do.
using Core = std::array<Kind, prophet::memmodel::accessClasses>;

/// What one thread runs.
struct Workload {
  /// The shares of the misses that each class has; they add up to 1.
  std::array<double, prophet::memmodel::accessClasses> mix{};
  double compute = 0;    ///< ns for each miss, on average
  double overlap = 0;    ///< the share of it that goes on while the misses are under way
  double writeBacks = 0; ///< for each miss, up to 1
  double chunk = 0;      ///< misses after which it has a pause; 0: it has none
  double pause = 0;      ///< ns
};

struct Run {
  double ns = 0;                      ///< that a thread needs for `misses`, on average
  double gbs = 0;                     ///< all threads', while all run
  prophet::memmodel::Traffic traffic; ///< one thread's
};

/// `threads` run the same workload, until the last has had `misses`.
Run run(const Memory &memory, const Core &core, const Workload &workload, unsigned threads,
        unsigned misses, std::uint64_t seed);

/// The latency that a chasing thread sees beside `generators` threads that stream with `compute` ns
/// between two misses, and the bandwidth of all.
prophet::memmodel::CurvePoint loaded(const Memory &memory, const Core &core, double writeBacks,
                                     unsigned generators, double compute);

/// The machine as calibration would see it: curves for read shares of 1, 3/4, 2/3 and 1/2, with
/// `threads` cores in all, and each class's bandwidth on one thread.
prophet::memmodel::MemorySystem calibrate(const Memory &memory, const Core &core, unsigned threads);

} // namespace dram
