//===- Diff.cpp - prophet diff ----------------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/Difference.h"
#include "predictor/support/Text.h"
#include "predictor/tree/TreeReader.h"
#include "predictor/verbs/Verbs.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace prophet {

namespace {
struct DiffVerb {
  std::string first, second, format, failUnder, output;

  Result<int> run() const;

private:
  Result<Difference> compare() const;
};

/// Whether `path` looks like a prediction; whatever else it is, the tree's reader says.
bool isPrediction(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::string start(256, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start.find("\"prophet-prediction\"") != start.npos;
}

nlohmann::json readJson(const std::string &path) {
  std::ifstream file(path);
  return nlohmann::json::parse(file, nullptr, false);
}

/// A percentage from 0 to 1000.
Result<double> parsePercent(const std::string &word) {
  char *end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (word.empty() || *end != '\0' || !(value >= 0 && value <= 1000))
    return Error{fmt::format("diff: --fail-under '{}' is no percentage; write for example 95",
                             printable(word))};
  return value;
}
} // namespace

Result<Difference> DiffVerb::compare() const {
  const bool predictions = isPrediction(first);
  if (predictions != isPrediction(second)) {
    const std::string &other = predictions ? second : first;
    if (auto tree = readTree(other); !tree)
      return tree.error();
    return Error{fmt::format("diff: {} is a prediction, {} a program tree; compare two of a kind",
                             printable(predictions ? first : second), printable(other))};
  }
  if (predictions)
    return comparePredictions(readJson(first), readJson(second),
                              {printable(first), printable(second)});
  auto before = readTree(first);
  if (!before)
    return before.error();
  auto after = readTree(second);
  if (!after)
    return after.error();
  return compareTrees(*before, *after);
}

Result<int> DiffVerb::run() const {
  double least = 0;
  if (!failUnder.empty()) {
    auto percent = parsePercent(failUnder);
    if (!percent)
      return percent.error();
    least = *percent / 100;
  }
  auto difference = compare();
  if (!difference)
    return difference.error();
  const DifferenceRow *slowest = difference->slowest();
  if (!failUnder.empty() && !slowest)
    return Error{"diff: the files have nothing in common that --fail-under could judge; compare "
                 "predictions with the same threads and schedules"};
  const std::string text = format == "json" ? renderDifferenceJson(*difference, first, second)
                                            : renderDifferenceText(*difference, first, second);
  if (auto error = writeResult(output, text))
    return *error;
  if (failUnder.empty() || *slowest->speed >= least)
    return ExitDone;
  const std::string title =
      slowest->prefix + (slowest->prefix.empty() || slowest->name.empty() ? "" : ": ") +
      (slowest->prefix.empty() && slowest->name.empty() ? "the program" : slowest->name);
  report(fmt::format("diff: {} has {} of the speed that it had, less than {} %", printable(title),
                     formatShare(*slowest->speed), printable(failUnder)));
  return ExitMissed;
}

void addDiff(CLI::App &app, Action &action) {
  auto *sub = app.add_subcommand("diff", "Says what changed between two trees or predictions");
  describeInHelp(*sub, "Example:\n"
                       "  prophet diff before.prophet.json after.prophet.json\n"
                       "  prophet diff before.json after.json --fail-under 95\n\n"
                       "Compares two program trees (trip counts, lengths) or two predictions, as "
                       "'prophet predict --format json' writes them (speedups), site by site.\n");
  auto verb = std::make_shared<DiffVerb>();
  sub->add_option("A", verb->first, "A program tree or a prediction")->required()->type_name("");
  sub->add_option("B", verb->second, "Another one")->required()->type_name("");
  sub->add_option("--fail-under", verb->failUnder,
                  "Exit status 1 where the program, a site or an estimate of B has less than "
                  "PERCENT of its speed in A")
      ->type_name("PERCENT");
  sub->add_option("--format", verb->format, "table (default) | json")
      ->type_name("F")
      ->check([](const std::string &word) {
        return word == "table" || word == "json"
                   ? std::string()
                   : fmt::format("'{}' is not table or json", printable(word));
      });
  sub->add_option("-o,--output", verb->output, "Write the result to FILE, whole or not at all")
      ->type_name("FILE");
  sub->final_callback([&action, verb] { action = [verb] { return verb->run(); }; });
}

} // namespace prophet
