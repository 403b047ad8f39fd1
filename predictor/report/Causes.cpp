//===- Causes.cpp - What keeps a program from being faster ------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/Causes.h"

#include "predictor/report/TreeSummary.h"

#include <algorithm>

namespace prophet {

TimeParts causesOf(const Waterfall &waterfall, unsigned cores) {
  TimeParts causes = waterfall.program;
  if (cores >= waterfall.width)
    return causes;
  for (const TimeParts &region : waterfall.regions) {
    const double all = region.sum(); // width x elapsed
    const double waits = region.imbalance + region.lock;
    const double busy = all - region.serial - region.cores - waits;
    if (busy < FullCores * all * cores / waterfall.width)
      continue;
    causes.imbalance = std::max(0.0, causes.imbalance - region.imbalance);
    causes.lock = std::max(0.0, causes.lock - region.lock);
    causes.cores += waits;
  }
  return causes;
}

/// What threads of `options` wait for at the end of the regions of `site`; half of the executions
/// or more that have too few tasks are what counts.
static Awaited awaitedAt(const Tree &tree, std::uint32_t site, const EmulationOptions &options) {
  const SiteKind kind = tree.sites[site].kind;
  if (kind == SiteKind::Tasks)
    return Awaited::Tasks;
  const bool areFew = tripsOf(tree, site).median < options.teamSize(site);
  if (kind == SiteKind::Sections)
    return areFew ? Awaited::NoSections : Awaited::Sections;
  return areFew ? Awaited::NoIterations : Awaited::Iterations;
}

Idleness idlenessOf(const Tree &tree, const Waterfall &waterfall, const EmulationOptions &options) {
  const auto &sites = waterfall.sites;
  const auto most = std::ranges::max_element(sites, {}, &TimeParts::imbalance);
  if (most != sites.end() && most->imbalance > 0) {
    const auto site = static_cast<std::uint32_t>(most - sites.begin());
    const bool isAll = most->imbalance >= 0.99 * waterfall.program.imbalance;
    return {awaitedAt(tree, site, options), site, !isAll};
  }
  const auto isOfTasks = [](const Site &site) { return site.kind == SiteKind::Tasks; };
  const bool hasOnlyTasks = !tree.sites.empty() && std::ranges::all_of(tree.sites, isOfTasks);
  return {hasOnlyTasks ? Awaited::Tasks : Awaited::Iterations, std::nullopt, false};
}

} // namespace prophet
