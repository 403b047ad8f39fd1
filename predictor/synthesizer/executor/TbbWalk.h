//===- TbbWalk.h - A tree run by oneTBB -------------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// EmulWorker of Parallel Prophet's Figure 8 for oneTBB, with threads that spin:
// loops are parallel_for, tasks and sections those of a task_group, all of the
// team that the outermost section opens, and locks tbb::mutex.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/synthesizer/executor/Runtime.h"

#include <oneapi/tbb/mutex.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/task_arena.h>

namespace synthesizer {

class TbbWalk {
public:
  /// \param interrupt see spinFor
  TbbWalk(const Plan &plan, const Run &run, double interrupt, UnitCosts costs);

  /// Runs the whole program.
  Times execute();
  /// Looks at nodes, but passes no time; \pre all sites are serial.
  /// \returns at how many, about `most` at most.
  std::uint64_t walk(std::uint64_t most);

private:
  const Plan &plan;
  const Run &run;
  const double interrupt;
  const UnitCosts costs;
  std::vector<tbb::mutex> locks;
  tbb::enumerable_thread_specific<std::uint64_t> visits; ///< of each thread in this region
  double overhead = 0;                                   ///< of what came before it, in ns
  double start = 0;
  std::uint64_t mostVisits = ~std::uint64_t(0);

  double clock();
  void sequence(const std::vector<Child> &children, double factor);
  void visit(const Node &node, double factor);
  void section(const Node &section, double factor);
  void region(const Node &section, const SiteSettings &settings);
  void spawn(const Node &section, Sharing sharing, double factor);
  void iterate(const Node &section, int number, double factor);
  void endRegion();
  bool isInside = false; ///< a region
};

} // namespace synthesizer
