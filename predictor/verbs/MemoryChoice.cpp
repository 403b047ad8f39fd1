//===- MemoryChoice.cpp - Which memory model burdens a program ------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/MemoryChoice.h"

#include "predictor/calibration/MemoryRounds.h"
#include "predictor/support/Text.h"
#include "predictor/verbs/ProfileMatch.h"
#include "predictor/verbs/ReplayedBurdens.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace prophet {

namespace {

/// A program and a machine, on the way to burden factors.
struct Modelling {
  const std::shared_ptr<const Tree> &tree;
  const PredictRequest &request;
  std::vector<OutermostUse> uses; ///< by site
  std::string source;             ///< of the machine, as it is shown

  Modelling(const std::shared_ptr<const Tree> &tree, const PredictRequest &request)
      : tree(tree), request(request), uses(outermostUses(*tree)),
        source(printable(request.machineSource)) {}

  bool asked() const {
    return request.memory != MemoryMode::Auto || !request.memoryProfile.empty();
  }
  bool isCounted(std::size_t site) const {
    const auto &memory = tree->sites[site].memory;
    return memory && uses[site].seconds > 0 && memory->cycles > 0 && memory->instructions > 0;
  }
  bool hasCounts() const {
    for (std::size_t site = 0; site < tree->sites.size(); ++site)
      if (isCounted(site))
        return true;
    return false;
  }
  /// The most that run at the same time.
  unsigned mostRunning() const {
    const unsigned threads = request.threads.back();
    return request.base.cores ? std::min(threads, request.base.cores) : threads;
  }
};

/// By the factors that `tree` carries, of which those of outermost regions count.
MemoryChoice burdenCarried(const Tree &tree) {
  MemoryChoice choice{{"burden", " by the factors that the tree carries"}};
  for (const std::uint32_t site : insideOnly(tree, outermostUses(tree)))
    if (!tree.sites[site].burden.empty())
      choice.warnings.push_back(
          fmt::format("the burden factors of '{}' have no effect: it only runs inside other "
                      "regions, whose own factors hold",
                      printable(tree.sites[site].name)));
  return choice;
}

/// Counts are of outermost sections.
void warnOfInside(const Modelling &modelling, MemoryChoice &choice) {
  std::vector<std::string> names;
  for (const std::uint32_t site : insideOnly(*modelling.tree, modelling.uses))
    names.push_back("'" + printable(modelling.tree->sites[site].name) + "'");
  if (!names.empty())
    choice.warnings.push_back(fmt::format(
        "there are no counts of {}, which only runs inside other sections: where that alone is "
        "parallel memory does not slow it down; have 'prophet run --memory-build' make a memory "
        "profile, which has them",
        fmt::join(names, ", ")));
}

MemoryChoice burdenByCounts(const Modelling &modelling, const memmodel::MemorySystem &system) {
  SectionLoads counted(modelling.tree->sites.size());
  for (std::size_t site = 0; site < counted.size(); ++site)
    if (modelling.isCounted(site)) {
      memmodel::SectionLoad &load = counted[site].emplace();
      load.serialNs = modelling.uses[site].seconds * 1e9;
      load.serial.misses[static_cast<std::size_t>(memmodel::AccessClass::Irregular)] =
          modelling.tree->sites[site].memory->llcMisses;
    }
  MemoryChoice choice{
      {"curve", " by counted misses and the curves of " + modelling.source, "", modelling.source}};
  choice.model = std::make_shared<CountedBurdens>(system, modelling.source, modelling.tree,
                                                  std::move(counted));
  warnOfInside(modelling, choice);
  return choice;
}

MemoryChoice burdenByPaper(const Modelling &modelling, const memmodel::Coefficients &paper) {
  MemoryChoice choice{{"paper", " by counted misses and the coefficients of " + modelling.source,
                       "", modelling.source}};
  choice.burdens.resize(modelling.tree->sites.size());
  for (std::size_t site = 0; site < choice.burdens.size(); ++site) {
    if (!modelling.isCounted(site))
      continue;
    const SiteCounts &counts = *modelling.tree->sites[site].memory;
    const memmodel::SectionCounters counters{counts.instructions, counts.cycles, counts.llcMisses,
                                             counts.cycles / modelling.uses[site].seconds,
                                             modelling.request.machine->lineBytes};
    const unsigned cores = modelling.request.base.cores;
    for (const auto &[threads, line] : paper.psi)
      if (auto factor = memmodel::burdenFactor(paper, counters, threads);
          factor && (cores == 0 || threads <= cores))
        choice.burdens[site][threads] = *factor;
    if (cores > 0) // no more than these run at the same time
      if (auto factor = memmodel::burdenFactor(paper, counters, cores))
        choice.burdens[site][cores] = *factor;
  }
  const unsigned most = paper.psi.rbegin()->first;
  if (modelling.mostRunning() > most)
    choice.warnings.push_back(fmt::format("{}: has coefficients for up to {} threads: more have "
                                          "the burden factors of that many",
                                          modelling.source, most));
  warnOfInside(modelling, choice);
  return choice;
}

/// By the memory profile `found`, where the machine has what that takes.
Result<MemoryChoice> burdenByProfile(const Modelling &modelling, const FoundProfile &found) {
  const PredictRequest &request = modelling.request;
  if (auto error = unfitForProfiles(request.machine, request.machineSource))
    return *error;
  if (const unsigned line = found.profile->outside.lineBytes; line != request.machine->lineBytes)
    return Error{
        fmt::format("{}: has lines of {} bytes, and those of {} have {:.0f}; make a profile "
                    "on such a machine",
                    found.shown, line, modelling.source, request.machine->lineBytes)};
  ProfileMatch match = matchProfile(*modelling.tree, modelling.uses, found);
  if (match.known.empty())
    return Error{found.shown + ": has no site of this program; make it of the same program, or "
                               "leave it out"};
  MemoryChoice choice{
      {"curve",
       fmt::format(" by the memory profile {} and the curves of {}", found.shown, modelling.source),
       found.shown, modelling.source}};
  choice.warnings = std::move(match.warnings);
  if (otherPlaces(*request.machine))
    choice.warnings.push_back(
        fmt::format("{}: the host moved the cores while they were measured: {}, by which this is "
                    "predicted; the emulator's intervals have both ('places')",
                    modelling.source, describePlaces(request.machine->memory->quality)));
  choice.model = std::make_shared<ReplayedBurdens>(
      *request.machine, modelling.source, modelling.tree, found.profile, std::move(match.known),
      request.threads, std::move(match.inner));
  return choice;
}

/// Why there is no burden by counts: the end of a sentence; or nothing.
std::string whyNoModel(const Modelling &modelling) {
  if (!modelling.hasCounts() && modelling.request.memory == MemoryMode::Paper)
    return "no site has counts of cache misses";
  if (!modelling.hasCounts())
    return "there is no memory profile ('prophet run --memory-build' makes one), and no site has "
           "counts of cache misses";
  if (!modelling.request.machine)
    return "there is no machine file";
  return "";
}

Result<MemoryChoice> byCounts(const Modelling &modelling) {
  const PredictRequest &request = modelling.request;
  const std::string why = whyNoModel(modelling);
  if (!why.empty() && modelling.asked())
    return Error{why +
                 (modelling.hasCounts() ? "; run 'prophet calibrate', or name one with --machine"
                  : modelling.request.memory == MemoryMode::Paper
                      ? "; run it where PAPI finds hardware counters, or use --memory curve with a "
                        "memory profile"
                      : "; make one, or use --memory none")};
  if (!why.empty())
    return MemoryChoice{{"none", ": " + why}};
  std::string problem;
  if (request.memory != MemoryMode::Paper) {
    if (const auto system = memorySystem(*request.machine, problem))
      return burdenByCounts(modelling, *system);
    if (modelling.asked())
      return Error{modelling.source + " " + problem};
  }
  if (request.machine->paper)
    return burdenByPaper(modelling, *request.machine->paper);
  if (modelling.asked())
    return Error{modelling.source + " has no coefficients of the paper's model; use --machine "
                                    "westmere, or --memory curve"};
  return MemoryChoice{
      {"none", ": " + modelling.source + " has neither memory curves nor coefficients"}};
}

} // namespace

Result<MemoryChoice> chooseMemory(const std::shared_ptr<const Tree> &tree, const std::string &path,
                                  const PredictRequest &request) {
  const bool carried =
      std::ranges::any_of(tree->sites, [](const Site &site) { return !site.burden.empty(); });
  if (request.memory == MemoryMode::None)
    return MemoryChoice{};
  if (request.memory == MemoryMode::Burden && !carried)
    return Error{"no site has burden factors; use --memory none or add \"burden\" to the sites"};
  const bool isGiven = !request.memoryProfile.empty();
  if (carried &&
      (request.memory == MemoryMode::Burden || (request.memory == MemoryMode::Auto && !isGiven)))
    return burdenCarried(*tree);
  const Modelling modelling(tree, request);
  if (request.memory != MemoryMode::Paper) {
    auto found = findProfile(path, request.memoryProfile);
    if (!found)
      return found.error();
    if (*found) {
      auto choice = burdenByProfile(modelling, **found);
      if (choice || modelling.asked())
        return choice;
      if (!modelling.hasCounts())
        return MemoryChoice{{"none", ": " + choice.error().message}};
    }
  }
  return byCounts(modelling);
}

} // namespace prophet
