//===- Transfers.h - Lines that move between cores --------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/memory/Kernels.h"

namespace memory_figures {

/// Of the first two threads, in ns a line: what they hand to and fro (transfer); and by how often
/// they multiply and add to each number of it, from 1: of many in order that the other one has
/// changed (exchange.other), and that it has not (exchange.own).
/// \param buffer of which a core's own cache has all; no circle any more then
void measureTransfers(Crew &crew, const Buffer &buffer, Figures &figures);

} // namespace memory_figures
