//===- RegionContext.h - What emulating one region needs --------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Listener.h"
#include "predictor/emulator/SerialCosts.h"

namespace prophet {

/// The inputs of both engines, and where their results go.
struct RegionContext {
  const TimedTree &timed;
  const EmulationOptions &options;
  const Charges &charges;
  const Chains &chains;
  const SerialCosts &costs;
  Tally &tally;
  EventListener *listener;

  unsigned cores() const { return options.cores ? options.cores : options.threads; }
  /// Whether threads may have to share cores.
  bool mayShareCores() const { return options.threads > cores() || options.maxActiveLevels > 1; }
  /// The number of `section`'s site.
  std::uint32_t site(NodeId section) const { return timed.tree.nodes[section].ref; }
  /// The size of the team that `section` would open.
  unsigned teamSize(NodeId section) const { return options.teamSize(site(section)); }
  /// How much slower `section` computes on `threads` threads.
  Slowdown slowdown(NodeId section, unsigned threads) const {
    return {options.burdenFactor(timed.tree, site(section), threads),
            options.bodyRatio(site(section))};
  }
  /// How much faster the team that `section` opens computes while some of its threads do not.
  std::vector<double> relief(NodeId section) const {
    return options.relief(site(section), teamSize(section));
  }
  /// Whether sections that run serially inside others are not stepped through where their threads
  /// share cores, since there are so many: how much longer they take then than on cores of their
  /// own is as much as all of their region does.
  bool takesInnerWhole() const {
    constexpr double many = 1e5;
    return timed.hasNestedSections() && timed.counts.sections > many;
  }
  /// How `threads` threads share `section`.
  LoopPlan plan(NodeId section, unsigned threads) const {
    return planLoop(timed.tree, site(section), options, timed.iterations(section), threads);
  }
};

} // namespace prophet
