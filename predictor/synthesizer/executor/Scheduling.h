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

/// The lowest real-time priority, where that is permitted and the kernel keeps some time for other
/// programs: without that a mistake here could stop the machine.
/// \returns whether the process has it.
bool takeRealtimePriority();

/// How late a thread wakes up from a sleep, in ns, in the median.
double measureWakeUp();

} // namespace synthesizer
