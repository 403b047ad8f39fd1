//===- DealtSection.cpp - Which thread executes which task ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/DealtSection.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace prophet {

using memmodel::Turn;

DealtSection::DealtSection(const LoopPlan &plan, std::uint64_t tasks, unsigned team)
    : tasks(tasks), unit(plan.dealing == Dealing::Block ? 1 : plan.chunk),
      units(tasks / unit + (tasks % unit != 0)), team(team),
      byTurns(plan.dealing == Dealing::RoundRobin || plan.dealing == Dealing::Queue),
      stolen(plan.dealing == Dealing::Steal) {
  if (plan.dealing != Dealing::Guided)
    return;
  using Load = std::pair<std::uint64_t, unsigned>; // tasks so far, thread
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (unsigned thread = 0; thread < team; ++thread)
    loads.push({0, thread});
  GuidedChunks chunks(plan.shrinking, tasks, team, plan.chunk);
  while (chunks.taken() < tasks) {
    const std::uint64_t begin = chunks.taken(), size = chunks.next();
    const auto [load, thread] = loads.top();
    loads.pop();
    guided.push_back({begin, {thread, load}});
    loads.push({load + size, thread});
  }
}

Turn DealtSection::turnOf(std::uint64_t task) const {
  if (guided.empty()) {
    const Turn turn = memmodel::dealTask(task / unit, units, team, byTurns ? 1 : 0);
    return {turn.thread, turn.number * unit + task % unit};
  }
  const Chunk &in = *std::prev(std::ranges::upper_bound(guided, task, {}, &Chunk::begin));
  return {in.first.thread, in.first.number + (task - in.begin)};
}

double DealtSection::tasksInARow() const {
  const auto all = static_cast<double>(tasks);
  if (team == 1)
    return all;
  const std::uint64_t runs = !guided.empty() ? guided.size() : byTurns ? units : team;
  return std::max(1.0, all / static_cast<double>(runs));
}

DealtSection dealSection(const Tree &tree, std::uint32_t site, const EmulationOptions &options,
                         std::uint64_t tasks, unsigned team) {
  const bool isLoop =
      options.paradigm == Paradigm::OpenMP && tree.sites[site].kind != SiteKind::Tasks;
  const LoopPlan blocks{Dealing::Block, 1};
  if (!options.isParallel(site))
    team = 1;
  return {isLoop && team > 1 ? planLoop(tree, site, options, tasks, team) : blocks, tasks, team};
}

} // namespace prophet
