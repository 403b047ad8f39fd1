//===- emulatorTrees.h - Small program trees for tests ----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/tree/Tree.h"

#include <algorithm>
#include <utility>

namespace prophet::test {

/// Builds a tree bottom-up: every call adds a node and returns its index; the root comes last.
class TreeMaker {
public:
  Tree tree;

  std::uint32_t site(SiteKind kind = SiteKind::ParallelFor, bool nowait = false) {
    Site site;
    site.name = "site" + std::to_string(tree.sites.size());
    site.kind = kind;
    site.nowait = nowait;
    tree.sites.push_back(site);
    return static_cast<std::uint32_t>(tree.sites.size() - 1);
  }

  NodeId u(double length) { return add({NodeKind::U, 0, length}, {}); }
  NodeId l(std::uint32_t lock, double length) {
    return add({NodeKind::L, named(lock), length}, {});
  }
  NodeId l(std::uint32_t lock, std::vector<Child> children) {
    return add({NodeKind::L, named(lock), 0}, children);
  }
  NodeId task(const std::vector<Child> &children) { return add({NodeKind::Task, 0, 0}, children); }
  /// A task of one U.
  NodeId work(double length) { return task({{u(length), 1}}); }
  NodeId section(std::uint32_t site, const std::vector<Child> &tasks) {
    return add({NodeKind::Section, site, 0}, tasks);
  }
  /// A section of site 0 (added where there is none) with one task of each length.
  NodeId loop(const std::vector<double> &lengths) {
    if (tree.sites.empty())
      site();
    std::vector<Child> tasks;
    for (double length : lengths)
      tasks.push_back({work(length), 1});
    return section(0, tasks);
  }
  const Tree &root(const std::vector<Child> &children) {
    tree.root = add({NodeKind::Root, 0, 0}, children);
    return tree;
  }

private:
  NodeId add(Node node, const std::vector<Child> &children) {
    node.firstChild = tree.children.size();
    node.childCount = children.size();
    tree.children.insert(tree.children.end(), children.begin(), children.end());
    tree.nodes.push_back(node);
    return static_cast<NodeId>(tree.nodes.size() - 1);
  }
  std::uint32_t named(std::uint32_t lock) {
    while (tree.locks.size() <= lock)
      tree.locks.push_back("lock" + std::to_string(tree.locks.size()));
    return lock;
  }
};

/// Task A waits for its children, of 100 and 10, while four tasks of 30 wait that are not its.
inline Tree aWaiterAndOtherTasks() {
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const NodeId inner = make.section(site, {{make.work(100), 1}, {make.work(10), 1}});
  const NodeId a = make.task({{inner, 1}, {make.u(1), 1}});
  const std::vector<Child> children{{a, 1}, {make.u(5), 1}, {make.work(30), 4}};
  return make.root({{make.section(site, children), 1}});
}

} // namespace prophet::test
