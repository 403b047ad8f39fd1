//===- Progress.cpp - How far a long computation is -------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/support/Progress.h"

#include <fmt/format.h>
#include <unistd.h>

namespace prophet {

Progress::Progress() : terminal(::isatty(STDERR_FILENO)) {}

Progress::~Progress() {
  if (terminal)
    fmt::print(stderr, "\r\033[K");
}

void Progress::show(std::string_view line) {
  if (terminal)
    fmt::print(stderr, "\r\033[K{}", line);
}

void Countdown::finishedOne() {
  static constexpr auto Pause = std::chrono::milliseconds(300);
  const std::lock_guard lock(mutex);
  ++done;
  const auto now = Clock::now();
  if (now - shown < Pause)
    return;
  shown = now;
  progress.show(fmt::format("{} of {} {}", done, total, what));
}

} // namespace prophet
