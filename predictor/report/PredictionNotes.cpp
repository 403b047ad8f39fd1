//===- PredictionNotes.cpp - Whose rules the estimates follow -------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/PredictionNotes.h"

#include "predictor/emulator/TaskRegions.h"
#include "predictor/report/IntervalText.h"
#include "predictor/report/SynthesizedText.h"
#include "predictor/support/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <set>

namespace prophet {

static bool isLibomp(const EmulationOptions &options) {
  return options.runtime == OmpRuntime::Libomp;
}

/// The block times of all points. \pre There are some.
static std::string howThreadsWait(const Prediction &prediction) {
  std::set<double> times;
  for (const PredictionPoint *point : prediction.charged())
    times.insert(optionsOf(prediction, *point).blockTime());
  if (*times.rbegin() <= 0)
    return "Threads that wait sleep at once.";
  if (std::isinf(*times.begin()))
    return "Threads that wait spin for ever.";
  std::vector<std::string> words;
  for (const double ns : times)
    words.push_back(std::isinf(ns) ? "for ever" : "for " + formatSeconds(ns / 1e9));
  return fmt::format("Threads that wait spin {}, then they sleep.", fmt::join(words, " or "));
}

static std::string overheadsNote(const Prediction &prediction) {
  const EmulationOptions &options = prediction.options;
  const auto spins = [](const SynthesizedPoint &point) { return point.delay == Delay::Spin; };
  const std::string whose =
      !prediction.isEmulated() && std::ranges::any_of(prediction.synthesized, spins)
          ? "In virtual time OpenMP's"
          : "OpenMP's";
  if (options.overheads.isNone())
    return whose + " own overheads are left out (--overheads none).";
  std::string text =
      whose + (prediction.overheadsSource == "built-in"
                   ? " overheads are built-in ones, of another machine ('prophet "
                     "calibrate' measures this one)"
                   : " overheads are those in " + printable(prediction.overheadsSource));
  const auto extrapolated = [&](const auto *point) { return isExtrapolated(prediction, *point); };
  if (std::ranges::any_of(prediction.charged(), extrapolated))
    text += fmt::format("; those of teams of more than {} (*) are extrapolated",
                        formatThreads(options.overheads.measured()));
  return text + ".";
}

/// Whose rules the tasks follow.
static std::string taskNote(const EmulationOptions &options) {
  const char *runtime = runtimeName(options.runtime);
  const std::string cost =
      options.overheads.isNone() ? "" : fmt::format(", at what {}'s cost", runtime);
  switch (options.paradigm) {
  case Paradigm::OpenMP:
    return fmt::format("tasks are {}'s: {} (--paradigm tbb or cilk for theirs)", runtime,
                       isLibomp(options) ? "own newest first, then stolen ones"
                                         : "one queue for the team, the oldest first");
  case Paradigm::Tasks:
    return fmt::format("tasks, and loops as taskloop, are {}'s (--paradigm)", runtime);
  case Paradigm::Tbb:
    return "tasks, and loops as tbb::parallel_for, are oneTBB's (--paradigm)" + cost;
  case Paradigm::Cilk:
    return "tasks, and loops as cilk_for, are OpenCilk's (--paradigm)" + cost;
  }
  return "";
}

/// Whose rules the schedules follow.
static void addScheduleNotes(std::vector<std::string> &notes, const Prediction &prediction) {
  bool dynamic = false, guided = false, written = false;
  const auto add = [&](const Schedule &schedule) {
    dynamic |= schedule.kind == Schedule::Kind::Dynamic;
    guided |= schedule.kind == Schedule::Kind::Guided || schedule.kind == Schedule::Kind::Auto;
  };
  for (const PredictionPoint &point : prediction.points) {
    add(point.choice.schedule);
    for (const SiteSettings &site : point.sites)
      add(site.schedule);
    written |= point.isWritten();
  }
  const bool libomp = isLibomp(prediction.options);
  if (written)
    notes.push_back("written is every site under its own schedule and num_threads clause, "
                    "static without one");
  if (dynamic)
    notes.push_back(libomp ? "dynamic is libomp's (clang): threads own ranges and steal "
                             "(--runtime libgomp for GCC's)"
                           : "dynamic is libgomp's (GCC): one central queue");
  if (guided)
    notes.push_back(libomp ? "guided is libomp's (clang): chunks of half of what is left for each "
                             "thread (--runtime libgomp for GCC's)"
                           : "guided is libgomp's (GCC): chunks of what is left for each thread");
}

/// Whether some estimate goes by where threads stay that share more cores than that was watched on.
static bool placesOnManyCores(const Prediction &prediction) {
  constexpr unsigned watched = 2;
  return std::ranges::any_of(prediction.points, [](const PredictionPoint &point) {
    return point.cores > watched &&
           std::ranges::find(point.intervalParts, OpenedBy::Placement, &IntervalPart::source) !=
               point.intervalParts.end();
  });
}

/// The other baseline, where it is another one.
static std::string describeOneThread(const Prediction &prediction) {
  const PredictionPoint &best = bestPoint(prediction);
  const Estimate &estimate = best.estimate;
  constexpr double noteworthy = 0.01;
  // Of a program without length nothing is known.
  const double more = best.oneThreadTicks - estimate.serialTicks;
  if (best.threads == 1 || best.oneThreadTicks <= 0 ||
      !(std::abs(more) > estimate.serialTicks * noteworthy))
    return "";
  const bool isOurs = isOpenMP(prediction.options.paradigm);
  return fmt::format("On one thread {}'s program takes {:.3g} times the serial one; over that "
                     "the best is {}.",
                     isOurs ? "OpenMP" : executingRuntime(prediction.options),
                     best.oneThreadTicks / estimate.serialTicks,
                     formatSpeedup(best.oneThreadTicks / estimate.ticks));
}

std::string describeBodyRatios(const Prediction &prediction) {
  const EmulationOptions &options = prediction.options;
  constexpr std::size_t most = 6; // that are named
  std::vector<std::string> names;
  for (std::uint32_t site = 0; site < options.bodyRatios.size(); ++site)
    if (options.bodyRatio(site) != 1 && options.onlySite.value_or(site) == site)
      names.push_back(fmt::format("{} computes {:.3g} times as long",
                                  printable(prediction.tree->sites[site].name, 40),
                                  options.bodyRatio(site)));
  if (names.empty())
    return "";
  if (names.size() > most) {
    const std::size_t left = names.size() - most;
    names.resize(most);
    names.push_back(fmt::format("{} more by what --format json has", left));
  }
  return fmt::format("As an OpenMP body {} (measured on one thread by 'prophet validate', {}).",
                     fmt::join(names, ", "), printable(prediction.validation));
}

std::vector<std::string> describeOverheads(const Prediction &prediction) {
  const EmulationOptions &options = prediction.options;
  std::vector<std::string> notes;
  if (prediction.charged().empty())
    return notes;
  notes.push_back(overheadsNote(prediction));
  if (!options.overheads.isNone() && isOpenMP(options.paradigm)) // nothing else depends on it
    notes.push_back(howThreadsWait(prediction));
  return notes;
}

std::vector<std::string> describeModel(const Prediction &prediction) {
  const EmulationOptions &options = prediction.options;
  std::vector<std::string> notes;
  addScheduleNotes(notes, prediction);
  std::ranges::move(describeOverheads(prediction), std::back_inserter(notes));
  if (const std::string note = describeBodyRatios(prediction); !note.empty())
    notes.push_back(note);
  if (const std::string note = describeOneThread(prediction); !note.empty())
    notes.push_back(note);
  if (usesTasks(*prediction.tree, options))
    notes.push_back(taskNote(options));
  for (std::string &note : describeSynthesis(prediction))
    notes.push_back(std::move(note));
  const std::string interval = describeInterval(prediction, bestPoint(prediction));
  if (!interval.empty())
    notes.push_back(interval);
  if (placesOnManyCores(prediction))
    notes.push_back("libomp's threads that share cores stay on them by Linux's rules, which were "
                    "watched on two cores only; on more they are read from its source.");
  notes.push_back(describeMemoryUse(prediction.memory));
  return notes;
}

} // namespace prophet
