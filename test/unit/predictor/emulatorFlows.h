//===- emulatorFlows.h - Nowait loops beside tasks, for tests ---*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two loops of two iterations each, the first perhaps with `nowait`, for two
// threads. Sites: 0 and 1 are the loops', 2 is of tasks.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "emulatorTrees.h"

namespace prophet::test {

class Flows : public TreeMaker {
public:
  explicit Flows(bool nowait) {
    site(SiteKind::ParallelFor, nowait);
    site();
    site(SiteKind::Tasks);
  }

  /// An iteration that spawns `count` tasks of `length` and waits for them.
  NodeId spawning(std::uint64_t count, double length) {
    return task({{section(2, {{work(length), count}}), 1}});
  }
  std::vector<Child> loops(NodeId a0, NodeId a1, NodeId b0, NodeId b1) {
    return {{section(0, {{a0, 1}, {a1, 1}}), 1}, {section(1, {{b0, 1}, {b1, 1}}), 1}};
  }
  /// Loops of (10, 2) and (2, 10).
  std::vector<Child> plainLoops() { return loops(work(10), work(2), work(2), work(10)); }
};

/// Three tasks of 10 beside 5; then 1 and 40.
inline Tree tasksBeforeMuchWork(bool nowait) {
  Flows make(nowait);
  return make.root(make.loops(make.spawning(3, 10), make.work(5), make.work(1), make.work(40)));
}

/// 30 and 5; then four tasks of 10 beside 1.
inline Tree tasksInTheLastLoop(bool nowait) {
  Flows make(nowait);
  return make.root(make.loops(make.work(30), make.work(5), make.spawning(4, 10), make.work(1)));
}

/// Four tasks of 10 beside 5; then 1 and 10.
inline Tree tasksThatOutlastTheNextLoop(bool nowait) {
  Flows make(nowait);
  return make.root(make.loops(make.spawning(4, 10), make.work(5), make.work(1), make.work(10)));
}

/// A task with the plain loops.
inline Tree flowsInATask(bool nowait) {
  Flows make(nowait);
  const NodeId task = make.task(make.plainLoops());
  return make.root({{make.section(2, {{task, 1}}), 1}});
}

/// A spawner that runs the plain loops itself, behind a task of 3.
inline Tree flowsOfASpawner(bool nowait) {
  Flows make(nowait);
  std::vector<Child> children{{make.work(3), 1}};
  for (const Child &loop : make.plainLoops())
    children.push_back(loop);
  return make.root({{make.section(2, children), 1}});
}

/// 10 and 2; then two tasks of 10 beside 3.
inline Tree tasksBehindATeam(bool nowait) {
  Flows make(nowait);
  return make.root(make.loops(make.work(10), make.work(2), make.spawning(2, 10), make.work(3)));
}

} // namespace prophet::test
