//===- Outline.h - The parallel regions of a run ----------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Chain.h"

#include <map>
#include <optional>

namespace prophet {

/// A parallel region that serial code opens: one section, or a chain of them that share a team.
struct Region {
  Position start;
  bool chained;
  bool asleep;       ///< it starts so long after the one before it that its threads sleep
  double executions; ///< how often the program executes just this
  double serial;     ///< virtual time of one execution on one thread
  /// It is executed once, as the first that has more threads than there are cores (Pinning.h).
  bool createsThreads = false;
};

/// Where serial code opens regions.
struct Outline {
  /// `parent` opens `region` `times` times whenever it is executed.
  struct Use {
    NodeId parent;
    std::size_t region;
    double times;
  };
  std::vector<Region> regions;
  std::vector<Use> uses; ///< by descending parent, in program order
  /// Of the run's first region no thread waits: this one execution is `awake`, where the uses have
  /// `asleep`, as it is whenever else the program comes there.
  struct First {
    std::size_t awake, asleep;
  };
  std::optional<First> first;
  std::vector<NodeId> aroundFirst; ///< the nodes the run's first region lies in, from the root
  /// By node: executions outside of any region, of nodes that are or hold sections.
  std::map<NodeId, double> outside;
};

/// Which sections of `timed` open a region from serial code. Threads that wait for their next
/// region sleep after `blockTime`, in virtual time. Serial code that is reached in several ways
/// counts as entered in the shortest time after a region, but for the run's first region.
Outline findRegions(const TimedTree &timed, const Chains &chains, double blockTime);

} // namespace prophet
