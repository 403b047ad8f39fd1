//===- StreamRuns.h - How far tasks go through memory in order --*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A serial run goes through an array in order, task after task. Where other threads
// have the next tasks, a thread comes to an end of what its prefetchers know after
// each of its own, and begins anew elsewhere. How many lines lie between is read off
// the log: where the lines of a section, in the order of memory, are used by tasks
// that ascend (or descend) all through the section, that is one stream.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/AccessLog.h"

namespace prophet::memmodel {

/// Means of a site's tasks.
struct TaskStreams {
  /// Lines of one stream that a task goes through before the next task goes on; 0: not known, since
  /// the log does not say where lines are, has too few of them, or tasks go to and fro in memory,
  /// so that the serial run's streams end, too. Where a task's neighbours use its lines as well, as
  /// in a stencil, these are streams beside each other: each goes on by what is new in a task.
  double run = 0;
  /// The same of each array, from the longest on: `run` is their mean.
  std::vector<double> runs = {};
  /// Of these lines, those that are written, of each array that has some, from the most on.
  std::vector<double> writtenRuns = {};
  /// And those that are only read, the same.
  std::vector<double> readRuns = {};
  /// Of tasks' ends in memory those that the serial run's streams do not have, since the next
  /// task's lines follow, 0 to 1. Where there is a gap, as behind the rest of a matrix's row, they
  /// have it, too, the more the longer that is.
  double seamless = 1;
  double lines = 0; ///< of all classes, each once a task
  /// Of the lines of streams that a task uses, how many it writes, 0 to 1. None, where `run` is not
  /// known.
  double written = 0;
  /// How many streams the serial run goes through in lock step, >= 1: as many as if all were
  /// equally long (the inverse of the sum of squares of their shares). One, where `run` is not
  /// known, and where a task goes through one array after the other.
  double together = 1;

  /// The longest of `runs`, of so many tasks in a row, that have `ahead` lines together: the others
  /// are what caches keep. All of them, and longer, where they have less.
  std::vector<double> longestRuns(double tasks, double ahead) const;
};

/// By site.
std::vector<TaskStreams> taskStreams(const AccessLog &log, std::size_t sites);

} // namespace prophet::memmodel
