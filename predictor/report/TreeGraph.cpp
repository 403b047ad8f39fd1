//===- TreeGraph.cpp - Trees for other tools to draw ------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/TreeGraph.h"

#include "predictor/support/Text.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <vector>

namespace prophet {

//===- Graphviz -----------------------------------------------------------===//

static std::string dotLabel(const Tree &tree, NodeId id) {
  const Node &node = tree.nodes[id];
  switch (node.kind) {
  case NodeKind::U:
    return fmt::format("U {}", formatJsonNumber(node.length));
  case NodeKind::L:
    return fmt::format("L {} {}", tree.locks[node.ref],
                       node.childCount ? "" : formatJsonNumber(node.length));
  case NodeKind::Task:
    return "task";
  case NodeKind::Section:
    return "section " + tree.sites[node.ref].name;
  case NodeKind::Root:
    return "root";
  }
  return "";
}

std::string renderDot(const Tree &tree) {
  std::string text = "digraph tree {\n  node [shape=box, fontname=\"sans-serif\"];\n";
  auto out = std::back_inserter(text);
  for (NodeId id = 0; id < tree.nodes.size(); ++id) {
    fmt::format_to(out, "  n{} [label={}];\n", id,
                   formatJsonString(printable(dotLabel(tree, id), 80)));
    for (const Child &child : tree.childrenOf(id))
      fmt::format_to(out, "  n{} -> n{}{};\n", id, child.node,
                     child.repeat == 1 ? std::string()
                                       : fmt::format(" [label=\"x{}\"]", child.repeat));
  }
  return text + "}\n";
}

//===- Folded stacks ------------------------------------------------------===//

namespace {
/// The stacks that occur, as a trie of frames.
class Stacks {
public:
  static constexpr std::uint32_t Root = 0;

  /// The stack `parent` with `frame` on top, or the outer stack that already ends in `frame`.
  std::uint32_t push(std::uint32_t parent, std::uint64_t frame) {
    for (std::uint32_t s = parent; s != Root; s = stacks[s].parent)
      if (stacks[s].frame == frame)
        return s;
    auto [found, isNew] = index.try_emplace({parent, frame}, stacks.size());
    if (isNew)
      stacks.push_back({parent, frame});
    return found->second;
  }

  /// Frames from the outermost in.
  std::vector<std::uint64_t> framesOf(std::uint32_t stack) const {
    std::vector<std::uint64_t> frames;
    for (; stack != Root; stack = stacks[stack].parent)
      frames.push_back(stacks[stack].frame);
    std::reverse(frames.begin(), frames.end());
    return frames;
  }

  std::size_t size() const { return stacks.size(); }

private:
  struct Stack {
    std::uint32_t parent;
    std::uint64_t frame;
  };
  std::vector<Stack> stacks = {{Root, 0}};
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> index;
};
} // namespace

static constexpr std::uint64_t LockFrame = std::uint64_t(1) << 32;

/// Ticks spent directly under each stack; empty where there are too many stacks to list.
static std::vector<double> spreadOverStacks(const Tree &tree, Stacks &stacks) {
  // Parents have larger indices: once the largest pending node is taken, all its callers are done.
  std::map<std::pair<NodeId, std::uint32_t>, double, std::greater<>> pending;
  std::vector<double> ticks;
  std::size_t budget = 8 * (tree.nodes.size() + tree.children.size()) + 100000;
  pending[{tree.root, Stacks::Root}] = 1;
  while (!pending.empty()) {
    auto [id, stack] = pending.begin()->first;
    double times = pending.begin()->second;
    pending.erase(pending.begin());
    const Node &node = tree.nodes[id];
    if (node.kind == NodeKind::Section)
      stack = stacks.push(stack, node.ref);
    else if (node.kind == NodeKind::L)
      stack = stacks.push(stack, LockFrame + node.ref);
    if (node.childCount + 1 > budget)
      return {};
    budget -= node.childCount + 1;
    for (const Child &child : tree.childrenOf(id))
      pending[{child.node, stack}] += times * static_cast<double>(child.repeat);
    ticks.resize(stacks.size());
    ticks[stack] += times * node.length;
  }
  return ticks;
}

/// A frame's name without the characters that mean something in the format.
static std::string frameName(const Tree &tree, std::uint64_t frame) {
  std::string name = frame < LockFrame
                         ? tree.sites[frame].name
                         : fmt::format("lock {}", tree.locks[frame - LockFrame].empty()
                                                      ? "(unnamed)"
                                                      : tree.locks[frame - LockFrame]);
  std::replace(name.begin(), name.end(), ';', ':');
  return printable(name);
}

Result<std::string> renderFolded(const Tree &tree) {
  Stacks stacks;
  std::vector<double> ticks = spreadOverStacks(tree, stacks);
  if (ticks.empty())
    return Error{"has too many different stacks to write out; use --format text or json"};
  std::string text;
  std::string program = tree.command.empty() ? "program" : printable(tree.command[0]);
  std::replace(program.begin(), program.end(), ';', ':');
  for (std::uint32_t stack = 0; stack < ticks.size(); ++stack) {
    if (ticks[stack] < 0.5)
      continue; // the format takes whole numbers
    text += program;
    for (std::uint64_t frame : stacks.framesOf(stack))
      text += ";" + frameName(tree, frame);
    text += fmt::format(" {:.0f}\n", ticks[stack]);
  }
  return text;
}

} // namespace prophet
