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

#include <map>
#include <oneapi/tbb/mutex.h>
#include <tbb/task_arena.h>

namespace synthesizer {

class TbbWalk : public LockingTaskWalk<tbb::mutex> {
public:
  using LockingTaskWalk::LockingTaskWalk;

private:
  /// By their threads. A program has one for as long as it runs, whose threads stay in it.
  std::map<int, tbb::task_arena> arenas;

  void open(const Node &section, const SiteSettings &settings) override;
  void spawn(const Node &section, Sharing sharing, double factor) override;
};

} // namespace synthesizer
