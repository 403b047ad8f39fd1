//===- Causes.h - What keeps a program from being faster --------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Waterfall.h"

namespace prophet {

/// A site's regions that keep the cores busy for this share of their time have no more to gain on
/// them.
inline constexpr double FullCores = 0.95;

/// `waterfall.program` by cause, on `cores` cores: where there are fewer cores than threads, and a
/// site's regions keep them busy nearly all the time, its threads wait for want of cores, whatever
/// they wait for: without locks and imbalance they would wait for cores instead.
TimeParts causesOf(const Waterfall &waterfall, unsigned cores);

} // namespace prophet
