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

/// By node: whether a task is spawned in it, into the team that executes the node.
std::vector<std::uint8_t> findSpawningNodes(const TimedTree &timed, const Chains &chains,
                                            Paradigm paradigm);

} // namespace prophet
