//===- InnerUses.cpp - Sites inside others' sections ----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/InnerUses.h"

#include "predictor/tree/SelfNesting.h"

#include <algorithm>

namespace prophet {

OwnExecutions ownExecutions(const Tree &tree, std::uint32_t site) {
  OwnExecutions own;
  const std::vector<double> counts = countOutermost(tree, site), lengths = tree.serialLengths();
  std::vector<bool> hasOwn(tree.nodes.size()), encloses(tree.sites.size());
  for (NodeId id = 0; id <= tree.root; ++id) {
    if (counts[id] == 0)
      continue;
    const Node &node = tree.nodes[id];
    const bool isSection = node.kind == NodeKind::Section;
    hasOwn[id] = isSection && node.ref == site;
    if (hasOwn[id]) {
      own.count += counts[id];
      own.ticks += counts[id] * lengths[id];
      continue;
    }
    hasOwn[id] = std::ranges::any_of(tree.childrenOf(id),
                                     [&](const Child &child) { return hasOwn[child.node]; });
    if (isSection && hasOwn[id])
      encloses[node.ref] = true;
  }
  own.around = std::max(0.0, lengths[tree.root] - own.ticks);
  for (std::uint32_t other = 0; other < encloses.size(); ++other)
    if (encloses[other])
      own.enclosers.push_back(other);
  return own;
}

bool InnerUse::isOutermost(const EmulationOptions &options) const {
  // In a team of one there is nothing to replay; where it was asked for, its roofline is shown.
  const bool counts = options.teamSize(known.site) > 1 || options.onlySite == known.site;
  return counts && options.isParallel(known.site) &&
         std::ranges::none_of(enclosers, [&](std::uint32_t encloser) {
           return options.isParallel(encloser) && options.teamSize(encloser) > 1;
         });
}

InnerUse innerUse(const Tree &tree, std::uint32_t site, const OwnExecutions &own,
                  const memmodel::InnerSite &use) {
  auto profile = std::make_shared<memmodel::MemoryProfile>();
  profile->sites = {use};
  profile->log = use.log;
  const double tickNs = 1e9 / tree.timebaseHz;
  const double perExecution = own.ticks * tickNs / own.count;
  const double share = own.around * tickNs / (own.count + 1); // before the first, behind each
  return {{site, 0, perExecution * static_cast<double>(use.executions)},
          std::move(profile),
          {share, share},
          own.enclosers};
}

} // namespace prophet
