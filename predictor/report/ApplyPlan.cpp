//===- ApplyPlan.cpp - What OpenMP each site deserves -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/ApplyPlan.h"

#include "predictor/emulator/WrittenClauses.h"
#include "predictor/report/Advice.h"
#include "predictor/report/BreakEven.h"
#include "predictor/report/TreeSummary.h"
#include "predictor/support/Text.h"
#include "predictor/tree/SelfNesting.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace prophet {

/// Larger chunks save less than half a nanosecond an iteration.
static constexpr std::uint64_t LargestChunk = 1024;
/// A schedule must be this much faster to be taken for one that comes before it.
static constexpr double Better = 1.005;

static bool fits(const Schedule &schedule, std::uint64_t trips, unsigned threads) {
  return schedule.chunk <= 1 || schedule.chunk <= trips / (4 * std::uint64_t(threads));
}

std::vector<ScheduleChoice> schedulesToTry(const Tree &tree, const TreeSummary &summary,
                                           unsigned threads) {
  using Kind = Schedule::Kind;
  std::vector<ScheduleChoice> choices = defaultSchedules();
  std::uint64_t most = 0;
  for (const SiteSummary &site : summary.sites)
    most = std::max(most, site.trips.max < 1 ? 0 : static_cast<std::uint64_t>(site.trips.max));
  for (std::uint64_t chunk = 2; chunk <= LargestChunk; chunk *= 2)
    if (Schedule schedule{Kind::Dynamic, chunk}; fits(schedule, most, threads))
      choices.push_back({schedule});
  choices.push_back({{Kind::Guided, 1}});
  if (auto written = readWrittenClauses(tree, OmpRuntime::Libomp, std::nullopt))
    for (const SiteSettings &settings : written->sites)
      if (ScheduleChoice choice{settings.schedule};
          std::find(choices.begin(), choices.end(), choice) == choices.end())
        choices.push_back(choice);
  return choices;
}

namespace {
/// Executions of a site with too few iterations to gain, and the others.
struct Executions {
  double few = 0, many = 0;
  double wastedNs = 0; ///< what the few lose in parallel
};

class Decider {
public:
  explicit Decider(const Prediction &prediction)
      : prediction(prediction), tree(*prediction.tree), threads(prediction.threads.front()),
        options(prediction.options), summary(summarizeCounts(tree)), places(findSitePlaces(tree)) {
    options.threads = threads;
  }

  SiteDecision decide(std::uint32_t site) const;
  bool ran(std::uint32_t site) const { return summary.sites[site].executions > 0; }

private:
  const PredictionPoint &bestFor(std::uint32_t site) const;
  std::optional<std::string> written(std::uint32_t site) const;
  Executions split(const LoopRegions &regions, std::uint32_t site, std::uint64_t enough) const;
  void decideLoop(SiteDecision &decision, const PredictionPoint &best) const;
  std::string figures(std::uint32_t site, const PredictionPoint &best) const;
  double speedup(const PredictionPoint &point, std::uint32_t site) const {
    return point.estimate.sites[site].speedup;
  }

  const Prediction &prediction;
  const Tree &tree;
  const unsigned threads;
  EmulationOptions options;
  TreeSummary summary;
  std::vector<SitePlace> places;
};

/// The schedule that the annotation asks for, if there is an estimate of it.
std::optional<std::string> Decider::written(std::uint32_t site) const {
  std::string clause = tree.sites[site].schedule;
  std::erase(clause, ' ');
  if (clause.ends_with("dynamic") || clause.ends_with("guided"))
    clause += ",1";
  for (const PredictionPoint &point : prediction.points)
    if (point.choice.schedule.str() == clause)
      return clause;
  return std::nullopt;
}

/// The first point that no other is clearly faster than; what the annotation asks for comes first.
const PredictionPoint &Decider::bestFor(std::uint32_t site) const {
  const auto trips = static_cast<std::uint64_t>(summary.sites[site].trips.max);
  const auto asked = written(site);
  const PredictionPoint *fastest = &prediction.points.front(), *first = nullptr;
  auto allowed = [&](const PredictionPoint &point) {
    return prediction.points.size() == 1 || fits(point.choice.schedule, trips, threads) ||
           point.choice.schedule.str() == asked;
  };
  for (const PredictionPoint &point : prediction.points)
    if (allowed(point) && speedup(point, site) > speedup(*fastest, site))
      fastest = &point;
  auto nearly = [&](const PredictionPoint &point) {
    return allowed(point) && speedup(point, site) * Better >= speedup(*fastest, site);
  };
  for (const PredictionPoint &point : prediction.points)
    if (nearly(point) && (!first || point.choice.schedule.str() == asked))
      first = &point;
  return *first;
}

/// `count` to five binary digits.
static std::uint64_t roughly(std::uint64_t count) {
  const int dropped = std::max(0, static_cast<int>(std::bit_width(count)) - 5);
  return count >> dropped << dropped;
}

/// Those of fewer than `enough` iterations, and the others.
Executions Decider::split(const LoopRegions &regions, std::uint32_t site,
                          std::uint64_t enough) const {
  Executions result;
  const std::vector<double> counts = countOutermost(tree, site);
  std::map<std::uint64_t, double> few; ///< by number of iterations
  for (NodeId id = 0; id < tree.nodes.size(); ++id) {
    const Node &node = tree.nodes[id];
    if (node.kind != NodeKind::Section || node.ref != site || counts[id] == 0)
      continue;
    const std::uint64_t tasks = tree.tasksOf(id);
    (tasks < enough ? few[roughly(tasks)] : result.many) += counts[id];
  }
  for (const auto &[tasks, count] : few) {
    result.few += count;
    result.wastedNs -= count * regions.savedNs(std::max<std::uint64_t>(tasks, 1));
  }
  return result;
}

/// "predicted 3.86x on 4 threads (static 2.10x)".
std::string Decider::figures(std::uint32_t site, const PredictionPoint &best) const {
  std::string text =
      fmt::format("predicted {} on {} threads", formatSpeedup(speedup(best, site)), threads);
  for (const PredictionPoint &point : prediction.points)
    if (point.choice.schedule.kind == Schedule::Kind::Static && &point != &best)
      text += fmt::format(" (static {})", formatSpeedup(speedup(point, site)));
  return text;
}

SiteDecision Decider::decide(std::uint32_t site) const {
  SiteDecision decision;
  decision.site = site;
  const PredictionPoint &best = bestFor(site);
  const bool loop = tree.sites[site].kind == SiteKind::ParallelFor;
  if (loop)
    decision.schedule = best.choice.schedule.str();
  if (places[site].nested && !places[site].outermost && options.maxActiveLevels < 2) {
    decision = {site, "", std::nullopt, true,
                "stays serial: it only runs inside another parallel section, where OpenMP would "
                "not run it in parallel anyway"};
    return decision;
  }
  decision.note = (loop ? "schedule(" + decision.schedule + "): " : "") + figures(site, best);
  if (loop)
    decideLoop(decision, best);
  if (!decision.guard && speedup(best, site) < WorthIt)
    decision = {site, "", std::nullopt, true, "stays serial: " + figures(site, best)};
  return decision;
}

/// Adds a guard where what short runs lose is more than another schedule would have to gain.
void Decider::decideLoop(SiteDecision &decision, const PredictionPoint &best) const {
  const SiteSummary &seen = summary.sites[decision.site];
  const double tickNs = 1e9 / tree.timebaseHz;
  if (seen.trips.min == seen.trips.max)
    return;
  const LoopRegions regions(
      tree, decision.site,
      {best.choice.schedule, best.estimate.sites[decision.site].asleep,
       options.bodyRatio(decision.site)}, // the guard avoids the team, not the function
      options);
  const auto enough = regions.breakEven();
  if (!enough || static_cast<double>(*enough) > seen.trips.max)
    return;
  const Executions runs = split(regions, decision.site, *enough);
  const double parallelNs = best.estimate.sites[decision.site].ticks * tickNs;
  if (runs.few == 0 || runs.many == 0 || runs.wastedNs < (Better - 1) * parallelNs)
    return;
  decision.guard = *enough - 1;
  decision.note += fmt::format("; {} of {} runs have no more than {} iterations, too few to gain",
                               runs.few, runs.few + runs.many, *decision.guard);
}
} // namespace

std::vector<SiteDecision> decideSites(const Prediction &prediction) {
  const Decider decider(prediction);
  std::vector<SiteDecision> decisions;
  for (std::uint32_t site = 0; site < prediction.tree->sites.size(); ++site)
    if (decider.ran(site))
      decisions.push_back(decider.decide(site));
  return decisions;
}

std::string renderPlan(const Tree &tree, const std::vector<SiteDecision> &decisions) {
  std::string text = "{\"sites\": [";
  for (const SiteDecision &decision : decisions) {
    const Site &site = tree.sites[decision.site];
    text += fmt::format("{}\n  {{\"file\": {}, \"line\": {}, \"schedule\": {}, \"serial\": {}, ",
                        &decision == &decisions.front() ? "" : ",", formatJsonString(site.file),
                        site.line, formatJsonString(decision.serial ? "" : decision.schedule),
                        decision.serial);
    if (decision.guard)
      text += fmt::format("\"guard\": {}, ", *decision.guard);
    text += fmt::format("\"note\": {}}}", formatJsonString(decision.note));
  }
  return text + "]}\n";
}

} // namespace prophet
