//===- Timing.cpp - How the threads of an executor pass their time --------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/executor/Timing.h"

#include <unistd.h>

namespace synthesizer {

/// A system call, which a region would pay for each member.
static pid_t ownId() {
  static thread_local const pid_t id = gettid();
  return id;
}

Worker::Worker() : id(ownId()) {}

} // namespace synthesizer
