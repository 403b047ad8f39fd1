//===- SerialCosts.cpp - What one thread takes for a subtree --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/SerialCosts.h"

#include "predictor/emulator/TaskLoops.h"
#include "predictor/emulator/TaskRegions.h"

namespace prophet {

Time sectionOverhead(const TimedTree &timed, const EmulationOptions &options,
                     const Charges &charges, NodeId id) {
  const Node &node = timed.tree.nodes[id];
  const SiteKind kind = timed.tree.sites[node.ref].kind;
  if (options.paradigm == Paradigm::OpenMP && kind != SiteKind::Tasks) {
    const std::uint64_t iterations = timed.iterations(id);
    return charges.serialized(planLoop(timed.tree, node.ref, options, iterations, 1), iterations);
  }
  std::uint64_t tasks = 0;
  if (kind == SiteKind::ParallelFor)
    tasks = loopPieces(options, timed.iterations(id), 1);
  else
    for (const TimedChild &child : timed.childrenOf(id))
      tasks += child.traits.kind() == NodeKind::Task ? child.repeat : 0;
  const TeamCharges &team = charges.alone();
  return team.tasks.create * static_cast<Time>(tasks) + team.tasks.wait;
}

std::vector<Time> innerOverheads(const TimedTree &timed, const EmulationOptions &options,
                                 const Charges &charges, const Chains &chains) {
  const Tree &tree = timed.tree;
  // Between threads that meet, the event engine charges for locks.
  const bool locksCount = options.teamSizes().contains(1) && timed.counts.locks > 0;
  const bool isNeeded = timed.hasNestedSections() || locksCount || usesTasks(tree, options);
  if (options.overheads.isNone() || !isNeeded)
    return {};
  std::vector<Time> inner(tree.nodes.size());
  for (NodeId id = 0; id <= tree.root; ++id) {
    if (timed.executions[id] == 0 || timed.traits(id).isPlain())
      continue;
    Time sum = 0;
    for (const TimedChild &child : timed.childrenOf(id))
      if (!child.traits.isPlain())
        sum += inner[child.node] * static_cast<Time>(child.repeat);
    if (timed.kind(id) == NodeKind::L)
      sum += charges.lockPair;
    if (timed.kind(id) == NodeKind::Section && chains.parallel(id))
      sum += sectionOverhead(timed, options, charges, id);
    inner[id] = sum;
  }
  return inner;
}

void ThreadTimes::add(const ThreadTimes &other, double count) {
  elapsed += other.elapsed * count;
  useful += other.useful * count;
  memory += other.memory * count;
  outlining += other.outlining * count;
  overhead += other.overhead * count;
  barrierWait += other.barrierWait * count;
  lockWait += other.lockWait * count;
  teamWait += other.teamWait * count;
  preempted += other.preempted * count;
  relieved += other.relieved * count;
}

void Tally::addFused(const Tree &tree, NodeId id, double count, double factor) {
  if (fused.empty()) {
    fused.resize(tree.nodes.size());
    fusedScaled.resize(tree.nodes.size());
  }
  if (isInRegion) {
    auto &[counted, scaled] = fusedInRegion[id];
    counted += count;
    scaled += count * factor;
    return;
  }
  fused[id] += count;
  fusedScaled[id] += count * factor;
}

void Tally::endRegion(double stretch) {
  isInRegion = false;
  for (const auto &[id, counts] : fusedInRegion) {
    fused[id] += counts.first * stretch;
    fusedScaled[id] += counts.second * stretch;
  }
  fusedInRegion.clear();
}

void Tally::resolveFused(const TimedTree &timed, const SerialCosts &costs) {
  for (NodeId id = static_cast<NodeId>(fused.size()); id-- > 0;) {
    if (fused[id] == 0)
      continue;
    const Node &node = timed.tree.nodes[id];
    if (node.kind == NodeKind::Section)
      addSection(timed, id,
                 fusedScaled[id] * static_cast<double>(timed.length[id]) +
                     fused[id] * static_cast<double>(costs.overhead(id)));
    for (const Child &child : timed.tree.childrenOf(id)) {
      fused[child.node] += fused[id] * static_cast<double>(child.repeat);
      fusedScaled[child.node] += fusedScaled[id] * static_cast<double>(child.repeat);
    }
  }
}

} // namespace prophet
