//===- memoryProgram.h - A program with a memory profile --------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "emulatorTrees.h"
#include "predictor/verbs/ReplayedBurdens.h"

namespace prophet::test {

/// A program of one loop of 64 tasks, which in each of two executions uses a line of its own; on a
/// machine where fetching a line from another core takes a task's time.
struct Program {
  std::shared_ptr<const Tree> tree;
  std::shared_ptr<memmodel::MemoryProfile> profile = std::make_shared<memmodel::MemoryProfile>();
  memmodel::Machine machine;

  Program() {
    TreeMaker make;
    const auto site = make.site();
    tree = std::make_shared<Tree>(make.root({{make.section(site, {{make.work(1000), 64}}), 2}}));
    auto &memory = machine.memory.emplace();
    memory.curves = {{1, {{0, 80}, {100, 80}}}};
    memory.saturationSeen = true;
    memory.classGbs = {12, 6, 4, 1};
    memory.transferNs = 1000;
    machine.caches = {{2, 65536, 1}, {3, 1 << 20, 64}};
    auto &use = profile->sites.emplace_back();
    use.executions = 2;
    auto &log = profile->log.emplace();
    for (int execution = 0; execution < 2; ++execution) {
      log.parts.push_back({0, 64, log.tasks.size(), 64});
      for (std::uint32_t task = 0; task < 64; ++task) {
        // the second time the other way round
        const std::uint32_t line = execution == 0 ? task : 63 - task;
        log.tasks.push_back({task, log.references.size(), 1});
        log.references.push_back({line, memmodel::AccessClass::Stream, true});
      }
    }
  }

  /// So many executions in place of those, in which each task reads as many lines of its own.
  void readAgain(unsigned executions, std::uint32_t tasks, std::uint32_t lines,
                 memmodel::AccessClass accessClass) {
    profile->sites[0].executions = executions;
    auto &log = profile->log.emplace();
    for (unsigned execution = 0; execution < executions; ++execution) {
      log.parts.push_back({0, tasks, log.tasks.size(), tasks});
      for (std::uint32_t task = 0; task < tasks; ++task) {
        log.tasks.push_back({task, log.references.size(), lines});
        for (std::uint32_t line = 0; line < lines; ++line)
          log.references.push_back({task * lines + line, accessClass, false});
      }
    }
  }

  /// \param serialNs of all executions that the profile has
  std::shared_ptr<ReplayedBurdens> burdens(std::vector<unsigned> exact = {2, 4},
                                           double serialNs = 128e3) const {
    return std::make_shared<ReplayedBurdens>(machine, "m.json", tree, profile,
                                             std::vector<KnownSite>{{0, 0, serialNs}}, exact);
  }
};

} // namespace prophet::test
