//===- Pinning.h - Which regions' threads stay on cores ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads that yield while they wait stay on the cores that they share (Cores.h). In a
// loop whose many chunks they share out as they go, that makes no difference: all of
// them work to its end, wherever they are. Regions with tasks are emulated with evenly
// shared cores, too.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Cores.h"
#include "predictor/emulator/Outline.h"
#include "predictor/emulator/RegionContext.h"

namespace prophet {

/// A loop with more chunks a thread than that is shared out evenly, if they are as long.
inline constexpr unsigned manyChunks = 32;

/// Whether `threads` threads deal themselves more than manyChunks each of `section`.
bool isSharedOut(const RegionContext &context, NodeId section, unsigned threads);

/// What the threads of `region`, in which there are no tasks, find that stay on the cores that they
/// share; nothing where there is a core for each, where threads sleep when they wait, and where it
/// makes no difference.
std::optional<Pinning> pinningOf(const RegionContext &context, const Region &region);

/// Marks the region of `outline` in which threads are created that share cores, if any.
void markCreation(const RegionContext &context, Outline &outline);

} // namespace prophet
