//===- Apply.cpp - prophet apply --------------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The predictor decides (report/ApplyPlan), prophet-rewrite writes, Clang compares
// what it can vectorise, and ThreadSanitizer checks where asked to.
//
//===----------------------------------------------------------------------===//

#include "predictor/calibration/MachineFile.h"
#include "predictor/report/ApplyPlan.h"
#include "predictor/support/Files.h"
#include "predictor/support/Machine.h"
#include "predictor/support/Text.h"
#include "predictor/support/UnifiedDiff.h"
#include "predictor/tree/TreeReader.h"
#include "predictor/verbs/Estimates.h"
#include "predictor/verbs/OpenMPVersion.h"
#include "predictor/verbs/RaceCheck.h"
#include "predictor/verbs/Vectorization.h"
#include "predictor/verbs/Verbs.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace prophet {

namespace fs = std::filesystem;

namespace {
struct ApplyVerb {
  const std::vector<std::string> &afterMarker; ///< Clang's options, "--", the program's arguments
  std::string source, tree, schedule, threads, output;
  PredictWords words;
  bool diff = false, inPlace = false, check = false;

  Result<int> run() const;

private:
  std::optional<Error> checkUsage() const;
  Result<std::string> makePlan(unsigned &teamSize) const;
  std::string findTree() const;
  Result<PredictRequest> request() const;
  std::optional<Error> write(const OpenMPVersion &version) const;
};
} // namespace

std::optional<Error> ApplyVerb::checkUsage() const {
  if (!isSourceFile(source) || !fs::exists(source))
    return Error{fmt::format("apply: '{}' is no C or C++ source here; name the annotated source",
                             printable(source))};
  if (diff + inPlace + !output.empty() > 1)
    return Error{"apply: -o, --diff and --in-place exclude each other; choose one"};
  return std::nullopt;
}

/// The profile that an annotated program built from the source leaves behind; "" without one.
std::string ApplyVerb::findTree() const {
  const fs::path name = fs::path(source).stem().string() + ".prophet.json";
  for (const fs::path &path : {name, fs::path(source).parent_path() / name})
    if (fs::exists(path))
      return path.string();
  return "";
}

Result<PredictRequest> ApplyVerb::request() const {
  PredictWords all = words;
  all.threads = threads.empty() ? std::to_string(std::max(availableCores(), 2u)) : threads;
  if (!schedule.empty() && schedule != "best")
    all.schedules = {schedule};
  auto request = all.resolve(availableCores(), defaultMachineFile());
  if (!request)
    return request;
  request->defaultSchedules = false;
  request->outlook = false;
  if (request->threads.size() != 1)
    return Error{"apply: --threads takes one number; it is how many threads the program will have"};
  if (request->schedules.size() == 1 && request->schedules[0].kind != ScheduleChoice::Kind::Given)
    return Error{"apply: --schedule takes best, static, static,CHUNK, dynamic,CHUNK, "
                 "monotonic:dynamic,CHUNK or guided,CHUNK"};
  return request;
}

/// The plan's text; empty where there is no profile, or none that can be predicted from.
Result<std::string> ApplyVerb::makePlan(unsigned &teamSize) const {
  auto asked = request();
  if (!asked)
    return asked.error();
  teamSize = asked->threads.front();
  const std::string path = tree.empty() ? findTree() : tree;
  if (path.empty()) {
    report(fmt::format("apply: there is no {}.prophet.json, so schedules are left to OpenMP; "
                       "profile the program first, or name its tree with --tree",
                       printable(fs::path(source).stem().string())));
    return std::string();
  }
  auto profile = readTree(path);
  if (!profile)
    return profile.error();
  auto shared = std::make_shared<Tree>(std::move(*profile));
  if (schedule.empty() || schedule == "best")
    asked->schedules = schedulesToTry(*shared, summarizeCounts(*shared), teamSize);
  auto prediction = predict(shared, path, *asked);
  if (!prediction) {
    report("apply: " + prediction.error().message + "; schedules are left to OpenMP");
    return std::string();
  }
  for (const std::string &warning : prediction->warnings)
    report(printable(path) + ": warning: " + warning);
  return renderPlan(*shared, decideSites(*prediction));
}

std::optional<Error> ApplyVerb::write(const OpenMPVersion &version) const {
  if (!diff && !inPlace)
    return writeResult(output, version.files.front().text);
  std::string differences;
  for (const OpenMPVersion::File &file : version.files) {
    auto old = readWholeFile(file.path);
    if (!old)
      return old.error();
    if (diff)
      differences += unifiedDiff(file.path, *old, file.text);
    else if (*old != file.text)
      if (auto error = writeFileAtomically(file.path, file.text))
        return error;
  }
  return diff ? writeStandardOutput(differences) : std::nullopt;
}

Result<int> ApplyVerb::run() const {
  if (auto error = checkUsage())
    return *error;
  const auto [options, arguments] = splitAtMarker(afterMarker);
  const Compilation compilation(source, options);
  unsigned teamSize = 0;
  auto plan = makePlan(teamSize);
  if (!plan)
    return plan.error();
  auto directory = TemporaryDirectory::create();
  if (!directory)
    return directory.error();
  auto version = makeOpenMPVersion(compilation, *plan,
                                   diff || inPlace ? ChangeHeaders::Yes : ChangeHeaders::No,
                                   *directory, CaptureErrors::No);
  if (!version)
    return version.error();
  if (!*version)
    return ExitUsage; // it has said why

  auto lost = findLostVectorization(compilation, (*version)->options);
  if (!lost)
    return lost.error();
  for (const LostVectorization &loop : *lost)
    fmt::print(stderr, "{}\n", describe(loop));
  if (check) {
    auto right = checkParallelProgram(compilation, **version, arguments, teamSize, *directory);
    if (!right)
      return right.error();
    if (!*right)
      return ExitMissed;
  }
  if (auto error = write(**version))
    return *error;
  return ExitDone;
}

void addApply(CLI::App &app, Action &action, const std::vector<std::string> &command) {
  auto *sub = app.add_subcommand("apply", "Writes the source as an OpenMP program");
  describeInHelp(*sub,
                 "Example:\n"
                 "  prophet apply mandel.c -o mandel-omp.c -- -O2\n"
                 "  prophet apply mandel.c --in-place --check -- -O2 -lm -- 512\n\n"
                 "Puts '#pragma omp' in the place of '#pragma prophet', with the schedule that the "
                 "profile says is best, and says what cannot be proved safe. After -- come Clang's "
                 "options for the source; after another --, the program's arguments for "
                 "--check.\n");
  auto verb = std::make_shared<ApplyVerb>(ApplyVerb{command, {}, {}, {}, {}, {}, {}});
  auto word = [&](const char *name, std::string &value, const char *type, const char *help) {
    return sub->add_option(name, value, help)->type_name(type);
  };
  word("SOURCE", verb->source, "", "The annotated source")->required();
  word("--tree", verb->tree, "TREE",
       "The program tree (default: the source's name + .prophet.json, here or beside it)");
  word("--schedule", verb->schedule, "S",
       "best (default): each loop's own best | static | static,CHUNK | "
       "[monotonic:]dynamic[,CHUNK] | "
       "guided[,CHUNK]");
  word("--threads", verb->threads, "N",
       "How many threads the program will have (default: this machine's cores)");
  word("--overheads", verb->words.overheads, "FILE",
       "A table of OpenMP's own costs, or none (default: the machine file's)");
  word("--machine", verb->words.machine, "FILE",
       "What 'prophet calibrate' measured, or none: typical overheads");
  word("--runtime", verb->words.runtime, "R", "libomp (default) | libgomp");
  word("--validation", verb->words.validation, "FILE",
       "What 'prophet validate' measured of the OpenMP build, or none (default: "
       "APP.prophet-validation.json beside the tree, where it is there)");
  word("-o,--output", verb->output, "FILE",
       "Write the result to FILE, whole or not at all (default: standard output)");
  sub->add_flag("--diff", verb->diff, "Print a unified diff, of headers that change, too");
  sub->add_flag("--in-place", verb->inPlace, "Change the source and its headers themselves");
  sub->add_flag("--check", verb->check,
                "Run the result under ThreadSanitizer and compare its output with the serial "
                "program's; nothing is written where that finds something");
  sub->final_callback([&action, verb] { action = [verb] { return verb->run(); }; });
}

} // namespace prophet
