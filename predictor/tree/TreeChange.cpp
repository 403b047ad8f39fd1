//===- TreeChange.cpp - A tree with other lengths -------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/tree/TreeChange.h"

#include "predictor/tree/TreeCheck.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace prophet {

namespace {

/// What encloses an execution: bit 0 some section, the others changed sites and locks.
using Around = std::uint64_t;
constexpr Around inSection = 1;
constexpr NodeId gone = ~NodeId(0);

/// What a node becomes in each surrounding that it occurs in.
struct Copy {
  Around around;
  NodeId node = gone;
  std::size_t splice = 0; ///< not 0: it is replaced by these children, in Changer::splices
};

class Changer {
public:
  Changer(const Tree &tree, const TreeChange &change)
      : tree(tree), change(change), copies(tree.nodes.size()) {
    for (const auto &[site, ofSite] : change.sites)
      siteBits[site] = addFactor(ofSite.length);
    for (const auto &[lock, ofLock] : change.locks)
      lockBits[lock] = addFactor(ofLock.length);
  }

  Result<Tree> run() {
    findCopies();
    result.sites = tree.sites;
    result.locks = tree.locks;
    result.timebaseHz = tree.timebaseHz;
    result.complete = tree.complete;
    result.tolerance = tree.tolerance;
    result.command = tree.command;
    result.warnings = tree.warnings;
    for (NodeId id = 0; id <= tree.root; ++id)
      for (Copy &copy : copies[id])
        emit(id, copy);
    result.root = copies[tree.root].front().node;
    if (tooLarge || findTreeProblem(result))
      return Error{"the changed program would be too large to emulate; use smaller factors"};
    return std::move(result);
  }

private:
  /// Children that splicing may add in all.
  static constexpr std::uint64_t MostSpliced = std::uint64_t(1) << 24;

  const Tree &tree;
  const TreeChange &change;
  Tree result;
  std::vector<double> factors{1}; ///< by bit of Around
  std::map<std::uint32_t, Around> siteBits, lockBits;
  std::vector<std::vector<Copy>> copies; ///< by node, ascending
  std::vector<std::vector<Child>> splices{{}};
  std::uint64_t spliced = 0;
  bool tooLarge = false;

  Around addFactor(double factor) {
    if (factor == 1)
      return 0;
    assert(factors.size() <= TreeChange::most);
    factors.push_back(factor);
    return Around(1) << (factors.size() - 1);
  }

  double factor(Around around) const {
    double product = around & inSection ? 1 : change.serial;
    for (std::size_t bit = 1; bit < factors.size(); ++bit)
      if (around >> bit & 1)
        product *= factors[bit];
    return product;
  }

  /// What encloses the child `child` of `id`.
  Around below(NodeId id, Around around, NodeId child) const {
    const Node &node = tree.nodes[id];
    if (node.kind != NodeKind::Section)
      return around | (node.kind == NodeKind::L ? bitOf(lockBits, node.ref) : 0);
    const bool task = tree.nodes[child].kind == NodeKind::Task;
    return around | inSection | (task ? bitOf(siteBits, node.ref) : 0);
  }

  static Around bitOf(const std::map<std::uint32_t, Around> &bits, std::uint32_t ref) {
    const auto found = bits.find(ref);
    return found == bits.end() ? 0 : found->second;
  }

  const TreeChange::OfLock *changeOf(const Node &node) const {
    const auto found = change.locks.find(node.ref);
    return node.kind == NodeKind::L && found != change.locks.end() ? &found->second : nullptr;
  }

  /// The surroundings that every node occurs in; parents come before their children.
  void findCopies() {
    copies[tree.root] = {{0}};
    for (NodeId id = tree.root + 1; id-- > 0;) {
      if (const auto *lock = changeOf(tree.nodes[id]); lock && lock->length == 0)
        continue;
      for (const Copy &copy : copies[id])
        for (const Child &child : tree.childrenOf(id)) {
          const Around around = below(id, copy.around, child.node);
          auto &known = copies[child.node];
          const auto at = std::ranges::lower_bound(known, around, {}, &Copy::around);
          if (at == known.end() || at->around != around)
            known.insert(at, {around});
        }
    }
  }

  const Copy &copyOf(NodeId id, Around around) const {
    return *std::ranges::lower_bound(copies[id], around, {}, &Copy::around);
  }

  /// The children that `id` has in `around`.
  std::vector<Child> childrenOf(NodeId id, Around around) {
    std::vector<Child> children;
    for (const Child &child : tree.childrenOf(id)) {
      const Copy &copy = copyOf(child.node, below(id, around, child.node));
      if (copy.splice > 0)
        splice(children, splices[copy.splice], child.repeat);
      else if (copy.node != gone)
        children.push_back({copy.node, child.repeat});
    }
    const Node &node = tree.nodes[id];
    if (const auto found = change.sites.find(node.ref);
        node.kind == NodeKind::Section && found != change.sites.end())
      scaleTasks(children, found->second.tasks);
    return children;
  }

  void splice(std::vector<Child> &children, const std::vector<Child> &inner, std::uint64_t repeat) {
    if (repeat > MostSpliced || (spliced += repeat * inner.size()) > MostSpliced) {
      tooLarge = true;
      return;
    }
    for (; repeat > 0; --repeat)
      children.insert(children.end(), inner.begin(), inner.end());
  }

  /// Makes n tasks about n x `factor`, at least one, each run of equal tasks as near as sums allow.
  void scaleTasks(std::vector<Child> &children, double factor) {
    const auto isTask = [&](const Child &child) {
      return result.nodes[child.node].kind == NodeKind::Task;
    };
    double before = 0;
    bool any = false;
    std::vector<Child> scaled;
    for (const Child &child : children) {
      if (!isTask(child)) {
        scaled.push_back(child);
        continue;
      }
      const double first = std::round(before * factor);
      before += static_cast<double>(child.repeat);
      const double count = std::round(before * factor) - first;
      tooLarge |= count > 0x1p62;
      if (count < 1 || tooLarge)
        continue;
      any = true;
      scaled.push_back({child.node, static_cast<std::uint64_t>(count)});
    }
    if (!any)
      if (const auto first = std::ranges::find_if(children, isTask); first != children.end())
        scaled.insert(scaled.begin(), {first->node, 1});
    children = std::move(scaled);
  }

  void emit(NodeId id, Copy &copy) {
    Node node = tree.nodes[id];
    const TreeChange::OfLock *lock = changeOf(node);
    if (lock && lock->length == 0)
      return;
    const Around inside = copy.around | (lock ? bitOf(lockBits, node.ref) : 0);
    node.length *= factor(inside);
    const std::vector<Child> children = childrenOf(id, copy.around);
    if (lock && lock->removed) {
      if (node.childCount > 0) {
        copy.splice = splices.size();
        splices.push_back(children);
        return;
      }
      node.kind = NodeKind::U;
      node.ref = 0;
    }
    node.firstChild = result.children.size();
    node.childCount = children.size();
    result.children.insert(result.children.end(), children.begin(), children.end());
    copy.node = static_cast<NodeId>(result.nodes.size());
    result.nodes.push_back(node);
  }
};

} // namespace

Result<Tree> changeTree(const Tree &tree, const TreeChange &change) {
  return Changer(tree, change).run();
}

} // namespace prophet
