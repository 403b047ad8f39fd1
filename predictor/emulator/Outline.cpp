//===- Outline.cpp - The parallel regions of a run ------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Outline.h"

#include <unordered_map>

namespace prophet {

namespace {

class RegionFinder {
public:
  RegionFinder(const TimedTree &timed, const Chains &chains) : timed(timed), chains(chains) {}

  Outline find() {
    outline.outside[timed.tree.root] = 1;
    // Parents before children: what a visit adds lies further down.
    for (auto at = outline.outside.end(); at != outline.outside.begin();) {
      visit(std::prev(at)->first, std::prev(at)->second);
      at = std::prev(at);
    }
    return std::move(outline);
  }

private:
  const TimedTree &timed;
  const Chains &chains;
  Outline outline;
  std::unordered_map<NodeId, std::size_t> single; ///< section -> its region without a chain

  void visit(NodeId id, double executions) {
    Position at = firstChild(timed.tree, id);
    while (at.child != at.end) {
      const NodeId node = at.child->node;
      if (timed.tree.nodes[node].kind == NodeKind::Section && chains.parallel(node)) {
        at = addRegion(id, executions, at);
        continue;
      }
      if (timed.tree.nodes[node].kind == NodeKind::Section || timed.hasSection(node))
        outline.outside[node] += executions * static_cast<double>(at.left);
      at.left = 1;
      at = at.next();
    }
  }

  /// Adds the region that `parent` opens at `start`; returns the position after it.
  Position addRegion(NodeId parent, double executions, Position start) {
    double serial = static_cast<double>(timed.length[start.child->node]);
    Position last = start;
    while (const auto link = chains.next(last)) {
      last = link->section;
      serial += static_cast<double>(link->gap + timed.length[last.child->node]);
    }
    if (last.child != start.child || last.left != start.left) {
      use(parent, outline.regions.size(), 1);
      outline.regions.push_back({start, true, executions, serial});
      return last.next();
    }
    const auto [found, isNew] = single.try_emplace(start.child->node, outline.regions.size());
    if (isNew)
      outline.regions.push_back({{start.child, start.child + 1, 1}, false, 0, serial});
    const auto times = static_cast<double>(start.left);
    outline.regions[found->second].executions += times * executions;
    use(parent, found->second, times);
    last.left = 1; // with a barrier between them, repetitions are regions of their own
    return last.next();
  }

  void use(NodeId parent, std::size_t region, double times) {
    outline.uses.push_back({parent, region, times});
  }
};

} // namespace

Outline findRegions(const TimedTree &timed, const Chains &chains) {
  return RegionFinder(timed, chains).find();
}

} // namespace prophet
