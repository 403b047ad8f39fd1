//===- emulatorWriteOut.cpp - A program tree as lists of pieces -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorWriteOut.h"

#include <cassert>
#include <optional>
#include <set>

namespace prophet::test {

namespace {

/// Writes the tree out, each repetition by itself.
class Writer {
public:
  Writer(const Tree &tree, const EmulationOptions &options) : tree(tree), options(options) {}

  /// Where a piece of the program is: inside how many teams of more than one thread, and inside the
  /// region that which site opened, and sections of which sites.
  struct Place {
    unsigned level = 0;
    std::optional<std::uint32_t> opener{};
    std::set<std::uint32_t> around{};
  };

  /// What `parent` holds.
  Pieces write(NodeId parent, const Place &place) const {
    Pieces program;
    const std::vector<NodeId> list = listOf(parent);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Node &node = tree.nodes[list[i]];
      if (node.kind == NodeKind::Section) {
        i = writeSections(list, i, place, program);
        continue;
      }
      if (node.kind == NodeKind::L)
        program.push_back({Piece::Kind::Acquire, 0, node.ref, {}, place.opener.has_value()});
      if (node.childCount == 0)
        program.push_back({Piece::Kind::Compute, ticksOf(node)});
      else
        append(program, write(list[i], place));
      if (node.kind == NodeKind::L)
        program.push_back({Piece::Kind::Release, 0, node.ref});
    }
    return program;
  }

private:
  const Tree &tree;
  const EmulationOptions &options;

  static void append(Pieces &program, const Pieces &more) {
    program.insert(program.end(), more.begin(), more.end());
  }
  static std::uint64_t ticksOf(const Node &node) {
    const auto ticks = static_cast<std::uint64_t>(node.length);
    assert(static_cast<double>(ticks) == node.length);
    return ticks;
  }
  std::vector<NodeId> listOf(NodeId parent) const {
    std::vector<NodeId> list;
    for (const Child &child : tree.childrenOf(parent))
      list.insert(list.end(), child.repeat, child.node);
    return list;
  }
  const Site &siteOf(NodeId section) const { return tree.sites[tree.nodes[section].ref]; }
  bool isParallel(NodeId section) const {
    const std::uint32_t site = tree.nodes[section].ref;
    return options.onlySite.value_or(site) == site && options.exceptSite != site;
  }

  /// The section that belongs to the region of `list[i]` and follows it, and the code in between.
  bool hasNext(const std::vector<NodeId> &list, std::size_t &i, std::uint64_t &gap) const {
    if (!siteOf(list[i]).nowait)
      return false;
    std::size_t next = i + 1;
    gap = 0;
    for (; next < list.size() && tree.nodes[list[next]].kind == NodeKind::U; ++next)
      gap += ticksOf(tree.nodes[list[next]]);
    if (next == list.size() || tree.nodes[list[next]].kind != NodeKind::Section ||
        !isParallel(list[next]) || static_cast<double>(gap) > tree.timebaseHz / 1e6)
      return false;
    i = next;
    return true;
  }

  /// Writes `list[i]`, a section, and what shares its region; returns the last one's place.
  std::size_t writeSections(const std::vector<NodeId> &list, std::size_t i, Place place,
                            Pieces &program) const {
    const unsigned threads = options.teamSize(tree.nodes[list[i]].ref);
    if (!isParallel(list[i]) || place.level == options.maxActiveLevels) {
      writeSerial(list[i], place, program);
      return i;
    }
    auto region = std::make_shared<Region>(Region{threads, {}});
    place.opener = place.opener.value_or(tree.nodes[list[i]].ref);
    std::uint64_t gap = 0;
    do {
      if (threads == 1) { // no active level
        program.push_back({Piece::Kind::Compute, gap});
        writeSerial(list[i], place, program);
        continue;
      }
      const std::uint32_t site = tree.nodes[list[i]].ref;
      Place inside{place.level + 1, place.opener, place.around};
      const bool isInSame = !inside.around.insert(site).second;
      region->loops.push_back({site, gap, isInSame, {}});
      for (NodeId task : listOf(list[i]))
        region->loops.back().iterations.push_back(write(task, inside));
    } while (hasNext(list, i, gap));
    if (threads > 1)
      program.push_back({Piece::Kind::Fork, 0, *place.opener, region});
    return i;
  }

  void writeSerial(NodeId section, Place place, Pieces &program) const {
    const bool isInSame = !place.around.insert(tree.nodes[section].ref).second;
    program.push_back({Piece::Kind::Enter, 0, tree.nodes[section].ref});
    for (NodeId task : listOf(section))
      append(program, write(task, place));
    program.push_back({Piece::Kind::Leave, 0, tree.nodes[section].ref, {}, true, isInSame});
  }
};

} // namespace

Pieces writeOut(const Tree &tree, const EmulationOptions &options) {
  return Writer(tree, options).write(tree.root, {});
}

} // namespace prophet::test
