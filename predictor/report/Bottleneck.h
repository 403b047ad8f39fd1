//===- Bottleneck.h - Why more threads are no use -----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the threads' time goes does not say what holds a program back: a team
// that is twice as large idles twice as much, whatever it waits for. So the
// program is emulated again without each thing that may be the reason.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Emulator.h"

#include <cstdint>
#include <optional>
#include <string>

namespace prophet {

/// A program that is no faster on `many` threads than on `few`.
struct StalledProgram {
  const Tree &tree;
  const Emulator &emulator; ///< of `tree`
  EmulationOptions options; ///< of both runs but for the threads
  unsigned few = 1, many = 2;
  const Estimate &onFew, &onMany;
  bool hurts = false;      ///< it is slower on `many`
  unsigned locksTried = 4; ///< that are left out one by one, where several are waited for
  unsigned jobs = 1;       ///< emulations at a time; no effect on the result
};

struct Bottleneck {
  std::string cause;                 ///< a key of the loss shares; "": there is none
  std::optional<std::uint32_t> lock; ///< the one, where the cause is "lock"
  bool isInRegions = false;          ///< where it is "serial": threads are missing in regions
};

/// What many threads gain without, over few threads without it; or where they hurt, what they do
/// not hurt without: serial code, locks, OpenMP's overhead, slower memory, missing cores (few
/// threads have those that there are). Of several that without which many threads are fastest.
/// Where none of these is it, or is little beside the rest, the work cannot be divided further:
/// "imbalance". Cost: at most two emulations for each of these that `onMany` has, two without all
/// of them, and `locksTried`.
Bottleneck findBottleneck(const StalledProgram &program);

/// The estimate under `options` without gains: one run, or where threads are placed at random, so
/// that runs lie far apart, the mean of several.
Estimate typicalEstimate(const Emulator &emulator, const EmulationOptions &options);

} // namespace prophet
