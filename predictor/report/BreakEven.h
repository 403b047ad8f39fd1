//===- BreakEven.h - From how many iterations on a loop gains ---*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Emulator.h"

#include <cstdint>
#include <optional>

namespace prophet {

/// When a loop of n iterations of l nanoseconds is faster on T threads than on one:
/// n r l > F + n l / s + n d / (c T), where F is what the region and the loop's start cost, s the
/// speedup if neither these nor chunks cost anything, d what each chunk of c iterations costs, and
/// r how much longer than the serial program's an iteration takes without a team.
struct BreakEven {
  double fixedNs = 0; ///< F
  double savedNs = 0; ///< r l - l / s - d / (c T): what an iteration saves; below 0: loses
  /// The most iterations that do not gain; nothing where no number of them does.
  std::optional<std::uint64_t> trips() const;
};

/// What is known of a loop's iterations.
struct LoopFigures {
  double iterationNs = 0; ///< the mean, in the serial program
  double freeSpeedup = 1; ///< as freeSpeedup() has it
  double asleep = 0;      ///< SiteEstimate::asleep
  double aloneRatio = 1;  ///< r: its body ratio where it stays OpenMP's function without a team
};

BreakEven breakEven(const LoopFigures &loop, const Schedule &schedule,
                    const EmulationOptions &options);

/// The speedup of `site`, if it alone is parallel under `schedule` and OpenMP costs nothing but
/// what its locks do: what locks, memory and unequal iterations leave of T. Without locks it is as
/// if the trip counts were multiples of T chunks.
/// \param emulator of `tree`.
double freeSpeedup(const Tree &tree, const Emulator &emulator, std::uint32_t site,
                   const Schedule &schedule, const EmulationOptions &options);

} // namespace prophet
