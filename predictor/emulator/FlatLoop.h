//===- FlatLoop.h - A loop whose tasks do not meet --------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Outline.h"
#include "predictor/emulator/RegionContext.h"

namespace prophet {

/// Whether the region of just `section` can be computed from its tasks' lengths alone: no lock,
/// inner team or listener asks for the order of events.
bool isFlat(const RegionContext &context, NodeId section);

/// What the threads of a team do in a loop that is computed from its tasks' lengths alone.
struct FlatShares {
  double work = 0;     ///< with the burden factor
  double overhead = 0; ///< of OpenMP: starts, chunks, inner regions
  double turns = 0;    ///< waiting for a turn at the counter
};

/// Has a team of `threads` execute the loop of `section`, tasks at `factor`. The `i`th thread comes
/// to it at `finish[i]`, at which it first pays the loop's start, and leaves it at what `finish[i]`
/// is then. Where all come at once, those without a chunk can be left out at the end.
/// \param onCore threads that share a core on which they stay: while one waits for its turn at the
/// counter, the others compute
/// \pre nothing in the section is to be seen from outside: no lock, no inner team
FlatShares runFlatLoop(const RegionContext &context, NodeId section, unsigned threads,
                       double factor, std::vector<Time> &finish, double onCore = 1);

/// Adds to the tally what lies inside the tasks of such a loop, executed `executions` times.
void addInside(const RegionContext &context, NodeId section, double factor, double executions);

/// Adds the executions of such a region to the tally; returns one of them. The cost depends on the
/// number of runs of equal tasks, not on the trip count.
ThreadTimes runFlat(const RegionContext &context, const Region &region);

} // namespace prophet
