//===- CacheReach.h - How long a last-level cache keeps how much -*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/Machine.h"
#include "predictor/calibration/Rounds.h"

#include <optional>

namespace prophet {

/// Where passes over ever more bytes are half way from the cache's pace to the memory's: so many
/// bytes, and how long such a pass takes. Nothing where the largest are not slower by half.
/// \param byKib GB/s of the passes
/// \param least bytes of which nothing is left in caches before this one
std::optional<memmodel::ReachPoint> halfWay(const std::map<unsigned, Figure> &byKib, double least);

/// The GB/s of passes that find all in the last-level cache; 0 where there are none.
/// \param least as above
double passesInCache(const std::map<unsigned, Figure> &byKib, double least);

/// What a last-level cache keeps.
struct MeasuredReach {
  std::vector<memmodel::ReachPoint> points; ///< in bytes
  double spread = 1;                        ///< as Cache::reachSpread
};

/// What memory-figures' group `reach` has shown of a last-level cache, in bytes: of one thread, and
/// of all that share it. A program's data comes to be there from memory, and some of it stays: of
/// passes from the most bytes to the least and back the geometric mean. What cores have to
/// themselves is not in it.
/// \param figures "reach.THREADS.down" and "reach.THREADS.up"
/// \param machine has its last-level cache
MeasuredReach reachOf(const std::map<std::string, std::map<unsigned, Figure>> &figures,
                      const memmodel::Machine &machine);

} // namespace prophet
