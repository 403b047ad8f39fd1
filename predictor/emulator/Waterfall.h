//===- Waterfall.h - Where the threads' time goes ---------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads x elapsed time, split without a remainder: by what it is spent on, by
// the site that spends it, and by lock. All times are multiples of one power
// of two of a tick and small enough for a double, so they add up exactly, in any
// order, also for whoever reads them from a file.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <vector>

namespace prophet {

/// Thread-time by what it is spent on; in ticks, or in shares of the whole.
struct TimeParts {
  double useful = 0;    ///< the program's own work
  double serial = 0;    ///< threads that are idle, or do not exist, for want of parallel code
  double imbalance = 0; ///< waiting at a loop's end
  double lock = 0;      ///< waiting for a lock
  double overhead = 0;  ///< OpenMP's own work
  double memory = 0;    ///< what burden factors add
  double cores = 0;     ///< ready, but without a core
  double outlining = 0; ///< what slower loop bodies add: EmulationOptions::bodyRatios

  double sum() const {
    return useful + serial + imbalance + lock + overhead + memory + cores + outlining;
  }
  TimeParts &operator+=(const TimeParts &other);
};

/// How long threads wait for one lock in the loops and teams of one site.
struct LockTime {
  std::uint32_t site, lock;
  double ticks;
};

struct Waterfall {
  double width = 1;             ///< threads that count: the team's, or the cores of nested teams
  double threadTicks = 0;       ///< width x elapsed; program.sum()
  TimeParts program;            ///< outside + all of `sites`
  TimeParts outside;            ///< outside of any region
  std::vector<TimeParts> sites; ///< by site, of its loops and of the teams that its sections open
                                ///< (and their tasks), but not of other sites' inside of these
  /// By the site whose section opens the region from serial code, all in it included; these sums
  /// are rounded.
  std::vector<TimeParts> regions;
  std::vector<LockTime> locks; ///< by site, then lock; a site's add up to its `lock`

  /// Of `program.serial`, what is in regions: inner teams come and go, and clauses ask for small
  /// teams.
  double withoutThread() const { return program.serial - outside.serial; }
  /// What all sites together wait for lock number `lock`.
  double waitFor(std::uint32_t lock) const;
  /// `program` in shares of `threadTicks`.
  TimeParts shares() const;
};

/// Makes the sums exact: rounds every part of `outside`, `sites` and `locks` to a common power of
/// two, gives what rounding leaves of `threadTicks` to the largest one, and fills in the sums.
void settle(Waterfall &waterfall);

} // namespace prophet
