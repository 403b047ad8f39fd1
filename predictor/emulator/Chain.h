//===- Chain.h - Sections that share a team ---------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A worksharing loop with `nowait` and the one right behind it belong to one
// parallel region: its threads flow from one to the next. What little code a
// profile shows between them is run by every thread, as it would be in a parallel
// region; more than `adjacentGap` of it separates the regions. A section of tasks
// is no worksharing loop: it has a region of its own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"
#include "predictor/emulator/TimedTree.h"

#include <optional>

namespace prophet {

/// Whether an emulation of `tree` under `options` spawns tasks at all.
bool usesTasks(const Tree &tree, const EmulationOptions &options);

/// Whether its idle threads choose at random whom to take tasks from; libgomp's share one queue.
bool stealsAtRandom(const Tree &tree, const EmulationOptions &options);

/// A place in a sequence of children: `left` >= 1 more of `*child`, then what follows up to `end`.
struct Position {
  const TimedChild *child;
  const TimedChild *end;
  std::uint64_t left;

  /// After one execution of the child.
  Position next() const {
    if (left > 1)
      return {child, end, left - 1};
    return {child + 1, end, child + 1 == end ? 0 : child[1].repeat};
  }
};

/// Where the children of `parent`, a NodeId or a TimedChild, begin.
template <typename Parent> Position firstChild(const TimedTree &timed, const Parent &parent) {
  const auto children = timed.childrenOf(parent);
  return {children.data(), children.data() + children.size(),
          children.empty() ? 0 : children.front().repeat};
}

/// A worksharing loop that follows another without a barrier.
struct Link {
  Position section;
  Time gap; ///< serial code between the two
};

class Chains {
public:
  /// What the clock of a profiler shows between two adjacent loops is below this, in seconds.
  static constexpr double adjacentGap = 1e-6;

  Chains(const TimedTree &timed, const EmulationOptions &options)
      : timed(timed), onlySite(options.onlySite), exceptSite(options.exceptSite),
        flows(options.paradigm == Paradigm::OpenMP) {}

  /// Whether the section `node` is to be parallel at all.
  bool parallel(NodeId node) const {
    const std::uint32_t site = timed.tree.nodes[node].ref;
    return (!onlySite || site == *onlySite) && (!exceptSite || site != *exceptSite);
  }

  /// The section whose loop the threads go on to after that at `at`, if they need not wait.
  std::optional<Link> next(const Position &at) const;

private:
  const TimedTree &timed;
  std::optional<std::uint32_t> onlySite, exceptSite;
  bool flows; ///< other paradigms have no worksharing loops
};

/// Whether sections of `site` are worksharing loops, where the paradigm has such.
inline bool isWorksharing(const Site &site) { return site.kind != SiteKind::Tasks; }

} // namespace prophet
