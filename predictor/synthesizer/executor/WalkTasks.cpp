//===- WalkTasks.cpp - Sections as OpenMP tasks ---------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/Walk.h"

namespace synthesizer {

/// A taskloop gives each of its tasks a copy, which dies with the task: so their ends are seen,
/// which are the runtime's and not the loop's.
class Walk::Piece {
public:
  Piece(Timing &timing, TaskGroup &group) : timing(timing), group(group) {}
  Piece(const Piece &other) : timing(other.timing), group(other.group), isCopy(true) {
    timing.create(*present, group);
  }
  ~Piece() {
    if (begun)
      timing.endTask(*present, group);
    else if (isCopy) // libomp's pattern, of which the others are made
      timing.destroy(group);
  }
  Piece &operator=(const Piece &) = delete;

  TaskGroup &section() const { return group; }
  void begin() {
    if (!begun)
      timing.beginTask(*present, group);
    begun = true;
  }

private:
  Timing &timing;
  TaskGroup &group;
  const bool isCopy = false;
  bool begun = false;
};

namespace {

/// `worker` is in a task of its own for as long as this lives.
class InTask {
public:
  InTask(Worker &worker, const TaskGroup &group)
      : worker(worker), outer(worker.place), outerFactor(worker.factor) {
    worker.place = {true, 0};
    worker.factor = group.factor; // another loop's than that which the thread has come to
  }
  ~InTask() {
    worker.place = outer;
    worker.factor = outerFactor;
  }
  InTask(const InTask &) = delete;

private:
  Worker &worker;
  const TaskPlace outer;
  const double outerFactor;
};

} // namespace

void Walk::spawn(Worker &worker, const Node &section, Sharing sharing) {
  TaskGroup group;
  group.factor = worker.factor;
  // It outlives the loop's construct: of more tasks than a deque holds, libomp leaves some to tasks
  // of its own to create, which copy this one later.
  Piece piece(timing, group);
  if (worker.place.sections++ == 0) {
    spawnTasks(worker, section, sharing, piece);
    timing.wait(worker, group);
#pragma omp taskwait
  } else { // taskwait would wait for the outer section's tasks as well
#pragma omp taskgroup
    {
      spawnTasks(worker, section, sharing, piece);
      timing.wait(worker, group);
    }
  }
  --worker.place.sections;
  timing.endWait(worker, group);
}

void Walk::spawnTasks(Worker &worker, const Node &section, Sharing sharing, Piece &piece) {
  if (sharing == Sharing::Taskloop)
    return spawnLoop(worker, section, piece);
  for (const Child &child : section.children) {
    const Node &node = plan.nodes[child.node];
    for (std::int64_t i = 0; i < child.number; ++i)
      if (node.kind == Kind::Task)
        spawnTask(worker, node, piece.section());
      else
        visit(worker, node);
  }
}

void Walk::spawnTask(Worker &worker, const Node &node, TaskGroup &section) {
  ++worker.visits;
  timing.create(worker, section);
  const Node *task = &node;
  TaskGroup *group = &section;
#pragma omp task firstprivate(task, group)
  {
    Worker &runner = *present;
    const InTask inTask(runner, *group);
    timing.beginTask(runner, *group);
    sequence(runner, task->children);
    timing.endTask(runner, *group);
  }
}

void Walk::spawnLoop(Worker &worker, const Node &loop, Piece &piece) {
  timing.meet(worker);
  const Node *section = &loop;
  const auto count = static_cast<unsigned long>(loop.iterations); // Clang compares it with such
#pragma omp taskloop nogroup firstprivate(piece, section)
  for (unsigned long i = 0; i < count; ++i) {
    Worker &runner = *present;
    const InTask inTask(runner, piece.section());
    piece.begin();
    iterate(runner, *section, static_cast<int>(i));
  }
}

} // namespace synthesizer
