//===- Phases.h - Lines that threads take from each other -------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/memory/Kernels.h"

namespace memory_figures {

/// Two threads have runs of lines by turns, and go through them at the same time, each to its end;
/// then through the next ones, as the threads of loops do that follow each other. What a line takes
/// the slower one, ns, where it has one run (moved.USE.ahead), and by the lines of shorter ones
/// (moved.USE.runs): of those that the other one has changed, to read them (read) and to change
/// them (written); and of those that the other one has read, to write them (upgraded).
/// \param bytes of the runs together, of which a core's own cache has all
/// \pre the crew has two
void measurePhases(Crew &crew, std::size_t bytes, Figures &figures);

} // namespace memory_figures
