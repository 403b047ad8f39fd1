//===- Handover.h - How far cores are from each other -----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host of a virtual machine may run two of its processors beside each other at
// one time, behind the same last-level cache, and far apart at another. What moves
// between them, and how much cache they have, differs several times then.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/openmp/Now.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace openmp_overheads {

/// With how many other threads the first one hands a line to and fro, at most.
inline constexpr unsigned mostPartners = 15;

/// A line that two threads hand to and fro.
struct Baton {
  alignas(128) std::atomic<unsigned> turn{0};
  alignas(128) std::atomic<bool> dropped{false};
};

/// Hands the line to and fro with another thread, which does the same at the same time as the
/// other side (0 or 1). \returns ns that it takes one way: the median of pieces, as a hypervisor
/// may halt a core. Side 0 gives up after 20 ms, which two threads need for few that have one
/// core; then it is of what they have done, and side 1's is nothing.
inline double handOver(Baton &baton, unsigned side) {
  constexpr unsigned pieces = 5, times = 1000, oftenPolled = 4096;
  constexpr double longest = 2e7;
  std::array<double, pieces> ns;
  const double first = now();
  for (double &piece : ns) {
    const double begin = now();
    for (unsigned i = 0; i < times; ++i) {
      for (unsigned polls = 1; baton.turn.load(std::memory_order_acquire) != side; ++polls) {
        if (side == 1 && baton.dropped.load(std::memory_order_relaxed))
          return 0;
        if (side == 0 && polls % oftenPolled == 0 && now() - first > longest) {
          baton.dropped.store(true, std::memory_order_relaxed);
          return (now() - begin) / (2 * (i + 1));
        }
      }
      baton.turn.store(1 - side, std::memory_order_release);
    }
    piece = (now() - begin) / (2 * times);
  }
  std::ranges::nth_element(ns, ns.begin() + pieces / 2);
  return ns[pieces / 2];
}

} // namespace openmp_overheads
