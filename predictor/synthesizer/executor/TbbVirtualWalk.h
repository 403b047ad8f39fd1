//===- TbbVirtualWalk.h - A tree run by oneTBB in virtual time --*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/synthesizer/executor/TaskWalk.h"
#include "predictor/synthesizer/executor/TbbTurnstile.h"

#include <optional>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

namespace synthesizer {

class TbbVirtualWalk : public TaskWalk {
public:
  TbbVirtualWalk(const Plan &plan, const Run &run);
  ~TbbVirtualWalk() override;

private:
  class Piece;
  /// Ends the program where a thread leaves the arena.
  class Watch : public tbb::task_scheduler_observer {
  public:
    explicit Watch(tbb::task_arena &arena) : task_scheduler_observer(arena) { observe(true); }
    ~Watch() override { observe(false); }
    void on_scheduler_exit(bool isWorker) override;
  };

  TbbTurnstile turnstile;
  tbb::enumerable_thread_specific<Worker> workers;
  std::optional<tbb::task_arena> arena; ///< of the last region, and of the next if that is as large
  std::optional<Watch> watch;           ///< of it
  const SiteCosts *costs = nullptr;     ///< of the site that has opened the present region
  bool isAlone = false; ///< its thread: all tasks of a section are paid for beforehand

  Worker &self() { return workers.local(); }
  double clock() override { return turnstile.clock(self()); }
  void compute(Time length, double factor) override;
  void acquire(std::size_t lock) override { turnstile.acquire(self(), lock); }
  void release(std::size_t lock) override { turnstile.release(self(), lock); }
  void open(const Node &section, const SiteSettings &settings) override;
  void spawn(const Node &section, Sharing sharing, double factor) override;

  void payForTask();
  void payForSteal();
  void payForEnd();
  void openArena(int threads);
  void closeArena();
  void spawnLoop(const Node &section, TaskGroup &group, double factor);
  void spawnTasks(const Node &section, TaskGroup &group, double factor);
};

} // namespace synthesizer
