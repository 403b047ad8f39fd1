//===- Topology.h - The cores and caches of this machine --------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/Machine.h"

#include <vector>

namespace prophet::memmodel {

struct Topology {
  Machine machine;       ///< cores, sockets, smt, frequency, line, caches; no latencies
  std::vector<int> cpus; ///< one hardware thread of each core that this process may use
};

/// What hwloc says of the machine that this runs on.
Topology findTopology();

} // namespace prophet::memmodel
