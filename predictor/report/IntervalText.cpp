//===- IntervalText.cpp - Where speedups lie, in words --------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/IntervalText.h"

#include "predictor/support/Text.h"

#include <fmt/format.h>

namespace prophet {

namespace {

using Range = std::pair<double, double>;

std::string toJson(Range range) {
  return fmt::format("[{}, {}]", formatJsonNumber(range.first), formatJsonNumber(range.second));
}

std::string inWords(Range range) {
  return formatSpeedup(range.first) + " to " + formatSpeedup(range.second);
}

/// "random stealing", "that the profile merged lengths within 5.0 %".
std::string causeOf(const Prediction &prediction, OpenedBy source) {
  switch (source) {
  case OpenedBy::Merging:
    return fmt::format("the profile merged lengths within {}",
                       formatShare(prediction.tree->tolerance));
  case OpenedBy::Stealing:
    return "whom idle threads steal from is random";
  case OpenedBy::Placement:
    return "on which cores threads are that share them is random";
  case OpenedBy::Runs:
    return fmt::format("the {} runs differ", prediction.runs.size());
  case OpenedBy::Cache:
    return "caches may keep more or less of its data";
  case OpenedBy::Places:
    return "the host may run its cores elsewhere than most of the calibration's";
  case OpenedBy::Memory:
    return "the memory may move no more than it was measured to";
  case OpenedBy::Repeating:
    return "the real runs differ";
  case OpenedBy::Sampling:
    return "a part of the program was run for the whole";
  }
  return "";
}

} // namespace

std::string renderIntervalJson(const PredictionPoint &point) {
  std::string text = fmt::format("\"interval\": {}, \"interval_parts\": {{",
                                 point.isBounded() ? toJson(point.interval) : "null");
  const char *separator = "";
  for (OpenedBy source : point.unknownParts) {
    text += fmt::format("{}\"{}\": null", separator, sourceName(source));
    separator = ", ";
  }
  for (const IntervalPart &part : point.intervalParts) {
    text += fmt::format("{}\"{}\": {}", separator, sourceName(part.source), toJson(part.range));
    separator = ", ";
  }
  return text + "}";
}

std::string renderRunsJson(const Prediction &prediction) {
  if (prediction.runs.empty())
    return "";
  std::string text = " \"runs\": [";
  const char *separator = "";
  for (const ProfiledRun &run : prediction.runs) {
    text += fmt::format("{}{{\"tree\": {}, \"seconds\": {}}}", separator,
                        formatJsonString(run.name), formatJsonNumber(run.seconds));
    separator = ", ";
  }
  return text + "],\n";
}

std::string describeRuns(const Prediction &prediction) {
  const auto &runs = prediction.runs;
  if (runs.empty())
    return "";
  return fmt::format(" (the median of {} runs, {} to {})", runs.size(),
                     formatSeconds(runs.front().seconds), formatSeconds(runs.back().seconds));
}

std::string describeInterval(const Prediction &prediction, const PredictionPoint &best) {
  const auto &parts = best.intervalParts;
  if (parts.empty())
    return "";
  std::string text =
      fmt::format("The best speedup lies in {}, {}because {}", inWords(best.interval),
                  parts.size() > 1 ? "mostly " : "", causeOf(prediction, parts.front().source));
  if (parts.size() > 1)
    text += fmt::format(" ({})", inWords(parts.front().range));
  for (std::size_t i = 1; i < parts.size(); ++i)
    text += fmt::format("{} {} ({})", i + 1 == parts.size() ? "; and" : ";",
                        causeOf(prediction, parts[i].source), inWords(parts[i].range));
  return text + (prediction.runs.empty()
                     ? ". How much runs differ is not in it ('prophet run --runs 5')."
                     : ".");
}

} // namespace prophet
