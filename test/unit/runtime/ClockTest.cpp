//===- ClockTest.cpp - The clock keeps time ------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
extern "C" {
#include "runtime/src/clock.h"
}

#include <gtest/gtest.h>

namespace {

TEST(Clock, RateAgreesWithTheSystemsClock) {
  clock_start();
  const std::uint64_t hz = clock_hz();
  const std::uint64_t ns = monotonic_ns(), ticks = clock_ticks();
  while (monotonic_ns() - ns < 20000000) {
  }
  const double seconds = static_cast<double>(monotonic_ns() - ns) / 1e9;
  const double measured = static_cast<double>(clock_ticks() - ticks) / static_cast<double>(hz);
  EXPECT_NEAR(measured / seconds, 1, 0.01);
}

} // namespace
