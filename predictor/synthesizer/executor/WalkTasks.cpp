//===- WalkTasks.cpp - Sections as OpenMP tasks ---------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/Walk.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace synthesizer {

namespace {

void payForTask(Timing &timing, Worker &creator) {
  if (creator.costs)
    timing.pay(creator, creator.costs->create);
}

void payForSteal(Timing &timing, Worker &thief) {
  if (thief.costs)
    timing.pay(thief, thief.costs->steal);
}

} // namespace

/// A taskloop gives each of its tasks a copy, which dies with the task: so their ends are seen,
/// which are the runtime's and not the loop's.
class Walk::Piece {
public:
  Piece(Timing &timing, TaskGroup &group) : timing(timing), group(group) {}
  Piece(const Piece &other)
      : timing(other.timing), group(other.group), isCopy(true), maker(present) {
    if (!isPattern(other))
      payForTask(timing, *maker);
    timing.create(*maker, group);
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
    if (std::exchange(begun, true))
      return;
    timing.beginTask(*present, group);
    if (maker != present)
      payForSteal(timing, *present);
  }

private:
  Timing &timing;
  TaskGroup &group;
  const bool isCopy = false;
  Worker *const maker = nullptr;
  bool begun = false;
  mutable std::atomic<bool> hasPattern = false;

  /// Whether the copy of `other` that is being made is no task: libomp makes one first, for its
  /// pattern. Of more than 256 tasks it leaves the creation of the second half to a task: the copy
  /// for that counts as a creation, and who takes it from another's deque is not seen.
  static bool isPattern([[maybe_unused]] const Piece &other) {
#ifdef __clang__
    return !other.hasPattern.exchange(true);
#else
    return false;
#endif
  }
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

/// Fills `spawners`. The tasks in a worksharing loop are its own team's, and not of the region
/// around it.
void Walk::findSpawners() {
  if (std::ranges::none_of(run.sites, [](auto &site) { return isSpawning(site.sharing); }))
    return;
  spawners.resize(plan.nodes.size());
  std::vector<bool> adds(plan.nodes.size()); // to the tasks of the team that comes to the node
  for (std::size_t id = 0; id < plan.nodes.size(); ++id) {
    const Node &node = plan.nodes[id];
    const bool isChain = node.kind == Kind::Chain;
    const bool isSection = node.kind == Kind::Section || node.kind == Kind::Spawner;
    const Sharing sharing = isSection ? run.sites[node.ref].sharing : Sharing::Serial;
    const auto spawns = [&](const Child &child) {
      return isChain ? spawners[child.node] : adds[child.node];
    };
    spawners[id] = isSpawning(sharing) || std::ranges::any_of(node.children, spawns);
    adds[id] = spawners[id] && !isChain && (isSpawning(sharing) || sharing == Sharing::Serial);
  }
}

void Walk::spawn(Worker &worker, const Node &section, const SiteSettings &settings) {
  const Sharing sharing = settings.sharing;
  if (!run.spin && !worker.costs)
    timing.pay(worker,
               plan.tasksAlone(section, sharing, run.costsOf(section.ref, settings.threads)));
  const auto payForEnd = [&] {
    if (worker.costs)
      timing.pay(worker, worker.costs->wait);
  };
  TaskGroup group;
  group.factor = worker.factor;
  // It outlives the loop's construct: of more tasks than a deque holds, libomp leaves some to tasks
  // of its own to create, which copy this one later.
  Piece piece(timing, group);
  if (worker.place.sections++ == 0) {
    spawnTasks(worker, section, sharing, piece);
    payForEnd();
    timing.wait(worker, group);
#pragma omp taskwait
  } else { // taskwait would wait for the outer section's tasks as well
#pragma omp taskgroup
    {
      spawnTasks(worker, section, sharing, piece);
      payForEnd();
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
  payForTask(timing, worker);
  timing.create(worker, section);
  const Node *task = &node;
  TaskGroup *group = &section;
  const Worker *maker = &worker;
#pragma omp task firstprivate(task, group, maker)
  {
    Worker &runner = *present;
    const InTask inTask(runner, *group);
    timing.beginTask(runner, *group);
    if (maker != &runner)
      payForSteal(timing, runner);
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
