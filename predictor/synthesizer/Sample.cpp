//===- Sample.cpp - A part of a program that stands for it ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/Sample.h"

#include "predictor/synthesizer/Student.h"

#include <algorithm>
#include <cmath>
#include <ranges>

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
  const auto isLeftOut = [&](std::size_t i) { return kept[i] < items[i].repeat; };
  if (std::ranges::none_of(std::views::iota(std::size_t{0}, items.size()), isLeftOut))
    return; // the whole run's time counts
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

namespace {

/// What is known of one stratum. Where no section of the sample has a length, all count alike.
class Stratum {
public:
  /// Adds an item, of whose executions `kept` were run and took `time`.
  void add(const ProgramItem &item, double kept, double time) {
    const auto every = static_cast<double>(item.repeat);
    count += kept;
    length += kept * item.length;
    allCount += every;
    allLength += every * item.length;
    total += time;
    if (kept > 0)
      values.push_back({kept, item.length, time / kept});
  }

  double whole() const { return count > 0 ? total / size() * wholeSize() : 0; }

  /// The variance of whole(), by the jackknife; none where there are too few values.
  std::optional<double> variance() const {
    if (count == allCount)
      return 0;
    const double mean = meanWithoutOne();
    double squares = 0;
    for (const Value &value : values) {
      const double rest = size() - sizeOf(value);
      if (count < 2 || rest <= 0)
        return std::nullopt;
      const double difference = (total - value.time) / rest - mean;
      squares += value.count * difference * difference;
    }
    return wholeSize() * wholeSize() * (1 - count / allCount) * (count - 1) / count * squares;
  }
  /// Degrees of freedom of that: one less than there are values, and fewer where lengths differ,
  /// since deviations from a ratio are as long as their sections. One at least.
  double freedom() const {
    double squares = 0, fourths = 0;
    for (const Value &value : values) {
      const double square = sizeOf(value) * sizeOf(value);
      squares += value.count * square;
      fourths += value.count * square * square;
    }
    return std::max(squares * squares / fourths - 1, 1.0);
  }

private:
  struct Value {
    double count, length, time; ///< executions, and each one's
  };
  std::vector<Value> values;
  double count = 0, length = 0, allCount = 0, allLength = 0, total = 0;

  double size() const { return length > 0 ? length : count; }
  double wholeSize() const { return length > 0 ? allLength : allCount; }
  double sizeOf(const Value &value) const { return length > 0 ? value.length : 1; }
  /// The mean of the ratios that are left when one execution is left out.
  double meanWithoutOne() const {
    double sum = 0;
    for (const Value &value : values)
      sum += value.count * (total - value.time) / (size() - sizeOf(value));
    return sum / count;
  }
};

/// The errors of independent strata together, with Satterthwaite's degrees of freedom.
std::optional<SampleError> errorOf(const std::vector<Stratum> &strata) {
  double sum = 0, weighted = 0;
  for (const Stratum &stratum : strata) {
    const std::optional<double> variance = stratum.variance();
    if (!variance)
      return std::nullopt;
    sum += *variance;
    if (*variance > 0)
      weighted += *variance * *variance / stratum.freedom();
  }
  if (sum <= 0)
    return SampleError{};
  const double standard = std::sqrt(sum);
  return SampleError{standard, studentQuantile(sum * sum / weighted) * standard};
}

} // namespace

SampleEstimate Sample::estimate(const std::vector<double> &times) const {
  SampleEstimate result;
  for (const ProgramItem &item : items)
    if (!item.stratum)
      result.whole += static_cast<double>(item.repeat) * item.length;
  if (all) {
    result.strata = times;
    for (double time : times)
      result.whole += time;
    result.error = SampleError{};
    return result;
  }
  std::vector<Stratum> known(strata);
  for (std::size_t i = 0; i < items.size(); ++i)
    if (const auto stratum = items[i].stratum)
      known[*stratum].add(items[i], static_cast<double>(kept[i]), times[i]);
  for (const Stratum &stratum : known) {
    result.strata.push_back(stratum.whole());
    result.whole += result.strata.back();
  }
  result.error = errorOf(known);
  return result;
}

} // namespace prophet
