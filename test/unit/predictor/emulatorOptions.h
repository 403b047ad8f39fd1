//===- emulatorOptions.h - How tests have loops dealt -----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"

namespace prophet::test {

inline EmulationOptions optionsWith(OmpRuntime runtime, unsigned threads, Schedule schedule) {
  EmulationOptions options;
  options.runtime = runtime;
  options.threads = threads;
  options.schedule = schedule;
  return options;
}

} // namespace prophet::test
