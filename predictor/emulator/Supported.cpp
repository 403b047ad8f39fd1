//===- Supported.cpp - What the emulator refuses --------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Emulator.h"
#include "predictor/emulator/LockOrder.h"
#include "predictor/support/Text.h"

#include <algorithm>
#include <cmath>
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

/// An upper bound of how many threads there are at once: of a team as many as there are iterations
/// open teams of their own.
double mostThreads(const Tree &tree, const EmulationOptions &options) {
  std::vector<double> threads(tree.nodes.size());
  for (NodeId id = 0; id <= tree.root; ++id) {
    const Node &node = tree.nodes[id];
    double iterations = 0;
    for (const Child &child : tree.childrenOf(id)) {
      threads[id] = std::max(threads[id], threads[child.node]);
      iterations += static_cast<double>(child.repeat);
    }
    if (node.kind != NodeKind::Section || tree.sites[node.ref].kind == SiteKind::Tasks ||
        options.onlySite.value_or(node.ref) != node.ref || options.exceptSite == node.ref)
      continue;
    const double size = options.teamSize(node.ref);
    threads[id] = size + std::min(size, iterations) * threads[id];
  }
  const double levels = std::pow(options.widestTeam(), options.maxActiveLevels);
  return std::min(threads[tree.root], 2 * levels);
}

std::optional<Error> checkTeams(const Tree &tree, const EmulationOptions &options) {
  constexpr double most = 1 << 20;
  if (options.maxActiveLevels == 1 || options.paradigm != Paradigm::OpenMP)
    return std::nullopt;
  const double threads = mostThreads(tree, options);
  if (threads <= most)
    return std::nullopt;
  const double levels = std::floor(std::log(most / 2) / std::log(options.widestTeam()));
  return Error{fmt::format("teams inside teams could be {:.3g} threads at once, and {:.0f} can be "
                           "emulated; ask for fewer --threads, or for --max-active-levels {:.0f}",
                           threads, most, std::max(1.0, levels))};
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
