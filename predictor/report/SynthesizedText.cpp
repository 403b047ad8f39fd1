//===- SynthesizedText.cpp - What the real runtime said -------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/SynthesizedText.h"

#include "predictor/report/Advice.h"
#include "predictor/report/IntervalText.h"
#include "predictor/report/PageLayout.h"
#include "predictor/report/PredictionNotes.h"
#include "predictor/report/PredictionText.h"
#include "predictor/support/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <numeric>
#include <utility>

namespace prophet {

const char *executingRuntime(const EmulationOptions &options) {
  return options.paradigm == Paradigm::Tbb    ? "oneTBB"
         : options.paradigm == Paradigm::Cilk ? "OpenCilk"
                                              : runtimeName(options.runtime);
}

/// Of a change; a longer one has a line of its own.
static constexpr std::size_t LongestName = 48;

namespace {

using Points = std::vector<SynthesizedPoint>;

const SynthesizedPoint &bestOf(const Points &points) {
  return *std::max_element(points.begin(), points.end(), [](const auto &a, const auto &b) {
    const auto printed = [](const SynthesizedPoint &p) {
      return std::round(p.estimate.speedup * 100);
    };
    return std::pair(printed(a), b.threads) < std::pair(printed(b), a.threads);
  });
}

/// Lines of figures by thread count.
class Grid {
public:
  Grid(const Prediction &prediction, Style style, std::size_t nameWidth, bool full)
      : prediction(prediction), style(style), full(full), nameWidth(nameWidth) {}

  std::string render() {
    bySchedule();
    if (!prediction.whatIfs.empty())
      byChange();
    return std::move(text);
  }

private:
  const Prediction &prediction;
  const Style style;
  const bool full; ///< notes follow
  std::size_t nameWidth;
  std::string text;

  std::size_t columns() const { return prediction.threads.size(); }

  /// Behind the `t`th number of threads: "*" where a note says that its overheads are extrapolated.
  const char *mark(std::size_t t) const {
    bool isExtrapolated = false;
    for (std::size_t i = t; full && i < prediction.synthesized.size(); i += columns())
      isExtrapolated |= prophet::isExtrapolated(prediction, prediction.synthesized[i]);
    return isExtrapolated ? "*" : "";
  }

  template <typename Cell>
  void row(std::string name, std::size_t first, const Cell &cell, std::string_view end = "") {
    if (name.size() >= nameWidth) {
      text += "  " + name + "\n";
      name.clear();
    }
    text += fmt::format("  {:<{}}", name, nameWidth);
    for (std::size_t t = first; t < std::min(first + ColumnsPerBlock, columns()); ++t)
      text += cell(t);
    text += fmt::format("{}\n", end);
  }

  template <typename Rows> void blocks(bool marks, const Rows &rows) {
    for (std::size_t first = 0; first < columns(); first += ColumnsPerBlock) {
      text += first > 0 ? "\n" : "";
      row("threads", first, [&](std::size_t t) {
        return style.dim(
            fmt::format("{:>8}", fmt::format("{}{}", prediction.threads[t], marks ? mark(t) : "")));
      });
      rows(first);
    }
  }

  void bySchedule() {
    const Points &points = prediction.synthesized;
    const SynthesizedPoint *best = &bestOf(points);
    std::vector<std::size_t> order(prediction.schedules.size());
    std::iota(order.begin(), order.end(), 0);
    const auto highest = [&](std::size_t schedule) {
      double speedup = 0;
      for (std::size_t t = 0; t < columns(); ++t)
        speedup = std::max(speedup, points[schedule * columns() + t].estimate.speedup);
      return speedup;
    };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(-highest(a), a) < std::pair(-highest(b), b);
    });
    bool isShown = false;
    std::erase_if(order, [&](std::size_t schedule) {
      return isAnySchedule(*prediction.tree, prediction.schedules[schedule]) &&
             std::exchange(isShown, true);
    });
    blocks(true, [&](std::size_t first) {
      for (std::size_t schedule : order) {
        const SynthesizedPoint *line = &points[schedule * columns()];
        const auto cell = [&](std::size_t t) {
          const std::string figure = fmt::format("{:>8}", formatSpeedup(line[t].estimate.speedup));
          return line + t == best ? style.good(figure) : figure;
        };
        const std::size_t end = std::min(first + ColumnsPerBlock, columns());
        const bool holdsBest = best >= line + first && best < line + end;
        row(rowName(*prediction.tree, prediction.schedules[schedule]), first, cell,
            holdsBest ? style.good("  <- best") : "");
      }
    });
  }

  /// Every change under its best schedule.
  void byChange() {
    const auto best = [&](const Points &points, std::size_t t) {
      double speedup = 0;
      for (std::size_t i = t; i < points.size(); i += columns())
        speedup = std::max(speedup, points[i].estimate.speedup);
      return fmt::format("{:>8}", formatSpeedup(speedup));
    };
    for (const WhatIfPrediction &whatIf : prediction.whatIfs)
      nameWidth = std::max(nameWidth, std::min(printable(whatIf.text).size() + 1, LongestName));
    text += "\n" + style.bold("What if, by the same") + "\n";
    blocks(false, [&](std::size_t first) {
      row("as it is", first, [&](std::size_t t) { return best(prediction.synthesized, t); });
      for (const WhatIfPrediction &whatIf : prediction.whatIfs)
        row(printable(whatIf.text), first,
            [&](std::size_t t) { return best(whatIf.synthesized, t); });
    });
  }
};

/// "2", "4 and 8": the thread counts of estimates made with `delay`; "" for none.
std::string threadsWith(const Prediction &prediction, Delay delay) {
  std::vector<unsigned> threads;
  for (std::size_t t = 0; t < prediction.threads.size(); ++t)
    if (prediction.synthesized[t].delay == delay)
      threads.push_back(prediction.threads[t]);
  if (threads.empty())
    return "";
  const unsigned last = threads.back();
  threads.pop_back();
  if (threads.empty())
    return std::to_string(last);
  return fmt::format("{} and {}", fmt::join(threads, ", "), last);
}

/// "Medians of up to 12 runs, known to 0.8 %", "up to 12 of 15 runs" where some were disturbed.
std::string describeRepetitions(const Points &points) {
  double uncertainty = 0;
  unsigned least = ~0u, most = 0, tried = 0;
  bool known = true, disturbed = false;
  for (const SynthesizedPoint &point : points)
    if (point.delay == Delay::Spin) {
      least = std::min(least, point.counted);
      most = std::max(most, point.counted);
      tried = std::max(tried, point.tried);
      disturbed |= point.disturbed;
      known &= point.uncertainty.has_value();
      uncertainty = std::max(uncertainty, point.uncertainty.value_or(0));
    }
  if (most == 1)
    return "Each was run once, so how well they are known is not known";
  if (disturbed)
    return fmt::format("Medians of up to {} runs that other programs disturbed, so how well they "
                       "are known is not known",
                       most);
  const std::string text =
      most < tried ? fmt::format("Medians of up to {} of {} runs, since others were disturbed, ",
                                 most, tried)
                   : fmt::format("Medians of up to {} runs, ", most);
  if (known)
    return text + "known to " + formatShare(uncertainty);
  return text + fmt::format("how well is not known of those that had fewer than six: the interval "
                            "is their range{}",
                            least == 1 ? ", and one alone has none" : "");
}

/// "an error of 3.1 % at most, with a probability of 95 %".
std::string describeSampling(const Prediction &prediction) {
  double margin = 0;
  for (const SynthesizedPoint &point : prediction.synthesized) {
    if (!point.sampleError)
      return "the error of that is not known";
    margin = std::max(margin, point.sampleError->margin);
  }
  return fmt::format("an error of {} at most, with a probability of 95 %", formatShare(margin));
}

std::string describeSpinning(const Prediction &prediction, const std::string &threads) {
  const auto isSpun = [](const SynthesizedPoint &point) { return point.delay == Delay::Spin; };
  const auto one = std::ranges::find_if(prediction.synthesized, isSpun);
  std::string text = fmt::format(
      "synth, on {} thread{}: {} ran the tree on this machine's cores, busy loops in the place of "
      "computation; its overheads are in the figures. {}; {}.",
      threads, threads == "1" ? "" : "s", executingRuntime(prediction.options),
      describeRepetitions(prediction.synthesized),
      one->priority != Priority::Normal
          ? "they had priority over other programs"
          : fmt::format("threads are woken up {} late", formatSeconds(one->wakeUpNs * 1e-9)));
  if (isOpenMP(prediction.options.paradigm) && prediction.options.maxActiveLevels > 1 &&
      std::ranges::any_of(findSitePlaces(*prediction.tree), &SitePlace::nested))
    text += " Inner teams have as many threads each, which share the cores.";
  const double serial = prediction.serialTicks() / prediction.tree->timebaseHz;
  double longest = 0;
  for (const SynthesizedPoint &point : prediction.synthesized)
    if (point.delay == Delay::Spin)
      longest = std::max(longest, point.tried * point.seconds);
  text += " An estimate took up to " + formatSeconds(longest);
  if (serial > 0 && longest / serial >= 0.05) // less where --scale runs a part of it
    text += fmt::format(", {:.1f} times the serial run", longest / serial);
  return text + "." +
         (prediction.runs.empty() ? ""
                                  : " How far the program's runs are apart is not in "
                                    "the intervals of these.");
}

std::string describeVirtual(const Prediction &prediction, const std::string &threads) {
  std::string text = fmt::format(
      "synth, on {} thread{}: {} ran the tree in virtual time: who gets which iterations and "
      "locks is its own doing, {}.",
      threads, threads == "1" ? "" : "s", executingRuntime(prediction.options),
      prediction.options.overheads.isNone()
          ? "but its overheads and how threads wait cost nothing there"
          : "and what its constructs cost is charged as ff charges it");
  unsigned most = 0;
  bool sharesCores = false;
  for (const SynthesizedPoint &point : prediction.synthesized)
    if (point.delay == Delay::Virtual) {
      most = std::max(most, point.counted);
      sharesCores |= point.cores < point.threads;
    }
  if (sharesCores)
    text += " Threads share the cores evenly, not in turns.";
  if (most < 2)
    return text;
  text += fmt::format(" Whom idle threads steal from is random: medians of {} runs", most);
  const SynthesizedPoint &best = bestOf(prediction.synthesized);
  const auto stealing =
      std::ranges::find(best.intervalParts, OpenedBy::Stealing, &IntervalPart::source);
  if (stealing != best.intervalParts.end())
    text += fmt::format(", for the best speedup of {} to {}", formatSpeedup(stealing->range.first),
                        formatSpeedup(stealing->range.second));
  return text + ".";
}

} // namespace

std::string renderSynthesizedGrid(const Prediction &prediction, Style style, std::size_t nameWidth,
                                  bool full) {
  if (prediction.synthesized.empty())
    return "";
  return "\n" +
         style.bold(
             fmt::format("By {} itself (--method synth)", executingRuntime(prediction.options))) +
         "\n" + Grid(prediction, style, nameWidth, full).render();
}

std::vector<std::string> describeSynthesis(const Prediction &prediction) {
  std::vector<std::string> notes;
  if (prediction.synthesized.empty())
    return notes;
  if (const std::string threads = threadsWith(prediction, Delay::Spin); !threads.empty())
    notes.push_back(describeSpinning(prediction, threads));
  if (const std::string threads = threadsWith(prediction, Delay::Virtual); !threads.empty())
    notes.push_back(describeVirtual(prediction, threads));
  const SynthesisSettings &settings = prediction.synthesis;
  if (settings.executed < settings.sections)
    notes.push_back(
        fmt::format("synth ran {} of the {} outermost sections for all of them (--scale): {}.",
                    settings.executed, settings.sections, describeSampling(prediction)));
  return notes;
}

/// ", schedule(static)" of the best estimate.
static std::string howItRuns(const SynthesizedPoint &best, bool hasLoops) {
  if (best.isWritten())
    return ", the written schedules";
  if (best.isSplit())
    return ", loops split into tasks";
  return hasLoops ? ", schedule(" + best.scheduleName() + ")" : "";
}

std::string renderSynthesizedTable(const Prediction &prediction, Style style, bool full) {
  std::string text;
  const auto line = [&](const std::string &of) { text += of + "\n"; };
  const Tree &tree = *prediction.tree;
  const SynthesizedPoint &best = bestOf(prediction.synthesized);
  std::size_t nameWidth = 14;
  for (const ScheduleChoice &choice : prediction.schedules)
    nameWidth = std::max(nameWidth, rowName(tree, choice).size() + 1);
  const double limit = maximumGain(tree), serial = prediction.serialTicks();
  if (full) {
    for (const std::string &warning : prediction.warnings)
      line(style.warn(wrapped("warning: " + warning, Width, 0)));
    const std::string command = printable(fmt::format("{}", fmt::join(tree.command, " ")), 60);
    line(printable(prediction.treeName) + (command.empty() ? "" : ": " + command));
    line(fmt::format("Serial run {}{}, {} of it in parallel sections",
                     formatSeconds(serial / tree.timebaseHz), describeRuns(prediction),
                     formatShare(limit > 0 ? 1 - 1 / limit : 0)));
    line("");
    line(style.good("Maximum gain " + formatSpeedup(best.estimate.speedup)) +
         fmt::format(": {} thread{}{}", best.threads, best.threads == 1 ? "" : "s",
                     howItRuns(best, hasScheduledLoops(tree))));
    line("");
  }
  text += Grid(prediction, style, nameWidth, full).render();
  if (!full)
    return text;
  line("");
  if (!best.estimate.sites.empty())
    line(style.bold(
        fmt::format("Sites, on {} thread{}", best.threads, best.threads == 1 ? "" : "s")));
  for (const SiteEstimate &site : best.estimate.sites)
    line(fmt::format(
        "  {}: {} of the serial run; itself {}", printable(tree.sites[site.site].name, 40),
        formatShare(serial > 0 ? site.serialTicks / serial : 0), formatSpeedup(site.speedup)));
  if (!best.estimate.sites.empty())
    line("");
  for (const auto &notes : {describeSynthesis(prediction), describeOverheads(prediction)})
    for (const std::string &note : notes)
      line(style.dim(wrapped(note, Width, 0)));
  if (const std::string note = describeBodyRatios(prediction); !note.empty())
    line(style.dim(wrapped(note, Width, 0)));
  if (!prediction.options.useBurden)
    line(style.dim(wrapped(describeMemoryUse(prediction.memory), Width, 0)));
  return text;
}

std::string renderSynthesizedJson(const Prediction &prediction, const SynthesizedPoint &point) {
  const auto num = formatJsonNumber;
  const Estimate &e = point.estimate;
  std::string text = fmt::format(
      "  {{\"method\": \"synth\", \"paradigm\": \"{}\", \"schedule\": \"{}\", \"threads\": {}, "
      "\"cores\": {},\n   \"memory\": \"{}\", \"ticks\": {}, \"speedup\": {}, {},\n"
      "   \"delay\": \"{}\", \"runtime_overheads\": {}, \"seconds\": {},\n"
      "   \"repetitions\": {{\"tried\": {}, \"counted\": {}, \"uncertainty\": {}, \"settled\": {}, "
      "\"disturbed\": {}}},\n",
      paradigmName(prediction.options.paradigm), point.scheduleName(), point.threads, point.cores,
      prediction.memory.model, num(e.ticks), num(e.speedup), renderIntervalJson(point),
      delayName(point.delay), point.delay == Delay::Spin, num(point.seconds), point.tried,
      point.counted, point.uncertainty ? num(*point.uncertainty) : "null", point.settled,
      point.disturbed);
  if (point.delay == Delay::Spin)
    text +=
        fmt::format("   \"priority\": \"{}\", \"wakeup_seconds\": {}, \"walk\": {},\n",
                    priorityName(point.priority), num(point.wakeUpNs * 1e-9), num(point.walkShare));
  if (const auto &settings = prediction.synthesis; settings.executed < settings.sections)
    text += fmt::format("   \"sample\": {{\"executed\": {}, \"sections\": {}, "
                        "\"standard_error\": {}, \"margin\": {}}},\n",
                        settings.executed, settings.sections,
                        point.sampleError ? num(point.sampleError->standard) : "null",
                        point.sampleError ? num(point.sampleError->margin) : "null");
  text += "   \"sites\": [";
  const char *separator = "";
  for (const SiteEstimate &site : e.sites) {
    text +=
        fmt::format("{}\n    {{\"site\": {}, \"name\": {}, \"serial_ticks\": {}, "
                    "\"ticks\": {}, \"speedup\": {}}}",
                    separator, site.site, formatJsonString(prediction.tree->sites[site.site].name),
                    num(site.serialTicks), num(site.ticks), num(site.speedup));
    separator = ",";
  }
  text += "]";
  if (point.delay == Delay::Virtual)
    text += ", \"block_time_ms\": " + renderBlockTime(prediction, point, "\"");
  if (point.choice.kind == ScheduleChoice::Kind::Best)
    text += ", \"requested\": \"auto\"";
  if (isExtrapolated(prediction, point))
    text += ", \"overheads_extrapolated\": true";
  return text + "}";
}

} // namespace prophet
