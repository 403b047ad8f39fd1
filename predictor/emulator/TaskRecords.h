//===- TaskRecords.h - Who created whom -------------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Idle threads ask again and again whether a task descends from the one they wait
// in, and a recursion may be 10^6 deep. So each record has, beside its parent, an
// ancestor further up, as of a skew-binary list (Myers, "An applicative
// random-access stack", 1983): any ancestor is O(log level) steps away.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Pool.h"

namespace prophet {

/// A task that has begun. It outlives its children, since every section waits for its tasks.
struct TaskRecord {
  std::uint32_t parent; ///< of a root: itself
  std::uint32_t level;  ///< 0: the implicit task of a thread, a root
  std::uint32_t jump;   ///< an ancestor; of a root: itself
  std::uint32_t span;   ///< so many levels above
};

class TaskRecords {
public:
  void clear() { records.assign(0, {}); }
  std::uint32_t takeRoot();
  std::uint32_t takeChild(std::uint32_t parent);
  /// \pre it has no children any more
  void give(std::uint32_t id) { records.give(id); }

  std::uint32_t parentOf(std::uint32_t id) const { return records[id].parent; }
  /// Whether `id` is `ancestor`, or a child of one of which that holds.
  bool descends(std::uint32_t id, std::uint32_t ancestor) const;

private:
  Pool<TaskRecord> records;
};

} // namespace prophet
