//===- OutlookText.h - What else the profile says, in words -*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/report/Prediction.h"

#include <string>
#include <vector>

namespace prophet {

/// The members "span" and "outlook" of the prediction's JSON, with a comma behind each.
std::string renderOutlookJson(const Prediction &prediction);

/// Sentences on the whole program; none where there is nothing to add to the estimates.
std::vector<std::string> describeOutlook(const Prediction &prediction);

/// "schedule(dynamic,4) would give it 3.90x; gains from 12 iterations on": what is known of `site`
/// beyond its speedup `shown`; "" where there is nothing.
std::string describeSiteOutlook(const Prediction &prediction, std::uint32_t site, double shown);

} // namespace prophet
