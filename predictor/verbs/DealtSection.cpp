//===- DealtSection.cpp - Which thread executes which task ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/DealtSection.h"

#include "predictor/emulator/StaticSchedule.h"
#include "predictor/emulator/StaticSteal.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <optional>
#include <queue>
#include <utility>

namespace prophet {

using memmodel::Turn;

/// The first task of each of the chunks in which `plan` deals out so many tasks.
static std::vector<std::uint64_t> chunkBegins(const LoopPlan &plan, std::uint64_t tasks,
                                              unsigned team) {
  std::vector<std::uint64_t> begins;
  if (plan.dealing == Dealing::Guided) {
    GuidedChunks chunks(plan.shrinking, tasks, team, plan.chunk);
    while (chunks.taken() < tasks) {
      begins.push_back(chunks.taken());
      chunks.next();
    }
  } else if (plan.dealing == Dealing::Block) {
    for (unsigned thread = 0; thread < team && thread < tasks; ++thread)
      begins.push_back(staticBlockStart(tasks, team, thread));
  } else {
    for (std::uint64_t begin = 0; begin < tasks; begin += plan.chunk)
      begins.push_back(begin);
  }
  return begins;
}

DealtSection::DealtSection(const LoopPlan &plan, std::uint64_t tasks, unsigned team,
                           std::shared_ptr<const TaskLengths> taskLengths)
    : tasks(tasks), unit(plan.dealing == Dealing::Block ? 1 : plan.chunk),
      units(tasks / unit + (tasks % unit != 0)), team(team),
      byTurns(plan.dealing == Dealing::RoundRobin || plan.dealing == Dealing::Queue),
      stolen(plan.dealing == Dealing::Steal), shrinks(plan.dealing == Dealing::Guided),
      lengths(std::move(taskLengths)), last(static_cast<double>(tasks) / team) {
  assert(!lengths || lengths->tasks() == tasks);
  if (plan.dealing != Dealing::Block && !shrinks && units > MostChunks)
    lengths.reset();
  if (!lengths && !shrinks)
    return;
  std::size_t place = 0;
  for (const std::uint64_t begin : chunkBegins(plan, tasks, team))
    chunks.push_back(
        {begin, lengths ? lengths->beforeNext(begin, place) : static_cast<double>(begin), 0, 0});
  if (plan.dealing == Dealing::Steal)
    dealByStealing();
  else if (plan.dealing == Dealing::Queue || shrinks)
    dealByQueue();
  else
    dealInTurns();
}

double DealtSection::lengthOf(std::size_t chunk) const {
  const double end =
      chunk + 1 < chunks.size() ? chunks[chunk + 1].before : static_cast<double>(tasks);
  return end - chunks[chunk].before;
}

void DealtSection::dealInTurns() {
  std::vector<double> ready(team);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    chunks[i].thread = static_cast<unsigned>(i % team);
    chunks[i].start = ready[i % team];
    ready[i % team] += lengthOf(i);
  }
  last = std::ranges::max(ready);
}

namespace {
/// When threads are ready, who is first.
using Ready = std::pair<double, unsigned>;
using ReadyQueue = std::priority_queue<Ready, std::vector<Ready>, std::greater<>>;

ReadyQueue allAtOnce(unsigned threads) {
  ReadyQueue queue;
  for (unsigned thread = 0; thread < threads; ++thread)
    queue.push({0, thread});
  return queue;
}
} // namespace

void DealtSection::dealByQueue() {
  ReadyQueue ready = allAtOnce(team);
  double latest = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const auto [now, thread] = ready.top();
    ready.pop();
    chunks[i].thread = thread;
    chunks[i].start = now;
    latest = std::max(latest, now + lengthOf(i));
    ready.push({now + lengthOf(i), thread});
  }
  if (lengths)
    last = latest;
}

void DealtSection::dealByStealing() {
  StealRing ring(team, chunks.size());
  for (unsigned thread = 0; thread < team; ++thread)
    ring.arrive(thread);
  ReadyQueue ready = allAtOnce(team);
  while (!ready.empty()) {
    const auto [now, thread] = ready.top();
    ready.pop();
    last = now;
    const std::optional<std::uint64_t> chunk = ring.take(thread);
    if (!chunk)
      continue; // it leaves the loop
    chunks[*chunk].thread = thread;
    chunks[*chunk].start = now;
    ready.push({now + lengthOf(*chunk), thread});
  }
}

Turn DealtSection::turnOf(std::uint64_t task) const {
  if (chunks.empty()) {
    const Turn turn = memmodel::dealTask(task / unit, units, team, byTurns ? 1 : 0);
    const auto size = static_cast<double>(unit), in = static_cast<double>(task % unit);
    return {turn.thread, turn.begin * size + in};
  }
  const bool areAlike = byTurns || stolen; // of `unit` tasks
  const Chunk &in = areAlike
                        ? chunks[task / unit]
                        : *std::prev(std::ranges::upper_bound(chunks, task, {}, &Chunk::begin));
  const double begin = before(task);
  return {in.thread, in.start + (begin - in.before), before(task + 1) - begin};
}

const DealtSection &DealtSections::dealt(std::size_t part, std::optional<std::uint32_t> site,
                                         std::uint64_t tasks,
                                         const std::shared_ptr<const TaskLengths> &lengths) {
  if (lastPart == part) // each task asks
    return *last;
  lastPart = part;
  const Key key(site, tasks, left > 0 ? lengths.get() : nullptr);
  auto found = made.find(key);
  if (found == made.end()) {
    if (kept > DealtSection::MostChunks) {
      made.clear();
      kept = 0;
    }
    const unsigned team = site ? options.teamSize(*site) : 1;
    found = made.emplace(key, dealSection(tree, site.value_or(0), options, tasks, team,
                                          left > 0 ? lengths : nullptr))
                .first;
    kept += found->second.chunksDealt();
    left -= std::min<std::uint64_t>(left, found->second.chunksDealt());
  }
  last = &found->second;
  return *last;
}

double DealtSection::tasksInARow() const {
  const auto all = static_cast<double>(tasks);
  if (team == 1)
    return all;
  const std::uint64_t runs = shrinks ? chunks.size() : byTurns ? units : team;
  return std::max(1.0, all / static_cast<double>(runs));
}

/// How a run under `options` deals it, where it has it as a region of its own.
static LoopPlan planOf(const Tree &tree, std::uint32_t site, const EmulationOptions &options,
                       std::uint64_t tasks, unsigned team) {
  const bool isLoop =
      options.paradigm == Paradigm::OpenMP && tree.sites[site].kind != SiteKind::Tasks;
  return isLoop && team > 1 ? planLoop(tree, site, options, tasks, team)
                            : LoopPlan{Dealing::Block, 1};
}

bool isDealtByLengths(const Tree &tree, std::uint32_t site, const EmulationOptions &options,
                      std::uint64_t tasks, unsigned team) {
  const Dealing dealing =
      planOf(tree, site, options, tasks, options.isParallel(site) ? team : 1).dealing;
  return dealing == Dealing::Queue || dealing == Dealing::Steal || dealing == Dealing::Guided;
}

DealtSection dealSection(const Tree &tree, std::uint32_t site, const EmulationOptions &options,
                         std::uint64_t tasks, unsigned team,
                         std::shared_ptr<const TaskLengths> lengths) {
  if (!options.isParallel(site))
    team = 1;
  return {planOf(tree, site, options, tasks, team), tasks, team, std::move(lengths)};
}

} // namespace prophet
