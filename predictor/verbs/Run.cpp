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
#include "predictor/verbs/Render.h"
#include "predictor/verbs/Verbs.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace prophet {

namespace {
/// Tells one writing of a file from another: the runtime puts a new file in the old one's place.
struct FileIdentity {
  ino_t inode = 0;
  timespec changed = {};

  explicit FileIdentity(const std::string &path) {
    struct stat status;
    if (::stat(path.c_str(), &status) == 0) {
      inode = status.st_ino;
      changed = status.st_ctim;
    }
  }
  bool exists() const { return inode != 0; }
  bool operator==(const FileIdentity &other) const {
    return inode == other.inode && changed.tv_sec == other.changed.tv_sec &&
           changed.tv_nsec == other.changed.tv_nsec;
  }
};

/// `path` as PROPHET_OUT takes it: absolute, since the program may change its directory before it
/// ends, and with nothing for the runtime to expand.
std::string outPattern(const std::string &path) {
  std::string pattern;
  for (char c : std::filesystem::absolute(path).string())
    pattern += c == '%' ? std::string("%%") : std::string(1, c);
  return pattern;
}

/// Where the tree of the `n`th run goes: beside `path`, of which the first run's tree has the name.
/// "app.prophet.json", "app.run2.prophet.json".
std::string pathOfRun(const std::string &path, std::uint64_t n) {
  if (n == 1)
    return path;
  for (std::string_view end : {".prophet.json", ".json"})
    if (path.ends_with(end))
      return fmt::format("{}.run{}{}", path.substr(0, path.size() - end.size()), n, end);
  return fmt::format("{}.run{}", path, n);
}

struct RunVerb {
  const std::vector<std::string> &command;
  std::string treePath, runs;
  PredictWords words;

  Result<int> run() const;

private:
  Result<ProcessEnd> profile(const std::string &path) const;
};
} // namespace

/// Runs the program once, whose tree goes to `path`.
Result<ProcessEnd> RunVerb::profile(const std::string &path) const {
  FileIdentity before(path);
  auto end = runPinned(command, {"PROPHET_OUT", outPattern(path)});
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

Result<int> RunVerb::run() const {
  if (command.empty())
    return Error{"run: no program given; write it after --: prophet run -- ./app ARGS"};
  auto request = words.resolve(availableCores(), defaultMachineFile());
  if (!request)
    return request.error();

  std::string path = treePath;
  if (path.empty())
    path = std::filesystem::path(command[0]).filename().string() + ".prophet.json";
  if (path == "-")
    return Error{"run: standard output shows the prediction; name a file for the tree with -o"};
  auto count = parseCount(runs.empty() ? "1" : runs, "--runs", 1, 1000);
  if (!count)
    return count.error();
  for (std::uint64_t n = 1; n <= *count; ++n)
    if (auto error = checkReplaceable(pathOfRun(path, n))) // now, not when the program is done
      return *error;

  ProcessEnd end;
  std::vector<NamedTree> profiled;
  for (std::uint64_t n = 1; n <= *count && !end.failed(); ++n) {
    if (*count > 1 && isatty(STDERR_FILENO))
      report(fmt::format("run {} of {}", n, *count));
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
  auto prediction = predict(std::move(profiled), *request);
  if (!prediction)
    return prediction.error();
  std::vector<Prediction> predictions;
  predictions.push_back(std::move(*prediction));
  reportWarnings(predictions, *request);
  bool color = useColor(request->color, STDOUT_FILENO);
  if (auto error = writeResult("", render(predictions, *request, color)))
    return *error;
  return end.shellStatus();
}

void addRun(CLI::App &app, Action &action, const std::vector<std::string> &command) {
  auto *sub = app.add_subcommand("run", "Runs an annotated program and prints the prediction");
  describeInHelp(*sub,
                 "Example:\n"
                 "  prophet run --threads 2,4,8 -- ./mandel 512\n\n"
                 "Runs the annotated program pinned to one core, writes its tree and prints the "
                 "prediction.\nReturns the program's exit status where that is not 0.\n");
  auto verb = std::make_shared<RunVerb>(RunVerb{command, {}, {}, {}});
  verb->words.declare(*sub);
  sub->add_option("--runs", verb->runs,
                  "Run it N times: how much the runs differ is part of the intervals (default 1)")
      ->type_name("N")
      ->group("Prediction");
  sub->add_option("-o,--output", verb->treePath,
                  "The program tree (default: the program's name + .prophet.json)")
      ->type_name("TREE")
      ->group("Output");
  sub->final_callback([&action, verb] { action = [verb] { return verb->run(); }; });
}

} // namespace prophet
