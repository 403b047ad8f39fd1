//===- emulatorPrograms.h - Random program trees of any shape ---*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trees whose sections lie in a row, inside each other and in shared nodes, with
// and without locks, and options of every kind to emulate them with. A case that
// fails is made smaller before it is printed.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"
#include "predictor/tree/Tree.h"

#include <functional>
#include <optional>
#include <random>
#include <string>

namespace prophet::test {

/// A tree, and how it is emulated.
struct Program {
  Tree tree;
  EmulationOptions options;
};

/// What a drawn program may have.
struct Shape {
  bool locks = true;
  bool nested = true; ///< sections inside sections
  bool ties = true;   ///< lengths of a few ticks, so that threads often meet
  bool nowait = true; ///< sections that share a team
  bool tasks = false; ///< sections of tasks, and the paradigms that make everything tasks
  bool cores = true;  ///< fewer cores than threads
  bool settings =
      true; ///< clauses of the sites' own, and runs with one site parallel or without it
};

/// Draws a program. Where inner teams and locks meet, lengths are drawn from so many that threads
/// hardly ever ask for one thing at the same moment.
Program drawProgram(std::mt19937_64 &random, const Shape &shape = {});

/// The smallest program on the way down from `program` for which `fails` still holds: children left
/// out, repeats and lengths cut down, options made plain.
Program shrink(Program program, const std::function<bool(const Program &)> &fails);

/// `program` as a program tree in JSON and the options for `prophet predict`.
std::string print(const Program &program);

/// How many programs a test draws: PROPHET_TEST_PROGRAMS, else `usual`, or a tenth of it where
/// sanitizers make everything slow.
std::uint64_t programsToDraw(std::uint64_t usual);

/// From PROPHET_TEST_SEED, else `usual`.
std::uint64_t seedOfPrograms(std::uint64_t usual);

} // namespace prophet::test
