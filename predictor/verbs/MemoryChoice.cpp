//===- MemoryChoice.cpp - Which memory model burdens a program ------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/MemoryChoice.h"

#include "predictor/support/Text.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace prophet {

namespace {

/// A tree's counts and a machine's figures, on the way to burden factors.
struct Modelling {
  const Tree &tree;
  const PredictRequest &request;
  std::vector<double> seconds{}; ///< serial, of each site's outermost executions
  std::set<unsigned> counts{};   ///< of threads, to be known

  Modelling(const Tree &tree, const PredictRequest &request) : tree(tree), request(request) {
    seconds.resize(tree.sites.size());
    const std::vector<double> lengths = tree.serialLengths();
    for (const Child &child : tree.childrenOf(tree.root))
      if (const Node &node = tree.nodes[child.node]; node.kind == NodeKind::Section)
        seconds[node.ref] +=
            lengths[child.node] * static_cast<double>(child.repeat) / tree.timebaseHz;
    // The outlook asks for more than the request; between these it is linear.
    const unsigned most = std::max(64u, std::min(4 * request.threads.back(), MaxThreads));
    for (unsigned threads = 2; threads <= 64; ++threads)
      counts.insert(threads);
    for (unsigned threads = 64; threads <= most; threads *= 2)
      counts.insert(threads);
    counts.insert(request.threads.begin(), request.threads.end());
    counts.erase(1);
  }

  bool isCounted(std::size_t site) const {
    const auto &memory = tree.sites[site].memory;
    return memory && seconds[site] > 0 && memory->cycles > 0 && memory->instructions > 0;
  }
  bool hasCounts() const {
    for (std::size_t site = 0; site < tree.sites.size(); ++site)
      if (isCounted(site))
        return true;
    return false;
  }
  /// Of a team of `threads` those that run at the same time.
  unsigned running(unsigned threads) const {
    return request.base.cores ? std::min(threads, request.base.cores) : threads;
  }
};

/// A counter does not tell what lets misses overlap: they count as irregular. Where that makes them
/// take longer than the section did, the model fits them.
memmodel::SectionLoad loadOf(const Modelling &modelling, std::size_t site) {
  memmodel::SectionLoad load;
  load.serialNs = modelling.seconds[site] * 1e9;
  load.serial.misses[static_cast<std::size_t>(memmodel::AccessClass::Irregular)] =
      modelling.tree.sites[site].memory->llcMisses;
  load.parallel = load.serial;
  return load;
}

void burdenByCurves(const Modelling &modelling, const memmodel::MemorySystem &system,
                    MemoryChoice &choice) {
  bool bound = false;
  for (std::uint32_t site = 0; site < choice.burdens.size(); ++site) {
    if (!modelling.isCounted(site))
      continue;
    memmodel::SectionLoad load = loadOf(modelling, site);
    for (unsigned threads : modelling.counts) {
      load.threads = modelling.running(threads);
      const memmodel::Contention result = solve(system, load);
      choice.burdens[site][threads] = result.burden;
      choice.use.rooflines[site][threads] = {result.gbs, result.latencyNs, result.saturated};
      bound |= result.upperBoundOnly && threads <= modelling.request.threads.back();
    }
  }
  if (bound)
    choice.warnings.push_back(fmt::format(
        "{}: the memory's limit was not reached by the {} cores that were measured: beyond them "
        "the speedups are upper bounds",
        printable(modelling.request.machineSource), system.measuredThreads));
}

void burdenByPaper(const Modelling &modelling, const memmodel::Coefficients &paper,
                   MemoryChoice &choice) {
  for (std::size_t site = 0; site < choice.burdens.size(); ++site) {
    if (!modelling.isCounted(site))
      continue;
    const SiteCounts &counts = *modelling.tree.sites[site].memory;
    const memmodel::SectionCounters counters{counts.instructions, counts.cycles, counts.llcMisses,
                                             counts.cycles / modelling.seconds[site],
                                             modelling.request.machine->lineBytes};
    for (unsigned threads : modelling.counts)
      if (auto factor = memmodel::burdenFactor(paper, counters, modelling.running(threads)))
        choice.burdens[site][threads] = *factor;
  }
  const unsigned most = paper.psi.rbegin()->first;
  if (modelling.running(modelling.request.threads.back()) > most)
    choice.warnings.push_back(fmt::format("{}: has coefficients for up to {} threads: more have "
                                          "the burden factors of that many",
                                          printable(modelling.request.machineSource), most));
}

/// Why there is no burden by counts: the end of a sentence; or nothing.
std::string whyNoModel(const Modelling &modelling) {
  if (!modelling.hasCounts())
    return "no site has counts of cache misses";
  if (!modelling.request.machine)
    return "there is no machine file";
  return "";
}

Result<MemoryChoice> byModel(const Modelling &modelling) {
  const PredictRequest &request = modelling.request;
  const bool asked = request.memory != MemoryMode::Auto;
  const std::string why = whyNoModel(modelling);
  if (!why.empty() && asked)
    return Error{why + (modelling.hasCounts()
                            ? "; run 'prophet calibrate', or name one with --machine"
                            : "; profile where PAPI has hardware counters, or use --memory none")};
  if (!why.empty())
    return MemoryChoice{{"none", ": " + why, {}}};
  MemoryChoice choice;
  choice.burdens.resize(modelling.tree.sites.size());
  const std::string source = printable(request.machineSource);
  std::string problem;
  if (request.memory != MemoryMode::Paper) {
    if (const auto system = memorySystem(*request.machine, problem)) {
      burdenByCurves(modelling, *system, choice);
      choice.use.model = "curve";
      choice.use.why = " by counted misses and the curves of " + source;
      return choice;
    }
    if (asked)
      return Error{source + " " + problem};
  }
  if (request.machine->paper) {
    burdenByPaper(modelling, *request.machine->paper, choice);
    choice.use.model = "paper";
    choice.use.why = " by counted misses and the coefficients of " + source;
    return choice;
  }
  if (asked)
    return Error{source + " has no coefficients of the paper's model; use --machine westmere, or "
                          "--memory curve"};
  choice.burdens.clear();
  choice.use.why = ": " + source + " has neither memory curves nor coefficients";
  return choice;
}

} // namespace

Result<MemoryChoice> chooseMemory(const Tree &tree, const PredictRequest &request) {
  const bool carried =
      std::ranges::any_of(tree.sites, [](const Site &site) { return !site.burden.empty(); });
  if (request.memory == MemoryMode::None)
    return MemoryChoice{};
  if (request.memory == MemoryMode::Burden && !carried)
    return Error{"no site has burden factors; use --memory none or add \"burden\" to the sites"};
  if (carried && (request.memory == MemoryMode::Burden || request.memory == MemoryMode::Auto))
    return MemoryChoice{{"burden", " by the factors that the tree carries", {}}};
  return byModel(Modelling(tree, request));
}

} // namespace prophet
