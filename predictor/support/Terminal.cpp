//===- Terminal.cpp - Colour on a terminal ----------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/support/Terminal.h"

#include <cstdlib>
#include <unistd.h>

namespace prophet {

bool useColor(ColorMode mode, int fd) {
  if (mode != ColorMode::Auto)
    return mode == ColorMode::Always;
  const char *off = std::getenv("NO_COLOR");
  return !(off && *off) && ::isatty(fd);
}

} // namespace prophet
