//===- TbbWalk.h - A tree run by oneTBB -------------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops are parallel_for, tasks and sections those of a task_group, regions arenas,
// and locks tbb::mutex.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/synthesizer/executor/TaskWalk.h"

#include <oneapi/tbb/mutex.h>

namespace synthesizer {

class TbbWalk : public TaskWalk {
public:
  TbbWalk(const Plan &plan, const Run &run, double interrupt, UnitCosts costs)
      : TaskWalk(plan, run, interrupt, costs), locks(plan.locks) {}

private:
  std::vector<tbb::mutex> locks;

  void acquire(std::size_t lock) override { locks[lock].lock(); }
  void release(std::size_t lock) override { locks[lock].unlock(); }
  void open(const Node &section, const SiteSettings &settings) override;
  void spawn(const Node &section, Sharing sharing, double factor) override;
};

} // namespace synthesizer
