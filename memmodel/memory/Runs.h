//===- Runs.h - Streams that end and begin anew -----------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/memory/Kernels.h"

#include <cstddef>

namespace memory_figures {

/// Two threads have runs of so many lines by turns, as those of a loop whose neighbouring tasks
/// they have, or each goes on in a half of its own: what a run takes more by turns (run.NAME.end,
/// ns), and what each thread gets in its half (run.NAME.gbs); for `stream`, `busy` and `written` in
/// all of the buffer, and for `near.stream`, `near.busy` and `near.written` in its first `near`
/// lines, which may be none; and through streamsTogether arrays in lock step, of which an end is
/// all of theirs, `together` and `near.together` as `busy`, `.lean` and `.written` behind these
/// names as `stream` and `written`. A thread that is alone leaves out what the other one would
/// have.
void measureRuns(Crew &crew, const Buffer &buffer, std::size_t near, Figures &figures);

/// The same of two threads that write what each of them has in a cache of its own, `own.written`
/// and `own.together.written`: prefetchers take lines away from the other one.
/// \param buffer half of which such a cache has and more; no circle any more then
/// \pre the crew has two
void measureOwnRuns(Crew &crew, const Buffer &buffer, Figures &figures);

} // namespace memory_figures
