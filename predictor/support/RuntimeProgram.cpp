//===- RuntimeProgram.cpp - Prophet's programs that run OpenMP ------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/support/RuntimeProgram.h"

#include "predictor/support/Text.h"

#include <cmath>
#include <fmt/format.h>
#include <ranges>
#include <unistd.h>

namespace prophet {

/// The lines of `text` that are not empty, as one: the runtimes give reason and cure in several.
static std::string onOneLine(std::string_view text) {
  std::string all;
  for (const auto part : std::views::split(text, '\n')) {
    const std::string_view line(part.begin(), part.end());
    if (line.find_first_not_of(" \t\r") != line.npos)
      all.append(all.empty() ? "" : "; ").append(line);
  }
  return printable(all, 2000);
}

Environment runtimeEnvironment(Environment settings) {
  for (const char *others : {"OMP_*", "KMP_*", "LIBOMP_*", "GOMP_*", "TBB_*", "CILK_*"})
    settings.emplace_back(others, std::nullopt);
  return settings;
}

std::string kmpBlockTime(double ns) {
  if (std::isinf(ns))
    return "infinite";
  const double ms = ns / 1e6;
  return ms == std::floor(ms) ? fmt::format("{:.0f}", ms) : fmt::format("{:.0f}us", ns / 1e3);
}

Result<std::optional<std::string>> runRuntimeProgram(std::vector<std::string> command,
                                                     const Environment &environment,
                                                     std::optional<std::string_view> input,
                                                     Deadline deadline) {
  command.push_back(std::to_string(::getpid()));
  auto captured = runCaptured(command, environment, CaptureErrors::Yes, input, deadline);
  if (!captured)
    return captured.error();
  if (captured->end.late)
    return std::optional<std::string>();
  if (!captured->end.failed())
    return std::optional(std::move(captured->output));
  const std::string said = onOneLine(captured->errors);
  return Error{fmt::format("{}: {}{}", printable(command[0]), captured->end.describe(),
                           said.empty() ? "; install Prophet again" : ": " + said)};
}

} // namespace prophet
