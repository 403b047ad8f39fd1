//===- Walk.cpp - A tree run by OpenMP ------------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/Walk.h"

#include "predictor/synthesizer/executor/LoopShare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <omp.h>

namespace synthesizer {

thread_local Worker *present = nullptr;

Walk::Walk(const Plan &plan, const Run &run, Timing &timing)
    : plan(plan), run(run), timing(timing) {
  findSpawners();
}

Times Walk::execute() {
  omp_set_max_active_levels(run.levels);
  Times times;
  times.groups.resize(plan.groups);
  Worker initial;
  timing.begin(initial);
  for (const Item &item : plan.program)
    for (std::int64_t i = 0; i < item.repeat; ++i) {
      const double before = item.group ? timing.clock(initial) : 0;
      visit(initial, plan.nodes[item.node]);
      if (item.group)
        times.groups[*item.group] += timing.clock(initial) - before;
    }
  times.whole = timing.clock(initial);
  times.overhead = timing.overhead(initial);
  return times;
}

void Walk::compute(Worker &worker, Time length) {
  timing.compute(worker, worker.factor == 1
                             ? length
                             : std::llround(static_cast<double>(length) * worker.factor));
}

void Walk::sequence(Worker &worker, const std::vector<Child> &children) {
  for (const Child &child : children)
    for (std::int64_t i = 0; i < child.number; ++i)
      visit(worker, plan.nodes[child.node]);
}

void Walk::visit(Worker &worker, const Node &node) {
  ++worker.visits;
  switch (node.kind) {
  case Kind::Compute:
    return compute(worker, node.length);
  case Kind::Locked:
  case Kind::Holds:
    return holdLock(worker, node);
  case Kind::Section:
  case Kind::Spawner:
  case Kind::Chain:
    return section(worker, node);
  case Kind::Task:
    return sequence(worker, node.children);
  }
}

void Walk::holdLock(Worker &worker, const Node &node) {
  timing.acquire(worker, node.ref);
  if (node.kind == Kind::Locked)
    compute(worker, node.length);
  else
    sequence(worker, node.children);
  timing.release(worker, node.ref);
}

void Walk::section(Worker &worker, const Node &node) {
  const SiteSettings &settings = run.sites[firstSection(node).ref];
  if (settings.sharing == Sharing::Serial)
    return sequence(worker, node.children);
  ++worker.calls;
  if (!isSpawning(settings.sharing) || omp_get_level() == 0)
    return region(worker, node, settings);
  spawn(worker, node, settings); // into the team that it is in
}

/// A section, or several whose loops a team runs without waiting between them.
void Walk::region(Worker &master, const Node &node, const SiteSettings &settings) {
  Team team;
  const bool isParallel = settings.threads > 1 && omp_get_active_level() < run.levels;
  team.size = isParallel ? static_cast<unsigned>(settings.threads) : 1;
  team.master = &master;
  team.hasTasks = !spawners.empty();
  team.spawns = team.hasTasks && spawners[static_cast<std::size_t>(&node - plan.nodes.data())];
  team.isOutermost = omp_get_level() == 0;
  if (isParallel || team.isOutermost)
    team.costs = &run.costsOf(firstSection(node).ref, settings.threads);
  const double outerFactor = master.factor;
  const TaskPlace outerPlace = master.place;
  const SiteCosts *const outerCosts = master.costs;
  if (isParallel) // what the team runs belongs to no task of the outer one
    master.place = {};
  const bool setsFactor = omp_get_active_level() == 0;
  // They outlive the region's code: tasks also run at the barrier behind it.
  std::vector<std::optional<Worker>> others(team.size);
  team.members.resize(team.size);
  timing.fork(master, team);
#pragma omp parallel num_threads(settings.threads)
  {
    if (omp_get_num_threads() != static_cast<int>(team.size))
      giveUp("OpenMP makes smaller teams than asked for");
    const auto number = static_cast<unsigned>(omp_get_thread_num());
    Worker &worker = number == 0 ? master : others[number].emplace();
    team.members[number] = present = &worker;
    timing.enter(worker, team, number);
    worker.costs = isParallel ? team.costs : nullptr;
    worker.factor = setsFactor ? settings.factor : outerFactor;
    const auto share = [&](const Node &section) {
      if (setsFactor)
        worker.factor = run.sites[section.ref].factor;
      this->share(worker, section, team.costs ? settings.threads : 0);
    };
    if (isSpawning(settings.sharing)) {
      if (number == 0)
        spawn(worker, node, settings);
    } else if (node.kind == Kind::Section)
      share(node);
    else
      for (const Child &link : node.children) {
        if (setsFactor)
          worker.factor = 1; // it is of neither loop
        compute(worker, link.number);
        share(plan.nodes[link.node]);
      }
    timing.leave(worker, team);
  }
  present = &master;
  timing.join(master, team);
  master.place = outerPlace;
  master.factor = outerFactor;
  master.costs = outerCosts;
}

/// The worker's part of a loop of the region that it is in.
/// \param threads in the team; 0: it is one thread's, inside another region
void Walk::share(Worker &worker, const Node &section, int threads) {
  const SiteSettings &settings = run.sites[section.ref];
  const SiteCosts &costs = run.costsOf(section.ref, threads > 0 ? threads : settings.threads);
  if (threads == 0)
    timing.pay(worker, costs.alone(section.iterations));
  loop(worker, section, settings, threads > 0 ? &costs.loop(section.iterations) : nullptr);
}

void Walk::loop(Worker &worker, const Node &section, const SiteSettings &settings,
                const LoopCosts *costs) {
  std::optional<LoopShare> share; // where threads spin, the runtime deals out chunks as it comes
  if (!run.spin)
    share.emplace(timing, worker, settings, section.iterations, costs, omp_get_num_threads() > 1);
  shareLoop(settings.sharing, settings.chunk, section.iterations, [&](int number) {
    if (share)
      share->begin(number);
    iterate(worker, section, number);
  });
}

void Walk::iterate(Worker &worker, const Node &section, int number) {
  const auto next = std::upper_bound(section.first.begin(), section.first.end(), number);
  ++worker.visits;
  sequence(worker, plan.nodes[section.children[next - section.first.begin() - 1].node].children);
}

} // namespace synthesizer
