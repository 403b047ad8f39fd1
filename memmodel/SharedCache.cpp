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
#include <limits>

namespace prophet::memmodel {

/// The middles of eighths of a normal distribution: its quantiles 1/16, 3/16 and so on.
static constexpr double eighths[] = {-1.534, -0.887, -0.489, -0.157, 0.157, 0.489, 0.887, 1.534};

static std::size_t wholeLines(double lines) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(lines)));
}

SharedCache::SharedCache(double lines) : parts(1, LruCache(wholeLines(lines))) {}

SharedCache::SharedCache(const std::vector<ReachPoint> &points, double sigma, double rate) {
  this->rate = rate / std::size(eighths);
  for (const double eighth : eighths) {
    times.push_back(std::exp(sigma * eighth));
    parts.emplace_back(wholeLines(times.back() * points.front().size * this->rate));
  }
  if (points.size() == 1)
    return; // nothing is lost by time
  reach.emplace(points);
  losesAt.resize(parts.size());
  keptFor.resize(parts.size());
}

std::optional<SharedCache::Line> SharedCache::use(Line line, double now) {
  if (reach) {
    if (line >= usedAt.size())
      usedAt.resize(line + 1);
    usedAt[line] = now;
  }
  change(line);
  return partOf(line).use(line);
}

/// For how long a part has as many lines as it has now.
double SharedCache::keeps(std::size_t part) {
  const std::size_t size = parts[part].size();
  if (size >= keptFor[part].size())
    keptFor[part].resize(size + 1);
  std::optional<double> &kept = keptFor[part][size];
  if (!kept) {
    const double lines = static_cast<double>(size) - 0.5; // rounded, all of them
    kept = times[part] * reach->keeps(lines / (times[part] * rate));
  }
  return *kept;
}

/// When the oldest line of a part has too much used since. Where it is there still, all are.
double SharedCache::lossOf(std::size_t part) {
  const auto oldest = parts[part].last();
  if (!oldest || parts[part].size() <= 1)
    return std::numeric_limits<double>::infinity();
  return usedAt[*oldest] + keeps(part);
}

std::optional<SharedCache::Line> SharedCache::forget(double now) {
  if (!reach)
    return std::nullopt;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!losesAt[i])
      losesAt[i] = lossOf(i);
    if (now <= *losesAt[i])
      continue;
    const auto oldest = parts[i].last();
    parts[i].erase(*oldest);
    losesAt[i].reset();
    return oldest;
  }
  return std::nullopt;
}

void SharedCache::passTime(double since, double ns) {
  for (double &at : usedAt)
    at += at >= since ? ns : 0;
  for (std::optional<double> &loses : losesAt)
    loses.reset();
}

} // namespace prophet::memmodel
