//===- Reach.h - How long a cache keeps how much ----------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A last-level cache that others fill, too, as on a virtual machine, has no size: what
// is used again soon is still there, be it much, and of what is used again late there
// is little. Its reach says how much a machine finds there of what it used so long
// ago; it never rises with time. A cache that nobody else fills has the same reach at
// all times, its size.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <vector>

namespace prophet::memmodel {

struct ReachPoint {
  double ns;   ///< since it was used last, > 0
  double size; ///< so much is used between, and what was there is there still; > 0; in any unit

  bool operator==(const ReachPoint &) const = default;
};

class Reach {
public:
  /// \param points ns never fall and sizes never rise; not empty
  explicit Reach(std::vector<ReachPoint> points);

  /// After `ns`. Between points, linear in both logarithms; before the first, as there; behind the
  /// last one it goes on falling as from the first to there, by the root of time at least and by
  /// its square at most.
  double after(double ns) const;
  /// For how long `size` is kept, ns: after() has as much until then. 0: never; may be infinite.
  /// \param size > 0
  double keeps(double size) const;
  /// How many times its reach a cache has to have for what was used so long ago to be there, though
  /// so much was used since: as many times as much, as many times as late.
  double times(const ReachPoint &used) const;

private:
  std::vector<ReachPoint> points;

  double falls() const;
};

/// Points that were measured, in any order, as a Reach can have them. What one is wrong by it is
/// along with its pace, size by time, as one that goes through too many bytes takes too long for
/// them: so each keeps its pace, and they are as little larger or smaller as can be, by the sum of
/// the squares of logarithms, so that none has more than one that takes less time. Where it is time
/// alone that decides, all take equally long.
std::vector<ReachPoint> asReach(std::vector<ReachPoint> measured);

/// Whether a Reach can have them, or there are none.
bool isReach(const std::vector<ReachPoint> &points);

} // namespace prophet::memmodel
