//===- Trace.cpp - prophet trace --------------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/Trace.h"
#include "predictor/calibration/MachineFile.h"
#include "predictor/report/SynthesizedText.h"

#include "predictor/support/Machine.h"
#include "predictor/support/Text.h"
#include "predictor/tree/TreeReader.h"
#include "predictor/verbs/Estimates.h"
#include "predictor/verbs/Verbs.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

namespace prophet {

namespace {
struct TraceVerb {
  std::string tree, schedule, events, output;
  PredictWords words;

  Result<int> run() const;

private:
  Result<PredictRequest> request() const;
};

/// What readers of the trace may want to know of the run, as members of a JSON object.
std::string describe(const Prediction &prediction, const PredictionPoint &point) {
  return fmt::format(
      "\"tree\": {}, \"paradigm\": \"{}\", \"schedule\": {}, \"runtime\": \"{}\", "
      "\"threads\": {}, \"cores\": {}, "
      "\"timebase_hz\": {}, \"serial_ticks\": {}, \"ticks\": {}{}",
      formatJsonString(prediction.treeName), paradigmName(prediction.options.paradigm),
      formatJsonString(point.scheduleName()), executingRuntime(prediction.options), point.threads,
      point.cores, formatJsonNumber(prediction.tree->timebaseHz),
      formatJsonNumber(point.estimate.serialTicks), formatJsonNumber(point.estimate.ticks),
      isExtrapolated(prediction, point) ? ", \"overheads_extrapolated\": true" : "");
}
} // namespace

Result<PredictRequest> TraceVerb::request() const {
  PredictWords all = words;
  all.threads =
      words.threads.empty() ? std::to_string(std::max(availableCores(), 2u)) : words.threads;
  const bool hasSchedules = words.paradigm.empty() || words.paradigm == "openmp";
  if (!schedule.empty() || hasSchedules)
    all.schedules = {schedule.empty() ? "auto" : schedule};
  auto request = all.resolve(availableCores(), defaultMachineFile());
  if (request && request->threads.size() != 1)
    return Error{"trace: --threads takes one number; a trace is of one run"};
  return request;
}

Result<int> TraceVerb::run() const {
  auto asked = request();
  if (!asked)
    return asked.error();
  auto limit = parseCount(events.empty() ? "100000" : events, "--events", 1, 100'000'000);
  if (!limit)
    return limit.error();
  auto profile = readTree(tree);
  if (!profile)
    return profile.error();
  auto shared = std::make_shared<Tree>(std::move(*profile));
  auto prediction = predict(std::move(shared), tree, *asked);
  if (!prediction)
    return prediction.error();
  for (const std::string &warning : prediction->warnings)
    report(printable(tree) + ": warning: " + warning);

  const PredictionPoint &point = prediction->points.front();
  const EmulationOptions options = optionsOf(*prediction, point);
  TraceRecorder recorder(options.threads, *limit, options.paradigm);
  PredictionPoint traced = point; // of which the estimate may be the mean of several runs
  traced.estimate = Emulator(*prediction->tree).run(options, &recorder);
  const std::string title =
      fmt::format("{}, {} on {}", printable(tree),
                  point.isSplit() ? paradigmName(options.paradigm) : point.scheduleName(),
                  formatThreads(point.threads));
  if (auto error = writeResult(output, recorder.json(title, describe(*prediction, traced))))
    return *error;
  return ExitDone;
}

void addTrace(CLI::App &app, Action &action) {
  auto *sub = app.add_subcommand("trace", "Writes the emulated run as a timeline of its threads");
  describeInHelp(*sub,
                 "Example:\n"
                 "  prophet trace mandel.prophet.json --threads 4 --schedule static,1 -o "
                 "mandel-trace.json\n\n"
                 "Chrome Trace Events, for Perfetto (ui.perfetto.dev) or speedscope: what every "
                 "thread of the emulated run does, and when.\n");
  auto verb = std::make_shared<TraceVerb>();
  auto word = [&](const char *name, std::string &value, const char *type, const char *help) {
    return sub->add_option(name, value, help)->type_name(type);
  };
  word("TREE", verb->tree, "", "A program tree; - reads standard input")->required();
  word("--threads", verb->words.threads, "N",
       "How many threads run the program (default: this machine's cores)");
  word("--schedule", verb->schedule, "S",
       "auto (default): the best of static, static,1 and dynamic,1 | static | static,CHUNK | "
       "[monotonic:]dynamic[,CHUNK] | guided[,CHUNK] | written");
  verb->words.declareModel(*sub);
  word("--events", verb->events, "N",
       "Merge short events from some N on (default 100000); nothing is left out")
      ->group("Output");
  word("-o,--output", verb->output, "FILE", "Write the trace to FILE, whole or not at all")
      ->group("Output");
  sub->final_callback([&action, verb] { action = [verb] { return verb->run(); }; });
}

} // namespace prophet
