//===- Typical.cpp - Overheads of the development machine -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libomp 19.1.7 and libgomp 12.2 on the development machine, two virtual cores: of
// six runs the least disturbed value, and for passive waiting the runs on an idle
// machine, since a core that something else keeps awake wakes its thread several
// times as fast. Larger teams than two were not measured. Tasks, guided, intervals
// and libgomp's hand-offs came later, from another machine that was not idle (`chrt -f
// 10 prophet calibrate`).
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Overheads.h"

#include <string>

namespace prophet {

namespace {

/// Makes costs of teams of one and two threads.
struct Measured {
  OmpRuntime runtime;

  TeamCost cost(const std::string &name, double one, double two) const {
    return TeamCost({{1, one}, {2, two}}, knownGrowth(runtime, name));
  }
  using Pair = std::pair<double, double>;
  WaitCosts wait(const std::string &policy, Pair fork, Pair join, Pair handoff) const {
    return {cost(policy + ".fork", fork.first, fork.second),
            cost(policy + ".join", join.first, join.second),
            cost(policy + ".lock_handoff", handoff.first, handoff.second)};
  }
  LoopCosts loop(const std::string &schedule, Pair start, Pair chunk) const {
    return {cost(schedule + ".start", start.first, start.second),
            cost(schedule + ".chunk", chunk.first, chunk.second)};
  }
  LoopCosts queue(Pair start, Pair chunk, Pair interval) const {
    const std::string name = "dynamic_queue";
    LoopCosts costs = loop(name, start, chunk);
    costs.interval = cost(name + ".interval", interval.first, interval.second);
    return costs;
  }
  TaskCosts tasks(Pair create, Pair steal, Pair wait) const {
    return {cost("tasks.create", create.first, create.second),
            cost("tasks.steal", steal.first, steal.second),
            cost("tasks.wait", wait.first, wait.second)};
  }
};

Overheads libomp() {
  const Measured measured{OmpRuntime::Libomp};
  Overheads table;
  table.active = measured.wait("active", {67, 454}, {46, 280}, {25, 267});
  // Its locks are waited for awake, whatever the policy (kmp_lock.cpp): calibrated alike.
  table.passive = measured.wait("passive", {63, 25900}, {39, 34100}, {25, 267});
  table.staticBlock = measured.loop("static", {307, 334}, {0, 0});
  table.staticChunk = measured.loop("static_chunk", {307, 335}, {0.8, 1.7});
  // Two threads' empty iterations followed each other after half of a chunk's cost, and a guided
  // chunk cost 1.35 times as much.
  table.queue = measured.queue({979, 1039}, {2.5, 458}, {2.5, 229});
  table.guided = measured.loop("guided", {979, 1039}, {2.5, 618});
  table.steal = measured.loop("dynamic_steal", {977, 1705}, {2.8, 400});
  table.tasks = measured.tasks({64, 166}, {0, 468}, {8, 8.4});
  table.baseSlice = linuxBaseSlice;
  table.lockPair = 25;
  table.serializedRegion = 97;
  return table;
}

Overheads libgomp() {
  const Measured measured{OmpRuntime::Libgomp};
  Overheads table;
  table.active = measured.wait("active", {88, 549}, {135, 233}, {7.2, 320});
  table.passive = measured.wait("passive", {89, 25000}, {136, 36100}, {4.6, 30800});
  table.staticBlock = measured.loop("static", {0.8, 4}, {0, 0});
  table.staticChunk = measured.loop("static_chunk", {0, 0}, {0, 0.5});
  table.queue = measured.queue({21, 332}, {5.9, 57}, {8, 13.7});
  table.guided = measured.loop("guided", {21, 332}, {5.9, 57}); // no difference was seen
  table.steal = table.queue; // libgomp has no other dynamic schedule
  table.tasks = measured.tasks({78, 462}, {0, 47}, {4, 3.6});
  table.baseSlice = linuxBaseSlice;
  table.lockPair = 7;
  table.serializedRegion = 411;
  return table;
}

} // namespace

Overheads Overheads::typical(OmpRuntime runtime) {
  return runtime == OmpRuntime::Libomp ? libomp() : libgomp();
}

} // namespace prophet
