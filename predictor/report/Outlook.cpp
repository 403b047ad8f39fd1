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
#include "predictor/report/ThreadSearch.h"
#include "predictor/report/TreeSummary.h"
#include "predictor/support/ForEach.h"
#include "predictor/support/Progress.h"
#include "predictor/support/Text.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <map>
#include <tuple>

namespace prophet {

namespace {

constexpr double Infinity = std::numeric_limits<double>::infinity();

/// The most threads that are tried.
unsigned boundOf(const Prediction &prediction) {
  const unsigned asked = prediction.threads.back();
  return std::min(std::max({64u, asked, std::min(4 * asked, 1024u)}), MaxThreads);
}

class Looker {
public:
  Looker(const Prediction &prediction, const Emulator &emulator, unsigned jobs,
         const OutlookLimits &limits)
      : prediction(prediction), tree(*prediction.tree), best(bestPoint(prediction)), jobs(jobs),
        limits(limits), emulator(emulator), options(optionsOf(prediction, best)),
        summary(summarizeCounts(tree)) {
    EmulationOptions largest = options;
    largest.threads = boundOf(prediction);
    steps = emulator.steps(largest);
    if (emulator.chance(largest) == Chance::Placement)
      draws = countDraws(emulator, largest);
  }

  /// How many times what the limits of a whole outlook allow.
  double timesLimit() const { return std::max(stepsOverLimit(), runs() / limits.runs); }

  Error refusal() const {
    return Error{fmt::format("there is no outlook beyond the estimates: it would take ten or more "
                             "emulations of {}; profile a smaller input to have one",
                             size())};
  }

  Outlook look(bool reduced) {
    isReduced = reduced;
    Outlook outlook;
    outlook.threads = best.threads;
    outlook.saturation = saturation();
    outlook.sites = sites();
    if (reduced)
      outlook.leftOut = leftOut();
    return outlook;
  }

private:
  const Prediction &prediction;
  const Tree &tree;
  const PredictionPoint &best;
  unsigned jobs;
  OutlookLimits limits;
  const Emulator &emulator; ///< of `tree`
  EmulationOptions options; ///< of the best estimate
  TreeSummary summary;
  double steps = 0, draws = 1; ///< of an emulation of the most threads that are tried
  bool isReduced = false;

  double runs() const { return static_cast<double>(tree.children.size()); }
  double stepsOverLimit() const {
    return steps / (draws > 1 ? limits.drawnSteps / draws : limits.steps);
  }

  /// What an emulation goes through.
  std::string size() const {
    if (stepsOverLimit() < runs() / limits.runs)
      return fmt::format("{:.0f} runs of equal pieces each", runs());
    return fmt::format("{:.0f} pieces each{}, in sections with locks, nowait, inner teams or tasks",
                       steps, draws > 1 ? fmt::format(", {:.0f} times over", draws) : "");
  }
  std::string leftOut() const {
    return fmt::format(
        "the outlook beyond the estimates is a short one, since all of it would take "
        "dozens of emulations of {}: thread counts are tried in doublings, of "
        "schedules those that were asked for{}; profile a smaller input to have all",
        size(),
        summary.sites.size() > 1 ? ", and but for the one that gains most, sites are left serial "
                                   "only where that is fast"
                                 : "");
  }

  /// Whether the prediction has the estimate on so many threads.
  bool isAsked(unsigned threads) const {
    return std::ranges::any_of(prediction.points, [&](const PredictionPoint &point) {
      return point.threads == threads && point.choice.schedule == options.schedule &&
             point.sites == options.sites;
    });
  }

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

  std::vector<Estimate> onEach(const std::vector<unsigned> &counts) const {
    std::vector<Estimate> results(counts.size());
    forEachShown(counts.size(), [&](std::size_t i) { results[i] = on(counts[i]); });
    return results;
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
  bool isFastOnAll(unsigned bound) const;
  std::vector<unsigned> askedThreads() const;
  void explain(Saturation &result, const ThreadSearch &search) const;
  std::vector<Schedule> candidates() const;
  std::vector<Schedule> askedSchedules() const;
  bool isFastWithout(std::uint32_t site) const;
  std::vector<SiteOutlook> sites() const;
  void chooseSchedules(std::vector<SiteOutlook> &sites) const;
};

/// Whether every number of threads up to `bound` can be tried at once.
bool Looker::isFastOnAll(unsigned bound) const {
  constexpr double fast = 1e6; // pieces, runs and threads together
  return bound * draws * std::max({steps, runs(), 1.0 * bound}) <= fast;
}

/// Those that the prediction has estimates on, and the most that were asked for.
std::vector<unsigned> Looker::askedThreads() const {
  std::vector<unsigned> asked = {best.threads, prediction.threads.back()};
  std::ranges::copy_if(prediction.threads, std::back_inserter(asked),
                       [&](unsigned threads) { return isAsked(threads); });
  return asked;
}

Saturation Looker::saturation() const {
  Saturation result;
  result.bound = boundOf(prediction);
  EmulationOptions most = options;
  most.threads = result.bound;
  result.isExtrapolated = isExtrapolated(prediction, most);
  ThreadSearch search(result.bound,
                      [&](const std::vector<unsigned> &counts) { return onEach(counts); });
  if (isReduced)
    search.tryDoublings(askedThreads());
  else if (isFastOnAll(result.bound))
    search.tryAll();
  else
    search.tryFinely(evenCounts(summary, options, result.bound));
  result.threads = search.fewest();
  result.speedup = search.tried().at(result.threads).speedup;
  result.atBound = search.tried().at(result.bound).speedup;
  const bool hasSections =
      std::ranges::any_of(summary.sites, [](auto &site) { return site.executions > 0; });
  if (result.threads < result.bound && hasSections)
    explain(result, search);
  return result;
}

/// Finds out why more threads are no use: twice as many, or where all of `bound` hurt, these.
void Looker::explain(Saturation &result, const ThreadSearch &search) const {
  const std::map<unsigned, Estimate> &known = search.tried();
  const auto twice = std::min<std::uint64_t>(2 * std::uint64_t(result.threads), result.bound);
  const unsigned many = result.hurts() ? result.bound : static_cast<unsigned>(twice);
  const Estimate &onFew = known.at(result.threads);
  const Estimate onMany = known.contains(many) ? known.at(many) : on(many);
  StalledProgram stalled{tree, emulator, options, result.threads, many, onFew, onMany};
  stalled.hurts = result.hurts();
  stalled.jobs = jobs;
  if (isReduced)
    stalled.locksTried = 0;
  Bottleneck bottleneck = findBottleneck(stalled);
  result.cause = std::move(bottleneck.cause);
  result.lock = bottleneck.lock;
  result.isInRegions = bottleneck.isInRegions;
  EmulationOptions others = options;
  others.threads = many;
  result.awaited = idlenessOf(tree, onMany.waterfall, others).awaited;
}

/// Every schedule to compare, plain ones first, chunks in powers of two as long as there are
/// enough.
std::vector<Schedule> Looker::candidates() const {
  std::vector<Schedule> result;
  for (const ScheduleChoice &choice : schedulesToTry(tree, summary, options.threads))
    result.push_back(choice.schedule);
  double trips = 0;
  for (const SiteSummary &site : summary.sites)
    trips = std::max(trips, site.trips.max);
  for (std::uint64_t chunk = 2;
       static_cast<double>(chunk) * options.threads <= trips / 2 && chunk <= 1024; chunk *= 2)
    result.push_back({Schedule::Kind::StaticChunk, chunk});
  return result;
}

/// Those of which there are estimates on these threads.
std::vector<Schedule> Looker::askedSchedules() const {
  std::vector<Schedule> result;
  for (const PredictionPoint &point : prediction.points)
    if (point.threads == best.threads && point.sites.empty() &&
        std::ranges::find(result, point.choice.schedule) == result.end())
      result.push_back(point.choice.schedule);
  return result;
}

void Looker::chooseSchedules(std::vector<SiteOutlook> &sites) const {
  const std::vector<Schedule> schedules = isReduced ? askedSchedules() : candidates();
  for (SiteOutlook &outlook : sites)
    outlook.isScheduleKnown = !schedules.empty();
  if (schedules.empty())
    return;
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

/// Whether emulating the program without the site is done at once.
bool Looker::isFastWithout(std::uint32_t site) const {
  constexpr std::size_t few = 4;
  constexpr double fast = 1e6;
  EmulationOptions without = options;
  without.exceptSite = site;
  return summary.sites.size() <= few && draws * emulator.steps(without) <= fast;
}

std::vector<SiteOutlook> Looker::sites() const {
  std::vector<SiteOutlook> result;
  for (std::uint32_t site = 0; site < tree.sites.size(); ++site)
    if (summary.sites[site].executions > 0 && (!options.onlySite || *options.onlySite == site)) {
      result.emplace_back().site = site;
      result.back().gainAlone = best.estimate.sites[site].gain;
    }
  chooseSchedules(result);
  const auto rank = [](const SiteOutlook &site) { // of equal gains what is known first
    return std::tuple(-site.gainAlone, site.gainWithout.value_or(Infinity), site.site);
  };
  // A reduced outlook is to say at least what the site is worth that comes first.
  std::ranges::sort(result, {}, rank);
  forEachShown(result.size(), [&](std::size_t i) {
    const std::uint32_t site = result[i].site;
    EmulationOptions without = options;
    without.exceptSite = site;
    if (!isReduced || i == 0 || isFastWithout(site))
      result[i].gainWithout = typicalEstimate(emulator, without).speedup;
    if (tree.sites[site].kind == SiteKind::ParallelFor && summary.sites[site].tasks > 0 &&
        result[i].isScheduleKnown)
      result[i].breakEvenTrips =
          LoopRegions(tree, site, {result[i].schedule, best.estimate.sites[site].asleep}, options)
              .breakEven();
  });
  std::ranges::sort(result, {}, rank);
  return result;
}

} // namespace

Result<Outlook> lookFurther(const Prediction &prediction, const Emulator &emulator, unsigned jobs,
                            const OutlookLimits &limits) {
  Looker looker(prediction, emulator, jobs, limits);
  const double times = looker.timesLimit();
  if (times > limits.reducedTimes)
    return looker.refusal();
  return looker.look(times > 1);
}

} // namespace prophet
