//===- TreeNodes.cpp - The nodes of a tree ----------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of TreeBuilder that checks a node against the rules of its kind
// (Parallel Prophet §IV-B) as soon as it ends. Rules that need the tables of
// sites and locks wait until the whole file is read: TreeCheck.cpp.
//
//===----------------------------------------------------------------------===//

#include "predictor/support/Text.h"
#include "predictor/tree/TreeBuilder.h"

#include <fmt/format.h>
#include <limits>

namespace prophet {

using Field = TreeBuilder::Field;

static constexpr std::uint64_t MaxNodes = std::numeric_limits<std::uint32_t>::max();

static constexpr std::string_view KindNames[] = {"U", "L", "task", "section", "root"};
static std::string_view nameOf(NodeKind kind) { return KindNames[static_cast<unsigned>(kind)]; }

bool TreeBuilder::setNode(const Scalar &value) {
  switch (field) {
  case Field::Kind:
    for (unsigned kind = 0; kind < std::size(KindNames); ++kind)
      if (value.text == KindNames[kind]) {
        node.kind = static_cast<NodeKind>(kind);
        return true;
      }
    return fail(fmt::format("unknown kind \"{}\"; write U, L, task, section or root",
                            printable(value.text, 40)));
  case Field::Length:
    if (value.number < 0)
      return fail(
          fmt::format("length {} is negative; write ticks from 0", formatJsonNumber(value.number)));
    node.length = value.number;
    return true;
  case Field::SiteIndex:
  case Field::LockIndex:
    if (value.count > MaxNodes)
      return fail(fmt::format("{} {} is out of range; write an index into the file's table",
                              field == Field::SiteIndex ? "site" : "lock", value.count));
    node.ref = static_cast<std::uint32_t>(value.count);
    return true;
  default:
    return true;
  }
}

bool TreeBuilder::endChild() {
  std::uint64_t position = tree.children.size() - node.firstChild;
  if (pairSize != 2)
    return fail(fmt::format("child {} has {} numbers; write [node, repeat]", position, pairSize));
  if (pair[0] >= tree.nodes.size())
    return fail(fmt::format(
        "child {} is not before its parent; write children before their parents", pair[0]));
  if (pair[1] < 1 || pair[1] > (std::uint64_t(1) << 63))
    return fail(fmt::format("child {}: repeat {} is not from 1 to 2^63; write how often it runs",
                            pair[0], pair[1]));
  tree.children.push_back({static_cast<NodeId>(pair[0]), pair[1]});
  return true;
}

/// Whether the format lets a node of kind `parent` contain one of kind `child`. A section's own
/// U, L and sections depend on its site's kind, which may stand later in the file.
static bool mayContain(NodeKind parent, NodeKind child) {
  switch (parent) {
  case NodeKind::U:
    return false;
  case NodeKind::L:
    return child == NodeKind::U || child == NodeKind::L;
  case NodeKind::Task:
  case NodeKind::Root:
    return child == NodeKind::U || child == NodeKind::L || child == NodeKind::Section;
  case NodeKind::Section:
    return child != NodeKind::Root;
  }
  return false;
}

/// Fields that a node of `kind` needs.
std::uint64_t TreeBuilder::requiredFields(NodeKind kind) {
  switch (kind) {
  case NodeKind::U:
    return bit(Field::Length);
  case NodeKind::L:
    return bit(Field::LockIndex);
  case NodeKind::Section:
    return bit(Field::SiteIndex) | bit(Field::Children);
  case NodeKind::Task:
  case NodeKind::Root:
    return bit(Field::Children);
  }
  return 0;
}

bool TreeBuilder::endNode() {
  if (!(seen & bit(Field::Kind)))
    return fail("\"kind\" is missing; write U, L, task, section or root");
  if (tree.nodes.size() == MaxNodes)
    return fail("there are too many nodes; profile with a larger tolerance");

  std::uint64_t required = requiredFields(node.kind);
  bool lock = node.kind == NodeKind::L;
  std::uint64_t optional = lock ? bit(Field::Length) | bit(Field::Children) : 0;
  static constexpr std::pair<Field, const char *> Checked[] = {{Field::Length, "length"},
                                                               {Field::Children, "children"},
                                                               {Field::SiteIndex, "site"},
                                                               {Field::LockIndex, "lock"}};
  for (auto [field, name] : Checked) {
    if ((required & bit(field)) && !(seen & bit(field)))
      return fail(
          fmt::format("\"{}\" is missing; a node of kind {} needs it", name, nameOf(node.kind)));
    if ((seen & bit(field)) && !((required | optional) & bit(field)))
      return fail(fmt::format("\"{}\" does not belong to a node of kind {}; leave it out", name,
                              nameOf(node.kind)));
  }
  if (lock && !(seen & bit(Field::Length)) == !(seen & bit(Field::Children)))
    return fail("a node of kind L has either a length or children; write one of them");

  node.childCount = tree.children.size() - node.firstChild;
  for (std::uint64_t i = node.firstChild; i < tree.children.size(); ++i) {
    NodeId child = tree.children[i].node;
    if (!mayContain(node.kind, tree.nodes[child].kind))
      return fail(fmt::format("child {} is of kind {}, which a node of kind {} cannot contain; see "
                              "docs/program-tree.md",
                              child, nameOf(tree.nodes[child].kind), nameOf(node.kind)));
  }
  tree.nodes.push_back(node);
  return true;
}

} // namespace prophet
