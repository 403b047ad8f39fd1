//===- WaterfallText.cpp - Where the threads' time goes, in words ---------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/WaterfallText.h"

#include "predictor/support/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace prophet {

namespace {
struct Step {
  std::string name;
  double ticks;
};
} // namespace

/// Longest first.
static void sortByTicks(std::vector<Step> &steps) {
  std::ranges::sort(steps, [](const Step &a, const Step &b) {
    return std::tie(b.ticks, a.name) < std::tie(a.ticks, b.name);
  });
}

/// What threads wait for each lock, longest first; of all sites, or of `site`.
static std::vector<Step> lockSteps(const Tree &tree, const Waterfall &waterfall,
                                   const std::uint32_t *site) {
  std::map<std::uint32_t, double> waits;
  for (const LockTime &time : waterfall.locks)
    if (!site || time.site == *site)
      waits[time.lock] += time.ticks;
  std::vector<Step> steps;
  for (const auto &[lock, ticks] : waits)
    steps.push_back({"lock " + printable(tree.locks[lock], 40), ticks});
  sortByTicks(steps);
  return steps;
}

std::string describeWaterfall(const Tree &tree, const Waterfall &waterfall, double serialTicks) {
  const TimeParts &parts = waterfall.program;
  std::vector<Step> steps = {{"serial code", waterfall.outside.serial},
                             {"missing threads", waterfall.withoutThread()},
                             {"imbalance", parts.imbalance}};
  for (Step &step : lockSteps(tree, waterfall, nullptr))
    steps.push_back(std::move(step));
  steps.push_back({"overhead", parts.overhead});
  steps.push_back({"outlining", parts.outlining});
  steps.push_back({"memory", parts.memory});
  steps.push_back({"cores", parts.cores});
  double spent = parts.useful;
  const auto speedup = [&] {
    return formatSpeedup(spent > 0 ? waterfall.width * serialTicks / spent : 1);
  };
  std::string last = speedup();
  std::string text = "ideal " + last;
  for (const Step &step : steps) {
    spent += step.ticks;
    const std::string now = speedup();
    if (now == last)
      continue;
    text += fmt::format(", after {} {}", step.name, now);
    last = now;
  }
  return text + " as predicted";
}

/// How many threads are missing in the regions that `site` opens.
static std::string describeMissing(const Waterfall &waterfall, std::uint32_t site) {
  const TimeParts &region = waterfall.regions[site];
  if (region.serial <= 0 || region.serial < 0.01 * region.sum())
    return "";
  return fmt::format("{} of the {} threads that could run in its regions are missing",
                     formatShare(region.serial / region.sum()), waterfall.width);
}

std::string describeSiteLosses(const Tree &tree, const Waterfall &waterfall, std::uint32_t site) {
  const TimeParts &parts = waterfall.sites[site];
  const std::string missing = describeMissing(waterfall, site);
  const double all = parts.sum() - parts.serial; // of its threads
  if (all <= 0 || parts.useful >= 0.99 * all)
    return missing;
  std::vector<Step> steps = lockSteps(tree, waterfall, &site);
  for (Step &step : steps)
    step.name = "waiting for " + step.name;
  steps.push_back({"imbalance", parts.imbalance});
  steps.push_back({"overhead", parts.overhead});
  steps.push_back({"outlining", parts.outlining});
  steps.push_back({"memory", parts.memory});
  steps.push_back({"without a core", parts.cores});
  sortByTicks(steps);
  std::string text = formatShare(parts.useful / all) + " useful";
  double rest = 0;
  for (const Step &step : steps)
    if (std::abs(step.ticks) >= 0.01 * all)
      text += fmt::format(", {} {}", formatShare(step.ticks / all), step.name);
    else
      rest += step.ticks;
  if (std::abs(rest) >= 0.0005 * all)
    text += fmt::format(", {} other", formatShare(rest / all));
  return missing.empty() ? text : text + "; " + missing;
}

} // namespace prophet
