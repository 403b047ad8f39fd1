//===- TreeCheck.cpp - Rules that need the whole tree -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/tree/TreeCheck.h"

#include "predictor/support/Text.h"

#include <algorithm>
#include <fmt/format.h>

namespace prophet {

using Problem = std::optional<std::string>;

static Problem checkRoot(const Tree &tree) {
  if (tree.root >= tree.nodes.size())
    return fmt::format("\"root\" is {}, but there are {} nodes; name the index of the root node",
                       tree.root, tree.nodes.size());
  if (tree.nodes[tree.root].kind != NodeKind::Root)
    return fmt::format("\"root\" names node {}, whose kind is not root; name the index of the root "
                       "node",
                       tree.root);
  return std::nullopt;
}

/// Sections of tasks alone, unless the site spawns them: then also what the spawner runs.
static Problem checkSection(const Tree &tree, NodeId id) {
  const Node &node = tree.nodes[id];
  if (node.ref >= tree.sites.size())
    return fmt::format("node {}: site {} is out of range, there are {} sites; list the site in "
                       "\"sites\"",
                       id, node.ref, tree.sites.size());
  if (tree.sites[node.ref].kind == SiteKind::Tasks)
    return std::nullopt;
  for (const Child &child : tree.childrenOf(id))
    if (tree.nodes[child.node].kind != NodeKind::Task)
      return fmt::format(
          "node {}: child {} is not a task; this section's site is not of kind tasks, "
          "so wrap what it runs in tasks",
          id, child.node);
  return std::nullopt;
}

static Problem checkReferences(const Tree &tree) {
  for (NodeId id = 0; id < tree.nodes.size(); ++id) {
    const Node &node = tree.nodes[id];
    if (node.kind == NodeKind::Section) {
      if (auto problem = checkSection(tree, id))
        return problem;
    } else if (node.kind == NodeKind::L && node.ref >= tree.locks.size()) {
      return fmt::format("node {}: lock {} is out of range, there are {} locks; list the lock in "
                         "\"locks\"",
                         id, node.ref, tree.locks.size());
    }
  }
  return std::nullopt;
}

/// How many nodes a run of each node executes must stay a number: at most 2^63.
static Problem checkMultiplicity(const Tree &tree) {
  constexpr unsigned __int128 Limit = (unsigned __int128)1 << 63;
  std::vector<std::uint64_t> executed(tree.nodes.size());
  for (NodeId id = 0; id < tree.nodes.size(); ++id) {
    unsigned __int128 sum = 1;
    for (const Child &child : tree.childrenOf(id)) {
      sum += static_cast<unsigned __int128>(child.repeat) * executed[child.node];
      if (sum > Limit)
        return fmt::format("node {}: its repeats multiply to more than 2^63 executed nodes; lower "
                           "the repeats",
                           id);
    }
    executed[id] = static_cast<std::uint64_t>(sum);
  }
  return std::nullopt;
}

/// What runs add up to must stay exact in 64 bits: 1e18 ticks are 31 years of nanoseconds.
static Problem checkLengths(const Tree &tree) {
  std::vector<double> lengths = tree.serialLengths();
  auto bad = std::find_if_not(lengths.begin(), lengths.end(),
                              [](double length) { return length <= 1e18; });
  if (bad == lengths.end())
    return std::nullopt;
  return fmt::format("node {}: its total length is more than 1e18 ticks; write lengths in a "
                     "coarser clock",
                     bad - lengths.begin());
}

std::optional<std::string> findTreeProblem(const Tree &tree) {
  for (auto check : {checkRoot, checkReferences, checkMultiplicity, checkLengths})
    if (auto problem = check(tree))
      return problem;
  return std::nullopt;
}

void addTreeWarnings(Tree &tree) {
  if (!tree.complete)
    tree.warnings.push_back("the profile is incomplete: the program ended before its time, and the "
                            "prediction covers what it had run by then");
  constexpr double littleWaiting = 0.02, shortWaiting = 1e-3; // of the run; seconds
  const double length = tree.serialLengths()[tree.root];
  if (tree.waitedTicks > std::max(littleWaiting * length, shortWaiting * tree.timebaseHz))
    tree.warnings.push_back(fmt::format("the program waited for its core for {:.0f} % of its run, "
                                        "and its lengths include what was outside of pauses: "
                                        "run it again when nothing else runs",
                                        100 * std::min(1.0, tree.waitedTicks / length)));
  bool sections = std::any_of(tree.nodes.begin(), tree.nodes.end(),
                              [](const Node &node) { return node.kind == NodeKind::Section; });
  if (!sections)
    tree.warnings.push_back("no parallel section in the profile: mark a loop with "
                            "'#pragma prophet parallel for' and run the program again");
}

} // namespace prophet
