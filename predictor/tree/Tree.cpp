//===- Tree.cpp - The program tree in memory ------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/tree/Tree.h"

namespace prophet {

const char *kindName(SiteKind kind) {
  static constexpr const char *Names[] = {"parallel_for", "sections", "tasks"};
  return Names[static_cast<unsigned>(kind)];
}

std::uint64_t Tree::tasksOf(NodeId id) const {
  std::uint64_t tasks = 0;
  for (const Child &child : childrenOf(id))
    tasks += nodes[child.node].kind == NodeKind::Task ? child.repeat : 0;
  return tasks;
}

std::vector<double> Tree::serialLengths() const {
  std::vector<double> lengths(nodes.size());
  for (NodeId id = 0; id < nodes.size(); ++id) {
    lengths[id] = nodes[id].length;
    for (const Child &child : childrenOf(id))
      lengths[id] += lengths[child.node] * static_cast<double>(child.repeat);
  }
  return lengths;
}

} // namespace prophet
