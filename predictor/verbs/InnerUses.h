//===- InnerUses.h - Sites inside others' sections --------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Candidates nest, and which of them is to be parallel is for the user to find out.
// A memory profile's log is of the outermost ones; of each site that has sections
// inside others' it has another log, where that site alone is parallel.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"
#include "predictor/verbs/ReplayTimes.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace prophet {

/// Of a site's executions, those that are in no other one of it.
struct OwnExecutions {
  double count = 0;
  double ticks = 0;                       ///< of all, in the serial run
  double around = 0;                      ///< ticks of all else
  std::vector<std::uint32_t> enclosers{}; ///< the sites in whose sections they are, ascending
};

/// Linear in nodes and children.
OwnExecutions ownExecutions(const Tree &tree, std::uint32_t site);

/// A site of the tree, and what a profile knows of it where it alone is parallel.
struct InnerUse {
  KnownSite known;                                        ///< in `profile`
  std::shared_ptr<const memmodel::MemoryProfile> profile; ///< of this site alone
  SerialTimes around;                                     ///< in equal shares
  std::vector<std::uint32_t> enclosers;

  /// Whether under `options` it is parallel, and no site that encloses it.
  bool isOutermost(const EmulationOptions &options) const;
};

/// Site number `site` of `tree`, whose executions are `own`, by `use`.
InnerUse innerUse(const Tree &tree, std::uint32_t site, const OwnExecutions &own,
                  const memmodel::InnerSite &use);

} // namespace prophet
