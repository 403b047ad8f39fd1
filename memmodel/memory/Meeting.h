//===- Meeting.h - Where threads wait for each other ------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/memory/Crew.h"

#include <atomic>

namespace memory_figures {

/// Where a number of threads wait until all are there, again and again, until they are told to
/// stop. Behind that it is of no use: who waited then counts as one that has come.
class Meeting {
public:
  explicit Meeting(unsigned threads) : threads(threads) {}

  /// Comes back when all have come, or when `meter` is told to stop.
  void attend(const Meter &meter) {
    const unsigned before = held.load(std::memory_order_acquire);
    if (come.fetch_add(1, std::memory_order_acq_rel) + 1 == threads) {
      come.store(0, std::memory_order_relaxed);
      held.store(before + 1, std::memory_order_release);
      return;
    }
    while (held.load(std::memory_order_acquire) == before && meter.goOn()) {
#if defined(__x86_64__) || defined(__i386__)
      __builtin_ia32_pause(); // for whoever shares the core
#endif
    }
  }

private:
  const unsigned threads;
  alignas(128) std::atomic<unsigned> come{0};
  alignas(128) std::atomic<unsigned> held{0};
};

} // namespace memory_figures
