//===- main.cpp - The prophet program ---------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table of contents: the verbs, and what each kind of failure prints and
// returns. Everything else is in verbs/.
//
//===----------------------------------------------------------------------===//

#include "predictor/support/Memory.h"
#include "predictor/support/Text.h"
#include "predictor/verbs/Verbs.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <new>

using namespace prophet;

static constexpr const char *Version = "prophet " PROPHET_VERSION;

static constexpr const char *Overview =
    "Example:\n"
    "  prophet cc -O2 mandel.c -o mandel        (after marking loops with\n"
    "  prophet run -- ./mandel 512               #pragma prophet parallel for)\n\n"
    "How much faster would this serial program be on N threads, and what holds it back?\n";

/// Prints the error line and returns the status for bad usage or input.
static int usageError(const std::string &message) {
  report(message);
  return ExitUsage;
}

/// "unknown option --thraeds; did you mean --threads?"
static std::string explain(const CLI::ParseError &error, const CLI::App &app) {
  std::string verb, extra;
  std::vector<std::string> known;
  for (const CLI::App *sub : app.get_subcommands()) {
    verb = sub->get_name() + ": ";
    for (const std::string &argument : sub->remaining())
      if (extra.empty() && argument.starts_with("-"))
        extra = argument.substr(0, argument.find('='));
    for (const CLI::Option *option : sub->get_options())
      known.push_back(option->get_name());
  }
  std::string help = fmt::format("'prophet {}--help' lists the options",
                                 verb.empty() ? "" : verb.substr(0, verb.size() - 2) + " ");
  bool extras = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);
  if (extras && extra.empty() && verb == "run: ")
    return "run: the program is not after --; write: prophet run [options] -- ./app ARGS";
  if (extras && !extra.empty()) {
    std::string near = closest(extra, known);
    return fmt::format("{}unknown option {}; {}", verb, printable(extra),
                       near.empty() ? help : fmt::format("did you mean {}?", near));
  }
  return fmt::format("{}{}; {}", verb, printable(error.what()), help);
}

/// An option that was given nothing, as by a shell's variable that is not set; "" where there is
/// none.
static std::string emptyOption(const CLI::App &app) {
  for (const CLI::App *sub : app.get_subcommands())
    for (const CLI::Option *option : sub->get_options())
      if (option->nonpositional() && std::ranges::count(option->results(), ""))
        return fmt::format("{}: {} is empty; give it a value, or leave it out", sub->get_name(),
                           option->get_name());
  return "";
}

static int runVerb(CLI::App &app, std::vector<std::string> arguments, Action &action) {
  std::reverse(arguments.begin(), arguments.end()); // CLI11 takes them from the back
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::Success &asked) { // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError &error) {
    return usageError(explain(error, app));
  }
  if (const std::string empty = emptyOption(app); !empty.empty())
    return usageError(empty);
  if (!action)
    return usageError("no verb given; 'prophet --help' lists them");
  Result<int> status = action();
  return status ? *status : usageError(status.error().message);
}

static std::vector<std::string> verbNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::App *verb : app.get_subcommands([](const CLI::App *) { return true; }))
    names.push_back(verb->get_name());
  return names;
}

/// A first argument that is no verb of this version.
static int unknownVerb(const std::string &word, const std::vector<std::string> &names) {
  std::string near = closest(word, names);
  return usageError(fmt::format("this version has no verb '{}'; {}", printable(word),
                                near.empty() ? "'prophet --help' lists the verbs"
                                             : "did you mean '" + near + "'?"));
}

static int dispatch(std::vector<std::string> arguments) {
  const std::string first = arguments.empty() ? "" : arguments.front();
  CLI::App app(Overview, "prophet");
  Action action;
  std::vector<std::string> command;
  app.set_version_flag("--version", Version);
  app.get_formatter()->column_width(28);
  addRun(app, action, command);
  addPredict(app, action);
  addTree(app, action);
  addTrace(app, action);
  addDiff(app, action);
  addApply(app, action, command);
  addValidate(app, action, command);
  addCalibrate(app, action);
  for (const PassThrough &verb : PassThroughVerbs) {
    app.add_subcommand(std::string(verb.name), std::string(verb.help));
    if (first == verb.name) {
      Result<int> status = verb.run({arguments.begin() + 1, arguments.end()});
      return status ? *status : usageError(status.error().message);
    }
  }
  const std::vector<std::string> names = verbNames(app);
  if (!first.empty() && !first.starts_with("-") &&
      std::find(names.begin(), names.end(), first) == names.end())
    return unknownVerb(first, names);
  if (first == "run" || first == "apply" ||
      first == "validate") { // what follows "--" is for others
    auto marker = std::find(arguments.begin(), arguments.end(), "--");
    if (marker != arguments.end())
      command.assign(marker + 1, arguments.end());
    arguments.erase(marker, arguments.end());
  }
  return runVerb(app, std::move(arguments), action);
}

int main(int argc, char **argv) {
  keepFreedMemory();
  try {
    return dispatch({argv + 1, argv + argc});
  } catch (const std::bad_alloc &) {
    return usageError("not enough memory; profile with a larger PROPHET_TOLERANCE, or use a "
                      "machine with more memory");
  } catch (const std::exception &bug) {
    report(fmt::format("internal error: {}; please report it with the command line", bug.what()));
    return ExitBug;
  }
}
