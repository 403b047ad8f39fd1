//===- SharedCache.cpp - A last-level cache of a replay -------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/SharedCache.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace prophet::memmodel {

/// Of the reach, for as large shares of all lines.
static constexpr double reaches[] = {0.7, 1, 1.4};

static std::size_t wholeLines(double lines) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(lines)));
}

SharedCache::SharedCache(double lines) : parts(1, LruCache(wholeLines(lines))) {}

SharedCache::SharedCache(const std::vector<ReachPoint> &points, double rate) {
  if (points.size() == 1) {
    parts.emplace_back(wholeLines(points.front().size * rate));
    return;
  }
  this->rate = rate / std::size(reaches);
  reach.emplace(points);
  for (const double part : reaches)
    parts.emplace_back(wholeLines(part * reach->largest() * this->rate));
}

std::optional<SharedCache::Line> SharedCache::use(Line line, double now) {
  if (reach) {
    if (line >= usedAt.size())
      usedAt.resize(line + 1);
    usedAt[line] = now;
  }
  return partOf(line).use(line);
}

std::optional<SharedCache::Line> SharedCache::forget(double now) {
  if (!reach)
    return std::nullopt;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    // Of all its lines the oldest has the most used since: where it is there still, all are.
    const auto oldest = parts[i].last();
    if (!oldest)
      continue;
    const double kept = reaches[i] * rate * reach->after(now - usedAt[*oldest]);
    if (parts[i].size() <= wholeLines(kept))
      continue;
    parts[i].erase(*oldest);
    return oldest;
  }
  return std::nullopt;
}

} // namespace prophet::memmodel
