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

/// What emulations of one tree share: exact lengths, counts and properties of its nodes.
class TimedTree {
public:
  /// The finest grid on which a run of at most `horizon` ticks fits.
  static TimeGrid gridFor(double horizon);

  /// Nodes that the root does not reach have length 0.
  TimedTree(const Tree &tree, TimeGrid grid);

  const Tree &tree;
  const TimeGrid grid;
  std::vector<double> executions; ///< by node: how often the program runs it
  std::vector<Time> length;       ///< by node: serial length
  std::vector<std::uint64_t>
      firstIteration; ///< by Tree::children: iterations of its section before

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
  NodeKind kind(NodeId id) const { return static_cast<NodeKind>(traits[id] >> kindShift); }
  bool hasLock(NodeId id) const { return traits[id] & containsLock; }
  bool hasSection(NodeId id) const { return traits[id] & containsSection; }
  bool hasNestedSections() const { return nested; }
  /// Whether a thread that runs `id` can meet another in it: no, where there is no lock and
  /// section.
  bool isPlain(NodeId id) const {
    return !hasLock(id) && !hasSection(id) && kind(id) != NodeKind::Section;
  }
  /// The share of section `id`'s executions that are outermost ones of its site.
  double outermostShare(NodeId id) const { return outermost.empty() ? 1 : outermost[id]; }

  /// Trip count of section `id`.
  std::uint64_t iterations(NodeId id) const;
  /// The child of section `id` that holds iteration `iteration`.
  /// \param hint a child of it at or before the one sought; the nearer, the faster.
  const Child *childAt(NodeId id, std::uint64_t iteration, const Child *hint) const;
  std::uint64_t first(const Child *child) const {
    return firstIteration[child - tree.children.data()];
  }

private:
  enum : std::uint8_t { containsLock = 1, containsSection = 2, kindShift = 2 };
  std::vector<std::uint8_t> traits; ///< by node: what lies below it, and its kind
  std::vector<double> outermost;    ///< by section; empty where no site is in itself

  bool nested = false; ///< some section lies inside another

  void countExecutions();
  void findOutermost();
  void sumUp(NodeId id);
};

} // namespace prophet
