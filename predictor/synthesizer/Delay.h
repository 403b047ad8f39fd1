//===- Delay.h - What computation is while a runtime runs a tree *- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace prophet {

/// `Virtual`: a deadline; any number of threads, and the order of their deadlines, whatever this
/// machine has (executor/Turnstile.h). `Spin`: the paper's FakeDelay, real time on real cores.
enum class Delay : std::uint8_t { Virtual, Spin };

/// As --delay takes it.
inline const char *delayName(Delay delay) { return delay == Delay::Spin ? "spin" : "virtual"; }

/// Over other programs, of threads that spin. `High`: the system's nice value -20.
enum class Priority : std::uint8_t { Normal, High, Realtime };

/// As JSON has it.
inline const char *priorityName(Priority priority) {
  return priority == Priority::Realtime ? "realtime"
         : priority == Priority::High   ? "high"
                                        : "normal";
}

} // namespace prophet
