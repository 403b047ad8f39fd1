//===- Synthesis.cpp - Estimates by the real runtime ----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/Synthesis.h"

#include "predictor/report/SynthesizedText.h"
#include "predictor/support/Progress.h"
#include "predictor/support/Text.h"
#include "predictor/synthesizer/Repetitions.h"
#include "predictor/synthesizer/Sample.h"
#include "predictor/synthesizer/Synthesizer.h"
#include "predictor/verbs/Estimates.h"
#include "predictor/verbs/Executors.h"
#include "predictor/verbs/SynthesisLimits.h"
#include "predictor/verbs/SynthesizedFigures.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace prophet {

namespace {

using Clock = std::chrono::steady_clock;

/// What `choice` is the fastest of.
std::vector<ScheduleChoice> alternatives(const ScheduleChoice &choice) {
  return choice.kind == ScheduleChoice::Kind::Best ? defaultSchedules() : std::vector{choice};
}

/// The options that all runs of `subject` share, on the most threads and with the largest factors
/// that any of them has: the grid of times has room for these.
EmulationOptions sharedOptions(const Subject &subject, const Prediction &prediction) {
  EmulationOptions shared = subject.options;
  shared.threads = std::ranges::max(prediction.threads);
  if (!shared.burdenModel)
    return shared;
  shared.burdens.resize(subject.tree->sites.size());
  const auto add = [&](unsigned threads, const ScheduleChoice &choice) {
    const BurdenFactors own = subject.optionsFor(threads, choice).burdened().burdens;
    for (std::size_t site = 0; site < own.size(); ++site)
      for (const auto &[team, factor] : own[site]) {
        double &most = shared.burdens[site][team];
        most = std::max(most, factor);
      }
  };
  for (unsigned threads : prediction.threads)
    for (const ScheduleChoice &choice : prediction.schedules)
      for (const ScheduleChoice &single : alternatives(choice))
        add(threads, single);
  return shared;
}

/// The runs that an estimate is the fastest of: one, or those that `auto` chooses from.
struct Wanted {
  std::size_t point;
  Synthesis run;
};

bool isSpun(const Wanted &one) { return one.run.delay == Delay::Spin; }

class Synthesizing {
public:
  Synthesizing(const ToSynthesize &what, Prediction &prediction, const PredictRequest &request)
      : subject(what.subject), others(what.others), change(what.change), prediction(prediction),
        request(*request.synthesis),
        waits(request.base.waitPolicy != WaitPolicy::Default || request.base.givenBlockTime),
        alone(!request.emulate),
        synthesizer(*subject.tree, sharedOptions(subject, prediction), request.synthesis->scale),
        figures(subject, synthesizer,
                prediction.synthesized.empty() ? nullptr
                                               : &prediction.synthesized.front().estimate) {}

  /// Finds out what is to be run, and why it cannot be.
  std::optional<Error> prepare();
  /// \pre prepare() found nothing.
  Result<std::vector<SynthesizedPoint>> run();

private:
  const Subject &subject;
  const std::vector<Subject> &others;
  const WhatIf *const change;
  Prediction &prediction;
  const SynthesisRequest &request;
  const bool waits; ///< the request says how threads wait
  const bool alone; ///< no other method has an interest in that
  const Synthesizer synthesizer;
  const SynthesizedFigures figures;
  std::string executor;
  std::vector<Wanted> wanted;
  std::vector<std::size_t> equal; ///< by schedule: the one whose estimates it has
  std::vector<SynthesizedPoint> points;
  std::vector<Repeated> made; ///< by point: the run that it is an estimate by
  std::vector<std::pair<double, double>> runsRanges; ///< by point: speedups of all runs' trees

  std::optional<Error> choose();
  std::optional<Error> add(std::size_t point, const ScheduleChoice &choice);
  std::optional<Error> refuseUseless() const;
  std::optional<Error> checkTime() const;
  std::optional<Error> make(Delay delay);
  std::optional<Error> make(const Subject &other);
  void addSettings() const;
  void warnOfWalk() const;
  void warnOfFreeOnes() const;
  void warn() const;
};

/// What is to be run for `point`, under one schedule.
std::optional<Error> Synthesizing::add(std::size_t point, const ScheduleChoice &choice) {
  const unsigned threads = prediction.threads[point % prediction.threads.size()];
  Synthesis run;
  run.options = subject.optionsFor(threads, choice);
  run.nsPerTick = 1e9 / subject.tree->timebaseHz;
  if (!synthesizer.nests()) // else threads may have to share cores
    run.options.maxActiveLevels = 1;
  const unsigned needed = run.options.usableCores();
  const bool fits = needed <= request.machineCores;
  run.delay = request.delay.value_or(fits ? Delay::Spin : Delay::Virtual);
  if (run.delay == Delay::Spin && !fits)
    return Error{fmt::format("--delay spin: {} threads need {} cores, and this machine offers {}; "
                             "ask for fewer --threads, or for --delay virtual",
                             threads, needed, request.machineCores)};
  if (auto error = refuseThreads(run.options, synthesizer.threads(run.options)))
    return error;
  wanted.push_back({point, std::move(run)});
  return std::nullopt;
}

/// Fills `wanted`.
std::optional<Error> Synthesizing::choose() {
  equal = equalSchedules(*subject.tree, prediction);
  const std::size_t columns = prediction.threads.size();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ScheduleChoice &choice = prediction.schedules[i / columns];
    if (equal[i / columns] != i / columns)
      continue;
    for (const ScheduleChoice &single : alternatives(choice))
      if (auto error = add(i, single))
        return error;
  }
  return std::nullopt;
}

/// How long threads spin is known beforehand, how long they take turns in virtual time roughly.
std::optional<Error> Synthesizing::checkTime() const {
  NeededTime needed;
  for (const Wanted &one : wanted) {
    ++needed.runs;
    if (one.run.delay == Delay::Virtual) {
      const unsigned runs = virtualRepetitions(*subject.tree, one.run);
      needed.taking += synthesizer.virtualSeconds(one.run.options, runs) *
                       static_cast<double>(1 + others.size());
      continue;
    }
    const double seconds = synthesizer.spinSeconds(one.run.options, one.run.nsPerTick);
    ++needed.spinningRuns;
    needed.spinning += seconds;
    needed.longest = std::max(needed.longest, seconds);
  }
  return refuseTime(needed, request, synthesizer.sample().canBeSmaller());
}

/// Makes those runs that have `delay`.
std::optional<Error> Synthesizing::make(Delay delay) {
  std::vector<Synthesis> runs;
  std::vector<std::size_t> of;
  for (const Wanted &one : wanted)
    if (one.run.delay == delay) {
      runs.push_back(one.run);
      of.push_back(one.point);
    }
  if (runs.empty())
    return std::nullopt;
  Progress progress;
  const auto begin = Clock::now();
  const auto report = [&](std::size_t done, std::size_t count) {
    const std::chrono::duration<double> spent = Clock::now() - begin;
    const std::string left = delay == Delay::Virtual
                                 ? ""
                                 : fmt::format(", {:.0f} s left at most",
                                               std::max(0.0, request.seconds - spent.count()));
    progress.show(
        fmt::format("{} of {} runs by {}{}", done, count, executingRuntime(subject.options), left));
  };
  const Patience patience{request.seconds, 0.01, request.machineCores};
  auto repeated = repeat(*subject.tree, synthesizer, runs, executor, patience, report);
  if (!repeated)
    return repeated.error();
  for (std::size_t i = 0; i < repeated->size(); ++i) {
    SynthesizedPoint &point = points[of[i]];
    if (point.tried == 0 || (*repeated)[i].run.ticks < point.estimate.ticks) {
      point = figures.of((*repeated)[i]);
      runsRanges[of[i]] = {point.estimate.speedup, point.estimate.speedup};
      made[of[i]] = std::move((*repeated)[i]);
    }
  }
  return std::nullopt;
}

/// Widens, by the tree of another run of the program, the ranges of points in virtual time.
std::optional<Error> Synthesizing::make(const Subject &other) {
  const Synthesizer another(*other.tree, sharedOptions(other, prediction), request.scale);
  if (auto error = another.unfit())
    return error;
  std::vector<Synthesis> runs;
  std::vector<std::size_t> of;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].tried == 0 || points[i].delay != Delay::Virtual)
      continue;
    ScheduleChoice choice = prediction.schedules[i / prediction.threads.size()];
    if (choice.kind == ScheduleChoice::Kind::Best)
      choice = {points[i].choice.schedule, ScheduleChoice::Kind::Given};
    Synthesis &run = runs.emplace_back();
    run.options = other.optionsFor(points[i].threads, choice);
    run.nsPerTick = 1e9 / other.tree->timebaseHz;
    of.push_back(i);
  }
  const Patience patience{request.seconds, 0.01, request.machineCores};
  auto repeated =
      repeat(*other.tree, another, runs, executor, patience, [](std::size_t, std::size_t) {});
  if (!repeated)
    return repeated.error();
  const double serial = other.tree->serialLengths()[other.tree->root] * other.growth;
  for (std::size_t i = 0; i < repeated->size(); ++i) {
    const double ticks = (*repeated)[i].run.ticks, speedup = ticks > 0 ? serial / ticks : 1;
    auto &range = runsRanges[of[i]];
    range = {std::min(range.first, speedup), std::max(range.second, speedup)};
  }
  return std::nullopt;
}

/// Of tasks that are too short to be spun.
void Synthesizing::warnOfWalk() const {
  double most = 0;
  for (const SynthesizedPoint &point : points)
    most = std::max(most, std::abs(point.walkShare));
  if (most > 0.2)
    prediction.warnings.push_back(fmt::format(
        "synth: tasks are so short that walking the tree is {} of the time, which cannot be taken "
        "off exactly; use --method ff, or --delay virtual",
        formatShare(most)));
}

/// Of figures beside each other of which some have overheads.
void Synthesizing::warnOfFreeOnes() const {
  const auto spins = std::ranges::count_if(wanted, isSpun);
  if (subject.options.overheads.isNone() && 0 < spins && spins < std::ssize(wanted))
    prediction.warnings.push_back("synth: threads that spin have the real runtime's overheads, and "
                                  "those in virtual time none (--overheads none); do not compare "
                                  "the ones with the others");
}

/// Of estimates that are not what was asked for.
void Synthesizing::warn() const {
  std::vector<std::string> rough;
  bool disturbed = false;
  std::size_t estimates = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::size_t schedule = i / prediction.threads.size();
    if (equal[schedule] != schedule)
      continue;
    ++estimates;
    if (points[i].settled || points[i].delay == Delay::Virtual)
      continue;
    const std::string name = isAnySchedule(*subject.tree, prediction.schedules[schedule])
                                 ? "any schedule"
                                 : points[i].scheduleName();
    rough.push_back(fmt::format("{} on {}", name, points[i].threads));
    disturbed |= points[i].disturbed || 2 * points[i].counted < points[i].tried;
  }
  if (rough.empty())
    return;
  const std::size_t count = rough.size();
  constexpr std::size_t shown = 3;
  rough.resize(std::min(count, shown));
  prediction.warnings.push_back(fmt::format(
      "synth{}: {} of {} estimates are not known to 1 %{}: {}{}; {}, or raise --time-limit",
      change ? fmt::format(", --what-if '{}'", printable(change->text, 80)) : "", count, estimates,
      disturbed ? ", since other programs disturbed their repetitions" : "", fmt::join(rough, ", "),
      count > shown ? fmt::format(" and {} more", count - shown) : "",
      disturbed ? "let nothing else run" : "see that nothing else runs"));
}

/// What all changes of the program share with it: the tree's sample.
void Synthesizing::addSettings() const {
  prediction.synthesis = {request.scale, synthesizer.sample().executed(),
                          synthesizer.sample().total()};
  if (request.scale < 1 && prediction.synthesis.executed == prediction.synthesis.sections)
    prediction.warnings.push_back("synth: --scale shortens nothing here: no site runs more than "
                                  "twice at the outermost level");
}

/// What is asked for and has no effect on any run.
std::optional<Error> Synthesizing::refuseUseless() const {
  const bool free = subject.options.overheads.isNone();
  if (alone && request.forOverheads && std::ranges::all_of(wanted, isSpun))
    return Error{
        fmt::format("{} has no effect on this few --threads, which spin and have the real "
                    "runtime's overheads; leave it out{}",
                    request.forOverheads,
                    unfitForVirtualTime(subject.options) ? "" : ", or ask for --delay virtual")};
  if (alone && waits && free && std::ranges::none_of(wanted, isSpun))
    return Error{"--wait-policy and --block-time have no effect on this many --threads, which run "
                 "in virtual time, where with --overheads none waiting costs nothing; leave them "
                 "out"};
  if (change && change->scalesOverheads() && std::ranges::any_of(wanted, isSpun))
    return Error{
        fmt::format("the real runtime's overheads cannot be changed; {}leave out --method synth",
                    unfitForVirtualTime(subject.options) ? "" : "ask for --delay virtual, or ")};
  return std::nullopt;
}

std::optional<Error> Synthesizing::prepare() {
  if (request.delay == Delay::Virtual)
    if (auto error = unfitForVirtualTime(subject.options))
      return error;
  auto found = findExecutor(subject.options);
  if (!found)
    return found.error();
  executor = std::move(*found);
  if (auto error = synthesizer.unfit())
    return error;
  points.resize(prediction.schedules.size() * prediction.threads.size());
  made.resize(points.size());
  runsRanges.resize(points.size());
  if (auto error = choose())
    return error;
  const bool spins = std::ranges::any_of(wanted, isSpun);
  if (auto error = refuseUseless())
    return error;
  const double ns = synthesizer.ticksPerVisit() * 1e9 / subject.tree->timebaseHz;
  constexpr double leastNs = 4; // a few times less than the walk takes
  if (ns < leastNs && spins)
    return Error{fmt::format("tasks are too short to be spun, with {:.1f} ns for each node of the "
                             "tree; use --method ff, or --delay virtual",
                             ns)};
  return checkTime();
}

Result<std::vector<SynthesizedPoint>> Synthesizing::run() {
  // Some refusals are of virtual time alone.
  for (Delay delay : {Delay::Virtual, Delay::Spin})
    if (auto error = make(delay))
      return *error;
  for (const Subject &other : others)
    if (auto error = make(other))
      return *error;
  const std::size_t columns = prediction.threads.size();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::size_t schedule = i / columns;
    if (equal[schedule] == schedule) {
      const bool covers = !others.empty() && points[i].delay == Delay::Virtual;
      figures.setInterval(points[i], made[i], covers ? std::optional(runsRanges[i]) : std::nullopt);
    } else {
      points[i] = points[equal[schedule] * columns + i % columns];
      points[i].choice.schedule = prediction.schedules[schedule].schedule;
    }
    points[i].choice.kind = prediction.schedules[schedule].kind;
  }
  if (!change) {
    addSettings();
    warnOfFreeOnes();
  }
  warnOfWalk();
  warn();
  return std::move(points);
}

} // namespace

std::optional<Error> refuseSynthesis(const ToSynthesize &what, Prediction &prediction,
                                     const PredictRequest &request) {
  return Synthesizing(what, prediction, request).prepare();
}

Result<std::vector<SynthesizedPoint>>
synthesizeAll(const ToSynthesize &what, Prediction &prediction, const PredictRequest &request) {
  Synthesizing synthesizing(what, prediction, request);
  if (auto error = synthesizing.prepare())
    return *error;
  return synthesizing.run();
}

} // namespace prophet
