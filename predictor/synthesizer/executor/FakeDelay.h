//===- FakeDelay.h - Busy loops in the place of computation -----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace synthesizer {

/// The clock, in ns.
double now();

/// Keeps the thread busy until it has run for `ns`, as far as it can know: readings of the clock
/// that lie more than `mostGap` ns apart are not its own time, since another thread had its core.
/// What it takes too long, the thread's next delay is shorter.
void spinFor(double ns, double mostGap);

/// What the thread's delays have taken too long is not made up for.
void forgetSurplus();

/// Where threads have cores of their own. Interrupts, and what a hypervisor takes, are shorter: the
/// program's serial run had those as well, and its lengths include them.
inline constexpr double longInterrupt = 100e3;
/// Where threads share cores: they may take turns as fast as they can yield. A reading takes some
/// 30 ns.
inline constexpr double shortestTurn = 2e3;

/// What a reading of the clock takes, in ns, measured once.
double clockCost();

} // namespace synthesizer
