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

#include <algorithm>
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
  /// Of what a construct costs. No run has one for which the grid has no room.
  Time ofCost(double ticks) const {
    constexpr double most = 0x1.fffffffffffffp61;
    return std::llround(std::min(std::ldexp(ticks, exponent), most));
  }
  double ticks(double units) const { return std::ldexp(units, -exponent); }
};

/// What is known of a node besides its length; of one that the root does not reach, nothing.
struct Traits {
  std::uint8_t kindBits : 3 = 0;
  bool hasLock : 1 = false;           ///< it is an L node, or there is one below
  bool hasSection : 1 = false;        ///< there is one below
  bool isNeverOutermost : 1 = false;  ///< a section that only runs inside others of its site
  bool isPartlyOutermost : 1 = false; ///< ... or sometimes

  NodeKind kind() const { return static_cast<NodeKind>(kindBits); }
  /// Whether a thread that runs it can meet another in it: no, where there is no lock and section.
  bool isPlain() const { return !hasLock && !hasSection && kind() != NodeKind::Section; }
};

/// `repeat` executions of `node` in a row, beside which is what an emulation asks of them: in a
/// large tree each place to look at is one more wait for memory.
struct TimedChild {
  NodeId node;
  std::uint32_t ref;             ///< as the node's
  std::uint64_t repeat;          ///< >= 1
  Time length;                   ///< serial, of one execution
  std::uint64_t firstChild;      ///< of the node, into TimedTree::children
  std::uint64_t childCount : 56; ///< its number of (node, repeat) pairs
  Traits traits;
};
static_assert(sizeof(TimedChild) == 40, "the bits that are left over are the traits'");

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
  const Traits &traits(NodeId id) const { return nodeTraits[id]; }
  NodeKind kind(NodeId id) const { return nodeTraits[id].kind(); }
  bool hasLock(NodeId id) const { return nodeTraits[id].hasLock; }
  bool hasSection(NodeId id) const { return nodeTraits[id].hasSection; }
  bool hasNestedSections() const { return nested; }
  /// The share of section `id`'s executions that are outermost ones of its site.
  double outermostShare(NodeId id) const { return outermost.empty() ? 1 : outermost[id]; }
  /// The same without looking it up, where it is none or all.
  double outermostShare(const TimedChild &section) const {
    if (section.traits.isPartlyOutermost)
      return outermost[section.node];
    return section.traits.isNeverOutermost ? 0 : 1;
  }

  /// The (node, repeat) pairs of `id`, in program order. \pre the root reaches `id`
  std::span<const TimedChild> childrenOf(NodeId id) const {
    const Node &node = tree.nodes[id];
    return {children.get() + node.firstChild, static_cast<std::size_t>(node.childCount)};
  }
  std::span<const TimedChild> childrenOf(const TimedChild &child) const {
    return {children.get() + child.firstChild, static_cast<std::size_t>(child.childCount)};
  }

  /// Has the first children of `child` come into the cache, before they are asked for.
  void fetch(const TimedChild &child) const {
    for (const TimedChild &each :
         childrenOf(child).first(std::min<std::size_t>(3, child.childCount)))
      __builtin_prefetch(&each);
  }

  /// ... `child` itself, and which iteration is its first.
  void fetchPair(const TimedChild *child) const {
    __builtin_prefetch(child);
    __builtin_prefetch(&firstIteration[child - children.get()]);
  }

  /// Trip count of section `id`. \pre the root reaches it
  std::uint64_t iterations(NodeId id) const;
  /// The child of section `id` that holds iteration `iteration`.
  /// \param hint a child of it at or before the one sought; the nearer, the faster.
  const TimedChild *childAt(NodeId id, std::uint64_t iteration, const TimedChild *hint) const;
  std::uint64_t first(const TimedChild *child) const {
    return firstIteration[child - children.get()];
  }

private:
  std::vector<Traits> nodeTraits; ///< by node
  std::vector<double> outermost;  ///< by section; empty where no site is in itself

  bool nested = false; ///< some section lies inside another

  void countExecutions();
  void findOutermost();
  void sumUp(NodeId id);
};

} // namespace prophet
