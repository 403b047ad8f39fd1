//===- LockOrder.cpp - Locks that are taken inside locks ------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/LockOrder.h"

#include "predictor/support/Text.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace prophet {

namespace {

/// Which locks are taken while another is held.
class LockOrder {
public:
  explicit LockOrder(const Tree &tree) : tree(tree), inner(tree.locks.size()) {}

  void add(NodeId id) {
    if (tree.nodes[id].kind != NodeKind::L)
      return;
    for (const Child &child : tree.childrenOf(id))
      if (tree.nodes[child.node].kind == NodeKind::L)
        inner[tree.nodes[id].ref].push_back(tree.nodes[child.node].ref);
  }

  /// A lock that whoever holds it waits for.
  std::optional<std::uint32_t> findInItself() const {
    for (std::uint32_t lock = 0; lock < inner.size(); ++lock)
      if (std::ranges::find(inner[lock], lock) != inner[lock].end())
        return lock;
    return std::nullopt;
  }

  /// Locks each of which is taken while the one before is held, and the first while the last is;
  /// none: empty.
  std::vector<std::uint32_t> findCircle() const {
    const std::vector<bool> left = leftInCircles();
    const auto first = std::ranges::find(left, true);
    if (first == left.end())
      return {};
    std::vector<std::uint32_t> path{static_cast<std::uint32_t>(first - left.begin())};
    for (;;) {
      const auto next =
          *std::ranges::find_if(inner[path.back()], [&](auto of) { return left[of]; });
      if (const auto again = std::ranges::find(path, next); again != path.end())
        return {again, path.end()};
      path.push_back(next);
    }
  }

private:
  const Tree &tree;
  std::vector<std::vector<std::uint32_t>> inner; ///< by lock

  /// What is left after taking away, again and again, the locks inside which no other is taken.
  std::vector<bool> leftInCircles() const {
    std::vector<std::size_t> open(inner.size());
    std::vector<std::vector<std::uint32_t>> outer(inner.size());
    std::vector<std::uint32_t> ready;
    for (std::uint32_t lock = 0; lock < inner.size(); ++lock) {
      open[lock] = inner[lock].size();
      for (std::uint32_t below : inner[lock])
        outer[below].push_back(lock);
      if (open[lock] == 0)
        ready.push_back(lock);
    }
    while (!ready.empty()) {
      const std::uint32_t lock = ready.back();
      ready.pop_back();
      for (std::uint32_t above : outer[lock])
        if (--open[above] == 0)
          ready.push_back(above);
    }
    std::vector<bool> left;
    for (const std::size_t count : open)
      left.push_back(count > 0);
    return left;
  }
};

/// Finds the sections between which no thread waits for all others: outermost ones, of which all
/// but the last are `nowait`.
class Regions {
public:
  explicit Regions(const Tree &tree)
      : tree(tree), seen(tree.nodes.size()), visited(tree.nodes.size()) {}

  /// The first region in which `fails` holds for the order in which its threads take locks.
  template <typename Fails> void find(const Fails &fails) {
    std::vector<NodeId> serial{tree.root}; // code that one thread runs
    while (!serial.empty()) {
      const NodeId code = serial.back();
      serial.pop_back();
      std::vector<NodeId> region;
      for (const Child &child : tree.childrenOf(code)) {
        if (tree.nodes[child.node].kind != NodeKind::Section)
          continue;
        const bool goesOn = tree.sites[tree.nodes[child.node].ref].nowait;
        if (region.empty() && !goesOn && isAlone(child.node)) {
          if (const NodeId task = tree.childrenOf(child.node).front().node; !seen[task]) {
            seen[task] = true;
            serial.push_back(task);
          }
          continue;
        }
        region.push_back(child.node);
        if (!goesOn && fails(orderIn(std::exchange(region, {}))))
          return;
      }
      if (!region.empty() && fails(orderIn(region)))
        return;
    }
  }

private:
  const Tree &tree;
  std::vector<bool> seen;             ///< tasks that run alone
  std::vector<std::uint32_t> visited; ///< by node: in which region last, the first is 1
  std::uint32_t regions = 0;

  /// Whether it is a loop of one iteration, which one thread runs.
  bool isAlone(NodeId section) const {
    const auto tasks = tree.childrenOf(section);
    return tree.sites[tree.nodes[section].ref].kind != SiteKind::Tasks && tasks.size() == 1 &&
           tasks.front().repeat == 1 && tree.nodes[tasks.front().node].kind == NodeKind::Task;
  }

  LockOrder orderIn(std::vector<NodeId> open) {
    LockOrder order(tree);
    ++regions;
    while (!open.empty()) {
      const NodeId id = open.back();
      open.pop_back();
      if (std::exchange(visited[id], regions) == regions)
        continue;
      order.add(id);
      for (const Child &child : tree.childrenOf(id))
        open.push_back(child.node);
    }
    return order;
  }
};

} // namespace

std::optional<Error> checkLocks(const Tree &tree, const EmulationOptions &options) {
  LockOrder all(tree);
  for (NodeId id = 0; id < tree.nodes.size(); ++id)
    all.add(id);
  const auto named = [&](std::uint32_t lock) { return "'" + printable(tree.locks[lock]) + "'"; };
  if (const auto lock = all.findInItself())
    return Error{"lock " + named(*lock) +
                 " is taken while it is held: its thread would wait for "
                 "itself; take it once, or mark only the outer section"};
  if (options.widestTeam() == 1 || all.findCircle().empty())
    return std::nullopt;
  std::vector<std::uint32_t> circle;
  Regions(tree).find([&](const LockOrder &order) {
    circle = order.findCircle();
    return !circle.empty();
  });
  if (circle.empty())
    return std::nullopt;
  std::string order;
  for (const std::uint32_t lock : circle)
    order += named(lock) + ", ";
  return Error{"locks " + order.substr(0, order.size() - 2) +
               " are each taken while the one before is held, and the first while the last is: "
               "threads could deadlock; take nested locks in one order"};
}

} // namespace prophet
