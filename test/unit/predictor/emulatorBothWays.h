//===- emulatorBothWays.h - In closed form and event by event ---*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Emulator.h"
#include "predictor/emulator/Listener.h"

#include <gtest/gtest.h>

namespace prophet::test {

/// Has regions run event by event, where a closed form would do.
class Silent : public EventListener {
  void regionBegins(NodeId, double) override {}
  void interval(const Interval &) override {}
  void regionEnds(double) override {}
};

/// The ticks on which both ways agree.
inline double ticks(const Tree &tree, const EmulationOptions &options) {
  Silent listener;
  const double ticks = emulate(tree, options).ticks;
  EXPECT_EQ(Emulator(tree).run(options, &listener).ticks, ticks);
  return ticks;
}

} // namespace prophet::test
