//===- Locks.h - Who holds a lock and who waits for it ----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The locks of both event engines. A lock goes to the thread that has waited for
// it longest.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/SerialCosts.h"

#include <optional>
#include <vector>

namespace prophet {

inline constexpr std::uint32_t nobody = ~0u;

class Locks {
public:
  explicit Locks(std::size_t count) : locks(count) {}

  /// `thread` asks, at `now`, for the lock `lock` of the L node `node`. \returns whether it has it;
  /// if not, it waits.
  bool acquire(std::uint32_t lock, std::uint32_t thread, NodeId node, double now);

  /// A thread for which `lock` has become free, and what it wanted it for.
  struct Heir {
    std::uint32_t thread;
    NodeId node;
    double since; ///< when it asked
  };
  /// The holder of `lock` releases it; \returns whose it is now.
  std::optional<Heir> release(std::uint32_t lock, double now);

  /// Adds what was waited since the last call, by threads in regions of `site`, `executions` times.
  void addWaits(Tally &tally, std::uint32_t site, double executions);

private:
  struct Lock {
    bool held = false;
    std::uint32_t firstWaiter = nobody, lastWaiter = nobody;
    double waited = 0; ///< for it, since the last addWaits()
  };
  struct Waiter {
    NodeId node = 0;
    std::uint32_t next = nobody; ///< behind it in the queue
    double since = 0;
  };
  std::vector<Lock> locks;
  std::vector<Waiter> waiters;          ///< by thread
  std::vector<std::uint32_t> contended; ///< locks that were waited for
};

} // namespace prophet
