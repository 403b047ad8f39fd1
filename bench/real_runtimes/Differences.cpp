//===- Differences.cpp - How far the emulator is off ----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Differences.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace real_runtimes {

void Differences::add(double difference) {
  values.push_back(std::abs(difference));
  bias += difference;
}

void Differences::add(const Differences &others) {
  inside += others.inside;
  drawn += others.drawn;
  values.insert(values.end(), others.values.begin(), others.values.end());
  bias += others.bias;
}

std::string Differences::str() {
  std::sort(values.begin(), values.end());
  double sum = 0;
  for (double value : values)
    sum += value;
  const auto exact = std::upper_bound(values.begin(), values.end(), 1e-9) - values.begin();
  const std::size_t count = values.size();
  std::string line = fmt::format("{:6} {:7.3f}% {:7.3f}% {:7.3f}% {:+7.3f}% {:6.1f}%", count,
                                 100 * sum / static_cast<double>(count), 100 * values[count / 2],
                                 100 * values.back(), 100 * bias / static_cast<double>(count),
                                 100 * static_cast<double>(exact) / static_cast<double>(count));
  if (drawn > 0)
    line +=
        fmt::format(" {:6.1f}%", 100 * static_cast<double>(inside) / static_cast<double>(drawn));
  return line;
}

} // namespace real_runtimes
