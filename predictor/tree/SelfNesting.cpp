//===- SelfNesting.cpp - Sites whose sections nest ------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/tree/SelfNesting.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace prophet {

namespace {

/// A bit for each of up to 64 sites.
using Sites = std::uint64_t;

Sites bitOf(const Node &node, std::uint32_t first) {
  const bool isIn = node.kind == NodeKind::Section && node.ref >= first && node.ref - first < 64;
  return isIn ? Sites(1) << (node.ref - first) : 0;
}

/// Tells the executions of nodes apart by what sites they are inside of, of 64 from `first` on, as
/// far as that matters to sections below them.
class Splitter {
public:
  Splitter(const Tree &tree, std::uint32_t first)
      : tree(tree), first(first), below(tree.nodes.size()), some(below), every(below) {}

  std::optional<Tree> run() {
    if (!findMixed() || !findCopies())
      return std::nullopt;
    Tree result = tree;
    result.nodes.clear();
    result.children.clear();
    for (NodeId id = 0; id <= tree.root; ++id)
      for (Copy &copy : copies[id])
        emit(id, copy, result);
    result.root = copies[tree.root].front().node;
    return result;
  }

private:
  struct Copy {
    Sites around;
    NodeId node = 0; ///< in the result
  };

  const Tree &tree;
  const std::uint32_t first;
  Sites mixed = 0;                       ///< sites with sections that are to be split
  std::vector<Sites> below;              ///< by node: sites of the sections in it, itself included
  std::vector<Sites> some, every;        ///< by node: sites around some execution, and around all
  std::vector<std::vector<Copy>> copies; ///< by node, ascending by `around`

  /// What is around the children of `id`, where `around` is around it.
  Sites inside(NodeId id, Sites around) const { return around | bitOf(tree.nodes[id], first); }

  bool findMixed() {
    for (NodeId id = 0; id <= tree.root; ++id) {
      below[id] = bitOf(tree.nodes[id], first);
      for (const Child &child : tree.childrenOf(id))
        below[id] |= below[child.node];
    }
    std::vector<bool> isReached(tree.nodes.size());
    isReached[tree.root] = true;
    std::ranges::fill(every, ~Sites(0));
    every[tree.root] = 0;
    for (NodeId id = tree.root + 1; id-- > 0;) {
      if (!isReached[id])
        continue;
      mixed |= bitOf(tree.nodes[id], first) & some[id] & ~every[id];
      for (const Child &child : tree.childrenOf(id)) {
        isReached[child.node] = true;
        some[child.node] |= inside(id, some[id]);
        every[child.node] &= inside(id, every[id]);
      }
    }
    return mixed != 0;
  }

  bool findCopies() {
    std::size_t count = 1;
    copies.resize(tree.nodes.size());
    copies[tree.root] = {{0}};
    for (NodeId id = tree.root + 1; id-- > 0;)
      for (const Copy &copy : copies[id])
        for (const Child &child : tree.childrenOf(id)) {
          const Sites around = inside(id, copy.around) & below[child.node] & mixed;
          auto &known = copies[child.node];
          const auto at = std::ranges::lower_bound(known, around, {}, &Copy::around);
          if (at != known.end() && at->around == around)
            continue;
          known.insert(at, {around});
          if (++count > 2 * tree.nodes.size() + 1000)
            return false;
        }
    return true;
  }

  void emit(NodeId id, Copy &copy, Tree &result) const {
    Node node = tree.nodes[id];
    node.firstChild = result.children.size();
    for (const Child &child : tree.childrenOf(id)) {
      const Sites around = inside(id, copy.around) & below[child.node] & mixed;
      const auto at = std::ranges::lower_bound(copies[child.node], around, {}, &Copy::around);
      result.children.push_back({at->node, child.repeat});
    }
    copy.node = static_cast<NodeId>(result.nodes.size());
    result.nodes.push_back(node);
  }
};

} // namespace

std::vector<std::uint32_t> findSelfNestedSites(const Tree &tree) {
  std::vector<std::uint32_t> found;
  std::vector<Sites> below(tree.nodes.size());
  for (std::uint32_t first = 0; first < tree.sites.size(); first += 64) {
    Sites nested = 0;
    for (NodeId id = 0; id <= tree.root; ++id) {
      below[id] = 0;
      for (const Child &child : tree.childrenOf(id))
        below[id] |= below[child.node];
      const Sites own = bitOf(tree.nodes[id], first);
      nested |= below[id] & own;
      below[id] |= own;
    }
    for (; nested != 0; nested &= nested - 1)
      found.push_back(first + static_cast<std::uint32_t>(std::countr_zero(nested)));
  }
  return found;
}

std::vector<double> countOutermost(const Tree &tree, std::uint32_t site) {
  std::vector<double> counts(tree.nodes.size());
  counts[tree.root] = 1;
  for (NodeId id = tree.root + 1; id-- > 0;) {
    const Node &node = tree.nodes[id];
    if (node.kind == NodeKind::Section && node.ref == site)
      continue;
    for (const Child &child : tree.childrenOf(id))
      counts[child.node] += counts[id] * static_cast<double>(child.repeat);
  }
  return counts;
}

std::optional<Tree> splitSelfNested(const Tree &tree) {
  std::optional<Tree> split;
  for (std::uint32_t first = 0; first < tree.sites.size(); first += 64)
    if (auto more = Splitter(split ? *split : tree, first).run())
      split = std::move(more);
  return split;
}

} // namespace prophet
