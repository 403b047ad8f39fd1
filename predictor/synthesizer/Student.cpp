//===- Student.cpp - How far an estimate of few values may be off ---------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/Student.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace prophet {

/// Of the distribution's t = √freedom tan(angle), the share from 0 to `angle`: its density is then
/// that of cos(angle)^(freedom - 1), by Simpson's rule.
static double shareBelow(double angle, double freedom) {
  constexpr int steps = 100;
  const double factor = std::exp(std::lgamma((freedom + 1) / 2) - std::lgamma(freedom / 2)) /
                        std::sqrt(std::numbers::pi);
  double sum = 0;
  for (int i = 0; i <= steps; ++i) {
    const double weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * std::pow(std::cos(angle * i / steps), freedom - 1);
  }
  return factor * sum * angle / (3 * steps);
}

double studentQuantile(double freedom) {
  constexpr double most = 1e6; // the normal distribution's from there on
  constexpr double share = 0.475;
  freedom = std::clamp(freedom, 1.0, most);
  // 12.71 of one degree is the largest.
  double low = 0, high = std::atan(13 / std::sqrt(freedom));
  for (int i = 0; i < 45; ++i) {
    const double middle = (low + high) / 2;
    (shareBelow(middle, freedom) < share ? low : high) = middle;
  }
  return std::sqrt(freedom) * std::tan(low);
}

} // namespace prophet
