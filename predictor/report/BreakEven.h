//===- BreakEven.h - From how many iterations on a loop gains ---*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"
#include "predictor/tree/Tree.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace prophet {

/// How regions of one loop are run.
struct RegionKind {
  Schedule schedule;
  double asleep = 0;     ///< SiteEstimate::asleep: the share of forks that wake threads up
  double aloneRatio = 1; ///< how much longer than the serial program's an iteration takes without a
                         ///< team: its body ratio where it stays OpenMP's function
};

/// Regions of any number of iterations of one loop, emulated. Those of n are n of the program's
/// own, spread over them.
class LoopRegions {
public:
  /// \param options of which the threads, the runtime and its overheads count
  /// \pre `site` is a loop that ran
  LoopRegions(const Tree &tree, std::uint32_t site, const RegionKind &kind,
              EmulationOptions options);

  /// What a region of `trips` >= 1 iterations saves, in ns; below 0: it loses. Of regions of more
  /// than 2^14 iterations, or fewer where these take long to emulate, it is taken that each one
  /// more saves as much as those of the second half of that many.
  double savedNs(std::uint64_t trips) const;
  /// The fewest iterations that gain; nothing where no number of them does.
  std::optional<std::uint64_t> breakEven() const;

private:
  const Tree &tree;
  const std::uint32_t site;
  const double aloneRatio;
  EmulationOptions options;
  std::vector<std::pair<NodeId, double>> tasks; ///< and how many there are up to their end
  std::uint64_t most = 1 << 14;                 ///< iterations that are emulated

  Tree regionOf(std::uint64_t trips) const;
  double emulatedNs(std::uint64_t trips) const;
  double slope() const;
};

} // namespace prophet
