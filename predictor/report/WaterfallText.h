//===- WaterfallText.h - Where the threads' time goes, in words -*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Waterfall.h"
#include "predictor/tree/Tree.h"

#include <string>

namespace prophet {

/// "ideal 16.0x; serial code 15.9x, lock histogram 8.90x = predicted": the speedup that remains
/// after each loss; losses that do not show in it are left out, but count.
std::string describeWaterfall(const Tree &tree, const Waterfall &waterfall, double serialTicks);

/// "55.6 % useful, 43.3 % waiting for lock histogram, 1.1 % other": the regions that `site` opens,
/// all that is below a percent as one; "" where it opens none or loses less than a percent.
std::string describeSiteLosses(const Tree &tree, const Waterfall &waterfall, std::uint32_t site);

} // namespace prophet
