//===- Calibrate.cpp - prophet calibrate ------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the measuring programs in turns, one round each, until every one has
// enough rounds that nothing disturbed, or the time is up.
//
//===----------------------------------------------------------------------===//

#include "predictor/calibration/MachineFile.h"
#include "predictor/support/Capture.h"
#include "predictor/support/Files.h"
#include "predictor/support/Machine.h"
#include "predictor/support/Progress.h"
#include "predictor/support/RuntimeProgram.h"
#include "predictor/support/Text.h"
#include "predictor/verbs/Installation.h"
#include "predictor/verbs/Verbs.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>

namespace prophet {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {
constexpr unsigned EnoughRounds = 15;

/// One measuring program under one wait policy.
struct Series {
  std::string program;
  const char *policy;
  Rounds *rounds;

  bool isDone() const { return rounds->quiet() >= EnoughRounds; }
};

struct CalibrateVerb {
  std::string output, seconds = "30";

  Result<int> run() const;

private:
  std::optional<Error> measure(std::vector<Series> &series, unsigned cores, unsigned most) const;
};

std::string describeProgress(const Series &series, Clock::time_point end) {
  const auto left = std::chrono::duration_cast<std::chrono::seconds>(end - Clock::now()).count();
  return fmt::format("{}, {} waiting: {} of {} rounds, {} s left at most",
                     fs::path(series.program).filename().string(), series.policy,
                     series.rounds->quiet(), EnoughRounds, std::max<long>(left, 0));
}

Result<Round> runRound(const Series &series, unsigned cores) {
  const bool active = std::string_view(series.policy) == "active";
  const auto printed = runRuntimeProgram(
      {series.program, std::to_string(cores), active ? "all" : "waits"},
      runtimeEnvironment({{"OMP_WAIT_POLICY", series.policy}, {"OMP_DYNAMIC", "false"}}));
  if (!printed)
    return printed.error();
  return parseRound(*printed, series.program);
}
} // namespace

std::optional<Error> CalibrateVerb::measure(std::vector<Series> &series, unsigned cores,
                                            unsigned most) const {
  const auto end = Clock::now() + std::chrono::seconds(most);
  Progress progress;
  for (bool first = true, again = true; again; first = false) {
    again = false;
    for (Series &one : series) {
      if (one.isDone() || (!first && Clock::now() >= end))
        continue;
      progress.show(describeProgress(one, end));
      auto round = runRound(one, cores);
      if (!round)
        return round.error();
      one.rounds->add(std::move(*round));
      again = true;
    }
  }
  return std::nullopt;
}

/// The programs that are there; says which are not.
static Result<std::vector<std::pair<std::string, std::string>>> findPrograms() {
  std::vector<std::pair<std::string, std::string>> found;
  std::string missing;
  for (const char *runtime : {"libomp", "libgomp"}) {
    auto program = measuringProgram(runtime);
    if (!program)
      return program.error();
    std::error_code ignored;
    if (fs::exists(*program, ignored)) {
      found.emplace_back(runtime, *program);
      continue;
    }
    missing = *program;
    report(fmt::format("calibrate: {}: no such program, so {} is not measured; build Prophet where "
                       "{} is installed",
                       *program, runtime,
                       runtime == std::string_view("libomp") ? "clang with its libomp" : "GCC"));
  }
  if (found.empty())
    return Error{missing + ": there is no measuring program at all; install Prophet again"};
  return found;
}

/// What is in the file that is to be replaced, empty where there is none.
static Result<std::string> oldMachineText(const std::string &path) {
  std::error_code ignored;
  if (path == "-" || !fs::is_regular_file(path, ignored))
    return std::string();
  auto text = readWholeFile(path);
  if (!text)
    return text.error();
  if (!checkMachineText(*text))
    return Error{printable(path) + ": is there and no machine file of this version; remove it, or "
                                   "name another with -o"};
  return text;
}

/// Where to write, once its directory is there.
static Result<std::string> findOutput(const std::string &asked) {
  if (!asked.empty())
    return asked;
  const std::string path = defaultMachineFile();
  if (path.empty())
    return Error{"calibrate: HOME is not set; name a file with -o"};
  std::error_code code;
  fs::create_directories(fs::path(path).parent_path(), code);
  if (code)
    return Error{fmt::format("{}: {}; name a file with -o",
                             printable(fs::path(path).parent_path().string()), code.message())};
  return path;
}

Result<int> CalibrateVerb::run() const {
  auto most = parseCount(seconds, "--seconds", 1, 3600);
  if (!most)
    return Error{most.error().message + "; see 'prophet calibrate --help'"};
  auto programs = findPrograms();
  if (!programs)
    return programs.error();
  auto path = findOutput(output);
  if (!path)
    return path.error();
  auto old = oldMachineText(*path);
  if (!old)
    return old.error();
  if (*path != "-")
    if (auto error = checkReplaceable(*path)) // now, not when the time is spent
      return *error;

  std::vector<RuntimeRounds> measured(programs->size());
  std::vector<Series> series;
  for (std::size_t i = 0; i < programs->size(); ++i) {
    measured[i].runtime = (*programs)[i].first;
    series.push_back({(*programs)[i].second, "active", &measured[i].active});
    series.push_back({(*programs)[i].second, "passive", &measured[i].passive});
  }
  const MachineIdentity machine{processorName(), availableCores()};
  if (auto error = measure(series, machine.cores, static_cast<unsigned>(*most)))
    return *error;
  if (auto error = writeResult(*path, renderMachine(machine, measured, *old)))
    return *error;
  for (const RuntimeRounds &runtime : measured) {
    if (*path != "-")
      if (auto error = writeStandardOutput(describeRounds(runtime) + "\n"))
        return *error;
    if (runtime.disturbed())
      report(fmt::format("calibrate: {}: other programs disturbed the measurement, only {} of {} "
                         "rounds were quiet: the figures are rough; run it again when nothing else "
                         "runs, or longer with --seconds",
                         runtime.runtime, runtime.active.quiet() + runtime.passive.quiet(),
                         runtime.active.tried() + runtime.passive.tried()));
  }
  if (*path != "-")
    report(fmt::format("calibrate: wrote {}", printable(*path)));
  return ExitDone;
}

void addCalibrate(CLI::App &app, Action &action) {
  auto *sub = app.add_subcommand("calibrate", "Measures what OpenMP costs on this machine");
  describeInHelp(
      *sub, "Example:\n"
            "  prophet calibrate\n"
            "  prophet predict mandel.prophet.json\n\n"
            "Measures the overheads of libomp and libgomp on this machine and writes them into "
            "its machine file, which predictions then use. Let nothing else run meanwhile.\n");
  auto verb = std::make_shared<CalibrateVerb>();
  sub->add_option("--seconds", verb->seconds,
                  "How long it may take (default 30); it ends earlier on a quiet machine")
      ->type_name("N");
  sub->add_option("-o,--output", verb->output,
                  "The machine file (default: $XDG_CONFIG_HOME or ~/.config, "
                  "prophet/machine.json); - is standard output")
      ->type_name("FILE");
  sub->final_callback([&action, verb] { action = [verb] { return verb->run(); }; });
}

} // namespace prophet
