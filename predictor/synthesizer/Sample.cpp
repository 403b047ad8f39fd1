//===- Sample.cpp - A part of a program that stands for it ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/Sample.h"

#include <algorithm>
#include <cmath>

namespace prophet {

namespace {

/// Of the executions with numbers below `end`, how many of `kept` evenly spread ones among `total`.
/// The k-th of them is that in the middle of the k-th of `kept` equal pieces.
std::uint64_t keptBelow(std::uint64_t end, std::uint64_t kept, std::uint64_t total) {
  const double position =
      static_cast<double>(end) * static_cast<double>(kept) / static_cast<double>(total);
  return std::min(kept, static_cast<std::uint64_t>(std::floor(position + 0.5)));
}

} // namespace

Sample::Sample(const std::vector<ProgramItem> &items, std::size_t strata, double fraction)
    : items(items), strata(strata), kept(items.size()) {
  for (std::size_t i = 0; i < items.size(); ++i)
    kept[i] = items[i].repeat;
  std::vector<std::uint64_t> total(strata);
  for (const ProgramItem &item : items)
    if (item.stratum)
      mostInStratum = std::max(mostInStratum, total[*item.stratum] += item.repeat);
  if (fraction < 1)
    choose(fraction, total);
  for (std::size_t i = 0; i < items.size(); ++i)
    if (items[i].stratum) {
      executedCount += kept[i];
      totalCount += items[i].repeat;
      all &= kept[i] == items[i].repeat;
    }
}

void Sample::choose(double fraction, const std::vector<std::uint64_t> &total) {
  std::vector<std::uint64_t> wanted(strata), before(strata);
  for (std::size_t s = 0; s < strata; ++s) {
    const double share = std::ceil(fraction * static_cast<double>(total[s]));
    wanted[s] = std::min(total[s], std::max(fewest, static_cast<std::uint64_t>(share)));
  }
  for (std::size_t i = 0; i < items.size(); ++i)
    if (const auto stratum = items[i].stratum) {
      std::uint64_t &begin = before[*stratum];
      const std::uint64_t end = begin + items[i].repeat;
      kept[i] = keptBelow(end, wanted[*stratum], total[*stratum]) -
                keptBelow(begin, wanted[*stratum], total[*stratum]);
      begin = end;
    }
  // Serial code is run for the threads' sake, which may fall asleep meanwhile: where what follows
  // is.
  bool follows = false;
  for (std::size_t i = items.size(); i-- > 0;)
    if (items[i].stratum)
      follows = kept[i] > 0;
    else if (!follows)
      kept[i] = 0;
}

std::optional<std::size_t> Sample::group(std::size_t i) const {
  if (!items[i].stratum)
    return std::nullopt;
  return all ? *items[i].stratum : i;
}

double Sample::serialLength() const {
  double sum = 0;
  for (std::size_t i = 0; i < items.size(); ++i)
    sum += static_cast<double>(kept[i]) * items[i].length;
  return sum;
}

SampleEstimate Sample::estimate(const std::vector<double> &times) const {
  SampleEstimate result;
  for (const ProgramItem &item : items)
    if (!item.stratum)
      result.whole += static_cast<double>(item.repeat) * item.length;
  if (all) {
    result.strata = times;
    for (double time : times)
      result.whole += time;
    return result;
  }
  struct Sums {
    double count = 0, length = 0, allCount = 0, allLength = 0, time = 0, squares = 0;
    double ratio() const { return length > 0 ? time / length : 0; }
  };
  std::vector<Sums> sums(strata);
  for (std::size_t i = 0; i < items.size(); ++i)
    if (const auto stratum = items[i].stratum) {
      const auto n = static_cast<double>(kept[i]), all = static_cast<double>(items[i].repeat);
      Sums &sum = sums[*stratum];
      sum.count += n;
      sum.length += n * items[i].length;
      sum.allCount += all;
      sum.allLength += all * items[i].length;
      sum.time += times[i];
    }
  for (std::size_t i = 0; i < items.size(); ++i)
    if (const auto stratum = items[i].stratum; stratum && kept[i] > 0) {
      const auto n = static_cast<double>(kept[i]);
      const double residual = times[i] / n - sums[*stratum].ratio() * items[i].length;
      sums[*stratum].squares += n * residual * residual;
    }
  double variance = 0;
  for (const Sums &sum : sums) {
    const bool hasLength = sum.length > 0;
    result.strata.push_back(hasLength       ? sum.ratio() * sum.allLength
                            : sum.count > 0 ? sum.time * sum.allCount / sum.count
                                            : 0);
    result.whole += result.strata.back();
    if (sum.count > 1)
      variance += sum.allCount * sum.allCount * (1 - sum.count / sum.allCount) / sum.count *
                  sum.squares / (sum.count - 1);
  }
  result.standardError = std::sqrt(variance);
  return result;
}

} // namespace prophet
