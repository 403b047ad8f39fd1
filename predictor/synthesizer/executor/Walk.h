//===- Walk.h - A tree run by OpenMP ----------------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// EmulWorker of Parallel Prophet's Figure 8 for OpenMP: sections are parallel
// loops, locks the runtime's own, nested sections nested constructs. Written once
// and compiled by Clang for libomp and by GCC for libgomp.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/synthesizer/executor/Runtime.h"
#include "predictor/synthesizer/executor/Timing.h"

#include <vector>

namespace synthesizer {

/// The calling thread's role in its innermost team: it may have to run any task of it.
extern thread_local Worker *present;

class Walk {
public:
  Walk(const Plan &plan, const Run &run, Timing &timing);

  /// Runs the whole program.
  Times execute();

private:
  const Plan &plan;
  const Run &run;
  Timing &timing;
  std::vector<bool> spawners; ///< by node: tasks are spawned in it; empty: in none

  void sequence(Worker &worker, const std::vector<Child> &children);
  void visit(Worker &worker, const Node &node);
  void holdLock(Worker &worker, const Node &node);
  void section(Worker &worker, const Node &node);
  void region(Worker &master, const Node &node, const SiteSettings &settings);
  void share(Worker &worker, const Node &section, int threads);
  void loop(Worker &worker, const Node &section, const SiteSettings &settings,
            const LoopCosts *costs);
  void iterate(Worker &worker, const Node &section, int number);
  void compute(Worker &worker, Time length);

  // WalkTasks.cpp
  void findSpawners();
  class Piece;
  void spawn(Worker &worker, const Node &section, const SiteSettings &settings);
  void spawnTasks(Worker &worker, const Node &section, Sharing sharing, Piece &piece);
  void spawnTask(Worker &worker, const Node &task, TaskGroup &group);
  void spawnLoop(Worker &worker, const Node &section, Piece &piece);

  const Node &firstSection(const Node &node) const {
    return node.kind == Kind::Chain ? plan.nodes[node.children.front().node] : node;
  }
};

} // namespace synthesizer
