//===- Process.h - Running a program and waiting for it -----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Result.h"

#include <chrono>
#include <optional>
#include <sched.h>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace prophet {

/// How a program ended.
struct ProcessEnd {
  int status = 0;    ///< its exit status, where no signal ended it
  int signal = 0;    ///< the signal that ended it, or 0
  bool late = false; ///< its time was up, so it was killed

  bool failed() const { return status != 0 || signal != 0; }
  /// The shell's convention: its exit status, or 128 + signal.
  int shellStatus() const { return signal ? 128 + signal : status; }
  /// "exited with status 3", "was killed by signal 11 (Segmentation fault)".
  std::string describe() const;
};

/// When a program is killed that has not ended.
using Deadline = std::optional<std::chrono::steady_clock::time_point>;

/// Waits until `child` of this process has ended, through interrupted waits, and says how it did.
ProcessEnd waitFor(pid_t child, Deadline deadline = std::nullopt);

/// Runs `command` with these environment variables set, pinned to one core of this process's
/// affinity mask, so that caches stay warm and clocks agree. Termination signals that another
/// process sends to this one are passed on; those of the terminal reach the program anyway.
Result<ProcessEnd> runPinned(const std::vector<std::string> &command,
                             const std::vector<std::pair<std::string, std::string>> &variables);

/// Keeps this thread, and the programs that it starts meanwhile, to the last `count` cores of its
/// affinity mask: the first ones serve most interrupts.
class CoreLimit {
public:
  explicit CoreLimit(unsigned count);
  ~CoreLimit();
  CoreLimit(const CoreLimit &) = delete;
  CoreLimit &operator=(const CoreLimit &) = delete;

private:
  cpu_set_t before;
  bool isKnown;
};

/// Reads standard input to its end where it is a pipe, and puts a copy in its place that several
/// programs can read from its beginning (InputStart).
std::optional<Error> copyPipedInput();

/// Where standard input is, if it is a file: programs that are run one after the other each read it
/// from there.
class InputStart {
public:
  InputStart();
  /// Puts standard input back to where it was. Of a pipe or a terminal nothing comes back.
  void rewind() const;
  /// Whether it is a pipe that had something then and is at its end now.
  bool isUsedUp() const;

private:
  const off_t offset; ///< or -1
  const bool hadMore;
};

} // namespace prophet
