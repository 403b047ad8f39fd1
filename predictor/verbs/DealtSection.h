//===- DealtSection.h - Which thread executes which task --------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/PartsReplay.h"
#include "predictor/emulator/Charges.h"
#include "predictor/verbs/TaskLengths.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

namespace prophet {

/// How the tasks of a section get to the threads of its team, which all begin at the same time and
/// do nothing else. Where all tasks take equally long nothing is stolen, and threads that share a
/// queue take turns.
class DealtSection {
public:
  /// More chunks than these are dealt as if all tasks took equally long.
  static constexpr std::uint64_t MostChunks = 1 << 20;

  /// \param tasks > 0
  /// \param lengths of as many tasks; null: all take equally long
  DealtSection(const LoopPlan &plan, std::uint64_t tasks, unsigned team,
               std::shared_ptr<const TaskLengths> lengths = nullptr);

  memmodel::Turn turnOf(std::uint64_t task) const;
  unsigned threads() const { return team; }
  /// When the last thread is ready, in tasks of mean length; of equal tasks, in the mean.
  double end() const { return last; }
  /// How many a thread executes one behind the other in the program's order, in the mean.
  double tasksInARow() const;
  /// Chunks that a thread asks the runtime for although they lie behind its last one: under
  /// static_steal all but each thread's first; 0 under other schedules.
  std::uint64_t askedInARow() const { return stolen && units > team ? units - team : 0; }
  /// Tasks that a thread gets at a time.
  std::uint64_t tasksOfAChunk() const { return unit; }
  /// How many chunks were dealt out one by one.
  std::size_t chunksDealt() const { return chunks.size(); }

private:
  /// Tasks that one thread takes at a time.
  struct Chunk {
    std::uint64_t begin; ///< the first one
    double before;       ///< what all tasks before it take
    unsigned thread;
    double start; ///< of that task
  };

  std::uint64_t tasks;
  std::uint64_t unit;  ///< tasks that stay together
  std::uint64_t units; ///< how many of these there are
  unsigned team;       ///< its threads
  bool byTurns;        ///< threads take units by turns; else each has a block of them
  bool stolen;         ///< threads ask for each unit of their block
  bool shrinks;        ///< chunks do, as under guided
  std::vector<Chunk>
      chunks; ///< in order, where they are not those above: they shrink, or take time
  std::shared_ptr<const TaskLengths> lengths;
  double last;

  double before(std::uint64_t task) const {
    return lengths ? lengths->before(task) : static_cast<double>(task);
  }
  double lengthOf(std::size_t chunk) const;
  void dealInTurns();
  void dealByQueue();
  void dealByStealing();
};

/// The sections of a log, one after the other, of which many are alike.
class DealtSections {
public:
  DealtSections(const Tree &tree, const EmulationOptions &options) : tree(tree), options(options) {}

  /// Part number `part`, of `tasks` > 0 tasks of `site`, if the tree has it. Valid until the next
  /// one. Behind so many chunks in all tasks are dealt as if they took equally long.
  const DealtSection &dealt(std::size_t part, std::optional<std::uint32_t> site,
                            std::uint64_t tasks, const std::shared_ptr<const TaskLengths> &lengths);

private:
  using Key = std::tuple<std::optional<std::uint32_t>, std::uint64_t, const TaskLengths *>;

  const Tree &tree;
  const EmulationOptions &options;
  std::map<Key, DealtSection> made;
  std::size_t kept = 0; ///< chunks of these
  std::uint64_t left = 16 * DealtSection::MostChunks;
  std::optional<std::size_t> lastPart;
  const DealtSection *last = nullptr;
};

/// Whether who executes which task of a section of `site` depends on how long they take.
bool isDealtByLengths(const Tree &tree, std::uint32_t site, const EmulationOptions &options,
                      std::uint64_t tasks, unsigned team);

/// The tasks of a section of `site`, where a run under `options` has it as a region of its own.
DealtSection dealSection(const Tree &tree, std::uint32_t site, const EmulationOptions &options,
                         std::uint64_t tasks, unsigned team,
                         std::shared_ptr<const TaskLengths> lengths = nullptr);

} // namespace prophet
