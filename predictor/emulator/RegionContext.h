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
  const Site &site(NodeId section) const { return timed.tree.sites[timed.tree.nodes[section].ref]; }
  double factor(NodeId section) const {
    return options.useBurden ? burdenFactor(site(section), options.threads) : 1;
  }
};

} // namespace prophet
