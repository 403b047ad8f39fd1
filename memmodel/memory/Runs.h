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

/// GB/s of each of two threads that have runs of so many lines by turns, as those of a loop whose
/// neighbouring tasks they have (NAME_run), and if each goes on in a half of its own (NAME), for
/// `stream`, `busy` and `written` in all of the buffer, and `near.stream` and `near.written` in its
/// first `near` lines. A thread that is alone leaves out what the other one would have.
void measureRuns(Crew &crew, const Buffer &buffer, std::size_t near, Figures &figures);

} // namespace memory_figures
