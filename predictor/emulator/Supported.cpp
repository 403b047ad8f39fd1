//===- Supported.cpp - What the emulator refuses --------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Emulator.h"
#include "predictor/emulator/LiveThreads.h"
#include "predictor/emulator/LockOrder.h"
#include "predictor/support/Text.h"

#include <algorithm>
#include <fmt/format.h>

namespace prophet {

namespace {

std::optional<Error> checkOptions(const Tree &tree, const EmulationOptions &options) {
  if (options.threads < 1 || options.threads > MaxThreads)
    return Error{"cannot emulate " + std::to_string(options.threads) + " threads; ask for 1 to " +
                 std::to_string(MaxThreads)};
  if (options.maxActiveLevels < 1)
    return Error{"no active level means no parallelism; ask for --max-active-levels 1 or more"};
  const auto chunkless = [](const Schedule &schedule) {
    const bool takesNone =
        schedule.kind == Schedule::Kind::Static || schedule.kind == Schedule::Kind::Auto;
    return !takesNone && schedule.chunk < 1;
  };
  const auto &own = options.sites;
  if (chunkless(options.schedule) ||
      std::any_of(own.begin(), own.end(), [&](auto &site) { return chunkless(site.schedule); }))
    return Error{"a chunk holds at least one iteration; write for example dynamic,1"};
  if (options.onlySite && *options.onlySite >= tree.sites.size())
    return Error{"there is no site " + std::to_string(*options.onlySite) +
                 "; 'prophet tree' lists the sites"};
  return std::nullopt;
}

/// As many as there are, or, of numbers that say nothing, that they are large.
std::string threadCount(double threads) {
  return threads < 1e9 ? fmt::format("{:.0f}", threads) : "over a billion";
}

std::optional<Error> checkTeams(const Tree &tree, const EmulationOptions &options) {
  constexpr double most = 1 << 20;
  if (options.maxActiveLevels == 1 || options.paradigm != Paradigm::OpenMP)
    return std::nullopt;
  const double threads = mostLiveThreads(tree, options);
  if (threads <= most)
    return std::nullopt;
  unsigned levels = 0; // that fit, whatever the tree
  for (double all = options.widestTeam(); all <= most; all *= options.widestTeam())
    ++levels;
  return Error{fmt::format("teams inside teams could be {} threads at once, and {:.0f} can be "
                           "emulated; ask for fewer --threads, or for --max-active-levels {}",
                           threadCount(threads), most, levels)};
}

} // namespace

std::optional<Error> unsupported(const Tree &tree, const EmulationOptions &options) {
  if (auto error = checkOptions(tree, options))
    return error;
  if (auto error = checkTeams(tree, options))
    return error;
  return checkLocks(tree, options);
}

} // namespace prophet
