//===- TaskWalk.h - A tree run by threads that steal ------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// EmulWorker of Parallel Prophet's Figure 8 for runtimes that know tasks alone: all
// sections are tasks of the team that the outermost section opens. By itself it
// spins, and runs them one after another; TbbWalk and CilkWalk have a runtime do it,
// and TbbVirtualWalk in virtual time.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/synthesizer/executor/Runtime.h"

#include <vector>

namespace synthesizer {

class TaskWalk {
public:
  /// \param interrupt see spinFor
  TaskWalk(const Plan &plan, const Run &run, double interrupt, UnitCosts costs);
  virtual ~TaskWalk() = default;
  TaskWalk(const TaskWalk &) = delete;

  /// Runs the whole program.
  Times execute();
  /// Runs as much of the program as WalkCosts.h says; \pre all sites are serial.
  /// \returns at how many nodes it has looked, and the delays in it, in ns.
  std::pair<std::uint64_t, double> measure();

protected:
  const Plan &plan;
  const Run &run;

  void visit(const Node &node, double factor);
  void iterate(const Node &section, int number, double factor);

private:
  virtual void compute(Time length, double factor);
  /// Time since the start without the walk's own, in units. \pre no team is at work
  virtual double clock();
  virtual void acquire(std::size_t) {}
  virtual void release(std::size_t) {}
  /// spawn() by a team that this opens.
  virtual void open(const Node &section, const SiteSettings &settings);
  /// Has the present team run a section's tasks, and waits for them.
  virtual void spawn(const Node &section, Sharing sharing, double factor);

  const double interrupt;
  const UnitCosts costs;
  double overhead = 0; ///< of what came before this region, in ns
  double start = 0;
  std::optional<double> measured; ///< measure(): the delays so far, in ns
  bool isInside = false;          ///< a region

  void countVisit();
  void countCall();
  void sequence(const std::vector<Child> &children, double factor);
  void section(const Node &section, double factor);
  void region(const Node &section, const SiteSettings &settings);
  void endRegion();
};

/// OVERHEAD_ACCESS_NODE of `plan`; \pre some run of it spins.
double measureAccess(const Plan &plan);

/// A walk whose locks are `Mutex`es.
template <typename Mutex> class LockingTaskWalk : public TaskWalk {
public:
  LockingTaskWalk(const Plan &plan, const Run &run, double interrupt, UnitCosts costs)
      : TaskWalk(plan, run, interrupt, costs), locks(plan.locks) {}

private:
  std::vector<Mutex> locks;

  void acquire(std::size_t lock) override { locks[lock].lock(); }
  void release(std::size_t lock) override { locks[lock].unlock(); }
};

} // namespace synthesizer
