//===- Waterfall.cpp - Where the threads' time goes -----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Waterfall.h"

#include <algorithm>
#include <cmath>

namespace prophet {

TimeParts &TimeParts::operator+=(const TimeParts &other) {
  useful += other.useful;
  serial += other.serial;
  imbalance += other.imbalance;
  cores += other.cores;
  lock += other.lock;
  overhead += other.overhead;
  memory += other.memory;
  outlining += other.outlining;
  return *this;
}

double Waterfall::waitFor(std::uint32_t lock) const {
  double ticks = 0;
  for (const LockTime &time : locks)
    ticks += time.lock == lock ? time.ticks : 0;
  return ticks;
}

TimeParts Waterfall::shares() const {
  TimeParts shares = program;
  if (threadTicks <= 0) {
    shares = {};
    shares.useful = 1;
    return shares;
  }
  for (double *part : {&shares.useful, &shares.serial, &shares.imbalance, &shares.lock,
                       &shares.overhead, &shares.memory, &shares.cores, &shares.outlining})
    *part /= threadTicks;
  return shares;
}

void settle(Waterfall &waterfall) {
  // 2^50 units in the whole leave room for sums of parts with either sign. 2^-30 ticks are enough.
  const double all = std::max(waterfall.threadTicks, 1.0);
  const int exponent = std::min(50 - std::ilogb(all), 30);
  const auto rounded = [&](double ticks) {
    return std::ldexp(std::nearbyint(std::ldexp(ticks, exponent)), -exponent);
  };
  waterfall.threadTicks = rounded(waterfall.threadTicks);

  std::vector<double *> leaves;
  const auto add = [&](TimeParts &parts, bool hasLocks) {
    for (double TimeParts::*part :
         {&TimeParts::useful, &TimeParts::serial, &TimeParts::imbalance, &TimeParts::cores,
          &TimeParts::overhead, &TimeParts::memory, &TimeParts::outlining})
      leaves.push_back(&(parts.*part));
    if (!hasLocks)
      leaves.push_back(&parts.lock);
  };
  std::vector<bool> hasLocks(waterfall.sites.size());
  for (const LockTime &time : waterfall.locks)
    hasLocks[time.site] = true;
  add(waterfall.outside, false);
  for (std::size_t site = 0; site < waterfall.sites.size(); ++site)
    add(waterfall.sites[site], hasLocks[site]);
  for (LockTime &time : waterfall.locks)
    leaves.push_back(&time.ticks);

  double sum = 0;
  for (double *leaf : leaves)
    sum += *leaf = rounded(*leaf);
  **std::max_element(leaves.begin(), leaves.end(), [](const double *a, const double *b) {
    return *a < *b;
  }) += waterfall.threadTicks - sum;

  for (std::size_t site = 0; site < waterfall.sites.size(); ++site)
    if (hasLocks[site])
      waterfall.sites[site].lock = 0;
  for (const LockTime &time : waterfall.locks)
    waterfall.sites[time.site].lock += time.ticks;
  waterfall.program = waterfall.outside;
  for (const TimeParts &parts : waterfall.sites)
    waterfall.program += parts;
}

} // namespace prophet
