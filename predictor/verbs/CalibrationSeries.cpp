//===- CalibrationSeries.cpp - Rounds of measuring programs ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/CalibrationSeries.h"

#include "predictor/support/Progress.h"
#include "predictor/support/RuntimeProgram.h"

#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace prophet {

using Clock = std::chrono::steady_clock;

static constexpr unsigned EnoughOverheads = 15, EnoughMemory = 5;

static std::string nameOf(const std::string &program) {
  return std::filesystem::path(program).filename().string();
}

Series overheadSeries(const std::string &runtime, const std::string &program,
                      const std::string &policy, Rounds &rounds, unsigned cores) {
  return {runtime,
          {program, std::to_string(cores), policy == "active" ? "all" : "waits"},
          runtimeEnvironment({{"OMP_WAIT_POLICY", policy}, {"OMP_DYNAMIC", "false"}}),
          fmt::format("{}, {} waiting", nameOf(program), policy),
          EnoughOverheads,
          &rounds};
}

Series memorySeries(const std::string &program, MemoryGroup &group, const std::vector<int> &cpus) {
  Series series{"memory",
                {program},
                runtimeEnvironment({}),
                fmt::format("{}, {}", nameOf(program), fmt::join(group.arguments, " ")),
                EnoughMemory,
                &group.rounds};
  series.command.insert(series.command.end(), group.arguments.begin(), group.arguments.end());
  series.command.push_back(fmt::format("{}", fmt::join(cpus, ",")));
  return series;
}

static std::string describeProgress(const Series &series, Clock::time_point end) {
  const auto left = std::chrono::duration_cast<std::chrono::seconds>(end - Clock::now()).count();
  return fmt::format("{}: {} of {} rounds, {} s left at most", series.title, series.rounds->quiet(),
                     series.enough, std::max<long>(left, 0));
}

static Result<Round> runRound(const Series &series) {
  const auto printed = runRuntimeProgram(series.command, series.environment);
  if (!printed)
    return printed.error();
  return parseRound(**printed, series.command.front());
}

Failures measureInTurns(const std::vector<Series> &series, unsigned most) {
  const auto end = Clock::now() + std::chrono::seconds(most);
  Progress progress;
  Failures failures;
  for (bool first = true, again = true; again; first = false) {
    again = false;
    for (const Series &one : series) {
      if (failures.contains(one.part) || one.isDone() || (!first && Clock::now() >= end))
        continue;
      progress.show(describeProgress(one, end));
      auto round = runRound(one);
      if (!round) {
        failures.emplace(one.part, round.error());
        continue;
      }
      for (const Series &other : series)
        if (&other != &one)
          other.rounds->expectAlike(*round);
      one.rounds->add(std::move(*round));
      again = true;
    }
  }
  return failures;
}

} // namespace prophet
