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
#include <functional>
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

/// Who executes a task of a section, and when: from where the section begins, in tasks of mean
/// length.
struct Turn {
  unsigned thread;
  double begin;
  double length = 1;
};
/// How the tasks of a section are dealt, by its number among the log's parts.
using Dealing = std::function<Turn(std::size_t part, std::uint64_t task)>;

/// One block of tasks for each of `threads` threads; \param chunk or chunks of so many by turns,
/// where that is not 0: OpenMP's static and static,CHUNK. All take equally long.
Turn dealTask(std::uint64_t task, std::uint64_t size, unsigned threads, std::uint64_t chunk);

/// How long things take, for what shared caches lose meanwhile (CacheSizes::reach).
struct TaskTimes {
  /// Of a task in the serial run, by site, in the mean. Empty: no time counts, and caches have
  /// their sizes.
  std::vector<double> taskNs{};
  double beforeNs = 0;  ///< of serial code, up to the first section
  double betweenNs = 0; ///< of that, from a section that the log has to the next one
  /// How many times as long the tasks of a section take, by its number among the log's parts, that
  /// has `moved` this: the site's next section is taken to. Empty: as long as in the serial run.
  std::function<double(std::size_t part, const Traffic &moved)> burden{};
  /// The same as taskNs by part of the log, where that is known, else 0. Empty: of none.
  std::vector<double> partNs{};
  /// Whether a part's tasks are dealt as those of one before it that has as many. Empty: all are.
  std::function<bool(std::size_t part, std::size_t before)> areAlike{};
  /// When the last thread of a section is ready, by its part, from where it begins, in tasks of
  /// mean length. Empty: all are at the same time.
  std::function<double(std::size_t part)> end{};

  /// Of a task of part number `part`, which is one of `site`, in the mean. \pre time counts
  double taskNsOf(std::size_t part, std::uint32_t site) const {
    const double known = partNs.empty() ? 0 : partNs[part];
    return known > 0 ? known : taskNs[site];
  }
};

/// What the caches of `threads` threads let through, by part of the log. Thread 0 executes what
/// is outside of sections. References of a task are spread evenly over its time. Parts that repeat
/// others which move what those before them have (SteadyParts.h) are taken to move the same.
std::vector<Traffic> replayParts(const AccessLog &log, unsigned threads, CacheSizes sizes,
                                 const Dealing &deal, const TaskTimes &times = {});

/// Parts' traffic by site, and last outside of sections.
std::vector<Traffic> trafficBySite(const AccessLog &log, std::size_t sites,
                                   const std::vector<Traffic> &byPart);

/// Both at once, where no time counts.
std::vector<Traffic> replayProgram(const AccessLog &log, std::size_t sites, unsigned threads,
                                   const CacheSizes &sizes, const Dealing &deal);

} // namespace prophet::memmodel
