//===- PredictionText.cpp - Predictions for programs: JSON and CSV ----===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/PredictionText.h"

#include "predictor/report/IntervalText.h"
#include "predictor/report/OutlookText.h"
#include "predictor/report/SynthesizedText.h"
#include "predictor/support/Text.h"

#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace prophet {

using Out = std::back_insert_iterator<std::string>;

static std::string num(double value) { return formatJsonNumber(value); }
std::string renderBlockTime(const Prediction &prediction, const PredictionPoint &point,
                            const char *quotes) {
  const double ns = optionsOf(prediction, point).blockTime();
  return std::isinf(ns) ? fmt::format("{}infinite{}", quotes, quotes) : num(ns / 1e6);
}

/// A share of the threads' time; what rounding left around 0 is 0. Memory that is faster with more
/// threads (a burden factor below 1) is a share below 0.
static std::string share(double value) { return num(std::abs(value) < 1e-9 ? 0 : value); }

//===- JSON ---------------------------------------------------------------===//

/// What the site's own clauses were taken as.
static void writeSettings(Out out, const Site &site, const SiteSettings &settings) {
  if (site.kind == SiteKind::ParallelFor)
    fmt::format_to(out, ", \"schedule\": \"{}\"", settings.schedule.str());
  if (settings.numThreads > 0)
    fmt::format_to(out, ", \"num_threads\": {}", settings.numThreads);
}

static void writeParts(Out out, const TimeParts &parts) {
  fmt::format_to(out,
                 "\"useful\": {}, \"serial\": {}, \"imbalance\": {}, \"lock\": {}, "
                 "\"overhead\": {}, \"memory\": {}, \"cores\": {}, \"outlining\": {}",
                 num(parts.useful), num(parts.serial), num(parts.imbalance), num(parts.lock),
                 num(parts.overhead), num(parts.memory), num(parts.cores), num(parts.outlining));
}

static void writeWaterfall(Out out, const Tree &tree, const Waterfall &waterfall) {
  fmt::format_to(out, "   \"waterfall\": {{\"threads\": {}, \"thread_ticks\": {}, ",
                 num(waterfall.width), num(waterfall.threadTicks));
  writeParts(out, waterfall.program);
  fmt::format_to(out, ",\n    \"outside\": {{\"useful\": {}, \"serial\": {}}}, \"locks\": [",
                 num(waterfall.outside.useful), num(waterfall.outside.serial));
  const char *separator = "";
  for (const LockTime &time : waterfall.locks) {
    fmt::format_to(out, "{}{{\"site\": {}, \"lock\": {}, \"thread_ticks\": {}}}", separator,
                   time.site, formatJsonString(tree.locks[time.lock]), num(time.ticks));
    separator = ", ";
  }
  fmt::format_to(out, "]}},\n");
}

static void writeRoofline(Out out, const std::optional<Roofline> &roofline) {
  if (!roofline)
    return;
  fmt::format_to(out,
                 ", \"roofline\": {{\"bandwidth_gbs\": {}, \"latency_ns\": {}, \"saturated\": {}",
                 num(roofline->gbs), num(roofline->latencyNs), roofline->saturated);
  if (roofline->gflops)
    fmt::format_to(out, ", \"gflops\": {}", num(*roofline->gflops));
  if (roofline->flopsPerByte)
    fmt::format_to(out, ", \"flops_per_byte\": {}", num(*roofline->flopsPerByte));
  fmt::format_to(out, "}}");
}

static void writeSites(Out out, const Prediction &prediction, const PredictionPoint &point) {
  const Tree &tree = *prediction.tree;
  const char *separator = "";
  std::vector<std::optional<Roofline>> rooflines(tree.sites.size());
  if (const BurdenModel *model = prediction.options.burdenModel.get())
    rooflines = model->rooflines(optionsOf(prediction, point));
  for (const SiteEstimate &site : point.estimate.sites) {
    fmt::format_to(out,
                   "{}\n    {{\"site\": {}, \"name\": {}, \"serial_ticks\": {}, \"ticks\": {}, "
                   "\"speedup\": {}, \"gain\": {}",
                   separator, site.site, formatJsonString(tree.sites[site.site].name),
                   num(site.serialTicks), num(site.ticks), num(site.speedup), num(site.gain));
    if (point.isWritten())
      writeSettings(out, tree.sites[site.site], point.sites[site.site]);
    writeRoofline(out, rooflines[site.site]);
    fmt::format_to(out, ", \"waterfall\": {{");
    writeParts(out, point.estimate.waterfall.sites[site.site]);
    fmt::format_to(out, "}}}}");
    separator = ",";
  }
}

static void writePoint(Out out, const Prediction &prediction, const PredictionPoint &point) {
  const Estimate &e = point.estimate;
  fmt::format_to(out,
                 "  {{\"method\": \"ff\", \"paradigm\": \"{}\", \"schedule\": \"{}\", "
                 "\"threads\": {}, \"cores\": {},\n",
                 paradigmName(prediction.options.paradigm), point.scheduleName(), point.threads,
                 point.cores);
  fmt::format_to(out, "   \"memory\": \"{}\", \"ticks\": {}, \"speedup\": {}, {},\n",
                 prediction.memory.model, num(e.ticks), num(e.speedup), renderIntervalJson(point));
  fmt::format_to(
      out,
      "   \"loss\": {{\"serial\": {}, \"imbalance\": {}, \"lock\": {}, \"overhead\": {}, "
      "\"memory\": {}, \"cores\": {}, \"outlining\": {}}},\n",
      share(e.loss.serial), share(e.loss.imbalance), share(e.loss.lock), share(e.loss.overhead),
      share(e.loss.memory), share(e.loss.cores), share(e.loss.outlining));
  writeWaterfall(out, *prediction.tree, e.waterfall);
  fmt::format_to(out, "   \"sites\": [");
  writeSites(out, prediction, point);
  fmt::format_to(out, "], \"block_time_ms\": {}", renderBlockTime(prediction, point, "\""));
  if (point.oneThreadTicks > 0 && e.ticks > 0)
    fmt::format_to(out, ",\n   \"one_thread\": {{\"ticks\": {}, \"speedup\": {}}}",
                   num(point.oneThreadTicks), num(point.oneThreadTicks / e.ticks));
  if (point.choice.kind == ScheduleChoice::Kind::Best)
    fmt::format_to(out, ", \"requested\": \"auto\"");
  if (isExtrapolated(prediction, point))
    fmt::format_to(out, ", \"overheads_extrapolated\": true");
  fmt::format_to(out, "}}");
}

/// The changed program's estimates, shaped as the unchanged one's.
static void writeWhatIfs(Out out, const Prediction &prediction) {
  const char *separator = "\n";
  fmt::format_to(out, "],\n \"what_if\": [");
  for (const WhatIfPrediction &whatIf : prediction.whatIfs) {
    fmt::format_to(out, "{} {{\"text\": {}, \"serial_ticks\": {}, \"estimates\": [", separator,
                   formatJsonString(whatIf.text), num(whatIf.serialTicks));
    const char *comma = "\n";
    for (const PredictionPoint &point : whatIf.points) {
      fmt::format_to(out, "{}", comma);
      writePoint(out, prediction, point);
      comma = ",\n";
    }
    for (const SynthesizedPoint &point : whatIf.synthesized) {
      fmt::format_to(out, "{}{}", comma, renderSynthesizedJson(prediction, point));
      comma = ",\n";
    }
    fmt::format_to(out, "]}}");
    separator = ",\n";
  }
}

/// The file that body ratios are from, and they by site.
static std::string validationJson(const Prediction &prediction) {
  if (prediction.validation.empty())
    return "null";
  std::string ratios;
  for (std::uint32_t site = 0; site < prediction.tree->sites.size(); ++site)
    ratios += (site > 0 ? ", " : "") + num(prediction.options.bodyRatio(site));
  return fmt::format("{{\"source\": {}, \"body_ratios\": [{}]}}",
                     formatJsonString(prediction.validation), ratios);
}

/// Of threads that spin alone none are a model's: what is known is which runtime it was.
static std::string overheadsJson(const Prediction &prediction) {
  const EmulationOptions &options = prediction.options;
  if (prediction.charged().empty())
    return isOpenMP(options.paradigm)
               ? fmt::format(" \"runtime\": \"{}\",\n", runtimeName(options.runtime))
               : "";
  return fmt::format(
      " \"overheads\": {{\"source\": {}, \"runtime\": \"{}\", \"measured_threads\": {}}},\n",
      formatJsonString(prediction.overheadsSource), runtimeName(options.runtime),
      options.overheads.measured());
}

/// The files that burden factors are by.
static std::string memoryJson(const Prediction &prediction) {
  const auto name = [](const std::string &file) {
    return file.empty() ? "null" : formatJsonString(file);
  };
  return fmt::format(" \"memory_source\": {{\"profile\": {}, \"machine\": {}}},\n",
                     name(prediction.memory.profile), name(prediction.memory.machine));
}

static void writePrediction(Out out, const Prediction &prediction) {
  const double serial = prediction.serialTicks();
  const auto only = prediction.options.onlySite;
  fmt::format_to(
      out,
      "{{\"format\": \"prophet-prediction\", \"version\": 1, \"tree\": {}, "
      "\"complete\": {},\n \"serial_ticks\": {}, \"timebase_hz\": {},\n"
      "{} \"wait_policy\": \"{}\", \"max_active_levels\": {}, \"site\": {}, \"seed\": {}, "
      "\"validation\": {},\n{}{} \"estimates\": [",
      formatJsonString(prediction.treeName), prediction.tree->complete, num(serial),
      num(prediction.tree->timebaseHz), overheadsJson(prediction),
      waitPolicyName(prediction.options.waitPolicy), prediction.options.maxActiveLevels,
      only ? formatJsonString(prediction.tree->sites[*only].name) : "null", prediction.options.seed,
      validationJson(prediction), memoryJson(prediction), renderRunsJson(prediction));
  const char *separator = "\n";
  for (const PredictionPoint &point : prediction.points) {
    fmt::format_to(out, "{}", separator);
    writePoint(out, prediction, point);
    separator = ",\n";
  }
  for (const SynthesizedPoint &point : prediction.synthesized) {
    fmt::format_to(out, "{}{}", separator, renderSynthesizedJson(prediction, point));
    separator = ",\n";
  }
  if (!prediction.whatIfs.empty())
    writeWhatIfs(out, prediction);
  fmt::format_to(out, "],\n{} \"warnings\": [", renderOutlookJson(prediction));
  separator = "";
  for (const std::string &warning : prediction.warnings) {
    fmt::format_to(out, "{}{}", separator, formatJsonString(warning));
    separator = ", ";
  }
  fmt::format_to(out, "]}}");
}

std::string renderJson(const std::vector<Prediction> &predictions) {
  std::string text;
  Out out(text);
  bool several = predictions.size() > 1;
  const char *separator = several ? "[" : "";
  for (const Prediction &prediction : predictions) {
    text += separator;
    writePrediction(out, prediction);
    separator = ",\n";
  }
  text += several ? "]\n" : "\n";
  return text;
}

//===- CSV ----------------------------------------------------------------===//

static std::string csvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == text.npos)
    return std::string(text);
  std::string out = "\"";
  for (char c : text)
    out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

/// A row for the whole program and one for each site; `whatIf` is the change, or "".
static void writeRows(Out out, const Prediction &prediction, const PredictionPoint &point,
                      std::string_view whatIf) {
  const Estimate &e = point.estimate;
  const std::string start =
      fmt::format("{},ff,{},{},{},{},{}", csvField(prediction.treeName),
                  paradigmName(prediction.options.paradigm), csvField(point.scheduleName()),
                  point.threads, point.cores, prediction.memory.model);
  const std::string change = csvField(whatIf);
  const auto &parts = point.intervalParts;
  const char *source = parts.empty() ? "" : sourceName(parts.front().source);
  const auto endWith = [&](const std::string &outlining) {
    return fmt::format("{},{},,{},{},,", waitPolicyName(prediction.options.waitPolicy),
                       renderBlockTime(prediction, point, ""), outlining,
                       isExtrapolated(prediction, point));
  };
  fmt::format_to(out, "{},,,{},{},{},{},{},,{},{},{},{},{},{},{},{},{}\n", start,
                 num(e.serialTicks), num(e.ticks), num(e.speedup), num(point.interval.first),
                 num(point.interval.second), share(e.loss.serial), share(e.loss.imbalance),
                 share(e.loss.lock), share(e.loss.overhead), share(e.loss.memory),
                 share(e.loss.cores), change, source, endWith(share(e.loss.outlining)));
  for (const SiteEstimate &site : e.sites)
    fmt::format_to(out, "{},{},{},{},{},{},,,{},,,,,,,{},,{}\n", start, site.site,
                   csvField(prediction.tree->sites[site.site].name), num(site.serialTicks),
                   num(site.ticks), num(site.speedup), num(site.gain), change, endWith(""));
}

/// As writeRows, without what the real runtime does not say.
static void writeSynthesizedRows(Out out, const Prediction &prediction,
                                 const SynthesizedPoint &point, std::string_view whatIf) {
  const Estimate &e = point.estimate;
  const std::string start =
      fmt::format("{},synth,{},{},{},{},{}", csvField(prediction.treeName),
                  paradigmName(prediction.options.paradigm), csvField(point.scheduleName()),
                  point.threads, point.cores, prediction.memory.model);
  const std::string change = csvField(whatIf);
  const std::string charged =
      point.delay == Delay::Virtual ? fmt::format("{}", isExtrapolated(prediction, point)) : "";
  const std::string end =
      fmt::format("{},{},{},,{},{},{}", waitPolicyName(prediction.options.waitPolicy),
                  charged.empty() ? "" : renderBlockTime(prediction, point, ""),
                  delayName(point.delay), charged, point.tried, point.counted);
  const auto &parts = point.intervalParts;
  const char *source = !point.isBounded() ? sourceName(point.unknownParts.front())
                       : parts.empty()    ? ""
                                          : sourceName(parts.front().source);
  const auto bound = [&](double value) { return point.isBounded() ? num(value) : ""; };
  fmt::format_to(out, "{},,,{},{},{},{},{},,,,,,,,{},{},{}\n", start, num(e.serialTicks),
                 num(e.ticks), num(e.speedup), bound(point.interval.first),
                 bound(point.interval.second), change, source, end);
  for (const SiteEstimate &site : e.sites)
    fmt::format_to(out, "{},{},{},{},{},{},,,,,,,,,,{},,{}\n", start, site.site,
                   csvField(prediction.tree->sites[site.site].name), num(site.serialTicks),
                   num(site.ticks), num(site.speedup), change, end);
}

std::string renderCsv(const std::vector<Prediction> &predictions) {
  std::string text = "tree,method,paradigm,schedule,threads,cores,memory,site,name,serial_ticks,"
                     "ticks,speedup,low,high,gain,serial,imbalance,lock,overhead,memory_loss,"
                     "cores_loss,what_if,interval_source,wait_policy,block_time_ms,delay,outlining,"
                     "overheads_extrapolated,tried,counted\n";
  Out out(text);
  for (const Prediction &prediction : predictions) {
    for (const PredictionPoint &point : prediction.points)
      writeRows(out, prediction, point, "");
    for (const SynthesizedPoint &point : prediction.synthesized)
      writeSynthesizedRows(out, prediction, point, "");
    for (const WhatIfPrediction &whatIf : prediction.whatIfs) {
      for (const PredictionPoint &point : whatIf.points)
        writeRows(out, prediction, point, whatIf.text);
      for (const SynthesizedPoint &point : whatIf.synthesized)
        writeSynthesizedRows(out, prediction, point, whatIf.text);
    }
  }
  return text;
}

} // namespace prophet
