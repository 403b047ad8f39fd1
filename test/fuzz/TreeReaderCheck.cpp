//===- TreeReaderCheck.cpp - What the reader owes any input -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/fuzz/TreeReaderCheck.h"

#include "predictor/report/Advice.h"
#include "predictor/report/TreeGraph.h"
#include "predictor/report/TreeSummary.h"
#include "predictor/tree/TreeReader.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace prophet {

static void require(bool holds, const char *what, std::string_view detail = "") {
  if (holds)
    return;
  std::fprintf(stderr, "the reader broke a promise: %s %.*s\n", what,
               static_cast<int>(detail.size()), detail.data());
  std::abort();
}

static void requireErrorLine(const std::string &message) {
  require(message.starts_with("fuzz: "), "an error names the file:", message);
  require(message.find("; ") != message.npos, "an error names the cure:", message);
  require(message.find_first_of("\n\r") == message.npos, "an error is one line:", message);
  require(message.size() < 600, "an error is short:", message);
}

static void requireSoundTree(const Tree &tree) {
  require(tree.root < tree.nodes.size(), "the root is a node");
  std::uint64_t children = 0;
  for (NodeId id = 0; id < tree.nodes.size(); ++id) {
    children += tree.nodes[id].childCount;
    for (const Child &child : tree.childrenOf(id))
      require(child.node < id && child.repeat >= 1, "children come first");
    if (tree.nodes[id].kind == NodeKind::Section)
      require(tree.nodes[id].ref < tree.sites.size(), "sections have sites");
    if (tree.nodes[id].kind == NodeKind::L)
      require(tree.nodes[id].ref < tree.locks.size(), "locks have names");
  }
  require(children == tree.children.size(), "every child belongs to a node");
  TreeSummary summary = summarize(tree);
  require(std::isfinite(summary.serialTicks), "lengths add up to a number");
  require(maximumGain(tree) >= 1, "nothing is faster than parallel");
  require(!renderSummaryJson(tree, "fuzz").empty() && !renderDot(tree).empty(), "views render");
  [[maybe_unused]] auto folded = renderFolded(tree);
}

bool checkReader(std::string_view text) {
  ByteSource source(text);
  auto tree = parseTree(source, "fuzz");
  if (!tree) {
    requireErrorLine(tree.error().message);
    return false;
  }
  requireSoundTree(*tree);
  return true;
}

} // namespace prophet
