//===- emulatorTasks.h - What the tests of tasks share ----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "emulatorTrees.h"
#include "predictor/emulator/Emulator.h"

namespace prophet::test {

inline constexpr Paradigm All[] = {Paradigm::OpenMP, Paradigm::Tasks, Paradigm::Tbb,
                                   Paradigm::Cilk};

inline EmulationOptions with(Paradigm paradigm, unsigned threads) {
  EmulationOptions options;
  options.paradigm = paradigm;
  options.threads = threads;
  return options;
}

inline double ticks(const Tree &tree, const EmulationOptions &options) {
  return emulate(tree, options).ticks;
}

} // namespace prophet::test
