//===- MemoryRun.cpp - The run that measures memory -----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/MemoryRun.h"

#include "predictor/support/Text.h"
#include "predictor/tree/TreeReader.h"
#include "predictor/verbs/RunFiles.h"
#include "predictor/verbs/Verbs.h"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace prophet {

constexpr std::string_view Placeholder = "{}";

/// `word` as the shell reads it back, as it is where that needs no quotes: there may be some
/// around.
static std::string quoted(const std::string &word) {
  if (word.find_first_not_of(
          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-") == word.npos)
    return word;
  std::string result = "'";
  for (char c : word)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

Result<MemoryRun> MemoryRun::build(const std::string &build, const std::string &program) {
  if (build.find(Placeholder) == build.npos)
    return Error{fmt::format("--memory-build '{}' has no {} for the program that it makes; write "
                             "for example 'prophet cc -fplugin-arg-prophet-memory -O2 app.c -o {}'",
                             printable(build, 80), Placeholder, Placeholder)};
  auto directory = TemporaryDirectory::create();
  if (!directory)
    return directory.error();
  const std::string made = *directory / std::filesystem::path(program).filename().string();
  std::string command;
  for (std::size_t begin = 0; begin <= build.size();) {
    const std::size_t at = build.find(Placeholder, begin);
    command += build.substr(begin, at - begin);
    if (at == build.npos)
      break;
    command += quoted(made);
    begin = at + Placeholder.size();
  }
  const auto shell = runCaptured({"/bin/sh", "-c", command}, {}, CaptureErrors::No);
  if (!shell)
    return shell.error();
  const bool isThere = ::access(made.c_str(), X_OK) == 0;
  if (!shell->end.failed() && isThere)
    return MemoryRun(std::move(*directory), made);
  fmt::print(stderr, "{}", shell->output); // what it wrote to standard error is there already
  return Error{fmt::format(
      "--memory-build '{}' {}; see that it builds the program as {}", printable(build, 80),
      shell->end.failed() ? shell->end.describe() : "made no program", Placeholder)};
}

/// Names the sites of the tree at `path`, for a message.
static std::string sitesOf(const std::string &path) {
  std::vector<std::string> names;
  if (const auto tree = readTree(path))
    for (const Site &site : tree->sites)
      names.push_back("'" + printable(site.name) + "'");
  return names.empty() ? "a part" : fmt::format("{}", fmt::join(names, ", "));
}

Result<ProcessEnd> MemoryRun::run(const std::vector<std::string> &command,
                                  const std::string &path) const {
  std::vector<std::string> own = command;
  own.front() = program;
  const FileIdentity before(path);
  const std::string tree = directory / "timed.prophet.json"; // else it takes the timed one's place
  auto end =
      runPinned(own, {{"PROPHET_MEMORY_OUT", outPattern(path)}, {"PROPHET_OUT", outPattern(tree)}});
  if (!end)
    return end.error();
  const FileIdentity after(path);
  const bool isThere = after.exists() && !(after == before);
  std::error_code ignored;
  const std::string timed = std::filesystem::exists(tree, ignored) ? sitesOf(tree) : std::string();
  if (!timed.empty() && isThere)
    report(
        fmt::format("{}: {} of the build for memory, or of a library that it loads, was compiled "
                    "without -fplugin-arg-prophet-memory: memory does not slow that down",
                    printable(command.front()), timed));
  if (isThere)
    return end;
  return Error{fmt::format("{}: the build for memory {} and wrote no memory profile{}",
                           printable(command.front()), end->describe(),
                           timed.empty()
                               ? "; see what it says above, or have --memory-build compile with "
                                 "-fplugin-arg-prophet-memory"
                               : "; have --memory-build compile with -fplugin-arg-prophet-memory")};
}

} // namespace prophet
