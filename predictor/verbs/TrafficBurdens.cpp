//===- TrafficBurdens.cpp - Burden factors by what sites move -------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/TrafficBurdens.h"

#include "predictor/emulator/Charges.h"
#include "predictor/support/Text.h"
#include "predictor/verbs/ProfileMatch.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace prophet {

using memmodel::Contention;

unsigned TrafficBurdens::running(const EmulationOptions &options, std::uint32_t site) {
  const unsigned team = options.teamSize(site);
  return options.cores ? std::min(team, options.cores) : team;
}

memmodel::DealingTime TrafficBurdens::dealing(const EmulationOptions &options, std::uint32_t site,
                                              double tasks, double sections) const {
  const unsigned team = options.teamSize(site);
  if (team == 1 || !options.isParallel(site))
    return {};
  const auto whole = static_cast<std::uint64_t>(std::llround(tasks));
  const ChunkCosts costs = chunkCosts(*tree, site, options, whole, team);
  return {sections * costs.ns, sections * costs.turnsNs};
}

std::vector<std::optional<Contention>>
TrafficBurdens::contention(const EmulationOptions &options) const {
  std::vector<std::optional<Contention>> result;
  for (const auto &load : loads(options))
    result.push_back(load ? std::optional(solve(system, *load)) : std::nullopt);
  return result;
}

/// One of the factors of each contention, by the size of the site's team.
static BurdenFactors pick(const std::vector<std::optional<Contention>> &all,
                          const EmulationOptions &options, double Contention::*factor) {
  BurdenFactors result(all.size());
  for (std::uint32_t site = 0; site < all.size(); ++site)
    if (all[site])
      result[site][options.teamSize(site)] = (*all[site]).*factor;
  return result;
}

BurdenFactors TrafficBurdens::factors(const EmulationOptions &options) const {
  return pick(contention(options), options, &Contention::burden);
}

/// Numbers of threads up to `most` between which factors are taken to be linear.
static std::vector<unsigned> countsUpTo(unsigned most) {
  std::vector<unsigned> counts;
  for (unsigned count = 1; count < most; count += std::max(1u, count / 16))
    counts.push_back(count);
  counts.push_back(most);
  return counts;
}

BurdenFactors TrafficBurdens::byComputing(const EmulationOptions &options,
                                          double Contention::*factor) const {
  BurdenFactors result;
  for (const auto &load : loads(options)) {
    std::map<unsigned, double> &factors = result.emplace_back();
    if (!load)
      continue;
    memmodel::SectionLoad some = *load;
    for (const unsigned count : countsUpTo(load->threads)) {
      some.threads = count; // each moves what it moves, whoever else does
      factors[count] = solve(system, some).*factor;
    }
  }
  return result;
}

BurdenFactors TrafficBurdens::whileComputing(const EmulationOptions &options) const {
  return byComputing(options, &Contention::burden);
}

BurdenFactors TrafficBurdens::heaviestWhileComputing(const EmulationOptions &options) const {
  return byComputing(options, &Contention::mostBurden);
}

BurdenFactors TrafficBurdens::heaviest(const EmulationOptions &options) const {
  return pick(contention(options), options, &Contention::mostBurden);
}

std::vector<std::optional<Roofline>>
TrafficBurdens::rooflines(const EmulationOptions &options) const {
  std::vector<std::optional<Roofline>> result;
  for (const auto &load : loads(options)) {
    result.emplace_back();
    if (!load)
      continue;
    const Contention found = solve(system, *load);
    Roofline &point = result.back().emplace(found.gbs, found.latencyNs, found.saturated);
    if (!load->flops)
      continue;
    const double elapsedNs = load->dealing.allNs(found.burden * load->serialNs) / load->threads;
    point.gflops = *load->flops / elapsedNs;
    if (found.gbs > 0)
      point.flopsPerByte = *point.gflops / found.gbs;
  }
  return result;
}

std::vector<std::string> TrafficBurdens::warnings(const EmulationOptions &options) const {
  const auto all = contention(options);
  bool extrapolated = false;
  std::vector<std::uint32_t> slowed;
  std::vector<std::string> fitted, result;
  for (std::uint32_t site = 0; site < all.size(); ++site) {
    if (!all[site] || !options.isParallel(site))
      continue;
    extrapolated |= all[site]->upperBoundOnly;
    constexpr double muchFaster = 0.8, little = 0.05;
    if (std::abs(all[site]->burden - 1) > little)
      slowed.push_back(site);
    if (all[site]->clamped && all[site]->burden < muchFaster)
      fitted.push_back("'" + printable(tree->sites[site].name) + "'");
  }
  if (!slowed.empty())
    result = doubts(options, slowed);
  if (extrapolated)
    result.push_back(fmt::format(
        "{}: the memory's limit was not reached by the {} cores that were measured: beyond them "
        "the speedups are upper bounds",
        source, system.measuredThreads));
  if (!fitted.empty())
    result.push_back(
        fmt::format("{}: by its figures the serial run of {} would take longer than it "
                    "does: what more cache gains there may be too much",
                    source, fmt::join(fitted, ", ")));
  return result;
}

CountedBurdens::CountedBurdens(memmodel::MemorySystem system, std::string source,
                               std::shared_ptr<const Tree> tree, SectionLoads counted)
    : TrafficBurdens(std::move(system), std::move(source), std::move(tree)),
      counted(std::move(counted)) {
  for (const OutermostUse &use : outermostUses(*this->tree))
    sections.push_back({use.executions, use.meanTasks()});
}

SectionLoads CountedBurdens::loads(const EmulationOptions &options) const {
  SectionLoads result = counted;
  for (std::uint32_t site = 0; site < result.size(); ++site)
    if (auto &load = result[site]) {
      load->threads = running(options, site);
      load->parallel = load->serial;
      load->dealing = dealing(options, site, sections[site].tasks, sections[site].number);
    }
  return result;
}

} // namespace prophet
