//===- TaskRegions.cpp - Which sections spawn tasks -----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/TaskRegions.h"

#include <algorithm>

namespace prophet {

bool usesTasks(const Tree &tree, const EmulationOptions &options) {
  return options.paradigm != Paradigm::OpenMP ||
         std::any_of(tree.sites.begin(), tree.sites.end(),
                     [](const Site &site) { return site.kind == SiteKind::Tasks; });
}

bool stealsAtRandom(const Tree &tree, const EmulationOptions &options) {
  return usesTasks(tree, options) && options.threads > 1 &&
         (!isOpenMP(options.paradigm) || options.runtime == OmpRuntime::Libomp);
}

bool isSpawning(const TimedTree &timed, const Chains &chains, Paradigm paradigm, NodeId section) {
  if (!chains.parallel(section))
    return false;
  const Site &site = timed.tree.sites[timed.tree.nodes[section].ref];
  return paradigm != Paradigm::OpenMP || site.kind == SiteKind::Tasks;
}

std::vector<std::uint8_t> findSpawnTraits(const TimedTree &timed, const Chains &chains,
                                          const EmulationOptions &options) {
  const Tree &tree = timed.tree;
  std::vector<std::uint8_t> traits(tree.nodes.size());
  for (NodeId id = 0; id <= tree.root; ++id) {
    const bool isSection = timed.kind(id) == NodeKind::Section;
    if (!isSection && !timed.hasSection(id))
      continue;
    for (const TimedChild &child : timed.childrenOf(id))
      if (child.traits.hasSection || child.traits.kind() == NodeKind::Section)
        traits[id] |= traits[child.node] & ~IsSpawner;
    if (!isSection || !chains.parallel(id))
      continue;
    if (isSpawning(timed, chains, options.paradigm, id)) {
      traits[id] |= Spawns | HoldsTasks | IsSpawner;
      continue;
    }
    traits[id] &= static_cast<std::uint8_t>(~Spawns);
    if (options.teamSize(tree.nodes[id].ref) > 1)
      traits[id] |= OpensTeam;
  }
  return traits;
}

} // namespace prophet
