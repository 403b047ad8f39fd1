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
//   prophet-plan 2
//   realtime 1             1: at real-time priority, where that is permitted
//   pin 0                  cores of this machine to keep to, 0 for all
//   locks 1
//   nodes 6
//   u 1200                 computation
//   l 0 300                computation that holds lock 0
//   h 0 2 0 1 1 1          lock 0 held over 2 children: (node, repeat) each
//   t 2 0 1 1 1            a task: its children
//   s 0 1 3 1000           a section of site 0: its tasks
//   c 2 4 0 4 70           sections that share a team: 2 of (section, computation before it)
//   p 0 2 3 4 0 1          a section of site 0 whose tasks (3) are spawned between other code (0)
//   sites 1
//   groups 1
//   program 2 0 1 - 4 1 0  what it runs: 2 of (node, repeat, the group its time is added to)
//   run virtual 4 1        virtual CORES | spin NS_PER_UNIT, max_active_levels;
//   dynamic 1 4 1.0        then for each site: schedule, chunk, threads, burden factor
//   end
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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
  Chain = 'c',
  Spawner = 'p'
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

/// OpenMP's schedules, its tasks, and sections that are not to be parallel at all.
enum class Sharing : std::uint8_t {
  Static,
  StaticChunk,
  Dynamic,
  Monotonic,
  Guided,
  Auto,
  Sections,
  Tasks,    ///< each child a task
  Taskloop, ///< a loop as tasks
  Serial,
};

/// Whether sections are shared out as tasks.
inline bool isSpawning(Sharing sharing) {
  return sharing == Sharing::Tasks || sharing == Sharing::Taskloop;
}

struct SiteSettings {
  Sharing sharing;
  int chunk;
  int threads;   ///< in its team
  double factor; ///< of its computation's lengths
};

/// A part of the program at the outermost level.
struct Item {
  std::uint32_t node;
  std::int64_t repeat;
  std::optional<std::uint32_t> group; ///< none: serial, its time is known
};

struct Run {
  bool spin;        ///< or virtual
  double nsPerUnit; ///< spin
  unsigned cores;   ///< virtual
  int levels;       ///< max_active_levels
  std::vector<SiteSettings> sites;
};

/// The most threads that any team of `run` has, teams inside others aside.
inline int widestTeam(const Run &run) {
  int most = 1;
  for (const SiteSettings &site : run.sites)
    most = std::max(most, site.threads);
  return most;
}

struct Plan {
  bool realtime = false;
  unsigned pin = 0; ///< cores of this machine to keep to; 0: all
  unsigned locks = 0;
  std::vector<Node> nodes;
  unsigned groups = 0;
  std::vector<Item> program;
  std::vector<Run> runs;

  std::size_t sites() const { return runs.empty() ? 0 : runs.front().sites.size(); }
};

/// \returns nothing where the text is wrong; `problem` then says why and in which line.
std::optional<Plan> readPlan(std::string_view text, std::string &problem);

} // namespace synthesizer
