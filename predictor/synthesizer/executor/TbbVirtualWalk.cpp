//===- TbbVirtualWalk.cpp - A tree run by oneTBB in virtual time ----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/TbbVirtualWalk.h"

#include <cmath>
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>
#include <utility>

namespace synthesizer {

/// A loop's body. Each of its tasks gets a copy, which dies with the task. A task begins when it is
/// split or its body is called, whichever comes first: until then it could be taken by somebody,
/// and from then on others are not to look for it.
class TbbVirtualWalk::Piece {
public:
  Piece(TbbVirtualWalk &walk, const Node &section, TaskGroup &group, double factor)
      : walk(walk), section(section), group(group), factor(factor) {}
  Piece(const Piece &other)
      : walk(other.walk), section(other.section), group(other.group), factor(other.factor),
        isTask(true), isWhole(!other.isTask), maker(&walk.self()) {
    if (!isWhole) {
      other.start();
      walk.payForTask();
    }
    walk.turnstile.create(*maker, group);
  }
  ~Piece() {
    if (!isTask)
      return;
    walk.turnstile.endTask(walk.self(), group);
    if (isWhole) { // of which its thread has left nothing but what others may have taken
      walk.payForEnd();
      walk.turnstile.meet(walk.self());
    }
  }
  Piece &operator=(const Piece &) = delete;

  void operator()(const tbb::blocked_range<int> &range) const {
    Worker &worker = walk.self();
    start();
    for (int number = range.begin(); number < range.end(); ++number)
      walk.iterate(section, number, factor);
    walk.turnstile.meet(worker); // it may split off what is left
  }

private:
  TbbVirtualWalk &walk;
  const Node &section;
  TaskGroup &group;
  const double factor;
  const bool isTask = false, isWhole = false;
  Worker *const maker = nullptr;
  mutable bool begun = false;

  void start() const {
    if (std::exchange(begun, true))
      return;
    Worker &worker = walk.self();
    walk.turnstile.beginTask(worker, group);
    if (&worker != maker)
      walk.payForSteal();
  }
};

/// A worker that left would be waited for in vain: it only does where it looks for a task that
/// nobody can find.
void TbbVirtualWalk::Watch::on_scheduler_exit(bool isWorker) {
  if (isWorker)
    giveUp("a thread of oneTBB's has left its arena, which Prophet believes it never does; use "
           "--method ff");
}

TbbVirtualWalk::TbbVirtualWalk(const Plan &plan, const Run &run)
    : TaskWalk(plan, run, 0, {}), turnstile(plan.locks, run) {
  turnstile.begin(self());
}

TbbVirtualWalk::~TbbVirtualWalk() { closeArena(); }

void TbbVirtualWalk::compute(Time length, double factor) {
  turnstile.compute(self(),
                    factor == 1 ? length : std::llround(static_cast<double>(length) * factor));
}

void TbbVirtualWalk::open(const Node &section, const SiteSettings &settings) {
  Team team;
  costs = &run.costsOf(section.ref, settings.threads);
  isAlone = settings.threads == 1;
  team.costs = costs;
  team.isOutermost = team.spawns = true;
  turnstile.openRegion(self(), team);
  openArena(settings.threads);
  arena->execute([&] { spawn(section, settings.sharing, settings.factor); });
  turnstile.closeRegion(self(), team, 0);
}

void TbbVirtualWalk::payForTask() {
  if (!isAlone)
    turnstile.pay(self(), costs->create);
}

void TbbVirtualWalk::payForSteal() {
  if (!isAlone)
    turnstile.pay(self(), costs->steal);
}

void TbbVirtualWalk::payForEnd() {
  if (!isAlone)
    turnstile.pay(self(), costs->wait);
}

void TbbVirtualWalk::openArena(int threads) {
  if (arena && arena->max_concurrency() == threads)
    return;
  closeArena();
  arena.emplace(threads);
  arena->execute([&] {
    turnstile.gather(self(), static_cast<unsigned>(threads), [&]() -> Worker & { return self(); });
  });
  watch.emplace(*arena);
}

void TbbVirtualWalk::closeArena() {
  watch.reset();
  if (arena)
    turnstile.dismiss(self());
  arena.reset();
}

void TbbVirtualWalk::spawn(const Node &section, Sharing sharing, double factor) {
  TaskGroup group;
  if (isAlone)
    turnstile.pay(self(), plan.tasksAlone(section, sharing, *costs));
  if (sharing == Sharing::Taskloop)
    spawnLoop(section, group, factor);
  else
    spawnTasks(section, group, factor);
  turnstile.endWait(self(), group);
}

void TbbVirtualWalk::spawnLoop(const Node &section, TaskGroup &group, double factor) {
  if (section.iterations == 0) // no task waits for others
    payForEnd();
  turnstile.wait(self(), group);
  tbb::parallel_for(tbb::blocked_range<int>(0, section.iterations),
                    Piece(*this, section, group, factor));
}

void TbbVirtualWalk::spawnTasks(const Node &section, TaskGroup &pending, double factor) {
  Worker &worker = self();
  tbb::task_group group;
  for (const Child &child : section.children) {
    const Node &node = plan.nodes[child.node];
    for (std::int64_t i = 0; i < child.number; ++i) {
      if (node.kind != Kind::Task) {
        visit(node, factor);
        continue;
      }
      payForTask();
      turnstile.create(worker, pending);
      group.run([this, &node, &pending, factor, maker = &worker] {
        Worker &runner = self();
        turnstile.beginTask(runner, pending);
        if (&runner != maker)
          payForSteal();
        visit(node, factor);
        turnstile.endTask(runner, pending);
      });
    }
  }
  payForEnd();
  turnstile.wait(worker, pending);
  group.wait();
}

} // namespace synthesizer
