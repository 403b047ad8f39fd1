//===- Forecast.h - How long a runtime will take over a tree ----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before a tree is run: how many threads its teams have at once, and about how long
// it takes in virtual time, by what opens teams, asks for chunks and spawns tasks.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Chain.h"
#include "predictor/emulator/EmulationOptions.h"
#include "predictor/emulator/TimedTree.h"

#include <functional>
#include <vector>

namespace prophet {

/// Of a whole program.
class Forecast {
public:
  /// \pre `timed` and `chains` outlive this.
  Forecast(const TimedTree &timed, const Chains &chains);

  /// How often nodes are looked at.
  double visits() const { return allVisits; }
  /// How many iterations the runtime is asked for, one by one.
  double asked(const EmulationOptions &options) const;
  /// How many threads there are at once, at most: teams inside others are of iterations that may
  /// all run at a time.
  double threads(const EmulationOptions &options) const;

  /// What a run in virtual time takes, in seconds, and all of a process together once.
  struct VirtualTime {
    double run = 0, once = 0;
  };
  VirtualTime virtualTime(const EmulationOptions &options) const;

private:
  /// A section that is to be parallel, as often as it runs at one level of teams.
  struct Section {
    NodeId id;
    bool spawns;       ///< tasks
    unsigned level;    ///< so many teams are around it
    double executions; ///< in all,
    double teams;      ///< of which so many open a team,
    double team;       ///< of so many threads;
    double threads;    ///< with those of all other teams at this level
  };

  const TimedTree &timed;
  const Chains &chains;
  double allVisits = 0;
  double parallelism = 1;     ///< of what is in sections, on any number of threads
  std::vector<double> joined; ///< by node: executions of sections in the team of one before it

  void findJoined(NodeId parent);
  void findParallelism();
  double spanOf(NodeId id, const std::vector<double> &spans) const;
  bool isSpawning(NodeId section, const EmulationOptions &options) const;
  bool isAsking(const Section &section, const EmulationOptions &options) const;
  double tasksOf(const Section &section, const EmulationOptions &options) const;
  double busyThreads(const Section &section, const EmulationOptions &options) const;
  double taskSeconds(const Section &section, const EmulationOptions &options) const;
  double teamSeconds(const Section &section, const EmulationOptions &options, bool hasTasks) const;
  double chunkSeconds(const Section &section, const EmulationOptions &options) const;
  /// Calls `visit` for all parallel sections. \returns the most threads there are at once
  double forEachSection(const EmulationOptions &options,
                        const std::function<void(const Section &)> &visit) const;
};

} // namespace prophet
