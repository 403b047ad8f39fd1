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

class TbbWalk : public LockingTaskWalk<tbb::mutex> {
public:
  using LockingTaskWalk::LockingTaskWalk;

private:
  void open(const Node &section, const SiteSettings &settings) override;
  void spawn(const Node &section, Sharing sharing, double factor) override;
};

} // namespace synthesizer
