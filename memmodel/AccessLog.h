//===- AccessLog.h - The references of a serial run -------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The `log` of a memory profile: which sampled lines each task of each outermost
// section used, in the order of the program, and the serial code between them.
//
//   {"rate": 0.015625, "complete": true,
//    "parts": [[SITE, TASKS, [TASK, REFERENCE, ...], ...], ..., PART, ...], "lines": [PLACE, ...],
//    "own": [LINE, ...]}
//
// PART is the number of a part before, from 0, that did the same, as those of iterations do.
// SITE is a number in the profile's `sites`, or -1 for code outside of sections,
// TASKS how many tasks the section had, TASK which one of them made the references
// (from 0), and a REFERENCE is its line, numbered from 0, times 8, plus 2 for each
// class in the profile's order, plus 1 for a write. PLACE is where in memory a line is,
// in lines, of the first, the second, ... (the lower 32 bits). References that any cache of
// 256 lines has are left out. LINE is the number of one that is of a variable that tasks declare,
// or that what they call does: each thread has another one. Without any the key is absent. Where
// `complete` is false the program went on.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/Replay.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace prophet::memmodel {

struct AccessLog {
  static constexpr std::uint32_t Outside = ~0u;

  struct Task {
    std::uint64_t number;     ///< in its section, from 0
    std::size_t first, count; ///< of `references`
  };
  struct Part {
    std::uint32_t site; ///< or Outside
    std::uint64_t size; ///< tasks, with references or without
    /// Of `tasks`: those with references, in order. Parts that did the same have the same ones.
    std::size_t first, count;
  };

  double rate = 1; ///< the share of all lines that is in the log
  bool complete = true;
  std::vector<Reference> references;
  std::vector<Task> tasks;
  std::vector<Part> parts;
  std::uint32_t lines = 0;           ///< that references have, if some are own ones
  std::vector<std::uint32_t> own;    ///< lines of which each thread has another one, in order
  std::vector<std::uint32_t> places; ///< of the lines in memory; empty: not known
};

/// \param sites how many the profile has
/// \param problem where there is no result: what is wrong
std::optional<AccessLog> readAccessLog(const nlohmann::json &log, std::size_t sites,
                                       std::string &problem);

} // namespace prophet::memmodel
