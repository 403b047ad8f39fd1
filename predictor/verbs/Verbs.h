//===- Verbs.h - What prophet can do ------------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One file a verb. A verb declares its options on CLI11's App and leaves an
// Action to be run once the command line is parsed; verbs that pass their
// arguments on to another program never meet CLI11.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Result.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace prophet {

/// cli.md's exit statuses.
enum ExitStatus : int { ExitDone = 0, ExitMissed = 1, ExitUsage = 2, ExitBug = 70 };

/// A parsed verb: runs it and returns the exit status.
using Action = std::function<Result<int>()>;

void addPredict(CLI::App &app, Action &action);
void addTree(CLI::App &app, Action &action);
void addDiff(CLI::App &app, Action &action);
void addTrace(CLI::App &app, Action &action);
void addCalibrate(CLI::App &app, Action &action);
/// `command` is what the command line has after "--"; it outlives the action.
void addRun(CLI::App &app, Action &action, const std::vector<std::string> &command);

/// `command` as for `run`: the compiler's options, "--", the program's arguments.
void addApply(CLI::App &app, Action &action, const std::vector<std::string> &command);

/// `command` as for `apply`.
void addValidate(CLI::App &app, Action &action, const std::vector<std::string> &command);

/// Text for `prophet --help` and an action for a verb that passes its arguments on.
struct PassThrough {
  std::string_view name, help;
  Result<int> (*run)(const std::vector<std::string> &arguments);
};
/// cc, c++ and rewrite.
extern const std::vector<PassThrough> PassThroughVerbs;

/// What `prophet VERB --help` begins with; `prophet --help` has the verb's one line.
void describeInHelp(CLI::App &verb, std::string text);

/// Writes a verb's result to `path`, or to standard output where that is empty or "-".
std::optional<Error> writeResult(const std::string &path, std::string_view text);

/// One line on standard error: "prophet: message".
void report(std::string_view message);

} // namespace prophet
