//===- Sample.h - A part of a program that stands for it --------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that runs its parallel sections many times is run shorter: some
// executions of each site, evenly spread over the program's order, stand for all.
// Serial times are known of all executions, so the ratio of parallel to serial time
// is estimated, stratum by stratum (W. G. Cochran, Sampling Techniques, ch. 6), and
// its error by the jackknife, which holds for few values and unequal lengths, too.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace prophet {

/// A part of the program at its outermost level.
struct ProgramItem {
  std::uint32_t node = 0; ///< its number in the plan
  std::uint64_t repeat = 1;
  double length = 0;                  ///< of one execution, in the serial run
  std::optional<std::size_t> stratum; ///< none: serial, its time is its length
};

/// How far an estimate may be off on account of what was left out.
struct SampleError {
  double standard = 0; ///< the standard error
  double margin = 0;   ///< half of the 95 % interval, by Student's t
};

/// What a sample says of the whole program, in the unit of the items' lengths.
struct SampleEstimate {
  double whole = 0;
  std::vector<double> strata;
  std::optional<SampleError> error; ///< of `whole`; none: some stratum's values say nothing of it
};

class Sample {
public:
  /// Keeps `fraction` of each stratum's executions, but two at least.
  Sample(const std::vector<ProgramItem> &items, std::size_t strata, double fraction);

  /// How often the sample executes item `i`.
  std::uint64_t repeat(std::size_t i) const { return kept[i]; }
  /// The number under which its time is wanted, if at all.
  std::optional<std::size_t> group(std::size_t i) const;
  std::size_t groups() const { return all ? strata : items.size(); }

  std::uint64_t executed() const { return executedCount; } ///< sections,
  std::uint64_t total() const { return totalCount; }       ///< of so many
  double serialLength() const;                             ///< of what is executed
  /// Whether a smaller fraction leaves something out.
  bool canBeSmaller() const { return mostInStratum > fewest; }

  /// From the times of the groups.
  SampleEstimate estimate(const std::vector<double> &times) const;

private:
  const std::vector<ProgramItem> &items;
  std::size_t strata;
  bool all = true; ///< nothing is left out
  std::vector<std::uint64_t> kept;
  std::uint64_t executedCount = 0, totalCount = 0;
  std::uint64_t mostInStratum = 0; ///< executions
  static constexpr std::uint64_t fewest = 2;

  void choose(double fraction, const std::vector<std::uint64_t> &total);
};

} // namespace prophet
