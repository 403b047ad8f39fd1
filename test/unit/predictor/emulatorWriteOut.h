//===- emulatorWriteOut.h - A program tree as lists of pieces ---*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"
#include "predictor/tree/Tree.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace prophet::test {

struct Region;

/// One step of a thread's program.
struct Piece {
  enum class Kind : std::uint8_t { Compute, Acquire, Release, Enter, Leave, Fork };
  Kind kind;
  std::uint64_t ticks = 0; ///< Compute
  std::uint32_t which = 0; ///< lock; site of a section; Fork: that opens the outermost region
  std::shared_ptr<Region> region{}; ///< Fork
  bool isParallel = true;           ///< Acquire: in a section that a team executes
  bool isInSame = false;            ///< Leave: another section of the site is around
};
using Pieces = std::vector<Piece>;

/// Loops that one team executes, each behind `gap` ticks of code that every thread runs.
struct Region {
  struct Loop {
    std::uint32_t site;
    std::uint64_t gap;
    bool isInSame; ///< another section of the site is around
    std::vector<Pieces> iterations;
  };
  unsigned threads;
  std::vector<Loop> loops;
};

/// The program of `tree` as its first thread executes it under `options`, each repetition by
/// itself: which sections fork a team, and which share one, is decided here.
Pieces writeOut(const Tree &tree, const EmulationOptions &options);

} // namespace prophet::test
