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
  explicit Tournament(std::size_t places) : leaves(places), matches(2 * places, Entry{never, 0}) {}

  Event top() const { return {matches[1].at, static_cast<std::uint32_t>(matches[1].thread)}; }

  /// Where each thread has a place of its own.
  void set(Event event) { set(event.thread, event); }
  /// Has the next event at `place` be another one than before. \pre event.at >= 0
  void set(std::size_t place, Event event) {
    assert(event.at >= 0 && place < leaves);
    std::size_t at = leaves + place;
    Entry *const tree = matches.data();
    Entry first{event.at, event.thread};
    for (tree[at] = first; at > 1; tree[at] = first) {
      first = earlier(tree[at ^ 1], first);
      at /= 2;
    }
  }

private:
  /// An Event as it is compared.
  struct Entry {
    Time at;
    std::uint64_t thread;
  };

  /// Which of two it is nobody can foresee, so this must be no branch, and compilers do not leave
  /// it at that: one subtraction with a borrow, and what it says.
  static Entry earlier(const Entry &one, Entry other) {
#if defined(__x86_64__) && !defined(PROPHET_SANITIZE) // which do not see into it
    Time borrow = one.at;
    asm("cmpq %[otherThread], %[thread]\n\t"
        "sbbq %[otherAt], %[borrow]\n\t"
        "cmovlq %[at], %[otherAt]\n\t"
        "cmovlq %[thread], %[otherThread]"
        : [otherAt] "+&r"(other.at), [otherThread] "+r"(other.thread), [borrow] "+&r"(borrow)
        : [at] "m"(one.at), [thread] "r"(one.thread)
        : "cc");
    return other;
#else
    const bool isOne = one.at != other.at ? one.at < other.at : one.thread < other.thread;
    return isOne ? one : other;
#endif
  }

  std::size_t leaves;
  /// By place in the tree: its root at 1, `n`'s children at 2n and 2n + 1, the events from `leaves`
  /// on.
  std::vector<Entry> matches;
};

} // namespace prophet
