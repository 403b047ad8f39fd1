//===- MemoryProfile.cpp - How sections use memory ------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/MemoryProfile.h"

#include <algorithm>
#include <cassert>

namespace prophet::memmodel {

namespace {

const ClassUse &useOf(const SiteUse &site, AccessClass accessClass) {
  return site.classes[static_cast<std::size_t>(accessClass)];
}

} // namespace

void DistanceHistogram::add(std::uint64_t first, std::uint64_t last, double count) {
  assert(first <= last);
  bins.push_back({static_cast<double>(first), static_cast<double>(last) + 1, count});
}

double DistanceHistogram::atLeast(double lines) const {
  double sum = 0;
  for (const Bin &bin : bins)
    sum += bin.count * std::clamp((bin.end - lines) / (bin.end - bin.first), 0.0, 1.0);
  return sum;
}

double SiteUse::misses(AccessClass accessClass, double cacheBytes) const {
  const ClassUse &use = useOf(*this, accessClass);
  return use.cold + use.reuse.atLeast(cacheBytes / lineBytes);
}

double SiteUse::writeBacks(double cacheBytes) const {
  return writebacks.atLeast(cacheBytes / lineBytes);
}

} // namespace prophet::memmodel
