//===- emulatorReference.h - A slow, plain emulator to test against *- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shares no code with the emulator. The program is written out, every iteration
// a list of pieces; then all threads are stepped from one event to the next. With
// R of them ready on P cores, work w of each takes w max(1, R/P): whole numbers
// of 1/P tick, so nothing is rounded. Slow and obvious.
//
// Threads act in the order of time, then of their place: a team's by number, and
// right behind their master. A piece, even of no length, ends in a new act. Locks
// are first come, first served, but where they cost something in libgomp, which
// wakes a thread that may find the lock taken. Each lock or queue that two threads
// turn to at one moment leaves open who is first: that is reported.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"
#include "predictor/tree/Tree.h"

#include <map>
#include <utility>
#include <vector>

namespace prophet::test {

struct ReferenceTimes {
  double ticks = 0;              ///< of the whole program
  std::vector<double> sites;     ///< by site: elapsed, of its outermost executions
  std::vector<double> imbalance; ///< thread-time by the site of the team's last loop
  std::vector<double> cores;     ///< ... by the site of the loop that threads are in
  /// ... by the site of the loop that the thread is in, and by lock.
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> locks;
  unsigned innerTeams = 0, flows = 0; ///< teams forked in teams; threads from one loop to the next
  /// At some moment threads of inner teams could have gone in another order.
  bool contested = false;
};

/// What `tree` takes under `options`, without burden factors, tasks and other overheads than those
/// of locks.
/// \pre all lengths and costs are whole numbers of ticks; who waits for a lock sleeps at once (with
/// a block time of 0) or never.
ReferenceTimes reference(const Tree &tree, const EmulationOptions &options);

} // namespace prophet::test
