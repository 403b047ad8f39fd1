//===- OutlookText.cpp - What else the profile says, in words ---------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/OutlookText.h"

#include "predictor/report/Advice.h"
#include "predictor/support/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace prophet {

static std::string lockJson(const Tree &tree, const std::optional<std::uint32_t> &lock) {
  return lock ? formatJsonString(tree.locks[*lock]) : "null";
}

static std::string saturationJson(const Tree &tree, const Saturation &saturation) {
  return fmt::format("{{\"threads\": {}, \"speedup\": {}, \"bound\": {}, \"at_bound\": {}, "
                     "\"hurts\": {}, \"cause\": {}, \"lock\": {}{}{}}}",
                     saturation.threads, formatJsonNumber(saturation.speedup), saturation.bound,
                     formatJsonNumber(saturation.atBound), saturation.hurts(),
                     saturation.reached() ? formatJsonString(saturation.cause) : "null",
                     lockJson(tree, saturation.lock),
                     saturation.isInRegions ? ", \"in_regions\": true" : "",
                     saturation.isExtrapolated ? ", \"overheads_extrapolated\": true" : "");
}

static std::string siteJson(const Tree &tree, const SiteOutlook &site) {
  const bool hasSchedule =
      site.isScheduleKnown && tree.sites[site.site].kind == SiteKind::ParallelFor;
  const auto ifKnown = [](bool isKnown, double value) {
    return isKnown ? formatJsonNumber(value) : "null";
  };
  return fmt::format(
      "{{\"site\": {}, \"name\": {}, \"schedule\": {}, \"ticks\": {}, \"speedup\": {}, "
      "\"break_even_trips\": {}, \"gain_alone\": {}, \"gain_without\": {}}}",
      site.site, formatJsonString(tree.sites[site.site].name),
      hasSchedule ? formatJsonString(site.schedule.str()) : "null",
      ifKnown(site.isScheduleKnown, site.ticks), ifKnown(site.isScheduleKnown, site.speedup),
      site.breakEvenTrips ? std::to_string(*site.breakEvenTrips) : "null",
      formatJsonNumber(site.gainAlone),
      ifKnown(site.gainWithout.has_value(), site.gainWithout.value_or(0)));
}

std::string renderOutlookJson(const Prediction &prediction) {
  const Tree &tree = *prediction.tree;
  const Span &span = prediction.span;
  const double bound = span.speedupBound();
  std::string text = fmt::format(
      " \"span\": {{\"work_ticks\": {}, \"span_ticks\": {}, \"lock\": {}, \"lock_ticks\": {}, "
      "\"speedup_bound\": {}}},\n \"outlook\": ",
      formatJsonNumber(span.workTicks), formatJsonNumber(span.spanTicks), lockJson(tree, span.lock),
      formatJsonNumber(span.lockTicks), std::isfinite(bound) ? formatJsonNumber(bound) : "null");
  if (!prediction.outlook)
    return text + "null,\n";
  const Outlook &outlook = *prediction.outlook;
  text += fmt::format("{{\"threads\": {}, {}\"saturation\": {}, \"sites\": [", outlook.threads,
                      outlook.isReduced() ? "\"reduced\": true, " : "",
                      saturationJson(tree, outlook.saturation));
  for (const SiteOutlook &site : outlook.sites)
    text +=
        fmt::format("{}\n  {}", &site == &outlook.sites.front() ? "" : ",", siteJson(tree, site));
  return text + "]},\n";
}

//===- For people ---------------------------------------------------------===//

/// In words, why work that is there cannot be divided further.
static const char *imbalanceOf(Awaited awaited) {
  switch (awaited) {
  case Awaited::Iterations:
    return "imbalance at loops' ends";
  case Awaited::NoIterations:
    return "too few iterations";
  case Awaited::Sections:
  case Awaited::NoSections:
    return "too few sections, or too long ones";
  case Awaited::Tasks:
    return "too few tasks that can run at once";
  }
  return "";
}

/// "lock histogram", "OpenMP's overhead".
static std::string causeOf(const Tree &tree, const Saturation &saturation) {
  if (saturation.lock)
    return "lock " + printable(tree.locks[*saturation.lock], 40);
  if (saturation.cause == "imbalance")
    return imbalanceOf(saturation.awaited);
  if (saturation.isInRegions)
    return "regions with fewer threads than that";
  static constexpr std::pair<const char *, const char *> Names[] = {
      {"serial", "serial code"},
      {"overhead", "OpenMP's overhead"},
      {"memory", "memory contention"},
      {"cores", "missing cores"},
      {"outlining", "slower loop bodies"}};
  for (const auto &[key, name] : Names)
    if (saturation.cause == key)
      return name;
  return saturation.cause;
}

std::vector<std::string> describeOutlook(const Prediction &prediction) {
  const Tree &tree = *prediction.tree;
  std::vector<std::string> lines;
  if (prediction.outlook && prediction.outlook->saturation.reached()) {
    const Saturation &saturation = prediction.outlook->saturation;
    const bool isOne = saturation.threads == 1;
    lines.push_back(fmt::format(
        "More than {} {}, because of {}: {} on {}, {} on {}{}", formatThreads(saturation.threads),
        saturation.hurts() ? (isOne ? "makes it slower" : "make it slower")
                           : (isOne ? "gains no more" : "gain no more"),
        causeOf(tree, saturation), formatSpeedup(saturation.speedup), saturation.threads,
        formatSpeedup(saturation.atBound), saturation.bound,
        saturation.isExtrapolated
            ? fmt::format(" (overheads beyond {} are extrapolated)",
                          formatThreads(prediction.options.overheads.measured()))
            : ""));
  }
  const Span &span = prediction.span;
  const double bound = span.speedupBound();
  // A bound that is far from what was asked for is no news.
  const double news = std::max(64.0, 4.0 * prediction.threads.back());
  if (bound <= news && bound < 0.95 * maximumGain(tree)) {
    const bool byLock = span.lock && span.lockTicks > span.spanTicks;
    lines.push_back(fmt::format(
        "No number of threads gives more than {}{}: {}", formatSpeedup(bound),
        tree.tolerance > 0 ? ", by merged lengths" : "",
        byLock ? fmt::format("lock {}, which one thread holds at a time, and serial code are {} of "
                             "the serial run",
                             printable(tree.locks[*span.lock], 40), formatShare(1 / bound))
               : fmt::format("the longest chain of work is {} of the serial run",
                             formatShare(1 / bound))));
  }
  if (prediction.outlook && prediction.outlook->sites.size() > 1) {
    const SiteOutlook &first = prediction.outlook->sites.front();
    const std::string without = first.gainWithout ? fmt::format(", {} if only the others are",
                                                                formatSpeedup(*first.gainWithout))
                                                  : "";
    lines.push_back(fmt::format("Make {} parallel first: {} if only it is{}",
                                printable(tree.sites[first.site].name, 40),
                                formatSpeedup(first.gainAlone), without));
  }
  return lines;
}

std::string describeSiteOutlook(const Prediction &prediction, std::uint32_t site, double shown) {
  if (!prediction.outlook || prediction.tree->sites[site].kind != SiteKind::ParallelFor)
    return "";
  const auto &sites = prediction.outlook->sites;
  const auto found = std::ranges::find(sites, site, &SiteOutlook::site);
  if (found == sites.end())
    return "";
  const PredictionPoint &best = bestPoint(prediction);
  const bool isLimited = !best.sites.empty() && best.sites[site].numThreads > 0 &&
                         best.sites[site].numThreads < best.threads; // which `found` is not
  std::string text;
  if (found->isScheduleKnown && found->speedup > 1.005 * shown)
    text = fmt::format("schedule({}){} would give it {}", found->schedule.str(),
                       isLimited ? " on all threads" : "", formatSpeedup(found->speedup));
  if (found->breakEvenTrips && *found->breakEvenTrips > 1)
    text += fmt::format("{}{}gains from {} iterations on", text.empty() ? "" : "; ",
                        shown < WorthIt && found->gainAlone >= WorthIt ? "alone " : "",
                        *found->breakEvenTrips);
  return text;
}

} // namespace prophet
