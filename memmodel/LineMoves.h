//===- LineMoves.h - Lines that other cores have ----------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a line costs that another core has depends on what a thread does with it: where
// it is read the other one keeps a copy, and where both have a copy nothing has to be
// brought before it is written, but the other copy has to go.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/StreamEnds.h"

#include <utility>

namespace prophet::memmodel {

/// One of many in order that are moved in the same way.
struct LineMove {
  double aheadNs = 0; ///< of one that goes on; 0: not known
  EndTimes ends{};    ///< of its streams, beside that

  bool operator==(const LineMove &) const = default;
};

struct LineMoves {
  LineMove read;     ///< of another core's
  LineMove upgraded; ///< written, of which both have a copy
  LineMove written;  ///< of which the thread has none

  bool operator==(const LineMoves &) const = default;
};

/// Their keys in `moved_lines` of the machine file.
inline constexpr std::pair<const char *, LineMove LineMoves::*> lineMoveKeys[] = {
    {"read", &LineMoves::read},
    {"upgraded", &LineMoves::upgraded},
    {"written", &LineMoves::written}};

} // namespace prophet::memmodel
