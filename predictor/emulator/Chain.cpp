//===- Chain.cpp - Sections that share a team -----------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Chain.h"

namespace prophet {

std::optional<Link> Chains::next(const Position &at) const {
  const auto siteOf = [&](const TimedChild &section) -> const Site & {
    return timed.tree.sites[section.ref];
  };
  const Site &site = siteOf(*at.child);
  if (!flows || !site.nowait || !isWorksharing(site))
    return std::nullopt;
  Link link{at.next(), 0};
  Position &behind = link.section;
  while (behind.child != behind.end && behind.child->traits.kind() == NodeKind::U) {
    link.gap += behind.child->length * static_cast<Time>(behind.left);
    if (timed.grid.ticks(static_cast<double>(link.gap)) > adjacentGap * timed.tree.timebaseHz)
      return std::nullopt;
    behind.left = 1; // all of it
    behind = behind.next();
  }
  if (behind.child == behind.end || behind.child->traits.kind() != NodeKind::Section ||
      !parallel(behind.child->node) || !isWorksharing(siteOf(*behind.child)))
    return std::nullopt;
  return link;
}

} // namespace prophet
