//===- SharedCache.h - A last-level cache of a replay -----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fully associative, and evicts what is unused longest. One that others fill, too, has
// a reach and loses what is used too late. Where a measured cache ends is not sharp, by
// how its sets fill and what it evicts: lines have the reach, of sizes and of times, so
// many times as follows a normal distribution of the logarithm. Eighths of them, by
// number, have as much as the middle of theirs.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/LruCache.h"
#include "memmodel/Reach.h"

#include <optional>
#include <vector>

namespace prophet::memmodel {

class SharedCache {
public:
  using Line = LruCache::Line;

  /// Of so many lines; it ends sharply.
  explicit SharedCache(double lines);
  /// \param reach in lines; a single point: its size at all times
  /// \param sigma of the logarithm; 0: it ends sharply
  /// \param rate the share of all lines that are there, which has as small a share of the cache
  SharedCache(const std::vector<ReachPoint> &reach, double sigma, double rate);

  bool contains(Line line) const { return partOf(line).contains(line); }
  void erase(Line line) {
    partOf(line).erase(line);
    change(line);
  }
  /// Makes `line` the one used last. Returns the line that has to go for it, if one has.
  std::optional<Line> use(Line line, double now);
  /// Drops a line that is no more there by `now`, ns, and returns it, if there is one.
  std::optional<Line> forget(double now);
  /// What was used from `since` on is used again so much later.
  void passTime(double since, double ns);

private:
  std::vector<LruCache> parts; ///< of lines, by number
  std::vector<double> times;   ///< the reach, by part
  std::optional<Reach> reach;
  double rate = 1;
  std::vector<double> usedAt; ///< by line
  std::vector<std::optional<double>>
      losesAt; ///< by part, if nothing happens to it; none: not known
  /// By part and its number of lines: for how long all of them are kept, ns.
  std::vector<std::vector<std::optional<double>>> keptFor;

  double keeps(std::size_t part);
  double lossOf(std::size_t part);
  void change(Line line) {
    if (reach)
      losesAt[line % parts.size()].reset();
  }

  LruCache &partOf(Line line) { return parts[line % parts.size()]; }
  const LruCache &partOf(Line line) const { return parts[line % parts.size()]; }
};

} // namespace prophet::memmodel
