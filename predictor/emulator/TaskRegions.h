//===- TaskRegions.h - Which sections spawn tasks ---------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Chain.h"
#include "predictor/emulator/EmulationOptions.h"

namespace prophet {

/// Whether `section`, met by a task, spawns tasks: OpenMP's loops do not, they would open a team.
bool isSpawning(const TimedTree &timed, const Chains &chains, Paradigm paradigm, NodeId section);

/// What goes on in a node, as bits.
enum SpawnTrait : std::uint8_t {
  Spawns = 1,     ///< a task is spawned into the team that executes the node
  OpensTeam = 2,  ///< a worksharing loop in it opens a team of several threads, if it may
  HoldsTasks = 4, ///< somewhere below there is a section that spawns tasks
  IsSpawner = 8,  ///< it is such a section
};

/// By node: its SpawnTraits.
std::vector<std::uint8_t> findSpawnTraits(const TimedTree &timed, const Chains &chains,
                                          const EmulationOptions &options);

} // namespace prophet
