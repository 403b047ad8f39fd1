//===- Synthesizer.h - Program trees run by a real OpenMP runtime *- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program-synthesis-based emulation of Parallel Prophet (§IV-E): the tree is
// run by the real runtime, computation is a delay. Which iterations a thread gets,
// and who gets a lock next, is then no model's answer but the runtime's. An
// executor (executor/main.cpp) is a program of its own, since a process has one
// OpenMP runtime and one wait policy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"
#include "predictor/support/Result.h"
#include "predictor/tree/Tree.h"

#include <string>
#include <vector>

namespace prophet {

/// What computation is while the runtime runs the tree. `Virtual`: a deadline; any number of
/// threads, and the order of their deadlines, whatever this machine has (executor/Turnstile.h).
/// `Spin`: the paper's FakeDelay, real time on real cores.
enum class Delay : std::uint8_t { Virtual, Spin };

/// One run that is asked for, and then what it took.
struct Synthesis {
  /// Overheads, block time and seed count for nothing: the runtime has its own.
  EmulationOptions options;
  Delay delay = Delay::Virtual;
  double nsPerTick = 1; ///< Spin: real time of a tick

  double ticks = 0;
  double wallSeconds = 0;  ///< real time that it took
  double foreignCores = 0; ///< that other processes kept busy meanwhile
  double waitedShare = 0;  ///< of its threads' time, for a core
};

/// Has the program `executor` run `tree` as `runs` say, which have one runtime, wait policy, kind
/// of delay and choice of parallel sites; fills in what they took.
/// \pre !unsupported(tree, options) for all of them.
std::optional<Error> synthesize(const Tree &tree, std::vector<Synthesis> &runs,
                                const std::string &executor);

/// The executor's file name for `runtime`.
std::string executorName(OmpRuntime runtime);

} // namespace prophet
