//===- Simulation.cpp - One emulated run ----------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Simulation.h"

#include "predictor/emulator/Engine.h"
#include "predictor/emulator/FlatLoop.h"
#include "predictor/emulator/Pinning.h"
#include "predictor/emulator/TaskEngine.h"
#include "predictor/emulator/TaskRegions.h"

#include <algorithm>
#include <unordered_map>

namespace prophet {

namespace {

/// How a region is emulated.
enum class Course : std::uint8_t { Formula, Events, Tasks };

/// \param tasks none where nothing spawns tasks.
Course courseOf(const RegionContext &context, const Region &region,
                const std::optional<TaskEngine> &tasks) {
  if (tasks && tasks->isFor(region.start))
    return Course::Tasks;
  const NodeId section = region.start.child->node;
  const unsigned threads = context.teamSize(section);
  const bool flat =
      !region.chained && isFlat(context, section) &&
      (context.plan(section, threads).dealing < Dealing::Queue || !pinningOf(context, region));
  return flat ? Course::Formula : Course::Events;
}

/// The pieces of the flat loop `section`, of which there are `below`: each thread is through with
/// it at once, or with runs of it, or with its pieces one by one where it may have to share its
/// core.
double flatSteps(const RegionContext &context, NodeId section, bool sharesCores, double below) {
  const unsigned threads = context.teamSize(section);
  const auto runs = static_cast<double>(context.timed.tree.childrenOf(section).size());
  double pieces = std::min(below, runs);
  if (sharesCores && context.charges.waitersYield() &&
      context.plan(section, threads).dealing >= Dealing::Queue)
    pieces = isSharedOut(context, section, threads) ? double{manyChunks} * threads : below;
  return std::max<double>(threads, pieces);
}

/// By node: the pieces that an engine steps through in one execution of it.
/// \param spawns whether there are tasks, whose engine steps through all loops
std::vector<double> stepsWithin(const RegionContext &context, bool spawns) {
  const TimedTree &timed = context.timed;
  const std::vector<std::uint8_t> traits = findSpawnTraits(timed, context.chains, context.options);
  const bool nests = context.options.maxActiveLevels > 1;
  const bool sharesCores = context.mayShareCores();
  const bool stepsInside = nests || (sharesCores && !context.takesInnerWhole());
  std::vector<double> steps(timed.tree.nodes.size(), 1);
  for (NodeId id = 0; id <= timed.tree.root; ++id) {
    if (timed.executions[id] == 0 || timed.traits(id).isPlain())
      continue;
    if (!timed.hasLock(id) && !stepsInside && timed.kind(id) != NodeKind::Section &&
        !(traits[id] & Spawns))
      continue; // its inner sections run on its thread, as one piece
    double below = 0;
    for (const Child &child : timed.tree.childrenOf(id))
      below += static_cast<double>(child.repeat) * steps[child.node];
    const bool isFlat = !spawns && timed.kind(id) == NodeKind::Section && !timed.hasLock(id) &&
                        (!timed.hasSection(id) || !stepsInside);
    steps[id] += isFlat ? flatSteps(context, id, sharesCores, below) : below;
    if (nests && timed.hasSection(id) && timed.kind(id) == NodeKind::Section &&
        context.chains.parallel(id))
      steps[id] += context.teamSize(id); // who come and go
  }
  return steps;
}

/// Emulates every region of `outline` once; returns how much longer (negative: shorter) than on one
/// thread each is.
std::vector<double> runRegions(const RegionContext &context, const Outline &outline,
                               RunResult &result) {
  std::optional<Engine> engine;
  std::optional<TaskEngine> tasks;
  if (usesTasks(context.timed.tree, context.options))
    tasks.emplace(context);
  std::vector<double> change;
  for (const Region &region : outline.regions) {
    const NodeId section = region.start.child->node;
    const Course course = courseOf(context, region, tasks);
    if (course == Course::Events && !engine)
      engine.emplace(context);
    if (context.listener)
      context.listener->regionBegins(section, region.executions);
    const ThreadTimes times = course == Course::Formula ? runFlat(context, region)
                              : course == Course::Tasks ? tasks->run(region)
                                                        : engine->run(region);
    if (context.listener)
      context.listener->regionEnds(context.timed.grid.ticks(times.elapsed));
    change.push_back(times.elapsed - region.serial);
    result.regions[context.site(section)].add(times, region.executions);
    result.outside -= region.executions * region.serial;
    result.forks[context.site(section)] += region.executions;
    result.forksAsleep[context.site(section)] += region.asleep ? region.executions : 0;
    if (!region.chained && !context.timed.hasSection(section)) {
      result.solo[context.site(section)] += region.executions;
      result.soloAsleep[context.site(section)] += region.asleep ? region.executions : 0;
    }
  }
  return change;
}

/// Carries the regions' changes up to the root; returns the program's.
double propagate(const RegionContext &context, const Outline &outline,
                 const std::vector<double> &change, Tally &tally) {
  const Tree &tree = context.timed.tree;
  const double atFirst =
      outline.first ? change[outline.first->awake] - change[outline.first->asleep] : 0;
  if (outline.first)
    for (const NodeId id : outline.aroundFirst)
      if (tree.nodes[id].kind == NodeKind::Section)
        tally.addSection(context.timed, id, atFirst);
  std::unordered_map<NodeId, double> below; ///< by node: change of one execution
  auto use = outline.uses.rbegin();
  for (const auto &[id, executions] : outline.outside) {
    double sum = 0;
    for (const Child &child : tree.childrenOf(id))
      if (const auto found = below.find(child.node); found != below.end())
        sum += found->second * static_cast<double>(child.repeat);
    for (; use != outline.uses.rend() && use->parent == id; ++use)
      sum += change[use->region] * use->times;
    if (tree.nodes[id].kind == NodeKind::Section) // one that stays serial
      tally.addSection(context.timed, id,
                       executions * (static_cast<double>(context.timed.length[id]) + sum));
    if (sum != 0)
      below[id] = sum;
  }
  return below[tree.root] + atFirst;
}

/// Sections of one site among the root's children.
struct AloneInRoot {
  double executions = 0;
  double asleep = 0; ///< those that start asleep if no other site is parallel
  Time end = 0;      ///< of the last one so far, in the serial run
};

/// By site, all in one pass: what findRegions says of each.
std::vector<AloneInRoot> findAloneInRoot(const TimedTree &timed, double blockTime) {
  std::vector<AloneInRoot> sites(timed.tree.sites.size());
  Time now = 0;
  for (const Child &child : timed.tree.childrenOf(timed.tree.root)) {
    const Node &node = timed.tree.nodes[child.node];
    const Time begin = now;
    now += timed.length[child.node] * static_cast<Time>(child.repeat);
    if (node.kind != NodeKind::Section)
      continue;
    AloneInRoot &site = sites[node.ref];
    if (site.executions > 0 && static_cast<double>(begin - site.end) >= blockTime)
      ++site.asleep;
    site.executions += static_cast<double>(child.repeat);
    site.end = now;
  }
  return sites;
}

/// What can be known of a run before it is emulated.
struct Preview {
  Preview(const TimedTree &timed, const EmulationOptions &options)
      : charges(options, timed.grid, timed.tree.timebaseHz), chains(timed, options),
        costs(timed, {}), tally(timed.tree),
        context{timed, options, charges, chains, costs, tally, nullptr},
        regions(findRegions(timed, chains, charges.blockTime).regions) {
    if (usesTasks(timed.tree, options))
      tasks.emplace(context);
  }

  const Charges charges;
  const Chains chains;
  const SerialCosts costs;
  Tally tally;
  const RegionContext context;
  const std::vector<Region> regions;
  std::optional<TaskEngine> tasks;
};

} // namespace

RunResult simulate(const TimedTree &timed, const EmulationOptions &options,
                   EventListener *listener) {
  const Charges charges(options, timed.grid, timed.tree.timebaseHz);
  const Chains chains(timed, options);
  const SerialCosts costs(timed, innerOverheads(timed, options, charges, chains));
  RunResult result(timed.tree);
  const auto serial = static_cast<double>(timed.serial());
  result.outside = serial;
  const RegionContext context{timed, options, charges, chains, costs, result.tally, listener};
  Outline outline = findRegions(timed, chains, charges.blockTime);
  markCreation(context, outline);
  const std::vector<double> change = runRegions(context, outline, result);
  result.elapsed = serial + propagate(context, outline, change, result.tally);
  result.tally.resolveFused(timed, costs);
  if (listener)
    listener->programEnds({timed, chains, outline, timed.grid.ticks(result.elapsed)});
  return result;
}

bool placesAtRandom(const TimedTree &timed, const EmulationOptions &options) {
  const unsigned cores = options.cores ? options.cores : options.threads;
  const bool nests = options.maxActiveLevels > 1 && timed.hasNestedSections();
  if (!Charges::waitersYield(options) || (options.widestTeam() <= cores && !nests))
    return false;
  const Preview preview(timed, options);
  return std::ranges::any_of(preview.regions, [&](const Region &region) {
    return courseOf(preview.context, region, preview.tasks) != Course::Tasks &&
           pinningOf(preview.context, region);
  });
}

double countSteps(const TimedTree &timed, const EmulationOptions &options) {
  const Preview preview(timed, options);
  const Chains &chains = preview.chains;
  const std::vector<double> steps = stepsWithin(preview.context, preview.tasks.has_value());
  double sum = 0;
  for (const Region &region : preview.regions) {
    if (courseOf(preview.context, region, preview.tasks) == Course::Formula)
      continue;
    bool isKnown = true; // when threads come to the next loop of the region
    const auto add = [&](NodeId section) {
      const LoopPlan plan = preview.context.plan(section, preview.context.teamSize(section));
      const std::uint64_t chunks = timed.iterations(section) / plan.chunk;
      const bool byChunks = !isKnown && plan.dealing >= Dealing::Queue;
      sum += std::max(steps[section], byChunks ? static_cast<double>(chunks) : 0);
      isKnown &= !timed.hasLock(section) && !timed.hasSection(section);
    };
    add(region.start.child->node);
    for (auto link = chains.next(region.start); link; link = chains.next(link->section))
      add(link->section.child->node);
  }
  return sum;
}

std::vector<double> extraWaking(const TimedTree &timed, const EmulationOptions &options,
                                const RunResult &run) {
  std::vector<double> extra(timed.tree.sites.size());
  const Charges charges(options, timed.grid, timed.tree.timebaseHz);
  if (charges.blockTime <= 0 || charges.blockTime > static_cast<double>(timed.serial()))
    return extra;
  const std::vector<AloneInRoot> alone = findAloneInRoot(timed, charges.blockTime);
  for (std::uint32_t site = 0; site < extra.size(); ++site) {
    const TeamCharges &team = charges.team(options.teamSize(site));
    const double waking = static_cast<double>(team.asleep.fork - team.spinning.fork);
    if (waking == 0 || !isSolo(timed, run, site))
      continue;
    double asleep = alone[site].asleep;
    if (alone[site].executions != run.solo[site]) { // others lie deeper
      EmulationOptions only = options;
      only.onlySite = site;
      asleep = 0;
      for (const Region &region :
           findRegions(timed, Chains(timed, only), charges.blockTime).regions)
        asleep += region.asleep ? region.executions : 0;
    }
    extra[site] = (asleep - run.soloAsleep[site]) * waking;
  }
  return extra;
}

} // namespace prophet
