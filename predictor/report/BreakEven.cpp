//===- BreakEven.cpp - From how many iterations on a loop gains -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/BreakEven.h"

#include "predictor/emulator/Seeds.h"
#include "predictor/tree/SelfNesting.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace prophet {

namespace {

/// A tree of one section, made of parts of another tree.
class RegionTree {
public:
  RegionTree(const Tree &from, std::uint32_t site) : from(from) {
    tree.sites = from.sites;
    tree.sites[site].nowait = false;
    tree.locks = from.locks;
    tree.timebaseHz = from.timebaseHz;
    section.ref = site;
  }

  void add(NodeId task) {
    const NodeId own = copy(task);
    if (!tasks.empty() && tasks.back().node == own)
      ++tasks.back().repeat;
    else
      tasks.push_back({own, 1});
  }

  Tree take() {
    const NodeId loop = append(section, tasks);
    tree.root = append({NodeKind::Root}, {{loop, 1}});
    return std::move(tree);
  }

private:
  const Tree &from;
  Tree tree;
  Node section{NodeKind::Section};
  std::vector<Child> tasks;
  std::unordered_map<NodeId, NodeId> copies;

  NodeId append(Node node, const std::vector<Child> &children) {
    node.firstChild = tree.children.size();
    node.childCount = children.size();
    tree.children.insert(tree.children.end(), children.begin(), children.end());
    tree.nodes.push_back(node);
    return static_cast<NodeId>(tree.nodes.size() - 1);
  }

  /// Trees can be deep: nothing recurses.
  NodeId copy(NodeId top) {
    std::vector<NodeId> open{top};
    while (!open.empty()) {
      const NodeId id = open.back();
      if (copies.contains(id)) { // by another way to it
        open.pop_back();
        continue;
      }
      const std::size_t before = open.size();
      for (const Child &child : from.childrenOf(id))
        if (!copies.contains(child.node))
          open.push_back(child.node);
      if (open.size() > before)
        continue;
      open.pop_back();
      std::vector<Child> children;
      for (const Child &child : from.childrenOf(id))
        children.push_back({copies.at(child.node), child.repeat});
      copies[id] = append(from.nodes[id], children);
    }
    return copies.at(top);
  }
};

/// What forking costs in a team of `threads` of which `asleep` of the forks wake threads up.
TeamCost forkCost(const EmulationOptions &options, double asleep) {
  const Overheads &costs = options.overheads;
  const double woken = costs.passive.fork.at(options.threads);
  if (options.blockTime() <= 0)
    return {woken};
  return {asleep * woken + (1 - asleep) * costs.active.fork.at(options.threads)};
}

} // namespace

LoopRegions::LoopRegions(const Tree &tree, std::uint32_t site, const RegionKind &kind,
                         EmulationOptions given)
    : tree(tree), site(site), aloneRatio(kind.aloneRatio), options(std::move(given)) {
  options.schedule = kind.schedule;
  options.sites.clear();
  options.exceptSite.reset();
  options.onlySite = site;
  options.overheads.active.fork = options.overheads.passive.fork = forkCost(options, kind.asleep);
  const std::vector<double> counts = countOutermost(tree, site);
  double sum = 0;
  for (NodeId id = 0; id <= tree.root; ++id)
    if (tree.nodes[id].kind == NodeKind::Section && tree.nodes[id].ref == site && counts[id] > 0)
      for (const Child &child : tree.childrenOf(id))
        if (tree.nodes[child.node].kind == NodeKind::Task)
          tasks.emplace_back(child.node, sum += counts[id] * static_cast<double>(child.repeat));
  if (tasks.empty())
    return;
  constexpr std::uint64_t sample = 16;
  constexpr double steps = 2e5; // of one region, and the tree that it is made of
  const Tree region = regionOf(sample);
  const Emulator emulator(region);
  const double runs = emulator.chance(options) == Chance::Placement ? 16 : 1;
  const double each =
      runs * (emulator.steps(options) + static_cast<double>(region.nodes.size())) / sample;
  while (most > sample && static_cast<double>(most) * each > steps)
    most /= 2;
}

/// By jitter: evenly spread, they could all be the same ones of a pattern.
Tree LoopRegions::regionOf(std::uint64_t trips) const {
  constexpr double golden = 0.6180339887498949;
  RegionTree region(tree, site);
  auto task = tasks.begin();
  double jitter = 0.5;
  for (std::uint64_t i = 0; i < trips; ++i) {
    const double place =
        (static_cast<double>(i) + jitter) / static_cast<double>(trips) * tasks.back().second;
    while (task->second <= place && task + 1 != tasks.end())
      ++task;
    region.add(task->first);
    jitter += jitter + golden < 1 ? golden : golden - 1;
  }
  return region.take();
}

double LoopRegions::emulatedNs(std::uint64_t trips) const {
  const Tree region = regionOf(trips);
  const double serial = region.serialLengths()[region.root];
  const double speedup = typicalSpeedup(Emulator(region), options);
  return serial * (aloneRatio - 1 / speedup) * (1e9 / tree.timebaseHz);
}

double LoopRegions::slope() const {
  const std::uint64_t half = most / 2;
  return (emulatedNs(most) - emulatedNs(half)) / static_cast<double>(most - half);
}

double LoopRegions::savedNs(std::uint64_t trips) const {
  if (trips <= most)
    return emulatedNs(trips);
  return emulatedNs(most) + slope() * static_cast<double>(trips - most);
}

std::optional<std::uint64_t> LoopRegions::breakEven() const {
  const auto gains = [&](std::uint64_t trips) { return emulatedNs(trips) > 1e-6; };
  std::uint64_t few = 0, enough = 1; // few do not gain
  while (enough <= most && !gains(enough)) {
    few = enough;
    enough *= 2;
  }
  if (enough > most) {
    const double each = slope(), more = each > 0 ? -emulatedNs(most) / each : 1e18;
    if (!(more < 1e15))
      return std::nullopt;
    return most + static_cast<std::uint64_t>(std::floor(more)) + 1;
  }
  while (enough - few > 1) {
    const std::uint64_t middle = few + (enough - few) / 2;
    (gains(middle) ? enough : few) = middle;
  }
  return enough;
}

} // namespace prophet
