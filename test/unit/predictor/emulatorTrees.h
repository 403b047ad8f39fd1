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

/// For four threads. From 6 on one waits for a task that another runs, which spawns two of 20 at
/// 11; another spawns one of 40 at 15 and has 40 itself to do.
inline Tree aWaiterAndAnIdleThread() {
  TreeMaker make;
  const auto site = make.site(SiteKind::Tasks);
  const NodeId pair = make.section(site, {{make.work(20), 2}});
  const NodeId p = make.task({{make.u(10), 1}, {pair, 1}});
  const NodeId waits = make.section(site, {{p, 1}, {make.u(5), 1}});
  const NodeId spawns = make.section(site, {{make.work(40), 1}, {make.u(40), 1}});
  const NodeId a = make.task({{make.u(1), 1}, {waits, 1}});
  const NodeId b = make.task({{make.u(15), 1}, {spawns, 1}});
  return make.root({{make.section(site, {{a, 1}, {b, 1}}), 1}});
}

/// Two tasks, each with a loop of four iterations of 5.
inline Tree loopsInTasks() {
  TreeMaker make;
  const auto tasks = make.site(SiteKind::Tasks), loop = make.site();
  const NodeId task = make.task({{make.section(loop, {{make.work(5), 4}}), 1}});
  return make.root({{make.section(tasks, {{task, 2}}), 1}});
}

/// A spawner that creates `count` tasks of 10 at 5 and then runs a loop of 30 and 1.
inline Tree aLoopBesideTasks(std::uint64_t count) {
  TreeMaker make;
  const auto tasks = make.site(SiteKind::Tasks), loop = make.site();
  const NodeId own = make.section(loop, {{make.work(30), 1}, {make.work(1), 1}});
  return make.root({{make.section(tasks, {{make.u(5), 1}, {make.work(10), count}, {own, 1}}), 1}});
}

/// An iteration of 5 beside one with a loop: of five tasks of 25 and of 100.
inline Tree tasksInAnInnerLoop() {
  TreeMaker make;
  const auto outer = make.site(), inner = make.site(), tasks = make.site(SiteKind::Tasks);
  const NodeId spawning = make.task({{make.section(tasks, {{make.work(25), 5}}), 1}});
  const NodeId team = make.task({{make.section(inner, {{spawning, 1}, {make.work(100), 1}}), 1}});
  return make.root({{make.section(outer, {{make.work(5), 1}, {team, 1}}), 1}});
}

/// A loop of site 0 whose iterations open a loop, with four tasks of 10 in one of its iterations
/// and three of 5, or spawn four such tasks.
inline Tree tasksInALoopOfOne() {
  TreeMaker make;
  const auto alone = make.site(), loop = make.site(), tasks = make.site(SiteKind::Tasks);
  const NodeId spawning = make.task({{make.section(tasks, {{make.work(10), 4}}), 1}});
  const NodeId team = make.task({{make.section(loop, {{spawning, 1}, {make.work(5), 3}}), 1}});
  return make.root({{make.section(alone, {{team, 1}, {spawning, 1}}), 1}});
}

} // namespace prophet::test
