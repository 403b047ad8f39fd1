//===- Runs.h - Runs of equal tasks -----------------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/TimedTree.h"

#include <memory>
#include <utility>
#include <vector>

namespace prophet {

/// `count` tasks (or chunks) in a row that take `duration` each.
struct Run {
  Time duration;
  std::uint64_t count;
  bool operator==(const Run &) const = default;
};

/// Leaves what a vector grows by as it is, until it is written.
template <typename T> struct Uninitialized : std::allocator<T> {
  template <typename Other> struct rebind {
    using other = Uninitialized<Other>;
  };
  Uninitialized() = default;
  template <typename Other> Uninitialized(const Uninitialized<Other> & /*other*/) {}
  template <typename... Arguments> void construct(T *place, Arguments &&...arguments) {
    if constexpr (sizeof...(Arguments) > 0)
      std::construct_at(place, std::forward<Arguments>(arguments)...);
  }
};
using Runs = std::vector<Run, Uninitialized<Run>>;

/// Appends `count` tasks of `duration`, to the last run where it is of the same duration.
inline void append(Runs &runs, Run run) {
  if (!runs.empty() && runs.back().duration == run.duration)
    runs.back().count += run.count;
  else
    runs.push_back(run);
}

/// The chunks of `chunk` tasks each, the last one perhaps shorter, that a dynamic schedule deals
/// out. Every chunk takes `perChunk` and then its tasks.
Runs chunkRuns(Runs tasks, std::uint64_t chunk, Time perChunk);

} // namespace prophet
