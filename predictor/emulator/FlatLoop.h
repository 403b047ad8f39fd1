//===- FlatLoop.h - A loop whose tasks do not meet --------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Outline.h"
#include "predictor/emulator/RegionContext.h"

namespace prophet {

/// Whether the region of just `section` can be computed from its tasks' lengths alone: no lock,
/// inner team or listener asks for the order of events.
bool isFlat(const RegionContext &context, NodeId section);

/// Adds the executions of such a region to the tally; returns one of them. The cost depends on the
/// number of runs of equal tasks, not on the trip count.
ThreadTimes runFlat(const RegionContext &context, const Region &region);

} // namespace prophet
