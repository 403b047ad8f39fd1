//===- Runtime.h - What main needs of a runtime -----------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenMPRuntime.cpp, TbbRuntime.cpp and CilkRuntime.cpp have each its own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/synthesizer/executor/Plan.h"
#include "predictor/synthesizer/executor/WalkCosts.h"

namespace synthesizer {

/// "libomp", "libgomp": that of the compiler that built this. Or "oneTBB", "OpenCilk".
extern const char *const runtimeName;
/// Its threads are there when the program ends, and may find destroyed what they use.
extern const bool keepsThreads;

/// What a run took, in units.
struct Times {
  double whole = 0;
  std::vector<double> groups; ///< the items of each, added up
  double overhead = 0;        ///< of the walk itself: taken off
};
/// Before the first run.
void prepareRuntime(const Plan &plan);
/// Has the runtime make its threads, and the system put them on cores of their own.
void warmUp(const Run &run);
Times execute(const Plan &plan, const Run &run, UnitCosts costs);
/// Whether threads that tasks are for are woken up by the runtime, and not by the turnstile.
bool wakesThreads(const Plan &plan);

/// Ends the process: the run cannot go on, and its threads cannot be unwound.
[[noreturn]] void giveUp(const char *why);

} // namespace synthesizer
