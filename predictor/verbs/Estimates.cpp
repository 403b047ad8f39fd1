//===- Estimates.cpp - A request and a tree to a prediction -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/Estimates.h"

#include "predictor/emulator/Seeds.h"
#include "predictor/emulator/WrittenClauses.h"
#include "predictor/support/ForEach.h"
#include "predictor/support/Progress.h"
#include "predictor/support/Text.h"
#include "predictor/verbs/Intervals.h"
#include "predictor/verbs/Synthesis.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <numeric>
#include <span>

namespace prophet {

/// Of several runs, where something is random.
static PredictionPoint estimate(const Emulator &emulator, EmulationOptions options) {
  PredictionPoint point;
  if (const Chance chance = emulator.chance(options); chance != Chance::None) {
    Draws draws = drawSeeds(emulator, options);
    options.seed = draws.typical;
    point.estimate = std::move(draws.estimate);
    point.intervalParts.push_back(
        {chance == Chance::Stealing ? OpenedBy::Stealing : OpenedBy::Placement, draws.range});
  } else {
    point.estimate = emulator.run(options);
  }
  point.seed = options.seed;
  point.choice.schedule = options.schedule;
  point.sites = options.sites;
  point.threads = options.threads;
  point.cores = options.cores ? options.cores : options.threads;
  return point;
}

/// The fastest of the default schedules; of equal ones the first. A site that is parallel alone has
/// the one that is best for it.
static PredictionPoint bestEstimate(const Emulator &emulator, EmulationOptions options) {
  options.schedule = defaultSchedules().front().schedule;
  PredictionPoint best = estimate(emulator, options);
  for (const ScheduleChoice &choice : std::span(defaultSchedules()).subspan(1)) {
    options.schedule = choice.schedule;
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

/// What `subject` takes on one thread, by schedule that may be emulated.
class OneThread {
public:
  OneThread(const Subject &subject, const Emulator &emulator, const Prediction &prediction,
            unsigned jobs) {
    for (const ScheduleChoice &choice : prediction.schedules)
      if (choice.kind == ScheduleChoice::Kind::Best)
        choices.insert(choices.end(), defaultSchedules().begin(), defaultSchedules().end());
      else if (choice.kind != ScheduleChoice::Kind::Written) // whose clauses may ask for more
        choices.push_back(choice);
    ticks.resize(choices.size());
    const double serial = subject.tree->serialLengths()[subject.tree->root];
    forEach(choices.size(), jobs, [&](std::size_t i) {
      ticks[i] = serial / emulator.speedup(subject.optionsFor(1, choices[i]));
    });
  }

  double of(const ScheduleChoice &emulated) const {
    for (std::size_t i = 0; i < choices.size(); ++i)
      if (choices[i].schedule == emulated.schedule)
        return emulated.kind == ScheduleChoice::Kind::Written ? 0 : ticks[i];
    return 0;
  }

private:
  std::vector<ScheduleChoice> choices;
  std::vector<double> ticks;
};

/// Estimates `subject` under every schedule and thread count of `prediction`; `others` are trees of
/// other runs.
/// \param emulator of `subject`'s tree
static std::vector<PredictionPoint> estimateAll(const Subject &subject, const Emulator &emulator,
                                                const std::vector<Subject> &others,
                                                const Prediction &prediction, unsigned jobs) {
  const std::vector<unsigned> &threads = prediction.threads;
  std::vector<PredictionPoint> points(prediction.schedules.size() * threads.size());
  const Intervals intervals(subject, emulator, others);
  const std::vector<std::size_t> equal = equalSchedules(*subject.tree, prediction);
  const OneThread oneThread(subject, emulator, prediction, jobs);
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
    point.oneThreadTicks = oneThread.of(point.choice);
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

/// Why the real runtime cannot run the program or one of its changes: known before the first run,
/// which may take long. What was changed is forgotten again, since large trees are large.
static std::optional<Error> refuseSyntheses(const Subject &subject,
                                            const std::vector<Subject> &others,
                                            Prediction &prediction, const PredictRequest &request) {
  if (!request.synthesis)
    return std::nullopt;
  if (auto error = refuseSynthesis({subject, others}, prediction, request))
    return error;
  for (const WhatIf &whatIf : request.whatIfs) {
    const std::string text = "--what-if '" + printable(whatIf.text, 80) + "': ";
    auto changed = changeAll(subject, others, whatIf, request);
    if (!changed)
      return changed.error();
    if (auto error =
            refuseSynthesis({changed->subject, changed->others, &whatIf}, prediction, request))
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
    result.points =
        estimateAll(changed->subject, Emulator(tree), changed->others, prediction, request.jobs);
  if (request.synthesis) {
    auto points = synthesizeAll({changed->subject, changed->others, &whatIf}, prediction, request);
    if (!points)
      return points.error();
    result.synthesized = std::move(*points);
  }
  Overheads overheads = changed->subject.options.overheads;
  overheads.baseSlice = 0; // the system's
  const bool isFree = overheads.isNone();
  for (PredictionPoint &point : result.points)
    point.isFree = isFree;
  for (PredictionPoint &point : result.synthesized)
    point.isFree = isFree;
  for (std::size_t i = 0; i < result.points.size(); ++i)
    overUnchanged(result.points[i], prediction.points[i].estimate);
  prediction.whatIfs.push_back(std::move(result));
  return std::nullopt;
}

/// What the memory model says of the estimates, each warning once.
static void addMemoryWarnings(Prediction &prediction) {
  const auto add = [&](const PredictionPoint &point) {
    const EmulationOptions options = optionsOf(prediction, point);
    if (!options.burdenModel)
      return;
    for (std::string &warning : options.burdenModel->warnings(options))
      if (std::ranges::find(prediction.warnings, warning) == prediction.warnings.end())
        prediction.warnings.push_back(std::move(warning));
  };
  std::ranges::for_each(prediction.points, add);
  std::ranges::for_each(prediction.synthesized, add);
}

static double secondsOf(const Tree &tree) {
  return tree.serialLengths()[tree.root] / tree.timebaseHz;
}

/// Says of which of the machine's figures that count here others disturbed the measurement.
static void warnOfDisturbed(Prediction &prediction, const PredictRequest &request) {
  std::map<std::string, std::vector<std::string>> disturbed; // by file
  if (prediction.options.overheads.disturbed)
    disturbed[printable(prediction.overheadsSource)].push_back("OpenMP's overheads");
  const auto &machine = request.machine;
  if (!prediction.memory.machine.empty() && machine->memory && machine->memory->quality.disturbed)
    disturbed[prediction.memory.machine].push_back("its memory");
  for (const auto &[file, what] : disturbed)
    prediction.warnings.push_back(
        fmt::format("{}: other programs, or a host's other guests, disturbed what was measured of "
                    "{}; run 'prophet calibrate' again when nothing else runs",
                    file, fmt::join(what, " and ")));
}

Result<Prediction> predict(std::vector<NamedTree> runs, const PredictRequest &request) {
  std::ranges::sort(runs, {},
                    [](const NamedTree &run) { return std::pair(secondsOf(*run.tree), run.name); });
  const NamedTree &median = runs[(runs.size() - 1) / 2];
  const std::string shown = printable(median.name);
  auto subject = prepare(median.tree, median.name, request);
  if (!subject)
    return subject.error();

  Prediction prediction;
  prediction.tree = median.tree;
  prediction.treeName = median.name;
  prediction.options = subject->options;
  prediction.overheadsSource = request.overheadsSource;
  prediction.threads = request.threads;
  prediction.memory = subject->memory;
  prediction.validation = subject->validation;
  prediction.warnings = median.tree->warnings;
  for (const std::string &warning : subject->warnings)
    prediction.warnings.push_back(warning);
  warnOfDisturbed(prediction, request);
  if (runs.size() > 1)
    for (const NamedTree &run : runs)
      prediction.runs.push_back({run.name, secondsOf(*run.tree)});
  auto written = chooseSchedules(prediction, request);
  if (!written)
    return written.error();
  subject->written = std::move(*written);
  PredictRequest asOne = request; // all of one program, with the same file
  asOne.validation = subject->validation.empty() ? "none" : subject->validation;
  auto others = prepareOthers(runs, prediction, asOne);
  if (!others)
    return others.error();
  if (auto error = refuseSyntheses(*subject, *others, prediction, request))
    return Error{shown + ": " + error->message};
  std::optional<Emulator> emulator;
  if (request.emulate || request.outlook)
    emulator.emplace(*subject->tree);
  if (request.emulate)
    prediction.points = estimateAll(*subject, *emulator, *others, prediction, request.jobs);
  if (request.synthesis) {
    auto points = synthesizeAll({*subject, *others}, prediction, request);
    if (!points)
      return Error{shown + ": " + points.error().message};
    prediction.synthesized = std::move(*points);
  }
  for (const WhatIf &whatIf : request.whatIfs)
    if (auto error = addWhatIf(prediction, whatIf, *subject, *others, request))
      return Error{shown + ": " + error->message};
  addMemoryWarnings(prediction);
  prediction.span = spanOf(*subject, prediction);
  if (!request.outlook)
    return prediction;
  auto outlook = lookFurther(prediction, *emulator, request.jobs);
  if (!outlook)
    prediction.warnings.push_back(outlook.error().message);
  else if (prediction.outlook = std::move(*outlook); prediction.outlook->isReduced())
    prediction.warnings.push_back(prediction.outlook->leftOut);
  return prediction;
}

Result<Prediction> predict(std::shared_ptr<const Tree> tree, std::string treeName,
                           const PredictRequest &request) {
  return predict({{std::move(tree), std::move(treeName)}}, request);
}

} // namespace prophet
