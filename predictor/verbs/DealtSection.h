//===- DealtSection.h - Which thread executes which task --------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/AccessLog.h"
#include "predictor/emulator/Charges.h"

#include <cstdint>
#include <vector>

namespace prophet {

/// How the tasks of a section get to the threads of its team where all take equally long, so that
/// nothing is stolen and threads that share a queue take turns.
class DealtSection {
public:
  /// \param tasks > 0
  DealtSection(const LoopPlan &plan, std::uint64_t tasks, unsigned team);

  memmodel::Turn turnOf(std::uint64_t task) const;
  unsigned threads() const { return team; }
  /// How many a thread executes one behind the other in the program's order, in the mean.
  double tasksInARow() const;
  /// Chunks that a thread asks the runtime for although they lie behind its last one: under
  /// static_steal all but each thread's first; 0 under other schedules.
  std::uint64_t askedInARow() const { return stolen && units > team ? units - team : 0; }
  /// Tasks that a thread gets at a time.
  std::uint64_t tasksOfAChunk() const { return unit; }

private:
  /// Tasks that one thread takes at a time.
  struct Chunk {
    std::uint64_t begin;
    memmodel::Turn first;
  };

  std::uint64_t tasks;
  std::uint64_t unit;        ///< tasks that stay together
  std::uint64_t units;       ///< how many of these there are
  unsigned team;             ///< its threads
  bool byTurns;              ///< threads take units by turns; else each has a block of them
  bool stolen;               ///< threads ask for each unit of their block
  std::vector<Chunk> guided; ///< in order: shrinking units; empty: the ones above
};

/// The tasks of a section of `site`, where a run under `options` has it as a region of its own.
DealtSection dealSection(const Tree &tree, std::uint32_t site, const EmulationOptions &options,
                         std::uint64_t tasks, unsigned team);

} // namespace prophet
