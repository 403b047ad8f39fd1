//===- Tree.h - The program tree in memory ----------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tree of one profiled run (Parallel Prophet §IV-B, Figure 4), compressed:
// the nodes form a DAG in which one node stands for every equal piece of
// execution, and a child carries how often it repeats in a row. Children have
// smaller indices than their parents, so one pass over `nodes` visits children
// first and nothing that reads a tree needs recursion.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace prophet {

/// Index of a node in Tree::nodes.
using NodeId = std::uint32_t;

enum class NodeKind : std::uint8_t {
  U,       ///< computation outside any lock
  L,       ///< computation that holds lock `Node::ref`
  Task,    ///< one unit that may run in parallel with its siblings
  Section, ///< container of tasks, of site `Node::ref`
  Root,    ///< the program
};

/// `repeat` executions of `node` in a row.
struct Child {
  NodeId node;
  std::uint64_t repeat; ///< >= 1
};

struct Node {
  NodeKind kind;
  std::uint32_t ref = 0;        ///< L: index into Tree::locks; Section: index into Tree::sites
  double length = 0;            ///< U, and L without children: ticks, >= 0; otherwise 0
  std::uint64_t firstChild = 0; ///< into Tree::children
  std::uint64_t childCount = 0; ///< number of (node, repeat) pairs
};

enum class SiteKind : std::uint8_t { ParallelFor, Sections, Tasks };

/// As files have it: "parallel_for", "sections" or "tasks".
const char *kindName(SiteKind kind);

/// What was counted in a site's outermost executions, summed up.
struct SiteCounts {
  std::string source; ///< "papi"
  double executions = 0, instructions = 0, cycles = 0, llcMisses = 0;
};

/// One annotation in the source.
struct Site {
  std::string name; ///< never empty: "file:line" where the user gave none
  SiteKind kind = SiteKind::ParallelFor;
  std::string file;
  std::uint32_t line = 0;
  bool nowait = false;
  std::string schedule;              ///< clause the programmer wrote, e.g. "static,4"; may be empty
  std::string vars;                  ///< clauses kept for emitting OpenMP; may be empty
  std::map<unsigned, double> burden; ///< burden factor by thread count, where the file has one
  std::optional<SiteCounts> memory;  ///< where there were counters
};

/// One profiled run.
class Tree {
public:
  std::vector<Node> nodes; ///< children before parents; the last node that matters is `root`
  std::vector<Child> children;
  std::vector<Site> sites;
  std::vector<std::string> locks;
  NodeId root = 0;

  double timebaseHz = 1e9; ///< ticks per second of every length
  bool complete = true;    ///< false: the program died, the tree ends there
  double tolerance = 0;    ///< relative tolerance the profiler merged with; 0 = exact
  std::vector<std::string> command;
  double waitedTicks = 0;            ///< of the serial run: the program was ready and had no core
  std::vector<std::string> warnings; ///< what a reader should tell the user, e.g. dropped events

  /// The (node, repeat) pairs of `id`, in program order.
  std::span<const Child> childrenOf(NodeId id) const {
    const Node &n = nodes[id];
    return {children.data() + n.firstChild, static_cast<std::size_t>(n.childCount)};
  }

  /// How many tasks the section `id` has. What lies between those of `parallel tasks` is none.
  std::uint64_t tasksOf(NodeId id) const;

  /// Serial length of every node in ticks, its repeats expanded: what one thread takes.
  std::vector<double> serialLengths() const;
};

} // namespace prophet
