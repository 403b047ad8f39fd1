//===- Outlook.cpp - What else the profile says -----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/Outlook.h"

#include "predictor/emulator/Seeds.h"
#include "predictor/report/ApplyPlan.h"
#include "predictor/report/Bottleneck.h"
#include "predictor/report/BreakEven.h"
#include "predictor/report/Prediction.h"
#include "predictor/report/TreeSummary.h"
#include "predictor/support/ForEach.h"
#include "predictor/support/Progress.h"
#include "predictor/support/Text.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <tuple>

namespace prophet {

namespace {

/// How far from the maximum counts as the maximum.
constexpr double Nearly = 1.005;
/// What some dozens of emulations may have to step through, each; and how many (node, repeat) pairs
/// the tree may have, which is what formulas go by.
constexpr double MostSteps = 1e6, MostRuns = 4e6;
/// What all runs of one emulation may step through where there are several: programs whose
/// estimates take several have few thread counts that are tried.
constexpr double MostDrawnSteps = 2e6;

/// The most threads that are tried.
unsigned boundOf(const Prediction &prediction) {
  const unsigned asked = prediction.threads.back();
  return std::min(std::max({64u, asked, std::min(4 * asked, 1024u)}), MaxThreads);
}

class Looker {
public:
  Looker(const Prediction &prediction, unsigned jobs)
      : prediction(prediction), tree(*prediction.tree), best(bestPoint(prediction)), jobs(jobs),
        emulator(tree), options(optionsOf(prediction, best)), summary(summarize(tree)) {}

  /// Why it would take long.
  std::optional<Error> refusal() const {
    EmulationOptions largest = options;
    largest.threads = boundOf(prediction);
    const double steps = emulator.steps(largest);
    const bool isDrawn = emulator.chance(largest) == Chance::Placement;
    const double draws = isDrawn ? countDraws(emulator, largest) : 1;
    const double most = isDrawn ? MostDrawnSteps / draws : MostSteps;
    const auto runs = static_cast<double>(tree.children.size());
    if (steps <= most && runs <= MostRuns)
      return std::nullopt;
    return Error{fmt::format(
        "there is no outlook beyond the estimates: it would take dozens of emulations of {}; "
        "profile a smaller input to have one",
        steps > most
            ? fmt::format(
                  "{:.0f} pieces each{}, in sections with locks, nowait, inner teams or tasks",
                  steps, isDrawn ? fmt::format(", {:.0f} times over", draws) : "")
            : fmt::format("{:.0f} runs of equal pieces each", runs))};
  }

  Outlook look() {
    Outlook outlook;
    outlook.threads = best.threads;
    outlook.saturation = saturation();
    outlook.sites = sites();
    return outlook;
  }

private:
  const Prediction &prediction;
  const Tree &tree;
  const PredictionPoint &best;
  unsigned jobs;
  Emulator emulator;
  EmulationOptions options; ///< of the best estimate
  TreeSummary summary;

  /// Under `other`, which is `options` with another schedule or thread count; from the prediction
  /// where it has that already.
  Estimate under(const EmulationOptions &other) const {
    for (const PredictionPoint &point : prediction.points)
      if (point.threads == other.threads && point.choice.schedule == other.schedule &&
          point.sites.empty() && other.sites.empty())
        return point.estimate;
    return typicalEstimate(emulator, other);
  }

  Estimate on(unsigned threads) const {
    EmulationOptions other = options;
    other.threads = threads;
    return under(other);
  }

  /// The speedup on each of `counts`.
  std::vector<double> speedups(const std::vector<unsigned> &counts) const {
    std::vector<double> result(counts.size());
    forEachShown(counts.size(), [&](std::size_t i) { result[i] = on(counts[i]).speedup; });
    return result;
  }

  /// Calls `work` for 0 to `count` - 1 and says how many are done, where that takes long.
  template <typename Work> void forEachShown(std::size_t count, const Work &work) const {
    Countdown countdown("estimates beyond those asked for", count);
    forEach(count, jobs, [&](std::size_t i) {
      work(i);
      countdown.finishedOne();
    });
  }

  Saturation saturation() const;
  void explain(Saturation &result) const;
  std::vector<Schedule> candidates() const;
  std::vector<SiteOutlook> sites() const;
  void chooseSchedules(std::vector<SiteOutlook> &sites) const;
};

/// 1, 2, 3, 4, 6, 8, 12, ... and `bound`.
std::vector<unsigned> coarseCounts(unsigned bound) {
  std::vector<unsigned> counts = {1};
  for (unsigned n = 2; n < bound; n *= 2) {
    counts.push_back(n);
    if (n + n / 2 < bound)
      counts.push_back(n + n / 2);
  }
  counts.push_back(bound);
  return counts;
}

/// At most 16 numbers between `low` and `high`, evenly.
std::vector<unsigned> between(unsigned low, unsigned high) {
  std::set<unsigned> counts;
  constexpr unsigned Most = 16;
  for (unsigned i = 1; i <= Most; ++i)
    counts.insert(low + static_cast<unsigned>(std::uint64_t(high - low) * i / (Most + 1)));
  counts.erase(low);
  return {counts.begin(), counts.end()};
}

Saturation Looker::saturation() const {
  Saturation result;
  result.bound = boundOf(prediction);
  EmulationOptions most = options;
  most.threads = result.bound;
  result.isExtrapolated = isExtrapolated(prediction, most);
  const std::vector<unsigned> counts = coarseCounts(result.bound);
  const std::vector<double> coarse = speedups(counts);
  double highest = *std::ranges::max_element(coarse);
  std::size_t first = 0;
  while (coarse[first] * Nearly < highest)
    ++first;
  result.threads = counts[first];
  result.speedup = coarse[first];
  result.atBound = coarse.back();
  if (first > 0) {
    const std::vector<unsigned> fine = between(counts[first - 1], counts[first]);
    const std::vector<double> more = speedups(fine);
    for (const double speedup : more)
      highest = std::max(highest, speedup);
    const auto near = std::ranges::find_if(more, [&](double s) { return s * Nearly >= highest; });
    if (near != more.end()) {
      result.threads = fine[static_cast<std::size_t>(near - more.begin())];
      result.speedup = *near;
    }
  }
  const bool hasSections =
      std::ranges::any_of(summary.sites, [](auto &site) { return site.executions > 0; });
  if (result.threads < result.bound && hasSections)
    explain(result);
  return result;
}

/// Finds out why more threads are no use: twice as many, or where all of `bound` hurt, these.
void Looker::explain(Saturation &result) const {
  const auto twice = std::min<std::uint64_t>(2 * std::uint64_t(result.threads), result.bound);
  const unsigned many = result.hurts() ? result.bound : static_cast<unsigned>(twice);
  const Estimate onFew = on(result.threads), onMany = on(many);
  StalledProgram stalled{tree, emulator, options, result.threads, many, onFew, onMany};
  stalled.hurts = result.hurts();
  stalled.jobs = jobs;
  Bottleneck bottleneck = findBottleneck(stalled);
  result.cause = std::move(bottleneck.cause);
  result.lock = bottleneck.lock;
  EmulationOptions others = options;
  others.threads = many;
  result.awaited = idlenessOf(tree, onMany.waterfall, others).awaited;
}

/// Every schedule to compare, plain ones first, chunks in powers of two as long as there are
/// enough.
std::vector<Schedule> Looker::candidates() const {
  std::vector<Schedule> result;
  for (const ScheduleChoice &choice : schedulesToTry(tree, options.threads))
    result.push_back(choice.schedule);
  double trips = 0;
  for (const SiteSummary &site : summary.sites)
    trips = std::max(trips, site.trips.max);
  for (std::uint64_t chunk = 2;
       static_cast<double>(chunk) * options.threads <= trips / 2 && chunk <= 1024; chunk *= 2)
    result.push_back({Schedule::Kind::StaticChunk, chunk});
  return result;
}

void Looker::chooseSchedules(std::vector<SiteOutlook> &sites) const {
  const std::vector<Schedule> schedules = candidates();
  std::vector<Estimate> estimates(schedules.size());
  forEachShown(schedules.size(), [&](std::size_t i) {
    EmulationOptions other = options;
    other.sites.clear();
    other.schedule = schedules[i];
    estimates[i] = under(other);
  });
  for (SiteOutlook &outlook : sites) {
    const auto ticks = [&](std::size_t i) { return estimates[i].sites[outlook.site].ticks; };
    double least = ticks(0);
    for (std::size_t i = 1; i < estimates.size(); ++i)
      least = std::min(least, ticks(i));
    std::size_t chosen = 0;
    while (ticks(chosen) > least * Nearly)
      ++chosen;
    outlook.schedule = schedules[chosen];
    outlook.ticks = ticks(chosen);
    outlook.speedup = estimates[chosen].sites[outlook.site].speedup;
  }
}

std::vector<SiteOutlook> Looker::sites() const {
  std::vector<SiteOutlook> result;
  for (std::uint32_t site = 0; site < tree.sites.size(); ++site)
    if (summary.sites[site].executions > 0 && (!options.onlySite || *options.onlySite == site)) {
      result.emplace_back().site = site;
      result.back().gainAlone = best.estimate.sites[site].gain;
    }
  chooseSchedules(result);
  forEachShown(result.size(), [&](std::size_t i) {
    EmulationOptions without = options;
    without.exceptSite = result[i].site;
    result[i].gainWithout = typicalEstimate(emulator, without).speedup;
    const std::uint32_t site = result[i].site;
    if (tree.sites[site].kind == SiteKind::ParallelFor && summary.sites[site].tasks > 0)
      result[i].breakEvenTrips =
          LoopRegions(tree, site, {result[i].schedule, best.estimate.sites[site].asleep}, options)
              .breakEven();
  });
  const auto rank = [](const SiteOutlook &site) {
    return std::tuple(-site.gainAlone, site.gainWithout, site.site);
  };
  std::ranges::sort(result, {}, rank);
  return result;
}

} // namespace

Result<Outlook> lookFurther(const Prediction &prediction, unsigned jobs) {
  Looker looker(prediction, jobs);
  if (auto error = looker.refusal())
    return *error;
  return looker.look();
}

} // namespace prophet
