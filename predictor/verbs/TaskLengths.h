//===- TaskLengths.h - How long the tasks of sections take ------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A memory profile is of another run than the program tree, one that is slowed down:
// its tasks have no times. They are those of the tree's tasks, of the section that is
// as many sections of its site and size behind the first one.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/AccessLog.h"
#include "predictor/tree/Tree.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace prophet {

/// Of one section, in the serial run and in the program's order.
class TaskLengths {
public:
  /// `count` tasks in a row of `ticks` each.
  struct Run {
    std::uint64_t count;
    double ticks;
  };
  /// \pre they take some time
  explicit TaskLengths(const std::vector<Run> &runs);

  std::uint64_t tasks() const { return starts.back().task; }
  double ticks() const { return starts.back().ticks; } ///< of all
  /// By what share of their mean tasks are longer or shorter, in the mean.
  double unevenness() const;
  /// How long all tasks before number `task` take together, in tasks of mean length. \pre task <=
  /// tasks()
  double before(std::uint64_t task) const;
  /// The same of tasks that ascend, one call after the other. \param place 0 for the first
  double beforeNext(std::uint64_t task, std::size_t &place) const;

private:
  struct Start {
    std::uint64_t task;
    double ticks; ///< of all tasks before it
  };
  std::vector<Start> starts; ///< of runs; last, where they end

  /// \param end the first of `starts` that is not before `task`
  double beforeIn(std::uint64_t task, std::size_t end) const;
};

/// What the tree knows of the parts of a log.
struct PartLengths {
  /// Tasks that differ by less count as equal: by so much runs differ, and it takes time to deal
  /// them.
  static constexpr double even = 0.1;
  std::vector<double> taskNs; ///< of a task in the mean; 0: not known
  /// Null: not known, or all count as equal.
  std::vector<std::shared_ptr<const TaskLengths>> lengths;
};

/// By part. Known are sections at the outermost level of `tree`; of those of a site that have as
/// many tasks, the log's first is the tree's first, and so on. Where the log has not all of them,
/// those that it has are taken to be spread evenly.
/// \param siteOf by site of the profile: in the tree
PartLengths partLengths(const Tree &tree, const memmodel::AccessLog &log,
                        const std::vector<std::optional<std::uint32_t>> &siteOf);

} // namespace prophet
