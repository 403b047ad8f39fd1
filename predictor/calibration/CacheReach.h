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
#include <utility>
#include <vector>

namespace prophet {

/// Where passes over ever more bytes are so far on the way from the cache's pace to the memory's:
/// so many bytes, and how long such a pass takes. Nothing where the memory is not slower by half,
/// or where passes do not get there.
/// \param part of the way, between 0 and 1
/// \param byKib GB/s of the passes, pauses included
/// \param least bytes of which nothing is left in caches before this one
/// \param pauseNsPerByte what they pause
/// \param farGbs of such passes without pauses that have all from memory
std::optional<memmodel::ReachPoint> partWay(double part, const std::map<unsigned, double> &byKib,
                                            double least, double pauseNsPerByte, double farGbs);

/// The GB/s of passes without pauses that find all in the last-level cache; 0 where there are none.
/// \param least as above
double passesInCache(const std::map<unsigned, double> &byKib, double least);

/// Where passes of one kind are half way, less what cores have to themselves.
struct CacheEnd {
  std::pair<unsigned, unsigned> passes; ///< threads, and the ns that each pauses after a line
  bool isUp = true;                     ///< through ever more bytes, or ever fewer
  memmodel::ReachPoint point;           ///< in bytes
  /// A quarter of the way, and three; nothing where they do not get there.
  std::optional<std::pair<memmodel::ReachPoint, memmodel::ReachPoint>> quarters{};
};

/// What a window of memory-figures' group `reach` has shown of a last-level cache.
/// \param figures "reach.THREADS.PAUSE.up" and ".down", and "reach.THREADS.far" from memory
/// \param machine has its last-level cache
std::vector<CacheEnd> endsOf(const std::map<std::string, std::map<unsigned, double>> &figures,
                             const memmodel::Machine &machine);

/// What a last-level cache keeps.
struct MeasuredReach {
  std::map<std::pair<unsigned, unsigned>, memmodel::ReachPoint>
      ends;          ///< in bytes, by CacheEnd::passes
  double spread = 1; ///< as Cache::reachSpread
};

/// Of the windows' ends the median, one way and the other. Passes come to the same both ways, after
/// many of them, which is between: the geometric mean. From that nine of ten ends are not farther
/// than the spread.
MeasuredReach reachOf(const std::vector<std::vector<CacheEnd>> &windows);

/// How gradually such a cache ends: of the logarithm of how many times the reach has what is there,
/// as if it followed a normal distribution; the median of all passes. Nothing where none show it.
/// \param caches that several threads have, with a part of what they fill in each
std::optional<double> sigmaOf(const std::vector<std::vector<CacheEnd>> &windows,
                              const memmodel::Reach &reach, unsigned caches);

/// How many last-level caches the threads have, as their passes end: together they fill so many
/// times what one of them does in that time. Where one thread finds less the longer it takes, as
/// others fill its cache, and threads are back earlier together, they may find more in one: 1.
/// Times are known to 15 %: what one finds is taken to be what it does so much earlier.
unsigned cachesOf(const MeasuredReach &reach);

} // namespace prophet
