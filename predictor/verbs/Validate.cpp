//===- Validate.cpp - prophet validate ------------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/calibration/MachineFile.h"
#include "predictor/support/Files.h"
#include "predictor/support/Machine.h"
#include "predictor/support/Progress.h"
#include "predictor/support/Text.h"
#include "predictor/validation/ValidationText.h"
#include "predictor/verbs/Estimates.h"
#include "predictor/verbs/ProfileMatch.h"
#include "predictor/verbs/ValidationRuns.h"
#include "predictor/verbs/Verbs.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <unistd.h>

namespace prophet {

namespace fs = std::filesystem;

namespace {
struct ValidateVerb {
  const std::vector<std::string> &afterMarker; ///< Clang's options, "--", the program's arguments
  std::string source, output, rounds, failAbove;
  PredictWords words;
  bool fromOpenMP = false;

  Result<int> run() const;

private:
  struct Asked {
    PredictRequest request; ///< of which the threads begin with one
    std::vector<unsigned> threads;
    std::size_t rounds = 5;
    std::optional<double> failAbove; ///< share
  };
  /// Everything that was run, and the tree of each round.
  struct Measured {
    std::vector<NamedTree> trees;
    std::vector<ValidationRound> rounds;
    std::string difference, disturbance; ///< as ValidationRuns has them
  };

  std::optional<Error> refuse(const PredictRequest &request, unsigned machineCores) const;
  Result<Asked> check() const;
  Result<Measured> measure(const Asked &asked, const ValidationJob &job) const;
  Result<Validation> compare(const Asked &asked, const Measured &measured,
                             std::shared_ptr<const Tree> &tree) const;
  std::optional<Error> checkAndShow(Asked &asked, const Measured &measured, const std::string &file,
                                    double &largestError) const;
  std::string treeName() const { return fs::path(source).stem().string() + ".prophet.json"; }
};
} // namespace

/// "15" per cent.
static Result<double> parsePercent(const std::string &word) {
  const char *end = word.data() + word.size();
  double value = 0;
  const auto [stop, code] = std::from_chars(word.data(), end, value);
  if (stop != end || code != std::errc() || !(value > 0 && value <= 1e6))
    return Error{fmt::format("validate: --fail-above '{}' is no percentage above 0; write for "
                             "example 15",
                             printable(word))};
  return value / 100;
}

/// Whether both runs reached the same annotations in the same order.
static bool haveSameSites(const Tree &a, const Tree &b) {
  return std::ranges::equal(a.sites, b.sites, [](const Site &one, const Site &other) {
    return one.name == other.name && one.file == other.file && one.line == other.line;
  });
}

/// Why the results cannot go to `file`: what is there must be older ones.
static std::optional<Error> checkOutput(const std::string &file) {
  if (auto error = checkReplaceable(file))
    return error;
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored))
    return std::nullopt;
  const auto text = readWholeFile(file);
  if (text && !text->empty() && text->find("prophet-validation") > 64)
    return Error{fmt::format("{}: is there and has no results of 'prophet validate'; name another "
                             "file with -o",
                             printable(file))};
  return std::nullopt;
}

/// What cannot be built and run here.
std::optional<Error> ValidateVerb::refuse(const PredictRequest &request,
                                          unsigned machineCores) const {
  const EmulationOptions &base = request.base;
  const unsigned cores = base.cores ? base.cores : request.threads.back();
  if (cores > machineCores)
    return Error{fmt::format("validate: this machine has {} {}, too few for {}; ask for fewer, or "
                             "say with --cores {} that they share them",
                             machineCores, machineCores == 1 ? "core" : "cores",
                             formatThreads(request.threads.back()), machineCores)};
  for (const ScheduleChoice &choice : request.schedules)
    if (fromOpenMP != (choice.kind == ScheduleChoice::Kind::Written) ||
        choice.kind == ScheduleChoice::Kind::Best)
      return Error{fromOpenMP ? "validate: an OpenMP program has the schedules that are written; "
                                "leave out --schedule"
                              : "validate: --schedule takes static, static,CHUNK, dynamic,CHUNK or "
                                "guided,CHUNK"};
  if (base.paradigm != Paradigm::OpenMP)
    return Error{"validate: it builds OpenMP programs; leave out --paradigm"};
  if (base.runtime != OmpRuntime::Libomp)
    return Error{
        "validate: Clang builds the program, whose runtime is libomp; leave out --runtime"};
  if (request.format == OutputFormat::Csv)
    return Error{"validate: --format takes table or json"};
  if (base.onlySite || !request.site.empty())
    return Error{"validate: the OpenMP program has all sites parallel; leave out --site"};
  return std::nullopt;
}

Result<ValidateVerb::Asked> ValidateVerb::check() const {
  if (!isSourceFile(source) || !fs::exists(source))
    return Error{fmt::format("validate: '{}' is no C or C++ source here; name the {} source",
                             printable(source), fromOpenMP ? "OpenMP" : "annotated")};
  Asked asked;
  const unsigned machineCores = availableCores();
  PredictWords all = words;
  if (all.threads.empty())
    all.threads = fmt::format("{}", fmt::join(defaultThreads(std::max(1u, machineCores / 2)), ","));
  if (all.threads.empty())
    all.threads = "2";
  if (fromOpenMP && all.schedules.empty())
    all.schedules = {"written"};
  if (!words.validation.empty())
    return Error{"validate: it measures what --validation names a file of; leave that out"};
  all.validation = "none";
  auto request = all.resolve(machineCores, defaultMachineFile());
  if (!request)
    return request.error();
  asked.request = std::move(*request);
  asked.threads = asked.request.threads;
  if (auto error = refuse(asked.request, machineCores))
    return *error;
  auto count = parseCount(rounds.empty() ? "5" : rounds, "--rounds", 1, 1000);
  if (!count)
    return count.error();
  asked.rounds = *count;
  if (!failAbove.empty()) {
    auto share = parsePercent(failAbove);
    if (!share)
      return share.error();
    asked.failAbove = *share;
  }
  asked.request.defaultSchedules = false;
  asked.request.outlook = false;
  if (asked.request.threads.front() != 1)
    asked.request.threads.insert(asked.request.threads.begin(), 1);
  return asked;
}

/// Runs everything in turns, a round after the other.
Result<ValidateVerb::Measured> ValidateVerb::measure(const Asked &asked,
                                                     const ValidationJob &job) const {
  Progress progress;
  progress.show("building the serial and the profiled program");
  auto runs = ValidationRuns::create(job);
  if (!runs)
    return runs.error();
  Measured measured;
  const auto &schedules = asked.request.schedules;
  for (std::size_t n = 0; n < asked.rounds; ++n) {
    progress.show(fmt::format("round {} of {}: serial", n + 1, asked.rounds));
    const auto tree = runs->profile();
    if (!tree)
      return tree.error();
    measured.trees.push_back({*tree, treeName()});
    const Tree &first = *measured.trees.front().tree; // whose sites all rounds have
    if (n == 0) {
      progress.show("building the OpenMP programs");
      if (auto error = runs->buildOpenMP(first, schedules))
        return *error;
    }
    ValidationRound &round = measured.rounds.emplace_back();
    const auto serial = runs->runSerial();
    if (!serial)
      return serial.error();
    round.serialSeconds = *serial;
    for (const OutermostUse &use : outermostUses(**tree))
      round.serialSites.push_back({use.executions, use.seconds});
    if (!haveSameSites(**tree, first))
      return Error{fmt::format("{}: another run reached other annotated loops; see that the "
                               "program does the same in each run",
                               printable(source))};
    auto oneThread = runs->runOpenMP(0, 1, first);
    if (!oneThread)
      return oneThread.error();
    round.oneThread = std::move(*oneThread);
    for (std::size_t schedule = 0; schedule < schedules.size(); ++schedule)
      for (unsigned threads : asked.threads) {
        progress.show(fmt::format("round {} of {}: {} on {}", n + 1, asked.rounds,
                                  schedules[schedule].word(), formatThreads(threads)));
        auto run = runs->runOpenMP(schedule, threads, first);
        if (!run)
          return run.error();
        round.runs.push_back(std::move(*run));
      }
  }
  measured.difference = runs->difference();
  measured.disturbance = runs->disturbance();
  return measured;
}

/// Predicts from the rounds' trees and puts what was measured beside it.
Result<Validation> ValidateVerb::compare(const Asked &asked, const Measured &measured,
                                         std::shared_ptr<const Tree> &tree) const {
  auto prediction = predict(measured.trees, asked.request);
  if (!prediction)
    return prediction.error();
  tree = prediction->tree;
  std::vector<PredictionPoint> points;
  for (std::size_t schedule = 0; schedule < prediction->schedules.size(); ++schedule)
    for (std::size_t i = 0; i < prediction->threads.size(); ++i)
      if (std::ranges::find(asked.threads, prediction->threads[i]) != asked.threads.end())
        points.push_back(prediction->at(schedule, i));
  Validation validation = validate(*tree, prediction->at(0, 0).estimate, points, measured.rounds);
  validation.source = source;
  validation.arguments = splitAtMarker(afterMarker).second;
  for (const std::string &warning : prediction->warnings)
    if (!warning.starts_with(treeName() + ": ")) // another round's, of which the median's tell
      validation.warnings.push_back(warning);
  for (std::size_t i = 0; i < tree->sites.size(); ++i) {
    const auto &time = measured.rounds.front().oneThread.sites[i];
    if (measured.rounds.front().serialSites[i].regions > 0 && !time)
      validation.warnings.push_back(fmt::format(
          "no parallel region was seen at '{}' ({}:{}), which the prediction has parallel: another "
          "pragma opened it, or its file was not made OpenMP, as {} and its headers are",
          printable(tree->sites[i].name), printable(tree->sites[i].file), tree->sites[i].line,
          printable(source)));
  }
  if (!measured.disturbance.empty())
    validation.warnings.push_back(measured.disturbance);
  if (!measured.difference.empty())
    validation.warnings.push_back(measured.difference +
                                  "; 'prophet apply --check' finds what is not independent");
  return validation;
}

/// Compares, writes `file` and shows what is in it. Where sites take another time on one thread
/// than predicted, what is predicted with that is compared, too.
std::optional<Error> ValidateVerb::checkAndShow(Asked &asked, const Measured &measured,
                                                const std::string &file,
                                                double &largestError) const {
  std::shared_ptr<const Tree> tree;
  auto validation = compare(asked, measured, tree);
  if (!validation)
    return validation.error();
  largestError = validation->largestError();
  std::string json = renderValidationJson(*tree, *validation, nullptr);
  if (auto error = writeFileAtomically(file, json)) // a prediction reads it from there
    return error;
  std::optional<Validation> corrected;
  const auto isOther = [](const CheckedSite &site) {
    return site.oneThread && (site.oneThread->low > 1 || site.oneThread->high < 1);
  };
  if (validation->hasRatios() && std::ranges::any_of(validation->sites, isOther)) {
    asked.request.validation = file;
    auto again = compare(asked, measured, tree);
    if (!again)
      return again.error();
    corrected = std::move(*again);
    json = renderValidationJson(*tree, *validation, &*corrected);
    if (auto error = writeFileAtomically(file, json))
      return error;
  }
  const Style style(useColor(asked.request.color, STDOUT_FILENO));
  return writeStandardOutput(
      asked.request.format == OutputFormat::Json
          ? json
          : renderValidationTable(*tree, *validation, corrected ? &*corrected : nullptr, style));
}

Result<int> ValidateVerb::run() const {
  auto asked = check();
  if (!asked)
    return asked.error();
  const auto [options, arguments] = splitAtMarker(afterMarker);
  const std::string file =
      output.empty() ? fs::path(source).stem().string() + ".prophet-validation.json" : output;
  if (auto error = checkOutput(file)) // now, not when everything is done
    return *error;
  if (auto error = copyPipedInput()) // which every run reads
    return *error;
  const auto measured = measure(*asked, {Compilation(source, options), arguments, fromOpenMP,
                                         asked->request.base, availableCores()});
  if (!measured)
    return measured.error();
  double largestError = 0;
  if (auto error = checkAndShow(*asked, *measured, file, largestError))
    return *error;
  return asked->failAbove && largestError > *asked->failAbove ? ExitMissed : ExitDone;
}

void addValidate(CLI::App &app, Action &action, const std::vector<std::string> &command) {
  auto *sub = app.add_subcommand("validate", "Puts predicted speedups beside measured ones");
  describeInHelp(*sub,
                 "Example:\n"
                 "  prophet validate mandel.c -- -O2 -lm -- 512\n\n"
                 "Builds the serial program, the profiled one and OpenMP ones, runs them in turns, "
                 "and shows what was predicted beside what was measured. After -- come Clang's "
                 "options for the source; after another --, the program's arguments.\n");
  auto verb = std::make_shared<ValidateVerb>(ValidateVerb{command, {}, {}, {}, {}, {}});
  sub->add_option("SOURCE", verb->source, "The annotated source")->required()->type_name("");
  const auto word = [&](const char *name, std::string &value, const char *type, const char *help,
                        const char *group) {
    sub->add_option(name, value, help)->type_name(type)->group(group);
  };
  word("--threads", verb->words.threads, "LIST",
       "2,4,8 or 1-16 (default: powers of two up to this machine's cores)", "Prediction");
  sub->add_option("--schedule", verb->words.schedules,
                  "static | static,CHUNK | dynamic[,CHUNK] | guided[,CHUNK]; repeatable (default: "
                  "static, static,1 and dynamic,1)")
      ->type_name("S")
      ->group("Prediction")
      ->allow_extra_args(false);
  verb->words.declareModel(*sub);
  for (const char *other : {"--paradigm", "--runtime", "--site", "--validation"})
    sub->get_option(other)->group(""); // not in the help: they get a reason why they are refused
  word("--rounds", verb->rounds, "N", "How often everything is run (default 5)", "Measuring");
  sub->add_flag("--from-openmp", verb->fromOpenMP,
                "The source is an OpenMP program: its pragmas are the annotations")
      ->group("Measuring");
  word("--fail-above", verb->failAbove, "PERCENT",
       "Exit with status 1 where a prediction is further off", "Measuring");
  word("-o,--output", verb->output, "FILE",
       "The results as JSON, which 'prophet predict' uses (default: the source's name + "
       ".prophet-validation.json)",
       "Output");
  word("--format", verb->words.format, "F", "table (default) | json", "Output");
  word("--color", verb->words.color, "WHEN", "auto (default, obeys NO_COLOR) | always | never",
       "Output");
  sub->final_callback([&action, verb] { action = [verb] { return verb->run(); }; });
}

} // namespace prophet
