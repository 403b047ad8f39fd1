//===- LiveThreads.cpp - How many threads there are at once ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/LiveThreads.h"

#include "predictor/emulator/Chain.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace prophet {

namespace {

/// What the children of a section can open at once, in threads besides the team's own.
struct Inside {
  double one = 0; ///< a single member of the team
  double all = 0; ///< all members, if there were no end of them
};

/// Threads besides the one that executes a node, at most.
struct Extra {
  double one = 0;     ///< that it has at one time
  double all = 0;     ///< ... and the others that run the tasks it spawned, if all are run at once
  double outside = 0; ///< of the program's first thread, in no team yet
};

class LiveThreads {
public:
  LiveThreads(const Tree &tree, const EmulationOptions &options)
      : tree(tree), options(options), extra(tree.nodes.size()), inside(tree.nodes.size()) {}

  double count() {
    for (NodeId id = 0; id <= tree.root; ++id) {
      const Node &node = tree.nodes[id];
      if (node.kind == NodeKind::Section && options.isParallel(node.ref))
        addSection(id);
      else if (node.childCount > 0)
        extra[id] = inRow(tree.childrenOf(id));
    }
    return 1 + extra[tree.root].outside;
  }

private:
  const Tree &tree;
  const EmulationOptions &options;
  std::vector<Extra> extra;   ///< by node
  std::vector<Inside> inside; ///< by section

  bool isLoop(NodeId id) const {
    const Node &node = tree.nodes[id];
    return node.kind == NodeKind::Section && options.isParallel(node.ref) &&
           tree.sites[node.ref].kind != SiteKind::Tasks;
  }

  void addSection(NodeId id);
  Extra inRow(std::span<const Child> children) const;
  double ofTeam(std::uint32_t site, const Inside &iterations) const;
};

/// Loops that share a team, since threads do not wait between them, as Chains has them.
struct OpenRegion {
  bool isOpen = false;    ///< the next loop belongs to it
  std::uint32_t site = 0; ///< the first loop's
  Inside iterations;
  double gap = 0; ///< ticks of code behind the last loop
};

/// The sum over the `count` largest of `parts`, numbers that are there so often.
double sumOfLargest(std::vector<std::pair<double, double>> &parts, double count) {
  std::ranges::sort(parts, std::greater<>());
  double sum = 0;
  for (const auto &[size, times] : parts) {
    const double taken = std::min(times, count);
    if (taken <= 0)
      break;
    sum += size * taken;
    count -= taken;
  }
  return sum;
}

void LiveThreads::addSection(NodeId id) {
  Inside &children = inside[id];
  bool areSpawned = !isLoop(id);
  std::vector<std::pair<double, double>> parts;
  for (const Child &child : tree.childrenOf(id)) {
    const Extra &part = extra[child.node];
    children.one = std::max(children.one, part.one);
    areSpawned |= part.all > part.one;
    if (part.all > 0)
      parts.emplace_back(part.all, static_cast<double>(child.repeat));
  }
  // A thread is in one iteration at a time, but one iteration's tasks are run by several.
  children.all = sumOfLargest(parts, areSpawned ? HUGE_VAL : options.widestTeam());
  const double team = ofTeam(tree.nodes[id].ref, children);
  extra[id] = isLoop(id) ? Extra{team, team, team} : Extra{children.one, children.all, team};
}

/// Threads of the team that `site` opens for `iterations`, and inside it, besides its master.
double LiveThreads::ofTeam(std::uint32_t site, const Inside &iterations) const {
  const double size = options.teamSize(site);
  return size - 1 + std::min(size * iterations.one, iterations.all);
}

/// What is executed one after the other.
Extra LiveThreads::inRow(std::span<const Child> children) const {
  Extra most;
  OpenRegion region;
  for (const auto &[id, repeat] : children) {
    const Node &node = tree.nodes[id];
    const Extra &own = extra[id];
    most = {std::max(most.one, own.one), std::max(most.all, own.all),
            std::max(most.outside, own.outside)};
    if (node.kind == NodeKind::U) {
      region.gap += node.length * static_cast<double>(repeat);
      region.isOpen &= region.gap <= Chains::adjacentGap * tree.timebaseHz;
      continue;
    }
    if (!isLoop(id)) {
      region.isOpen = false;
      continue;
    }
    if (!region.isOpen)
      region = {false, node.ref, {}};
    const bool flows = tree.sites[node.ref].nowait;
    region.iterations.one = std::max(region.iterations.one, inside[id].one);
    region.iterations.all += inside[id].all * (flows ? static_cast<double>(repeat) : 1);
    region.gap = 0;
    region.isOpen = flows;
    const double team = ofTeam(region.site, region.iterations);
    most = {std::max(most.one, team), std::max(most.all, team), std::max(most.outside, team)};
  }
  return most;
}

} // namespace

double mostLiveThreads(const Tree &tree, const EmulationOptions &options) {
  const double levels = std::pow(options.widestTeam(), options.maxActiveLevels);
  return std::min(LiveThreads(tree, options).count(), levels);
}

} // namespace prophet
