//===- Predict.cpp - prophet predict ----------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/calibration/MachineFile.h"
#include "predictor/report/PredictionTable.h"
#include "predictor/report/PredictionText.h"
#include "predictor/support/Files.h"
#include "predictor/support/Machine.h"
#include "predictor/support/Text.h"
#include "predictor/tree/TreeReader.h"
#include "predictor/verbs/Estimates.h"
#include "predictor/verbs/Render.h"
#include "predictor/verbs/Verbs.h"

#include <CLI/CLI.hpp>
#include <unistd.h>
#include <utility>

namespace prophet {

std::string render(const std::vector<Prediction> &predictions, const PredictRequest &request,
                   bool color) {
  switch (request.format) {
  case OutputFormat::Json:
    return renderJson(predictions);
  case OutputFormat::Csv:
    return renderCsv(predictions);
  case OutputFormat::Table:
    break;
  }
  std::string text;
  for (const Prediction &prediction : predictions) {
    if (!text.empty())
      text += "\n";
    text += renderTable(prediction, Style(color), request.quiet ? Detail::Grid : Detail::Full);
  }
  return text;
}

void reportWarnings(const std::vector<Prediction> &predictions, const PredictRequest &request) {
  if (request.format != OutputFormat::Csv || request.quiet)
    return; // tables and JSON carry them
  for (const Prediction &prediction : predictions)
    for (const std::string &warning : prediction.warnings)
      report(printable(prediction.treeName) + ": warning: " + warning);
}

namespace {
struct PredictVerb {
  std::vector<std::string> trees;
  std::string output;
  bool sameProgram = false;
  PredictWords words;

  Result<int> run() const {
    auto request = words.resolve(availableCores(), defaultMachineFile());
    if (!request)
      return request.error();
    std::vector<NamedTree> runs;
    std::vector<Prediction> predictions;
    for (const std::string &path : trees) {
      auto tree = readTree(path);
      if (!tree)
        return tree.error();
      runs.push_back({std::make_shared<Tree>(std::move(*tree)), path});
      if (sameProgram && runs.size() < trees.size())
        continue;
      auto prediction = predict(std::exchange(runs, {}), *request);
      if (!prediction)
        return prediction.error();
      predictions.push_back(std::move(*prediction));
    }
    bool color = output.empty() ? useColor(request->color, STDOUT_FILENO)
                                : request->color == ColorMode::Always;
    reportWarnings(predictions, *request);
    if (auto error = writeResult(output, render(predictions, *request, color)))
      return *error;
    return ExitDone;
  }
};
} // namespace

void addPredict(CLI::App &app, Action &action) {
  auto *sub = app.add_subcommand("predict", "Estimates speedups from a program tree");
  describeInHelp(*sub,
                 "Example:\n"
                 "  prophet predict mandel.prophet.json --threads 2,4,8 --schedule auto\n\n"
                 "Estimates how much faster the profiled program would be as an OpenMP program, "
                 "and says what holds it back.\n");
  auto verb = std::make_shared<PredictVerb>();
  sub->add_option("TREE", verb->trees,
                  "Program trees, as annotated programs write them; - reads "
                  "standard input")
      ->required()
      ->type_name("");
  verb->words.declare(*sub);
  sub->add_flag(
         "--same-program", verb->sameProgram,
         "The trees are of several runs of one program: one prediction, of the run of median "
         "length, whose intervals cover all")
      ->group("Prediction");
  sub->add_option("-o,--output", verb->output, "Write the result to FILE, whole or not at all")
      ->type_name("FILE")
      ->group("Output");
  sub->final_callback([&action, verb] { action = [verb] { return verb->run(); }; });
}

} // namespace prophet
