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
//   prophet-plan 3
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
//   sleep 1e9              virtual: for how long threads spin;
//   handoffs 9 0 2 5 8 7 9 a free lock, whether locks barge, and up to how many threads
//                          may wait: the way to one of 1, 2, ..., which spins or sleeps;
//   teams 1 4              the sizes that teams have, how many and which; for each and
//   costs 1 2 3 4 ...      then each site what its constructs cost (SiteCosts, in that order)
//   end
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
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

struct LoopCosts {
  Time start = 0; ///< for each thread
  Time chunk = 0; ///< of each, for the thread that takes it
  Time turn = 0;  ///< at least so much after one chunk a thread has its next
};

/// What the constructs of a site cost in virtual time, where the runtime's own doing costs nothing.
struct SiteCosts {
  struct Waits {
    Time fork = 0, join = 0;
  } spinning, asleep; ///< by what the threads do that wait for it
  Time create = 0, steal = 0, wait = 0;
  LoopCosts few,
      many; ///< loops of fewer iterations than `enough`, which may be dealt out otherwise
  int enough = 0;
  // Where it runs on one thread inside another region:
  Time region = 0, chunk = 0;
  int chunkSize = 0; ///< 0: a loop is one chunk
  Time task = 0, tasksEnd = 0;
  int pieces = 0; ///< so many tasks are made of a loop, at most

  const LoopCosts &loop(int iterations) const { return iterations < enough ? few : many; }
  /// Of such a loop beyond its iterations.
  Time alone(int iterations) const {
    const int chunks =
        chunkSize == 0 ? iterations > 0 : iterations / chunkSize + (iterations % chunkSize != 0);
    return region + chunk * chunks;
  }
};

struct SiteSettings {
  Sharing sharing;
  int chunk;
  int threads;   ///< in its team
  double factor; ///< of its computation's lengths
};

/// What constructs cost in teams of one size, by site.
using TeamCosts = std::vector<SiteCosts>;

/// What locks cost in virtual time.
struct LockCosts {
  Time pair = 0;       ///< one that is free
  bool barges = false; ///< who is woken up for one may find that another has it
  /// From a release to the next holder's start, by how many threads wait; and the same where that
  /// one slept. Of more than are known, as of the most.
  std::vector<Time> spinning, asleep;

  Time handoff(bool slept, std::size_t waiting) const {
    const std::vector<Time> &costs = slept ? asleep : spinning;
    return costs.empty() ? 0 : costs[std::min(waiting, costs.size()) - 1];
  }
  /// What others that wait for it add to the way of a lock.
  Time crowding(std::size_t waiting) const {
    return std::max<Time>(0, handoff(false, waiting) - handoff(false, 1));
  }
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
  double blockTime = 0;           ///< virtual: how long a thread waits before it sleeps
  LockCosts locks;                ///< virtual
  std::map<int, TeamCosts> teams; ///< virtual: by size

  /// What constructs of `site` cost in a team of `threads`; where threads spin, they take their
  /// time.
  const SiteCosts &costsOf(std::uint32_t site, int threads) const {
    static const SiteCosts none;
    const auto found = teams.find(threads);
    return found == teams.end() ? none : found->second[site];
  }
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

  /// What all tasks of `section` cost a thread that is alone in its team.
  Time tasksAlone(const Node &section, Sharing sharing, const SiteCosts &costs) const {
    std::int64_t tasks = 0;
    if (sharing == Sharing::Taskloop)
      tasks = std::min(section.iterations, costs.pieces);
    else
      for (const Child &child : section.children)
        tasks += nodes[child.node].kind == Kind::Task ? child.number : 0;
    return costs.task * tasks + costs.tasksEnd;
  }
  std::size_t sites() const { return runs.empty() ? 0 : runs.front().sites.size(); }
};

/// \returns nothing where the text is wrong; `problem` then says why and in which line.
std::optional<Plan> readPlan(std::string_view text, std::string &problem);

} // namespace synthesizer
