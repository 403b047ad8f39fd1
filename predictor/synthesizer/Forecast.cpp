//===- Forecast.cpp - How long a runtime will take over a tree ------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/Forecast.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace prophet {

namespace {

// What things take in virtual time, in seconds, by bench/virtual_seconds.py, which puts forecasts
// beside what runs took.
constexpr double visit = 20e-9, begunThread = 50e-6;
/// A thread enters and leaves a team; more where many threads' stacks drop out of the caches, and
/// where it pays for its loop and so has another turn.
constexpr double entry = 8e-6, entryByThreads = 8e-9, payment = 4e-6;
/// A chunk, for which threads take turns, and one look at another's chunks (libomp).
constexpr double chunk = 1.5e-6, look = 0.2e-6;
/// A lock, and of those who wait for it.
constexpr double lock = 2e-6, lockByThreads = 0.1e-6;
/// A task, and what finding it takes by each thread that has none, or is another's victim.
constexpr double task = 2.5e-6;

/// Team by team: where there are tasks, who comes or goes has others look.
double meeting(const EmulationOptions &options) {
  return options.runtime == OmpRuntime::Libomp ? 0.25e-6 : 3.6e-6;
}

} // namespace

Forecast::Forecast(const TimedTree &timed, const Chains &chains)
    : timed(timed), chains(chains), joined(timed.tree.nodes.size()) {
  for (NodeId id = 0; id <= timed.tree.root; ++id) {
    allVisits += timed.executions[id];
    if (timed.hasSection(id) && timed.executions[id] > 0)
      findJoined(id);
  }
  findParallelism();
}

void Forecast::findJoined(NodeId parent) {
  if (std::ranges::none_of(timed.tree.sites, &Site::nowait))
    return;
  for (Position at = firstChild(timed, parent); at.child != at.end;) {
    const bool parallel =
        timed.kind(at.child->node) == NodeKind::Section && chains.parallel(at.child->node);
    if (const auto link = parallel ? chains.next(at) : std::nullopt) {
      at = link->section;
      joined[at.child->node] += timed.executions[parent];
      continue;
    }
    at.left = 1;
    at = at.next();
  }
}

/// Of one execution of `id`, on as many threads as it can use, if loops' iterations need none.
double Forecast::spanOf(NodeId id, const std::vector<double> &spans) const {
  const NodeKind kind = timed.kind(id);
  const auto children = timed.childrenOf(id);
  if (children.empty() || kind == NodeKind::L)
    return static_cast<double>(timed.length[id]);
  const bool parallel = kind == NodeKind::Section && chains.parallel(id);
  double spawner = 0, last = 0; // when each is done
  for (const TimedChild &child : children)
    if (parallel && child.traits.kind() == NodeKind::Task)
      last = std::max(last, spawner + spans[child.node]);
    else
      spawner += static_cast<double>(child.repeat) * spans[child.node];
  return std::max(spawner, last);
}

void Forecast::findParallelism() {
  const NodeId root = timed.tree.root;
  std::vector<double> spans(timed.tree.nodes.size());
  double serial = 0;
  for (NodeId id = 0; id <= root; ++id)
    if (timed.executions[id] > 0)
      spans[id] = spanOf(id, spans);
  for (const TimedChild &child : timed.childrenOf(root))
    if (child.traits.kind() != NodeKind::Section)
      serial += static_cast<double>(child.repeat) * static_cast<double>(child.length);
  const double span = spans[root] - serial;
  parallelism = span > 0 ? (static_cast<double>(timed.serial()) - serial) / span : 1;
}

bool Forecast::isSpawning(NodeId section, const EmulationOptions &options) const {
  return options.paradigm != Paradigm::OpenMP ||
         timed.tree.sites[timed.tree.nodes[section].ref].kind == SiteKind::Tasks;
}

double Forecast::forEachSection(const EmulationOptions &options,
                                const std::function<void(const Section &)> &visit) const {
  std::vector<double> here(timed.tree.nodes.size()), inside(here.size());
  here[timed.tree.root] = 1;
  double masters = 1, most = 1; // threads that run code of this level; that there are
  for (unsigned level = 0; masters > 0; ++level) {
    double width = 0, threads = 0;
    for (NodeId id = timed.tree.root + 1; id-- > 0;) {
      const double executions = std::exchange(here[id], 0);
      if (executions == 0)
        continue;
      const std::uint32_t site = timed.tree.nodes[id].ref;
      const bool parallel = timed.kind(id) == NodeKind::Section && chains.parallel(id);
      const bool spawns = parallel && isSpawning(id, options);
      const double team = parallel ? options.teamSize(site) : 1;
      const bool opens = team > 1 && level < (spawns ? 1 : options.maxActiveLevels);
      if (parallel && (opens || spawns)) {
        const double teams = opens ? executions * (1 - joined[id] / timed.executions[id]) : 0;
        visit({id, spawns, level, executions, teams, team, masters * team});
      }
      if (opens) {
        width = std::max(width, static_cast<double>(timed.iterations(id)));
        threads = std::max(threads, masters * team);
      }
      if (timed.hasSection(id))
        for (const TimedChild &child : timed.childrenOf(id))
          (opens ? inside : here)[child.node] += executions * static_cast<double>(child.repeat);
    }
    most = std::max(most, threads);
    masters = std::min(threads, masters * width);
    here.swap(inside);
  }
  return most;
}

bool Forecast::isAsking(const Section &section, const EmulationOptions &options) const {
  const std::uint32_t site = timed.tree.nodes[section.id].ref;
  const Schedule::Kind kind = options.scheduleOf(site).kind;
  const bool isStatic = kind == Schedule::Kind::Static || kind == Schedule::Kind::StaticChunk;
  return !section.spawns && (!isStatic || timed.tree.sites[site].kind != SiteKind::ParallelFor);
}

double Forecast::asked(const EmulationOptions &options) const {
  double all = 0;
  forEachSection(options, [&](const Section &section) {
    if (isAsking(section, options))
      all += section.executions * static_cast<double>(timed.iterations(section.id));
  });
  return all;
}

double Forecast::threads(const EmulationOptions &options) const {
  return forEachSection(options, [](const Section &) {});
}

/// What asking the runtime for iterations takes.
double Forecast::chunkSeconds(const Section &section, const EmulationOptions &options) const {
  if (!isAsking(section, options))
    return 0;
  const std::uint32_t site = timed.tree.nodes[section.id].ref;
  const Schedule &schedule = options.scheduleOf(site);
  const auto iterations = static_cast<double>(timed.iterations(section.id));
  const bool isStealing = timed.tree.sites[site].kind == SiteKind::ParallelFor &&
                          options.runtime == OmpRuntime::Libomp &&
                          schedule.kind == Schedule::Kind::Dynamic && !schedule.monotonic;
  const double chunks =
      iterations / static_cast<double>(std::max<std::uint64_t>(schedule.chunk, 1));
  // Each of libomp's idle threads looks at all others; where chunks are few there is one queue.
  const double looks = isStealing && chunks >= section.team ? section.team * section.team : 0;
  return section.executions *
         (iterations * (chunk + section.threads * entryByThreads) + looks * look);
}

/// What opening teams takes.
double Forecast::teamSeconds(const Section &section, const EmulationOptions &options,
                             bool hasTasks) const {
  if (options.paradigm == Paradigm::Tbb)
    return section.teams * section.team * 2e-6;
  double thread = entry + section.threads * entryByThreads;
  if (!options.overheads.isNone())
    thread += payment;
  if (section.level > 0 && options.runtime == OmpRuntime::Libgomp)
    thread += begunThread; // it keeps the outermost team's alone
  if (hasTasks)
    thread += entry + section.team * meeting(options);
  return section.teams * section.team * thread;
}

double Forecast::tasksOf(const Section &section, const EmulationOptions &options) const {
  if (timed.tree.sites[timed.tree.nodes[section.id].ref].kind == SiteKind::ParallelFor) {
    // As runtimes split loops that do not say how.
    const double most = options.paradigm == Paradigm::Tbb       ? 4 * section.team
                        : options.runtime == OmpRuntime::Libomp ? 10 * section.team
                                                                : section.team;
    return std::min(static_cast<double>(timed.iterations(section.id)), most);
  }
  double tasks = 0;
  for (const TimedChild &child : timed.childrenOf(section.id))
    if (child.traits.kind() == NodeKind::Task)
      tasks += static_cast<double>(child.repeat);
  return tasks;
}

/// How many threads can be at work: where one creates all tasks, not more than there are tasks for
/// by the time that this takes.
double Forecast::busyThreads(const Section &section, const EmulationOptions &options) const {
  const double ns = options.overheads.tasks.create.at(static_cast<unsigned>(section.team));
  const double creation = static_cast<double>(timed.grid.ofCost(ns * timed.tree.timebaseHz / 1e9));
  const double tasks = tasksOf(section, options);
  if (creation == 0 || tasks == 0 || section.level > 0)
    return parallelism;
  const double length = static_cast<double>(timed.length[section.id]) / tasks;
  return std::min(parallelism, 1 + length / creation);
}

/// What tasks take that are spawned and found.
double Forecast::taskSeconds(const Section &section, const EmulationOptions &options) const {
  if (section.team == 1)
    return 0;
  const double idle = std::max(0.0, section.team - busyThreads(section, options));
  double each = task;
  const bool isLibomp = isOpenMP(options.paradigm) && options.runtime == OmpRuntime::Libomp;
  if (options.paradigm == Paradigm::Tbb) // the team's own are stolen, of random victims
    each += idle * 1.5e-6 + section.team * (section.level == 0 ? 0.8e-6 : 0.1e-6);
  else if (options.runtime == OmpRuntime::Libgomp) // whether those that wait sleep is looked at
    each += idle * 8e-6;
  if (isLibomp && !options.overheads.tasks.create.isZero()) // time goes on, so all idle ones look
    each += idle * (section.level > 0 ? 1.5e-6 : 0.2e-6);
  if (isLibomp && section.level > 0) // who waits inside a task looks for tasks that it must not run
    each += section.team * 0.1e-6;
  return section.executions * tasksOf(section, options) * each;
}

Forecast::VirtualTime Forecast::virtualTime(const EmulationOptions &options) const {
  VirtualTime time{visits() * visit, 0};
  const bool hasTasks = usesTasks(timed.tree, options);
  double widest = 1;
  const double threads = forEachSection(options, [&](const Section &section) {
    widest = std::max(widest, section.team);
    time.run += teamSeconds(section, options, hasTasks) + chunkSeconds(section, options) +
                (section.spawns ? taskSeconds(section, options) : 0);
  });
  if (threads > 1)
    time.run += timed.counts.locks * (lock + widest * lockByThreads);
  if (options.paradigm == Paradigm::Tbb)
    time.run += widest * (begunThread + widest * 1.7e-6); // an arena gathers, in each run
  else
    time.once = threads * begunThread;
  return time;
}

} // namespace prophet
