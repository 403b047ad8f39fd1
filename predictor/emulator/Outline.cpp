//===- Outline.cpp - The parallel regions of a run ------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Outline.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace prophet {

namespace {

/// Before the first region no thread waits, however long the code before it takes.
constexpr double nobodyWaits = -std::numeric_limits<double>::infinity();

class RegionFinder {
public:
  RegionFinder(const TimedTree &timed, const Chains &chains, double blockTime)
      : timed(timed), chains(chains), blockTime(blockTime) {}

  Outline find() {
    outline.outside[timed.tree.root] = 1;
    // Parents before children: what a visit adds lies further down.
    for (auto at = outline.outside.end(); at != outline.outside.begin();) {
      addChildren(std::prev(at)->first, std::prev(at)->second);
      at = std::prev(at);
    }
    const bool someSleep = blockTime > 0 && blockTime <= static_cast<double>(timed.serial());
    if (someSleep)
      for (const auto &[id, executions] : outline.outside)
        if (const double wait = waitBehind(id); wait >= 0)
          behind[id] = wait;
    outline.aroundFirst = {timed.tree.root};
    for (auto at = outline.outside.rbegin(); at != outline.outside.rend(); ++at)
      visit(at->first, at->second);
    return std::move(outline);
  }

private:
  const TimedTree &timed;
  const Chains &chains;
  double blockTime;
  Outline outline;
  /// Section -> its region without a chain, started awake and asleep.
  std::map<std::pair<NodeId, bool>, std::size_t> single;
  /// How long threads have waited when a node begins, but at the run's start, and when it ends (of
  /// those that hold regions).
  std::unordered_map<NodeId, double> before, behind;
  bool foundFirst = false; ///< the run's first region

  bool isRegion(NodeId id) const {
    return timed.tree.nodes[id].kind == NodeKind::Section && chains.parallel(id);
  }

  void addChildren(NodeId id, double executions) {
    for (const Child &child : timed.tree.childrenOf(id))
      if (!isRegion(child.node) &&
          (timed.tree.nodes[child.node].kind == NodeKind::Section || timed.hasSection(child.node)))
        outline.outside[child.node] += executions * static_cast<double>(child.repeat);
  }

  /// How long threads wait from the last region in `id` to its end; below 0 where it has none.
  double waitBehind(NodeId id) const {
    double wait = nobodyWaits;
    for (const Child &child : timed.tree.childrenOf(id)) {
      if (isRegion(child.node))
        wait = 0;
      else
        wait = waitAfter(child, wait);
    }
    return wait;
  }

  /// ... after `child`, no region, before which it was `wait`.
  double waitAfter(const Child &child, double wait) const {
    if (const auto found = behind.find(child.node); found != behind.end())
      return found->second;
    return wait + static_cast<double>(timed.length[child.node]) * static_cast<double>(child.repeat);
  }

  void visit(NodeId id, double executions) {
    const auto entered = before.find(id);
    double wait = entered == before.end() ? nobodyWaits : entered->second;
    Position at = firstChild(timed, id);
    while (at.child != at.end) {
      const NodeId node = at.child->node;
      if (isRegion(node)) {
        const std::size_t use = outline.uses.size();
        at = addRegion(id, executions, at, wait);
        if (!foundFirst && outline.aroundFirst.back() == id)
          splitFirst(outline.uses[use].region);
        wait = 0;
        continue;
      }
      if (timed.tree.nodes[node].kind == NodeKind::Section || timed.hasSection(node)) {
        if (!foundFirst && outline.aroundFirst.back() == id && behind.contains(node))
          outline.aroundFirst.push_back(node);
        enter(node, wait);
        if (at.left > 1)
          enter(node, waitAfter({node, at.child->repeat}, wait));
      }
      wait = waitAfter({node, at.left}, wait);
      at.left = 1;
      at = at.next();
    }
  }

  /// Serial code is reached when threads have waited for `wait`.
  void enter(NodeId id, double wait) {
    if (wait == nobodyWaits)
      return;
    const auto [found, isNew] = before.try_emplace(id, wait);
    found->second = std::min(found->second, wait);
  }

  /// Takes the run's first region out of the executions of `region`, before which threads sleep.
  void splitFirst(std::size_t region) {
    foundFirst = true;
    Region awake = outline.regions[region];
    if (blockTime <= 0 || !awake.asleep)
      return;
    outline.regions[region].executions -= 1;
    awake.asleep = false;
    awake.executions = 1;
    outline.first = {outline.regions.size(), region};
    outline.regions.push_back(awake);
  }

  /// Adds the region that `parent` opens at `start`, whose threads have waited for `wait`; returns
  /// the position after it.
  Position addRegion(NodeId parent, double executions, Position start, double wait) {
    const bool asleep = blockTime <= 0 || wait >= blockTime;
    double serial = static_cast<double>(timed.length[start.child->node]);
    Position last = start;
    while (const auto link = chains.next(last)) {
      last = link->section;
      serial += static_cast<double>(link->gap + timed.length[last.child->node]);
    }
    if (last.child != start.child || last.left != start.left) {
      outline.uses.push_back({parent, outline.regions.size(), 1});
      outline.regions.push_back({start, true, asleep, executions, serial});
      return last.next();
    }
    // With a barrier between them, repetitions are regions of their own, right behind each other.
    const auto times = static_cast<double>(start.left);
    if (asleep == (blockTime <= 0)) {
      addSingle(parent, executions, start.child, asleep, times);
    } else {
      addSingle(parent, executions, start.child, true, 1);
      if (times > 1)
        addSingle(parent, executions, start.child, false, times - 1);
    }
    last.left = 1;
    return last.next();
  }

  void addSingle(NodeId parent, double executions, const TimedChild *child, bool asleep,
                 double times) {
    const auto [found, isNew] = single.try_emplace({child->node, asleep}, outline.regions.size());
    if (isNew)
      outline.regions.push_back({{child, child + 1, 1},
                                 false,
                                 asleep,
                                 0,
                                 static_cast<double>(timed.length[child->node])});
    outline.regions[found->second].executions += times * executions;
    outline.uses.push_back({parent, found->second, times});
  }
};

} // namespace

Outline findRegions(const TimedTree &timed, const Chains &chains, double blockTime) {
  return RegionFinder(timed, chains, blockTime).find();
}

} // namespace prophet
