//===- TimedTree.cpp - A tree with exact virtual times --------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/TimedTree.h"

#include "predictor/tree/SelfNesting.h"

namespace prophet {

TimeGrid TimedTree::gridFor(double horizon) {
  if (!(horizon > 0))
    return {};
  return {timeBits - 1 - std::ilogb(horizon)};
}

TimedTree::TimedTree(const Tree &tree, TimeGrid grid) : tree(tree), grid(grid) {
  countExecutions();
  findOutermost();
  length.resize(tree.nodes.size());
  nodeTraits.resize(tree.nodes.size());
  children = std::make_unique_for_overwrite<TimedChild[]>(tree.children.size());
  firstIteration.resize(tree.children.size());
  siteSerial.resize(tree.sites.size());
  siteExecutions.resize(tree.sites.size());
  for (NodeId id = 0; id < tree.nodes.size(); ++id) {
    if (executions[id] == 0)
      continue;
    const Node &node = tree.nodes[id];
    length[id] = grid.of(node.length);
    Traits &own = nodeTraits[id];
    own.kindBits = static_cast<std::uint8_t>(node.kind) & 7;
    own.hasLock = node.kind == NodeKind::L;
    own.isNeverOutermost = outermostShare(id) == 0;
    own.isPartlyOutermost = outermostShare(id) > 0 && outermostShare(id) < 1;
    std::uint64_t iteration = 0;
    for (const Child &child : tree.childrenOf(id)) {
      const Node &of = tree.nodes[child.node];
      const Traits &inside = nodeTraits[child.node];
      length[id] += length[child.node] * static_cast<Time>(child.repeat);
      own.hasLock |= inside.hasLock;
      own.hasSection |= inside.hasSection || of.kind == NodeKind::Section;
      const auto place = static_cast<std::size_t>(&child - tree.children.data());
      children[place] = {child.node,    of.ref,        child.repeat, length[child.node],
                         of.firstChild, of.childCount, inside};
      firstIteration[place] = iteration;
      iteration += child.repeat;
    }
    sumUp(id);
  }
}

void TimedTree::sumUp(NodeId id) {
  const Node &node = tree.nodes[id];
  if (node.kind == NodeKind::Section) {
    siteSerial[node.ref] += executions[id] * outermostShare(id) * static_cast<double>(length[id]);
    siteExecutions[node.ref] += executions[id];
    counts.sections += executions[id];
    nested |= hasSection(id);
  } else if (node.kind == NodeKind::Task) {
    counts.tasks += executions[id];
  } else if (node.kind == NodeKind::L) {
    counts.locks += executions[id];
  }
}

void TimedTree::countExecutions() {
  executions.assign(tree.nodes.size(), 0);
  executions[tree.root] = 1;
  for (NodeId id = tree.root + 1; id-- > 0;)
    if (executions[id] > 0)
      for (const Child &child : tree.childrenOf(id))
        executions[child.node] += executions[id] * static_cast<double>(child.repeat);
}

void TimedTree::findOutermost() {
  for (const std::uint32_t site : findSelfNestedSites(tree)) {
    outermost.resize(tree.nodes.size(), 1);
    const std::vector<double> counts = countOutermost(tree, site);
    for (NodeId id = 0; id <= tree.root; ++id)
      if (tree.nodes[id].kind == NodeKind::Section && tree.nodes[id].ref == site &&
          executions[id] > 0)
        outermost[id] = counts[id] / executions[id];
  }
}

std::uint64_t TimedTree::iterations(NodeId id) const {
  const auto tasks = childrenOf(id);
  return tasks.empty() ? 0 : first(&tasks.back()) + tasks.back().repeat;
}

const TimedChild *TimedTree::childAt(NodeId id, std::uint64_t iteration,
                                     const TimedChild *hint) const {
  const auto holds = [&](const TimedChild *child) {
    return first(child) <= iteration && iteration - first(child) < child->repeat;
  };
  if (holds(hint))
    return hint;
  // Where nothing repeats, iterations and children advance in step.
  const TimedChild *end = childrenOf(id).data() + childrenOf(id).size();
  const std::uint64_t ahead = iteration - first(hint);
  const TimedChild *last = ahead < static_cast<std::uint64_t>(end - hint) ? hint + ahead : end - 1;
  if (holds(last))
    return last;
  const TimedChild *low = hint; // first(low) <= iteration
  while (last - low > 1) {
    const TimedChild *middle = low + (last - low) / 2;
    (first(middle) <= iteration ? low : last) = middle;
  }
  return low;
}

} // namespace prophet
