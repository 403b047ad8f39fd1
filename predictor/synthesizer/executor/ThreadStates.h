//===- ThreadStates.h - Whether threads sleep -------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <mutex>
#include <optional>
#include <sys/types.h>
#include <unordered_map>

namespace synthesizer {

/// What /proc says of this process's threads. Its files are kept open, since opening one takes
/// longer than reading it.
class ThreadStates {
public:
  ThreadStates() = default;
  ~ThreadStates();
  ThreadStates(const ThreadStates &) = delete;

  /// Whether `thread` sleeps; none: there is no such thread of this process, or no /proc.
  std::optional<bool> sleeps(pid_t thread);

private:
  std::mutex mutex;
  std::unordered_map<pid_t, int> files; ///< by thread

  int open(pid_t thread);
};

} // namespace synthesizer
