//===- Plan.h - What an executor is to run ----------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program tree as text, one node a line, children before parents, then the runs
// that are asked for. Lengths are whole units of time.
//
//   prophet-plan 1
//   locks 1
//   nodes 6
//   u 1200                 computation
//   l 0 300                computation that holds lock 0
//   h 0 2 0 1 1 1          lock 0 held over 2 children: (node, repeat) each
//   t 2 0 1 1 1            a task (and the program): its children
//   s 0 1 3 1000           a section of site 0: its tasks
//   c 2 4 0 4 70           sections that share a team: 2 of (section, computation before it)
//   sites 1
//   run 5 virtual 4 1      root, virtual CORES | spin NS_PER_UNIT, max_active_levels;
//   dynamic 1 4 1.0        then for each site: schedule, chunk, threads, burden factor
//   end
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

namespace synthesizer {

/// Virtual time in the plan's units.
using Time = std::int64_t;

enum class Kind : char {
  Compute = 'u',
  Locked = 'l',
  Holds = 'h',
  Task = 't',
  Section = 's',
  Chain = 'c'
};

struct Child {
  std::uint32_t node;
  std::int64_t number; ///< how often; of a Chain: computation before the section
};

struct Node {
  Kind kind;
  std::uint32_t ref = 0; ///< the lock or the site
  Time length = 0;
  std::vector<Child> children;
  std::vector<int> first; ///< Section: by child, its first iteration
  int iterations = 0;     ///< Section
};

/// OpenMP's schedules, and loops that are not to be parallel at all.
enum class Sharing : std::uint8_t {
  Static,
  StaticChunk,
  Dynamic,
  Monotonic,
  Guided,
  Auto,
  Sections,
  Serial,
};

struct SiteSettings {
  Sharing sharing;
  int chunk;
  int threads;   ///< in its team
  double factor; ///< of its computation's lengths
};

struct Run {
  std::uint32_t root;
  bool spin;        ///< or virtual
  double nsPerUnit; ///< spin
  unsigned cores;   ///< virtual
  int levels;       ///< max_active_levels
  std::vector<SiteSettings> sites;
};

struct Plan {
  unsigned locks = 0;
  std::vector<Node> nodes;
  std::vector<Run> runs;
};

/// \returns nothing where the text is wrong; `problem` then says why and in which line.
std::optional<Plan> readPlan(std::istream &text, std::string &problem);

} // namespace synthesizer
