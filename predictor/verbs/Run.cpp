//===- Run.cpp - prophet run ------------------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/calibration/MachineFile.h"
#include "predictor/support/Files.h"
#include "predictor/support/Machine.h"
#include "predictor/support/Process.h"
#include "predictor/support/Text.h"
#include "predictor/tree/TreeReader.h"
#include "predictor/verbs/Estimates.h"
#include "predictor/verbs/MemoryRun.h"
#include "predictor/verbs/Render.h"
#include "predictor/verbs/RunFiles.h"
#include "predictor/verbs/Verbs.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace prophet {

namespace {
struct RunVerb {
  const std::vector<std::string> &command;
  std::string treePath, runs, memoryBuild;
  PredictWords words;
  InputStart input{};

  Result<int> run() const;

private:
  Result<std::string> treeFile() const;
  Result<PredictRequest> request(const std::string &path) const;
  Result<std::optional<MemoryRun>> buildForMemory(const std::string &profile) const;
  bool measureMemory(const MemoryRun &memory, const ProcessEnd &timed, PredictRequest &asked) const;
  Result<ProcessEnd> profile(const std::string &path) const;
  Result<ProcessEnd> profileAll(const std::string &path, std::uint64_t count,
                                std::vector<NamedTree> &profiled) const;
};
} // namespace

/// Where the tree goes.
Result<std::string> RunVerb::treeFile() const {
  if (command.empty())
    return Error{"run: no program given; write it after --: prophet run -- ./app ARGS"};
  if (treePath == "-")
    return Error{"run: standard output shows the prediction; name a file for the tree with -o"};
  if (!treePath.empty())
    return treePath;
  return std::filesystem::path(command[0]).filename().string() + ".prophet.json";
}

/// What is asked for, for a tree at `path`.
Result<PredictRequest> RunVerb::request(const std::string &path) const {
  if (memoryBuild.empty())
    return words.resolve(availableCores(), defaultMachineFile());
  if (!words.memoryProfile.empty())
    return Error{"--memory-build makes a profile, and --memory-profile has one; leave out one of "
                 "the two"};
  if (!words.memory.empty() && words.memory != "auto" && words.memory != "curve")
    return Error{
        fmt::format("--memory-build has no effect with --memory {}; leave out one of the two",
                    printable(words.memory))};
  PredictWords all = words;
  all.memoryProfile = memoryProfileBeside(path);
  return all.resolve(availableCores(), defaultMachineFile());
}

/// The build whose profile goes to `profile`, where one is asked for.
Result<std::optional<MemoryRun>> RunVerb::buildForMemory(const std::string &profile) const {
  if (memoryBuild.empty())
    return std::optional<MemoryRun>();
  if (auto error = checkReplaceable(profile))
    return *error;
  auto built = MemoryRun::build(memoryBuild, command[0]);
  if (!built)
    return built.error();
  return std::optional<MemoryRun>(std::move(*built));
}

/// Why nothing is profiled in the environment that there is, if nothing is.
static std::optional<Error> whyDisabled() {
  const char *text = std::getenv("PROPHET_DISABLE");
  if (!text || !*text || std::string_view(text) == "0")
    return std::nullopt;
  return Error{"PROPHET_DISABLE is set, so nothing would be profiled; unset it"};
}

/// Runs the program once, whose tree goes to `path`.
Result<ProcessEnd> RunVerb::profile(const std::string &path) const {
  FileIdentity before(path);
  input.rewind();
  auto end = runPinned(command, {{"PROPHET_OUT", outPattern(path)}});
  if (!end)
    return end.error();
  FileIdentity after(path);
  const std::string program = printable(command[0]);
  if (!after.exists() || after == before)
    return Error{fmt::format("{}: {} and wrote no program tree; see that it reaches a loop marked "
                             "'#pragma prophet parallel for' and was compiled with 'prophet cc' or "
                             "'prophet c++'",
                             program, end->describe())};
  return end;
}

/// Runs it `count` times, until one fails, and reads the trees. Returns how the last one ended.
Result<ProcessEnd> RunVerb::profileAll(const std::string &path, std::uint64_t count,
                                       std::vector<NamedTree> &profiled) const {
  ProcessEnd end;
  for (std::uint64_t n = 1; n <= count && !end.failed(); ++n) {
    if (count > 1 && isatty(STDERR_FILENO))
      report(fmt::format("run {} of {}", n, count));
    const std::string name = pathOfRun(path, n);
    auto ended = profile(name);
    if (!ended)
      return ended.error();
    end = *ended;
    if (end.failed())
      report(fmt::format("{}: {}; the prediction covers {}", printable(command[0]), end.describe(),
                         n == 1 ? "what it ran until then"
                                : fmt::format("the {} before", n == 2 ? "run" : "runs")));
    if (end.failed() && n > 1)
      break;
    auto tree = readTree(name);
    if (!tree)
      return tree.error();
    profiled.push_back({std::make_shared<Tree>(std::move(*tree)), name});
  }
  return end;
}

/// Without a memory profile, the prediction is not to be by an older one.
static void leaveMemoryOut(PredictRequest &asked) {
  asked.memory = MemoryMode::None;
  asked.memoryProfile.clear();
}

/// Runs the build that measures memory. After a run that failed it does not, and says so: the
/// prediction is without memory then. \returns whether what was asked for was measured
bool RunVerb::measureMemory(const MemoryRun &memory, const ProcessEnd &timed,
                            PredictRequest &asked) const {
  if (timed.failed()) {
    report(fmt::format("{}: its use of memory was not measured and does not slow the prediction "
                       "down; see that the program ends well",
                       printable(command[0])));
    leaveMemoryOut(asked);
    return false;
  }
  if (isatty(STDERR_FILENO))
    report("run of the build that measures memory");
  input.rewind();
  if (input.isUsedUp())
    report("standard input is a pipe that the timed run has read to its end: the build for memory "
           "gets nothing of it; give the input as a file: < FILE");
  const auto ended = memory.run(command, asked.memoryProfile);
  if (!ended) {
    report(ended.error().message + "; the prediction is without memory");
    leaveMemoryOut(asked);
    return false;
  }
  if (ended->failed())
    report(fmt::format("{}: the build for memory {}; its profile covers what it ran until then",
                       printable(command[0]), ended->describe()));
  return !ended->failed();
}

Result<int> RunVerb::run() const {
  const auto path = treeFile();
  if (!path)
    return path.error();
  if (auto error = whyDisabled())
    return *error;
  auto asked = request(*path);
  if (!asked)
    return asked.error();
  auto count = parseCount(runs.empty() ? "1" : runs, "--runs", 1, 1000);
  if (!count)
    return count.error();
  for (std::uint64_t n = 1; n <= *count; ++n)
    if (auto error = checkReplaceable(pathOfRun(*path, n))) // now, not when the program is done
      return *error;
  const auto memory = buildForMemory(asked->memoryProfile);
  if (!memory)
    return memory.error();

  std::vector<NamedTree> profiled;
  const auto end = profileAll(*path, *count, profiled);
  if (!end)
    return end.error();
  const bool isWhole = !*memory || measureMemory(**memory, *end, *asked);
  auto prediction = predict(std::move(profiled), *asked);
  if (!prediction)
    return prediction.error();
  std::vector<Prediction> predictions;
  predictions.push_back(std::move(*prediction));
  reportWarnings(predictions, *asked);
  bool color = useColor(asked->color, STDOUT_FILENO);
  if (auto error = writeResult("", render(predictions, *asked, color)))
    return *error;
  return isWhole || end->failed() ? end->shellStatus() : ExitUsage;
}

void addRun(CLI::App &app, Action &action, const std::vector<std::string> &command) {
  auto *sub = app.add_subcommand("run", "Runs an annotated program and prints the prediction");
  describeInHelp(*sub,
                 "Example:\n"
                 "  prophet run --threads 2,4,8 -- ./mandel 512\n\n"
                 "Runs the annotated program pinned to one core, writes its tree and prints the "
                 "prediction.\nReturns the program's exit status where that is not 0, "
                 "and 2 where --memory-build did not measure all of its run.\n");
  auto verb = std::make_shared<RunVerb>(RunVerb{command, {}, {}, {}, {}, {}});
  verb->words.declare(*sub);
  sub->add_option("--runs", verb->runs,
                  "Run it N times: how much the runs differ is part of the intervals (default 1)")
      ->type_name("N")
      ->group("Prediction");
  sub->add_option("--memory-build", verb->memoryBuild,
                  "Build the program a second time by this command, with "
                  "-fplugin-arg-prophet-memory, to {}, and run that once: how it uses memory, in "
                  "APP.prophet-memory.json, slows it down in the prediction")
      ->type_name("COMMAND")
      ->group("Prediction");
  sub->add_option("-o,--output", verb->treePath,
                  "The program tree (default: the program's name + .prophet.json)")
      ->type_name("TREE")
      ->group("Output");
  sub->final_callback([&action, verb] { action = [verb] { return verb->run(); }; });
}

} // namespace prophet
