//===- Advice.cpp - What to do about a prediction ---------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/Advice.h"

#include "predictor/report/Causes.h"
#include "predictor/support/Text.h"
#include "rewriter/OpenMPWording.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace prophet {

std::vector<SitePlace> findSitePlaces(const Tree &tree) {
  std::vector<SitePlace> places(tree.sites.size());
  std::vector<SitePlace> nodes(tree.nodes.size());
  nodes[tree.root].outermost = true;
  for (NodeId id = tree.root + 1; id-- > 0;) {
    const Node &node = tree.nodes[id];
    SitePlace inside = nodes[id];
    if (node.kind == NodeKind::Section) {
      places[node.ref].outermost |= inside.outermost;
      places[node.ref].nested |= inside.nested;
      inside = {false, inside.outermost || inside.nested};
    }
    for (const Child &child : tree.childrenOf(id)) {
      nodes[child.node].outermost |= inside.outermost;
      nodes[child.node].nested |= inside.nested;
    }
  }
  return places;
}

const PredictionPoint &bestPointFor(const Prediction &prediction, const PredictionPoint &best,
                                    std::uint32_t site) {
  const PredictionPoint *chosen = &best;
  for (const PredictionPoint &point : prediction.points)
    if (point.threads == best.threads &&
        point.estimate.sites[site].speedup > 1.005 * chosen->estimate.sites[site].speedup)
      chosen = &point;
  return *chosen;
}

//===- Directives ---------------------------------------------------------===//

std::string openmpPragma(const Site &site, const Schedule &schedule) {
  const std::string clauses = printable(site.vars);
  switch (site.kind) {
  case SiteKind::ParallelFor:
    return site.nowait ? openmp::forNowait(schedule.str(), clauses)
                       : openmp::parallelFor(schedule.str(), clauses);
  case SiteKind::Sections:
    return openmp::parallelSections(clauses);
  case SiteKind::Tasks:
    return openmp::parallel(clauses, openmp::Clauses::All) + " / #pragma omp single";
  }
  return "";
}

std::string directive(Paradigm paradigm, const Site &site, const Schedule &schedule,
                      const SitePlace &place) {
  const bool isLoop = site.kind == SiteKind::ParallelFor;
  switch (paradigm) {
  case Paradigm::OpenMP:
    if (site.kind != SiteKind::Tasks || !place.nested)
      return openmpPragma(site, schedule);
    return "#pragma omp task / #pragma omp taskwait"; // of a team that is there
  case Paradigm::Tasks:
    return isLoop ? "#pragma omp taskloop" : "#pragma omp task / #pragma omp taskwait";
  case Paradigm::Tbb:
    return isLoop ? "tbb::parallel_for" : "tbb::task_group";
  case Paradigm::Cilk:
    return isLoop ? "cilk_for" : "cilk_spawn / cilk_sync";
  }
  return openmpPragma(site, schedule);
}

std::string enclosingPragma(const Site &site) {
  return openmp::parallel(printable(site.vars), openmp::Clauses::Team);
}

//===- Losses -------------------------------------------------------------===//

static bool hasOnlyTasks(const Tree &tree) {
  const auto isOfTasks = [](const Site &site) { return site.kind == SiteKind::Tasks; };
  return !tree.sites.empty() && std::ranges::all_of(tree.sites, isOfTasks);
}

/// Whether dealing out single iterations is known to be no better than `point`.
static bool isFinest(const Prediction &prediction, const PredictionPoint &point) {
  bool finest = point.choice.kind == ScheduleChoice::Kind::Best || point.isSplit();
  for (const PredictionPoint &other : prediction.points) {
    const Schedule &schedule = other.choice.schedule;
    if (other.threads == point.threads && schedule.kind == Schedule::Kind::Dynamic)
      finest |= schedule.chunk == 1 && other.estimate.speedup <= 1.005 * point.estimate.speedup;
  }
  return finest;
}

/// Why threads of `point` wait at the end of regions, and what has not been tried against it.
static std::string explainImbalance(const Prediction &prediction, const PredictionPoint &point) {
  const Tree &tree = *prediction.tree;
  const Idleness idle = idlenessOf(tree, point.estimate.waterfall, optionsOf(prediction, point));
  const std::string where =
      idle.isShared ? fmt::format(", mostly in {},", printable(tree.sites[*idle.site].name, 40))
                    : "";
  switch (idle.awaited) {
  case Awaited::Tasks:
    return fmt::format("waiting{} for other threads' tasks, since there are none left: make the "
                       "longest chain of tasks shorter",
                       where);
  case Awaited::NoIterations:
    return fmt::format("waiting{} at the end of loops with fewer iterations than threads: "
                       "parallelize an outer loop, or several as one (collapse), or take fewer "
                       "threads",
                       where);
  case Awaited::NoSections:
    return fmt::format("waiting{} for the longest section, while there are fewer sections than "
                       "threads: split them, or take fewer threads",
                       where);
  case Awaited::Sections:
    return fmt::format("waiting{} for the longest section: split it", where);
  case Awaited::Iterations:
    break;
  }
  return fmt::format("waiting{} at the end of loops for the slowest thread: {}", where,
                     isFinest(prediction, point)
                         ? "make the longest iterations shorter, or the loop longer"
                         : "deal iterations out in smaller pieces, or dynamically");
}

/// What the runtime's own work is at `point`, and what makes it less.
static const char *explainOverhead(const Prediction &prediction, const PredictionPoint &point) {
  const auto &sites = prediction.tree->sites;
  if (hasOnlyTasks(*prediction.tree))
    return "the runtime's own work, creating and dealing out tasks: make fewer and larger ones, in "
           "a recursion by a cut-off below which it goes on serially";
  if (point.isSplit())
    return "the runtime's own work, creating and dealing out tasks: parallelize an outer loop, or "
           "leave short loops serial";
  bool inChunks = false;
  for (std::uint32_t site = 0; site < sites.size(); ++site)
    inChunks |= point.scheduleOf(site).kind != Schedule::Kind::Static;
  return inChunks ? "OpenMP's own work, starting teams and dealing out iterations: take larger "
                    "chunks, or parallelize an outer loop"
                  : "OpenMP's own work, starting teams and dealing out iterations: parallelize an "
                    "outer loop, or leave short loops serial";
}

/// Why time is lost for which there is no thread.
static std::string explainMissing(const Prediction &prediction, const PredictionPoint &point) {
  const std::vector<TimeParts> &regions = point.estimate.waterfall.regions;
  if (regions.empty())
    return "";
  const auto worst = std::ranges::max_element(regions, {}, &TimeParts::serial);
  const auto name = [&](std::size_t site) {
    return printable(prediction.tree->sites[site].name, 40);
  };
  const EmulationOptions options = optionsOf(prediction, point);
  const auto isSmall = [&](std::uint32_t site) { return options.teamSize(site) < point.threads; };
  auto site = static_cast<std::uint32_t>(worst - regions.begin());
  const std::string opener = name(site);
  for (std::uint32_t other = 0; !isSmall(site) && other < regions.size(); ++other)
    site = isSmall(other) ? other : site; // teams inside of it
  if (isSmall(site))
    return fmt::format("threads that num_threads leaves out in {}: ask for larger teams",
                       name(site));
  const Saturation *saturation = prediction.outlook ? &prediction.outlook->saturation : nullptr;
  const bool canGainByMore =
      saturation && (!saturation->reached() || saturation->threads > point.threads);
  return fmt::format("cores that no thread is for while few inner teams are open in {}: "
                     "parallelize more of what its iterations do{}",
                     opener, canGainByMore ? ", or take more threads" : "");
}

/// The losses of a point by cause, in shares.
struct LossCauses {
  LossShares shares;
  double withoutThread = 0;  ///< of `serial`
  bool areCoresFull = false; ///< some of them are for want of cores though threads wait for
                             ///< something else
};

static LossCauses causesFor(const PredictionPoint &point) {
  const Waterfall &waterfall = point.estimate.waterfall;
  if (waterfall.threadTicks <= 0)
    return {point.estimate.loss};
  TimeParts causes = causesOf(waterfall, point.cores);
  const bool areFull = causes.cores > waterfall.program.cores;
  for (double *part : {&causes.useful, &causes.serial, &causes.imbalance, &causes.lock,
                       &causes.overhead, &causes.memory, &causes.cores, &causes.outlining})
    *part /= waterfall.threadTicks;
  return {causes, waterfall.withoutThread() / waterfall.threadTicks, areFull};
}

std::string explainLoss(const Prediction &prediction, const PredictionPoint &point) {
  const auto [loss, withoutThread, areCoresFull] = causesFor(point);
  bool leftSerial = prediction.options.onlySite && prediction.tree->sites.size() > 1;
  struct Reason {
    double share;
    std::string text;
  };
  const Reason reasons[] = {
      {loss.serial - withoutThread,
       leftSerial ? "code outside of the one site, where the other threads are idle: leave "
                    "out --site to see what the others give"
                  : "code outside the parallel sections, where the other threads are idle: "
                    "mark more loops, if there are more"},
      {withoutThread, explainMissing(prediction, point)},
      {loss.imbalance, explainImbalance(prediction, point)},
      {loss.lock,
       "waiting for each other's critical sections: shorten them, or reduce into private "
       "copies"},
      {loss.overhead, explainOverhead(prediction, point)},
      {loss.cores,
       areCoresFull ? fmt::format("waiting while {} busy: only more cores would help",
                                  point.cores == 1 ? "the one core is"
                                                   : fmt::format("all {} cores are", point.cores))
       : point.threads <= point.cores
           ? "waiting for a core, since inner teams have more threads than there are "
             "cores: leave inner loops serial, or ask for smaller teams"
           : "waiting for a core: take no more threads than cores"},
      {loss.memory, "memory that is slower when more threads use it: touch less data"},
      {loss.outlining, "loop bodies that run slower as OpenMP's functions: 'prophet apply' names "
                       "loops that lose their vectorisation"},
  };
  const Reason &worst =
      *std::max_element(std::begin(reasons), std::end(reasons),
                        [](const Reason &a, const Reason &b) { return a.share < b.share; });
  if (worst.share < 0.01)
    return "nothing to speak of, nearly all of the threads' time is useful work";
  return fmt::format("{} goes to {}", formatShare(worst.share), worst.text);
}

} // namespace prophet
