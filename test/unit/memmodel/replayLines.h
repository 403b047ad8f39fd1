//===- replayLines.h - References for replays -------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/Replay.h"

#include <cstdint>
#include <vector>

namespace prophet::test {

using memmodel::AccessClass, memmodel::Reference, memmodel::Traffic;

using Lines = std::vector<Reference>;

/// References to `count` lines from `first` on.
inline Lines stream(std::uint32_t first, std::uint32_t count, bool isWrite = false) {
  Lines lines;
  for (std::uint32_t i = 0; i < count; ++i)
    lines.push_back({first + i, AccessClass::Stream, isWrite});
  return lines;
}

inline double misses(const Traffic &traffic) { return traffic.fetched(); }

} // namespace prophet::test
