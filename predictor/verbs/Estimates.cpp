//===- Estimates.cpp - A request and a tree to a prediction -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/Estimates.h"

#include "predictor/emulator/WrittenClauses.h"
#include "predictor/report/SiteNames.h"
#include "predictor/report/TreeSummary.h"
#include "predictor/support/ForEach.h"
#include "predictor/support/Progress.h"
#include "predictor/support/Text.h"
#include "predictor/verbs/Intervals.h"
#include "predictor/verbs/Synthesis.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <set>
#include <tuple>

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

static PredictionPoint estimate(const Emulator &emulator, const EmulationOptions &options) {
  PredictionPoint point;
  point.choice.schedule = options.schedule;
  point.sites = options.sites;
  point.threads = options.threads;
  point.cores = options.cores ? options.cores : options.threads;
  point.estimate = emulator.run(options);
  return point;
}

/// The fastest of the three default schedules; of equal ones the first. A site that is parallel
/// alone has the one that is best for it.
static PredictionPoint bestEstimate(const Emulator &emulator, EmulationOptions options) {
  using Kind = Schedule::Kind;
  options.schedule = {Kind::Static, 0};
  PredictionPoint best = estimate(emulator, options);
  for (Schedule schedule : {Schedule{Kind::StaticChunk, 1}, Schedule{Kind::Dynamic, 1}}) {
    options.schedule = schedule;
    PredictionPoint point = estimate(emulator, options);
    for (std::size_t site = 0; site < best.estimate.sites.size(); ++site) {
      double &gain = point.estimate.sites[site].gain, &most = best.estimate.sites[site].gain;
      gain = most = std::max(gain, most);
    }
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

std::vector<std::size_t> equalSchedules(const Tree &tree, const Prediction &prediction) {
  std::vector<std::size_t> equal(prediction.schedules.size());
  std::iota(equal.begin(), equal.end(), 0);
  if (hasScheduledLoops(tree))
    return equal;
  std::optional<std::size_t> first;
  for (std::size_t &schedule : equal)
    if (prediction.schedules[schedule].kind != ScheduleChoice::Kind::Written)
      schedule = *(first ? first : first = schedule);
  return equal;
}

/// What no estimate beats: teams of one thread that the program asks for leave levels to others.
static Span spanOf(const Subject &subject, const Prediction &prediction) {
  const auto isWritten = [](const ScheduleChoice &choice) {
    return choice.kind == ScheduleChoice::Kind::Written;
  };
  const Span span = findSpan(*subject.tree, subject.options);
  if (std::ranges::none_of(prediction.schedules, isWritten))
    return span;
  EmulationOptions options = subject.options;
  options.sites = subject.written;
  const Span written = findSpan(*subject.tree, options);
  const bool always = std::ranges::all_of(prediction.schedules, isWritten);
  return always || written.speedupBound() > span.speedupBound() ? written : span;
}

/// Estimates `subject` under every schedule and thread count of `prediction`; `others` are trees of
/// other runs.
static std::vector<PredictionPoint> estimateAll(const Subject &subject,
                                                const std::vector<Subject> &others,
                                                const Prediction &prediction, unsigned jobs) {
  const std::vector<unsigned> &threads = prediction.threads;
  std::vector<PredictionPoint> points(prediction.schedules.size() * threads.size());
  const Emulator emulator(*subject.tree);
  const Intervals intervals(subject, emulator, others);
  const std::vector<std::size_t> equal = equalSchedules(*subject.tree, prediction);
  Countdown countdown("estimates", points.size());
  forEach(points.size(), jobs, [&](std::size_t i) {
    if (equal[i / threads.size()] != i / threads.size())
      return countdown.finishedOne();
    const ScheduleChoice &choice = prediction.schedules[i / threads.size()];
    const EmulationOptions options = subject.optionsFor(threads[i % threads.size()], choice);
    PredictionPoint &point = points[i];
    point = choice.kind == ScheduleChoice::Kind::Best ? bestEstimate(emulator, options)
                                                      : estimate(emulator, options);
    point.choice.kind = choice.kind;
    intervals.set(point);
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

/// `subject` as `whatIf` changes it.
static Result<Subject> change(const Subject &subject, const WhatIf &whatIf,
                              const PredictRequest &request) {
  auto changed = changeTree(*subject.tree, whatIf);
  if (!changed)
    return changed.error();
  const EmulationOptions options = changeOptions(subject.options, whatIf);
  if (auto problem = refuse(*changed, options, request))
    return Error{"--what-if '" + printable(whatIf.text, 80) + "': " + problem->message};
  const auto serial = [](const Tree &tree) { return tree.serialLengths()[tree.root]; };
  const double left = serial(*changed);
  const double growth = left > 0 ? serial(*subject.tree) / left : 1;
  return Subject{std::make_shared<Tree>(std::move(*changed)), options, subject.written, growth};
}

/// `subject` and `others` as a --what-if changes them.
struct Changed {
  Subject subject;
  std::vector<Subject> others;
};

static Result<Changed> changeAll(const Subject &subject, const std::vector<Subject> &others,
                                 const WhatIf &whatIf, const PredictRequest &request) {
  auto changed = change(subject, whatIf, request);
  if (!changed)
    return changed.error();
  Changed all{std::move(*changed), {}};
  for (const Subject &other : others) {
    auto otherChanged = change(other, whatIf, request);
    if (!otherChanged)
      return otherChanged.error();
    all.others.push_back(std::move(*otherChanged));
  }
  return all;
}

/// Why the real runtime cannot run the program or one of its changes: known before the first run,
/// which may take long. What was changed is forgotten again, since large trees are large.
static std::optional<Error> refuseSyntheses(const Subject &subject,
                                            const std::vector<Subject> &others,
                                            Prediction &prediction, const PredictRequest &request) {
  if (!request.synthesis)
    return std::nullopt;
  if (auto error = refuseSynthesis({subject, others, ""}, prediction, request))
    return error;
  for (const WhatIf &whatIf : request.whatIfs) {
    const std::string text = "--what-if '" + printable(whatIf.text, 80) + "': ";
    for (const WhatIf::Change &change : whatIf.changes)
      if (change.kind == WhatIf::Change::Kind::Overhead)
        return Error{text + "the real runtime's overheads cannot be changed; leave out --method "
                            "synth"};
    auto changed = changeAll(subject, others, whatIf, request);
    if (!changed)
      return changed.error();
    if (auto error =
            refuseSynthesis({changed->subject, changed->others, whatIf.text}, prediction, request))
      return Error{text + error->message};
  }
  return std::nullopt;
}

/// Adds what `whatIf` makes of the prediction's estimates.
static std::optional<Error> addWhatIf(Prediction &prediction, const WhatIf &whatIf,
                                      const Subject &subject, const std::vector<Subject> &others,
                                      const PredictRequest &request) {
  auto changed = changeAll(subject, others, whatIf, request);
  if (!changed)
    return changed.error();
  const Tree &tree = *changed->subject.tree;
  WhatIfPrediction result;
  result.text = whatIf.text;
  result.serialTicks = tree.serialLengths()[tree.root];
  if (request.emulate)
    result.points = estimateAll(changed->subject, changed->others, prediction, request.jobs);
  if (request.synthesis) {
    auto points =
        synthesizeAll({changed->subject, changed->others, whatIf.text}, prediction, request);
    if (!points)
      return points.error();
    result.synthesized = std::move(*points);
  }
  for (std::size_t i = 0; i < result.points.size(); ++i)
    overUnchanged(result.points[i], prediction.points[i].estimate);
  prediction.whatIfs.push_back(std::move(result));
  return std::nullopt;
}

/// `tree`, which is called `shown`, as it is to be emulated.
static Result<Subject> prepare(std::shared_ptr<const Tree> tree, const std::string &shown,
                               const PredictRequest &request) {
  auto options = sharedOptions(*tree, shown, request);
  if (!options)
    return options.error();
  if (auto problem = refuse(*tree, *options, request))
    return Error{shown + ": " + problem->message};
  return Subject{std::move(tree), std::move(*options), {}, 1};
}

/// Whether both trees can be of one program: whether their sites are the same, in any order.
static bool haveEqualSites(const Tree &a, const Tree &b) {
  using Key = std::tuple<std::string, SiteKind, std::string, std::uint32_t>;
  const auto keysOf = [](const Tree &tree) {
    std::multiset<Key> keys;
    for (const Site &site : tree.sites)
      keys.emplace(site.name, site.kind, site.file, site.line);
    return keys;
  };
  return keysOf(a) == keysOf(b);
}

static double secondsOf(const Tree &tree) {
  return tree.serialLengths()[tree.root] / tree.timebaseHz;
}

/// The trees of `runs` but that of `prediction`, made ready; their warnings are added to its own.
static Result<std::vector<Subject>> prepareOthers(const std::vector<NamedTree> &runs,
                                                  Prediction &prediction,
                                                  const PredictRequest &request) {
  std::vector<Subject> others;
  const bool written = std::ranges::any_of(prediction.schedules, [](const ScheduleChoice &choice) {
    return choice.kind == ScheduleChoice::Kind::Written;
  });
  for (const NamedTree &run : runs) {
    if (run.tree == prediction.tree)
      continue;
    const std::string shown = printable(run.name);
    if (!haveEqualSites(*prediction.tree, *run.tree))
      return Error{
          fmt::format("{}: has other sites than {}; leave out --same-program, or this tree", shown,
                      printable(prediction.treeName))};
    auto other = prepare(run.tree, shown, request);
    if (!other)
      return other.error();
    if (written) {
      auto clauses = readWrittenClauses(*run.tree, other->options.runtime, other->options.onlySite);
      if (!clauses)
        return Error{shown + ": " + clauses.error().message};
      other->written = std::move(clauses->sites);
    }
    for (const std::string &warning : run.tree->warnings)
      prediction.warnings.push_back(shown + ": " + warning);
    others.push_back(std::move(*other));
  }
  return others;
}

Result<Prediction> predict(std::vector<NamedTree> runs, const PredictRequest &request) {
  std::ranges::sort(runs, {},
                    [](const NamedTree &run) { return std::pair(secondsOf(*run.tree), run.name); });
  const NamedTree &median = runs[(runs.size() - 1) / 2];
  const std::string shown = printable(median.name);
  auto subject = prepare(median.tree, shown, request);
  if (!subject)
    return subject.error();

  Prediction prediction;
  prediction.tree = median.tree;
  prediction.treeName = median.name;
  prediction.options = subject->options;
  prediction.overheadsSource = request.overheadsSource;
  prediction.threads = request.threads;
  prediction.warnings = median.tree->warnings;
  if (runs.size() > 1)
    for (const NamedTree &run : runs)
      prediction.runs.push_back({run.name, secondsOf(*run.tree)});
  auto written = chooseSchedules(prediction, request);
  if (!written)
    return written.error();
  subject->written = std::move(*written);
  auto others = prepareOthers(runs, prediction, request);
  if (!others)
    return others.error();
  if (auto error = refuseSyntheses(*subject, *others, prediction, request))
    return Error{shown + ": " + error->message};
  if (request.emulate)
    prediction.points = estimateAll(*subject, *others, prediction, request.jobs);
  if (request.synthesis) {
    auto points = synthesizeAll({*subject, *others, ""}, prediction, request);
    if (!points)
      return Error{shown + ": " + points.error().message};
    prediction.synthesized = std::move(*points);
  }
  for (const WhatIf &whatIf : request.whatIfs)
    if (auto error = addWhatIf(prediction, whatIf, *subject, *others, request))
      return Error{shown + ": " + error->message};
  prediction.span = spanOf(*subject, prediction);
  if (!request.outlook)
    return prediction;
  prediction.outlook = lookFurther(prediction, request.jobs);
  if (!prediction.outlook)
    prediction.warnings.push_back(whyNoOutlook(prediction));
  return prediction;
}

Result<Prediction> predict(std::shared_ptr<const Tree> tree, std::string treeName,
                           const PredictRequest &request) {
  return predict({{std::move(tree), std::move(treeName)}}, request);
}

} // namespace prophet
