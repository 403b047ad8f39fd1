//===- Causes.cpp - What keeps a program from being faster ------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/Causes.h"

namespace prophet {

TimeParts causesOf(const Waterfall &waterfall, unsigned cores) {
  TimeParts causes = waterfall.program;
  if (cores >= waterfall.width)
    return causes;
  for (const TimeParts &site : waterfall.sites) {
    const double all = site.sum(); // width x elapsed
    const double waits = site.imbalance + site.lock;
    const double busy = all - site.serial - site.cores - waits;
    if (busy < FullCores * all * cores / waterfall.width)
      continue;
    causes.imbalance -= site.imbalance;
    causes.lock -= site.lock;
    causes.cores += waits;
  }
  return causes;
}

} // namespace prophet
