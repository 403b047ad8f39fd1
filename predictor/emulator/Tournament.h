//===- Tournament.h - Who of many acts next ---------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EventHeap.h"

#include <cassert>
#include <limits>

namespace prophet {

/// The next event at each of some places, the first of all on top: a tree of matches. Unlike
/// EventHeap it can change the event of any place, in the steps that it takes to reach the top.
class Tournament {
public:
  static constexpr Time never = std::numeric_limits<Time>::max();

  /// \pre places > 0
  explicit Tournament(std::size_t places) : leaves(places), matches(2 * places, Event{never, 0}) {}

  const Event &top() const { return matches[1]; }

  /// Where each thread has a place of its own.
  void set(Event event) { set(event.thread, event); }
  /// Has the next event at `place` be another one than before. \pre event.at >= 0
  void set(std::size_t place, Event event) {
    assert(event.at >= 0 && place < leaves);
    std::size_t at = leaves + place;
    for (matches[at] = event; at > 1; at /= 2) {
      const Event other = matches[at ^ 1];
      // Who wins nobody can foresee: this must be no branch.
      const bool loses = keyOf(other) < keyOf(event);
      Time mask = -Time{loses};
      asm("" : "+r"(mask));
      event.at ^= (event.at ^ other.at) & mask;
      event.thread ^= (event.thread ^ other.thread) & static_cast<std::uint32_t>(mask);
      matches[at / 2] = event;
    }
  }

private:
  __extension__ using Key = unsigned __int128;
  /// Of two events that goes first whose key is less: one subtraction with a borrow.
  static Key keyOf(const Event &event) {
    return Key(static_cast<std::uint64_t>(event.at)) << 64 | event.thread;
  }

  std::size_t leaves;
  /// By place in the tree: its root at 1, `n`'s children at 2n and 2n + 1, the events from `leaves`
  /// on.
  std::vector<Event> matches;
};

} // namespace prophet
