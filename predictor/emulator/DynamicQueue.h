//===- DynamicQueue.h - Monotonic schedule(dynamic,c) -----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One central queue in iteration order: the thread that is free first takes the
// next chunk; of threads that are free at the same time the lowest-numbered one.
// That is libgomp's schedule(dynamic), libomp's with `monotonic:`, and the
// paper's (dynamic,1).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Runs.h"

namespace prophet {

/// Runs `chunks` on a team whose thread i is free at `finish[i]` (in: starts, out: ends).
/// O(T log T) for a long run of equal chunks, O(log T) a chunk otherwise.
void runQueue(const Runs &chunks, std::vector<Time> &finish);

} // namespace prophet
