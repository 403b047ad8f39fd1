//===- TreeSummary.cpp - What is in a tree ----------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/TreeSummary.h"

#include "predictor/tree/SelfNesting.h"

#include <algorithm>
#include <utility>

namespace prophet {

/// (value, how often)
using Weighted = std::vector<std::pair<double, std::uint64_t>>;

std::vector<std::uint64_t> executionCounts(const Tree &tree) {
  std::vector<std::uint64_t> counts(tree.nodes.size());
  counts[tree.root] = 1;
  for (NodeId id = tree.root + 1; id-- > 0;)
    for (const Child &child : tree.childrenOf(id))
      counts[child.node] += counts[id] * child.repeat; // the reader bounds the sum by 2^63
  return counts;
}

static Distribution distributionOf(Weighted &values) {
  Distribution result;
  std::sort(values.begin(), values.end());
  for (const auto &[value, times] : values)
    result.count += times;
  if (result.count == 0)
    return result;
  result.min = values.front().first;
  result.max = values.back().first;
  std::uint64_t before = 0;
  for (const auto &[value, times] : values) {
    before += times;
    if (before > (result.count - 1) / 2) {
      result.median = value;
      break;
    }
  }
  return result;
}

/// Of sections of `site` inside each other, the time and the tasks of the outermost.
static void countOutermostOnly(const Tree &tree, const std::vector<double> &lengths,
                               std::uint32_t site, SiteSummary &result) {
  result.ticks = result.outermostTasks = 0;
  const std::vector<double> counts = countOutermost(tree, site);
  for (NodeId id = 0; id <= tree.root; ++id)
    if (tree.nodes[id].kind == NodeKind::Section && tree.nodes[id].ref == site) {
      result.ticks += counts[id] * lengths[id];
      result.outermostTasks += counts[id] * static_cast<double>(tree.tasksOf(id));
    }
}

/// Has `taskLengths` of all sites.
static void addTaskLengths(const Tree &tree, const std::vector<double> &lengths,
                           const std::vector<std::uint64_t> &counts, TreeSummary &summary) {
  std::vector<Weighted> tasks(tree.sites.size());
  for (NodeId id = 0; id <= tree.root; ++id)
    if (tree.nodes[id].kind == NodeKind::Section && counts[id] > 0)
      for (const Child &child : tree.childrenOf(id))
        if (tree.nodes[child.node].kind == NodeKind::Task)
          tasks[tree.nodes[id].ref].emplace_back(lengths[child.node], counts[id] * child.repeat);
  for (std::uint32_t site = 0; site < tree.sites.size(); ++site)
    summary.sites[site].taskLengths = distributionOf(tasks[site]);
}

static TreeSummary countAll(const Tree &tree, const std::vector<double> &lengths,
                            const std::vector<std::uint64_t> &counts) {
  TreeSummary summary;
  std::vector<Weighted> trips(tree.sites.size());
  summary.serialTicks = lengths[tree.root];
  summary.sites.resize(tree.sites.size());
  summary.locks.resize(tree.locks.size());
  for (NodeId id = 0; id <= tree.root; ++id) {
    const Node &node = tree.nodes[id];
    const std::uint64_t times = counts[id];
    summary.executedNodes += times;
    if (times == 0)
      continue;
    if (node.kind == NodeKind::Task)
      summary.executedTasks += times;
    if (node.kind == NodeKind::L) {
      summary.locks[node.ref].entries += times;
      summary.locks[node.ref].ticks += static_cast<double>(times) * lengths[id];
    }
    if (node.kind != NodeKind::Section)
      continue;
    SiteSummary &site = summary.sites[node.ref];
    const std::uint64_t trip = tree.tasksOf(id);
    trips[node.ref].emplace_back(static_cast<double>(trip), times);
    site.executions += times;
    site.tasks += times * trip;
    site.ticks += static_cast<double>(times) * lengths[id];
    site.outermostTasks += static_cast<double>(times) * static_cast<double>(trip);
  }
  for (const std::uint32_t site : findSelfNestedSites(tree))
    countOutermostOnly(tree, lengths, site, summary.sites[site]);
  for (std::uint32_t site = 0; site < tree.sites.size(); ++site)
    summary.sites[site].trips = distributionOf(trips[site]);
  return summary;
}

Distribution tripsOf(const Tree &tree, std::uint32_t site) {
  const std::vector<std::uint64_t> counts = executionCounts(tree);
  Weighted trips;
  for (NodeId id = 0; id <= tree.root; ++id)
    if (tree.nodes[id].kind == NodeKind::Section && tree.nodes[id].ref == site && counts[id] > 0)
      trips.emplace_back(static_cast<double>(tree.tasksOf(id)), counts[id]);
  return distributionOf(trips);
}

TreeSummary summarizeCounts(const Tree &tree) {
  return countAll(tree, tree.serialLengths(), executionCounts(tree));
}

TreeSummary summarize(const Tree &tree) {
  const std::vector<double> lengths = tree.serialLengths();
  const std::vector<std::uint64_t> counts = executionCounts(tree);
  TreeSummary summary = countAll(tree, lengths, counts);
  addTaskLengths(tree, lengths, counts, summary);
  return summary;
}

} // namespace prophet
