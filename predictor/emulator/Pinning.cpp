//===- Pinning.cpp - Which regions' threads stay on cores -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Pinning.h"

#include <algorithm>
#include <unordered_set>

namespace prophet {

namespace {

/// Whether a task of `section` meets a section that opens a team inside of it.
bool nests(const RegionContext &context, NodeId section) {
  const EmulationOptions &options = context.options;
  const TimedTree &timed = context.timed;
  if (options.maxActiveLevels <= 1 || options.paradigm != Paradigm::OpenMP)
    return false;
  std::unordered_set<NodeId> seen;
  std::vector<NodeId> open{section};
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (!timed.hasSection(id))
      continue;
    for (const Child &child : timed.tree.childrenOf(id)) {
      const bool isSection = timed.kind(child.node) == NodeKind::Section;
      if (isSection && context.chains.parallel(child.node) && context.teamSize(child.node) > 1)
        return true;
      if (timed.hasSection(child.node) && seen.insert(child.node).second)
        open.push_back(child.node);
    }
  }
  return false;
}

/// Whether the region that begins with `section` has more threads than there are cores.
bool crowds(const RegionContext &context, NodeId section) {
  const unsigned size = context.teamSize(section);
  return size > context.cores() || (size > 1 && nests(context, section));
}

} // namespace

bool isSharedOut(const RegionContext &context, NodeId section, unsigned threads) {
  const LoopPlan plan = context.plan(section, threads);
  const std::uint64_t iterations = context.timed.iterations(section);
  return plan.dealing >= Dealing::Queue && !context.timed.hasLock(section) &&
         iterations > std::uint64_t{manyChunks} * threads &&
         chunkCount(plan, iterations, threads) > std::uint64_t{manyChunks} * threads;
}

std::optional<Pinning> pinningOf(const RegionContext &context, const Region &region) {
  if (!context.charges.waitersYield())
    return std::nullopt;
  const NodeId first = region.start.child->node;
  bool isCrowded = crowds(context, first);
  for (auto link = context.chains.next(region.start); link && !isCrowded;
       link = context.chains.next(link->section))
    isCrowded = crowds(context, link->section.child->node);
  if (!isCrowded)
    return std::nullopt;
  if (!region.chained && !nests(context, first) &&
      isSharedOut(context, first, context.teamSize(first)))
    return std::nullopt;
  return Pinning{context.options.seed, context.charges.balancing, region.createsThreads};
}

void markCreation(const RegionContext &context, Outline &outline) {
  if (!context.charges.waitersYield())
    return;
  const Tree &tree = context.timed.tree;
  const auto isRegion = [&](NodeId id) {
    return tree.nodes[id].kind == NodeKind::Section && context.chains.parallel(id);
  };
  std::unordered_set<NodeId> holds; // such a region, somewhere below
  for (const auto &[id, executions] : outline.outside)
    for (const Child &child : tree.childrenOf(id))
      if (holds.contains(child.node) || (isRegion(child.node) && crowds(context, child.node)))
        holds.insert(id);
  NodeId parent = tree.root;
  const auto next = [&] {
    return std::ranges::find_if(tree.childrenOf(parent), [&](const Child &child) {
      return holds.contains(child.node) || (isRegion(child.node) && crowds(context, child.node));
    });
  };
  if (!holds.contains(parent))
    return;
  while (!isRegion(next()->node))
    parent = next()->node;
  const NodeId section = next()->node;
  for (const Outline::Use &use : outline.uses)
    if (use.parent == parent && outline.regions[use.region].start.child->node == section) {
      const bool isSplit = outline.first && outline.first->asleep == use.region;
      Region &region = outline.regions[isSplit ? outline.first->awake : use.region];
      region.createsThreads = region.executions == 1;
      return;
    }
}

} // namespace prophet
