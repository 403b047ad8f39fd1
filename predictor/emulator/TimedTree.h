//===- TimedTree.h - A tree with exact virtual times ------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Virtual time is a 64-bit integer: a tick of the tree is 2^exponent of its
// units. Sums of integers do not depend on their order, so ties are ties, a run
// of k equal tasks takes exactly k times one of them, and a closed form and an
// event by event emulation agree to the bit.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/tree/Tree.h"

#include <cmath>
#include <memory>

namespace prophet {

/// Virtual time in units of 2^-exponent ticks.
using Time = std::int64_t;

/// Everything an emulated run adds up stays below 2^timeBits units.
inline constexpr int timeBits = 62;

/// How `tree` counts time.
struct TimeGrid {
  int exponent = 0;
  Time of(double ticks) const { return std::llround(std::ldexp(ticks, exponent)); }
  double ticks(double units) const { return std::ldexp(units, -exponent); }
};

/// `repeat` executions of `node` in a row, beside which is what an emulation asks of them: in a
/// large tree each place to look at is one more wait for memory.
struct TimedChild {
  enum Trait : std::uint8_t {
    ContainsLock = 1,
    ContainsSection = 2,
    IsNeverOutermost = 4, ///< a section that only runs inside others of its site
    IsPartlyOutermost = 8,
    KindShift = 4
  };

  NodeId node;
  std::uint32_t ref;             ///< as the node's
  std::uint64_t repeat;          ///< >= 1
  Time length;                   ///< serial, of one execution
  std::uint64_t firstChild;      ///< of the node, into TimedTree::children
  std::uint64_t childCount : 56; ///< its number of (node, repeat) pairs
  std::uint64_t traits : 8;      ///< as TimedTree has them

  NodeKind kind() const { return static_cast<NodeKind>(traits >> KindShift); }
  bool hasLock() const { return traits & ContainsLock; }
  bool hasSection() const { return traits & ContainsSection; }
  /// Whether a thread that runs it can meet another in it: no, where there is no lock and section.
  bool isPlain() const { return !hasLock() && !hasSection() && kind() != NodeKind::Section; }
};

/// What emulations of one tree share: exact lengths, counts and properties of its nodes.
class TimedTree {
public:
  /// The finest grid on which a run of at most `horizon` ticks fits.
  static TimeGrid gridFor(double horizon);

  /// Nodes that the root does not reach have length 0.
  TimedTree(const Tree &tree, TimeGrid grid);

  const Tree &tree;
  const TimeGrid grid;
  std::vector<double> executions;            ///< by node: how often the program runs it
  std::vector<Time> length;                  ///< by node: serial length
  std::unique_ptr<TimedChild[]> children;    ///< as Tree::children, of nodes that the root reaches
  std::vector<std::uint64_t> firstIteration; ///< by `children`: iterations of its section before

  /// How many sections, tasks and locks the program executes in all.
  struct Counts {
    double sections = 0, tasks = 0, locks = 0;
  };
  Counts counts;
  /// By site: virtual time in the serial run of its outermost executions, those in no other one of
  /// the site; and all executions.
  std::vector<double> siteSerial, siteExecutions;

  Time serial() const { return length[tree.root]; }
  /// As the node has it, from a table that stays in the cache. \pre the root reaches `id`
  NodeKind kind(NodeId id) const {
    return static_cast<NodeKind>(traits[id] >> TimedChild::KindShift);
  }
  bool hasLock(NodeId id) const { return traits[id] & TimedChild::ContainsLock; }
  bool hasSection(NodeId id) const { return traits[id] & TimedChild::ContainsSection; }
  /// As TimedChild::isPlain().
  bool isPlain(NodeId id) const {
    return !hasLock(id) && !hasSection(id) && kind(id) != NodeKind::Section;
  }
  bool hasNestedSections() const { return nested; }
  /// The share of section `id`'s executions that are outermost ones of its site.
  double outermostShare(NodeId id) const { return outermost.empty() ? 1 : outermost[id]; }
  double outermostShare(const TimedChild &section) const {
    if (section.traits & TimedChild::IsPartlyOutermost)
      return outermost[section.node];
    return section.traits & TimedChild::IsNeverOutermost ? 0 : 1;
  }

  /// The (node, repeat) pairs of `id`, in program order.
  std::span<const TimedChild> childrenOf(NodeId id) const {
    const Node &node = tree.nodes[id];
    return {children.get() + node.firstChild, static_cast<std::size_t>(node.childCount)};
  }
  std::span<const TimedChild> childrenOf(const TimedChild &child) const {
    return {children.get() + child.firstChild, static_cast<std::size_t>(child.childCount)};
  }

  /// Has the few children of `child` come into the cache, before they are asked for.
  void fetch(const TimedChild &child) const {
    const TimedChild *first = children.get() + child.firstChild;
    __builtin_prefetch(first);
    __builtin_prefetch(first + child.childCount);
  }

  /// Trip count of section `id`.
  std::uint64_t iterations(NodeId id) const;
  /// The child of section `id` that holds iteration `iteration`.
  /// \param hint a child of it at or before the one sought; the nearer, the faster.
  const TimedChild *childAt(NodeId id, std::uint64_t iteration, const TimedChild *hint) const;
  std::uint64_t first(const TimedChild *child) const {
    return firstIteration[child - children.get()];
  }

private:
  std::vector<std::uint8_t> traits; ///< by node: TimedChild::Trait, and its kind
  std::vector<double> outermost;    ///< by section; empty where no site is in itself

  bool nested = false; ///< some section lies inside another

  void countExecutions();
  void findOutermost();
  void sumUp(NodeId id);
};

} // namespace prophet
