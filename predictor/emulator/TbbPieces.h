//===- TbbPieces.h - How oneTBB cuts a loop into pieces ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// parallel_for's auto_partitioner (partitioner.h). A piece of a loop is a task. It
// first leaves right halves of itself to others, as tasks. What is left it cuts into
// ranges that it runs one after another, and behind each it looks whether its
// sibling, the piece that it was last split from, was stolen: then the last of the
// ranges becomes a task.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Locks.h"

#include <array>
#include <cstdint>

namespace prophet {

/// Two pieces that were one.
struct TbbSplit {
  std::uint32_t above = nobody; ///< the split that made the one that they were
  unsigned open = 2;            ///< pieces below it that are not done
  bool wasRobbed = false;       ///< one of the two was stolen while the other was not done
};

struct TbbPiece {
  static constexpr unsigned firstDepth = 5; ///< __TBB_INIT_DEPTH
  /// What the first of `threads` threads begins with.
  static TbbPiece whole(unsigned threads) { return {2ull * threads, firstDepth}; }

  std::uint64_t divisor = 0; ///< into so many pieces it is to be split
  unsigned depth = 0;        ///< what is left to this thread may be halved so often
  std::uint32_t split = nobody;

  /// Its ranges: to the left the next one, to be run from `begin`.
  struct Range {
    std::uint64_t end;
    unsigned depth;
  };
  std::array<Range, 8> ranges{}; ///< the rightmost first
  unsigned count = 0;
  bool isCut = false; ///< has ranges, or had

  /// Begins, on a thread that has `stolen` it from one that still runs its sibling, or not.
  void begin(bool stolen);
  bool isToSplit() const { return divisor > 1 || (divisor == 1 && depth > 0); }
  /// \returns its right half, whose place is not yet known.
  TbbPiece splitOff();
  /// Of [begin, end) \pre !isToSplit()
  void cut(std::uint64_t begin, std::uint64_t end);
  /// Halves the next range as often as it may be.
  void refill(std::uint64_t begin);
  bool canRefill(std::uint64_t begin) const;
  /// Its last range as a piece. \pre count > 1
  TbbPiece offer();
};

} // namespace prophet
