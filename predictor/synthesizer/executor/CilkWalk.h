//===- CilkWalk.h - A tree run by OpenCilk ----------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops are cilk_for, tasks and sections cilk_spawn and cilk_sync. Regions need
// nothing: the first function that spawns hands over to the runtime's workers. Cilk
// has no locks of its own, and programs take the system's. Who spawns while it holds
// one may go on on another thread, which must not release it; in trees nothing does.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/synthesizer/executor/TaskWalk.h"

#include <mutex>

namespace synthesizer {

class CilkWalk : public LockingTaskWalk<std::mutex> {
public:
  using LockingTaskWalk::LockingTaskWalk;

private:
  void spawn(const Node &section, Sharing sharing, double factor) override;
  void loop(const Node &section, double factor);
};

} // namespace synthesizer
