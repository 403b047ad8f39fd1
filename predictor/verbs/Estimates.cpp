//===- Estimates.cpp - A request and a tree to a prediction -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/Estimates.h"

#include "predictor/emulator/TaskRegions.h"
#include "predictor/emulator/WrittenClauses.h"
#include "predictor/report/SiteNames.h"
#include "predictor/report/TreeSummary.h"
#include "predictor/support/ForEach.h"
#include "predictor/support/Progress.h"
#include "predictor/support/Text.h"

#include <algorithm>
#include <numeric>

namespace prophet {

static bool hasBurden(const Tree &tree) {
  return std::any_of(tree.sites.begin(), tree.sites.end(),
                     [](const Site &site) { return !site.burden.empty(); });
}

/// The options that all estimates of `tree` share.
static Result<EmulationOptions> sharedOptions(const Tree &tree, const std::string &treeName,
                                              const PredictRequest &request) {
  EmulationOptions options = request.base;
  options.useBurden = request.memory != MemoryMode::None && hasBurden(tree);
  if (request.memory == MemoryMode::Burden && !options.useBurden)
    return Error{treeName + ": no site has burden factors; use --memory none or add \"burden\" to "
                            "the sites"};
  if (request.site.empty())
    return options;
  auto sites = findSites(tree, request.site);
  if (!sites)
    return Error{treeName + ": " + sites.error().message};
  options.onlySite = sites->front();
  return options;
}

/// The most that one more core each could give: a bound that holds whatever the lengths are.
/// \param maximum maximumGain of the tree
static double speedupBound(double maximum, const EmulationOptions &options) {
  double cores = options.cores ? options.cores : options.threads;
  if (options.maxActiveLevels < 2)
    cores = std::min<double>(cores, options.threads);
  return std::min(cores, maximum);
}

static PredictionPoint estimate(const Emulator &emulator, const EmulationOptions &options) {
  PredictionPoint point;
  point.choice.schedule = options.schedule;
  point.sites = options.sites;
  point.threads = options.threads;
  point.cores = options.cores ? options.cores : options.threads;
  point.estimate = emulator.run(options);
  return point;
}

/// How many more runs, with other seeds, say what random stealing leaves open.
static constexpr unsigned OtherSeeds = 4;

/// Where `speedup` lies, given the profile's tolerance and whom threads steal from.
static std::pair<double, double> stealingInterval(const Emulator &emulator, const Tree &tree,
                                                  double maximum, EmulationOptions options,
                                                  double speedup) {
  double low = speedup, high = speedup;
  if (usesTasks(tree, options) && options.threads > 1)
    for (unsigned n = 0; n < OtherSeeds; ++n) {
      ++options.seed;
      const double other = emulator.speedup(options);
      low = std::min(low, other);
      high = std::max(high, other);
    }
  const double bound = speedupBound(maximum, options);
  return {speedupInterval(low, tree.tolerance, bound).first,
          speedupInterval(high, tree.tolerance, bound).second};
}

/// The fastest of the three default schedules; of equal ones the first.
static PredictionPoint bestEstimate(const Emulator &emulator, EmulationOptions options) {
  using Kind = Schedule::Kind;
  options.schedule = {Kind::Static, 0};
  PredictionPoint best = estimate(emulator, options);
  for (Schedule schedule : {Schedule{Kind::StaticChunk, 1}, Schedule{Kind::Dynamic, 1}}) {
    options.schedule = schedule;
    PredictionPoint point = estimate(emulator, options);
    if (point.estimate.speedup > best.estimate.speedup)
      best = std::move(point);
  }
  return best;
}

/// The most nodes that a run may execute for its times to be exact to a few parts in 10^4: the
/// emulator rounds each to a 2^-62nd of the longest run that it has to provide for.
static constexpr std::uint64_t MostExecuted = std::uint64_t(1) << 44;

static bool isTooLong(const Tree &tree) {
  std::vector<std::uint64_t> counts = executionCounts(tree); // their sum is at most 2^63
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t(0)) > MostExecuted;
}

/// Gives `prediction` its schedules, and what `written` stands for where it is one of them.
static Result<std::vector<SiteSettings>> chooseSchedules(Prediction &prediction,
                                                         const PredictRequest &request) {
  const ScheduleChoice written{{}, ScheduleChoice::Kind::Written};
  auto &schedules = prediction.schedules;
  schedules = request.schedules;
  const bool asked = std::find(schedules.begin(), schedules.end(), written) != schedules.end();
  const bool added = request.defaultSchedules && hasWrittenClauses(*prediction.tree);
  if (!asked && !added)
    return std::vector<SiteSettings>();
  const EmulationOptions &options = prediction.options;
  auto clauses = readWrittenClauses(*prediction.tree, options.runtime, options.onlySite);
  auto &warnings = prediction.warnings;
  if (!clauses && asked)
    return Error{printable(prediction.treeName) + ": " + clauses.error().message +
                 "; leave out --schedule written"};
  if (!clauses) {
    warnings.push_back(clauses.error().message +
                       ": there is no estimate of the clauses as written");
    return std::vector<SiteSettings>();
  }
  if (added)
    schedules.push_back(written);
  warnings.insert(warnings.end(), clauses->assumptions.begin(), clauses->assumptions.end());
  return std::move(clauses->sites);
}

/// By schedule of `prediction`: which of them gives the same estimates. Only loops have schedules,
/// so without one all do as the first; what is written has thread counts of its own.
static std::vector<std::size_t> equalSchedules(const Tree &tree, const Prediction &prediction) {
  std::vector<std::size_t> equal(prediction.schedules.size());
  std::iota(equal.begin(), equal.end(), 0);
  if (std::ranges::find(tree.sites, SiteKind::ParallelFor, &Site::kind) != tree.sites.end())
    return equal;
  std::optional<std::size_t> first;
  for (std::size_t &schedule : equal)
    if (prediction.schedules[schedule].kind != ScheduleChoice::Kind::Written)
      schedule = *(first ? first : first = schedule);
  return equal;
}

/// Estimates `tree` under every schedule and thread count of `prediction`.
static std::vector<PredictionPoint> estimateAll(const Tree &tree, const EmulationOptions &shared,
                                                const Prediction &prediction,
                                                const std::vector<SiteSettings> &written,
                                                unsigned jobs) {
  const std::vector<unsigned> &threads = prediction.threads;
  std::vector<PredictionPoint> points(prediction.schedules.size() * threads.size());
  const Emulator emulator(tree);
  const double maximum = maximumGain(tree);
  const std::vector<std::size_t> equal = equalSchedules(tree, prediction);
  Countdown countdown("estimates", points.size());
  forEach(points.size(), jobs, [&](std::size_t i) {
    if (equal[i / threads.size()] != i / threads.size())
      return countdown.finishedOne();
    EmulationOptions options = shared;
    const ScheduleChoice &choice = prediction.schedules[i / threads.size()];
    options.threads = threads[i % threads.size()];
    options.schedule = choice.schedule;
    PredictionPoint &point = points[i];
    if (choice.kind == ScheduleChoice::Kind::Written)
      options.sites = written;
    point = choice.kind == ScheduleChoice::Kind::Best ? bestEstimate(emulator, options)
                                                      : estimate(emulator, options);
    point.choice.kind = choice.kind;
    options.schedule = point.choice.schedule; // what `auto` chose
    point.interval = stealingInterval(emulator, tree, maximum, options, point.estimate.speedup);
    countdown.finishedOne();
  });
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::size_t schedule = i / threads.size();
    if (equal[schedule] == schedule)
      continue;
    points[i] = points[equal[schedule] * threads.size() + i % threads.size()];
    points[i].choice = prediction.schedules[schedule];
    if (points[i].choice.kind == ScheduleChoice::Kind::Best)
      points[i].choice.schedule = {};
  }
  return points;
}

/// Why `tree` cannot be predicted as `request` asks.
static std::optional<Error> refuse(const Tree &tree, const EmulationOptions &shared,
                                   const PredictRequest &request) {
  if (isTooLong(tree))
    return Error{"runs more than 2^44 nodes, too many for exact times; profile a smaller input"};
  EmulationOptions options = shared;
  options.threads = request.threads.back(); // the most
  return unsupported(tree, options);
}

/// Adds what `whatIf` makes of the prediction's estimates.
static std::optional<Error> addWhatIf(Prediction &prediction, const WhatIf &whatIf,
                                      const std::vector<SiteSettings> &written,
                                      const PredictRequest &request) {
  auto changed = changeTree(*prediction.tree, whatIf);
  if (!changed)
    return changed.error();
  const EmulationOptions options = changeOptions(prediction.options, whatIf);
  if (auto problem = refuse(*changed, options, request))
    return Error{"--what-if '" + printable(whatIf.text, 80) + "': " + problem->message};
  WhatIfPrediction result;
  result.text = whatIf.text;
  result.points = estimateAll(*changed, options, prediction, written, request.jobs);
  result.serialTicks = result.points.front().estimate.serialTicks;
  for (std::size_t i = 0; i < result.points.size(); ++i)
    overUnchanged(result.points[i], prediction.points[i].estimate);
  prediction.whatIfs.push_back(std::move(result));
  return std::nullopt;
}

Result<Prediction> predict(std::shared_ptr<const Tree> tree, std::string treeName,
                           const PredictRequest &request) {
  const std::string shown = printable(treeName);
  auto shared = sharedOptions(*tree, shown, request);
  if (!shared)
    return shared.error();
  if (auto problem = refuse(*tree, *shared, request))
    return Error{shown + ": " + problem->message};

  Prediction prediction;
  prediction.tree = tree;
  prediction.treeName = std::move(treeName);
  prediction.options = *shared;
  prediction.overheadsSource = request.overheadsSource;
  prediction.threads = request.threads;
  prediction.warnings = tree->warnings;
  const auto written = chooseSchedules(prediction, request);
  if (!written)
    return written.error();
  prediction.points = estimateAll(*tree, *shared, prediction, *written, request.jobs);
  for (const WhatIf &whatIf : request.whatIfs)
    if (auto error = addWhatIf(prediction, whatIf, *written, request))
      return Error{shown + ": " + error->message};
  prediction.span = findSpan(*tree, *shared);
  if (!request.outlook)
    return prediction;
  prediction.outlook = lookFurther(prediction, request.jobs);
  if (!prediction.outlook)
    prediction.warnings.push_back(whyNoOutlook(prediction));
  return prediction;
}

} // namespace prophet
