//===- RunFigures.h - What streams take that begin anew ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// memory-figures has two threads take runs of lines by turns, and each a half of its
// own. Here what they took more by turns becomes what the model knows of streams' ends.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/Machine.h"
#include "predictor/calibration/Rounds.h"

namespace prophet {

/// Of the lines that memory-figures counts, whatever the machine has.
inline constexpr double measuredLineBytes = 64;

/// Adds how streams end, one and several together, from memory, from the last-level cache, and
/// where they are written in cores' own or go from one core to another. No end takes longer than
/// all its lines one by one.
/// \param figures "run.LOOP.end", ns, and "run.LOOP.gbs" of the halves, by lines of a run; and
/// "moved.USE.ahead" and, by lines of a run, "moved.USE.runs", ns a line
/// \pre the curves of `memory`, its threads, what streams get that go on, and what a line takes
/// from another core are known
void addRuns(memmodel::MemoryFigures &memory, Figures figures);

} // namespace prophet
