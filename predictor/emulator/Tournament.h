//===- Tournament.h - Who of a fixed team acts next -------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EventHeap.h"

#include <bit>
#include <limits>

namespace prophet {

/// The next event of each of a team's threads, the first of all on top: a tree of matches. Unlike
/// EventHeap it can change any thread's event, in the steps that it takes to reach the top.
class Tournament {
public:
  static constexpr Time never = std::numeric_limits<Time>::max();

  explicit Tournament(std::size_t threads)
      : leaves(std::bit_ceil(threads)), matches(2 * leaves, Event{never, 0}) {}

  const Event &top() const { return matches[1]; }

  /// Lets a thread act at another time than before.
  void set(Event event) {
    std::size_t at = leaves + event.thread;
    for (matches[at] = event; at > 1; at /= 2) {
      // Of equal times the left one's thread is the lower-numbered.
      const Event &left = matches[at & ~std::size_t(1)], &right = matches[at | 1];
      const Event first = right.at < left.at ? right : left;
      Event &match = matches[at / 2];
      if (match.at == first.at && match.thread == first.thread)
        return; // as before, and so is all above
      match = first;
    }
  }

private:
  std::size_t leaves;
  std::vector<Event> matches; ///< by place in the tree: its root at 1, `n`'s children at 2n, 2n + 1
};

} // namespace prophet
