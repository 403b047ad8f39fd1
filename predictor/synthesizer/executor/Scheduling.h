//===- Scheduling.h - How the system treats this process --------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Called before there are threads, which inherit it all.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace synthesizer {

/// Keeps to the last `cores` cores that the process may use: the first ones serve most interrupts.
void pinTo(unsigned cores);

/// Cores that the process may use.
unsigned usableCores();

/// The lowest real-time priority, where that is permitted and the kernel keeps some time for other
/// programs: without that a mistake here could stop the machine.
/// \returns whether the process has it.
bool takeRealtimePriority();

/// For threads of which one at a time has something to do: all on one core, and who wakes another
/// up goes on itself until it waits. Then the system seldom has them go on in another order, and
/// never where real-time priority is permitted.
/// \param mustBeLeftAlone the order matters
void takeTurnsOnOneCore(bool mustBeLeftAlone);

/// The highest other priority, where that is permitted.
/// \returns whether the process has it.
bool takeHighPriority();

/// How late a thread wakes up from a sleep, in ns, in the median.
double measureWakeUp();

} // namespace synthesizer
