//===- Rounds.h - What the measuring programs printed -----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A measuring program (memmodel/openmp) measures every construct once, a round.
// Here rounds become figures: the disturbed ones do not count, and of the others
// each figure is the median. Text in, values out; nothing is run here.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/support/Result.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace prophet {

/// One run of a measuring program.
struct Round {
  std::string runtime;     ///< "libomp"
  double foreignCores = 0; ///< taken by others meanwhile
  double waitedShare = 0;  ///< of its threads' time, for a core
  double pace = 0; ///< what its slowest core computed before and after, in any unit; 0: not known
  double handoverNs = 0; ///< what a line took from core to core before and after; 0: not known
  std::map<std::string, std::map<unsigned, double>> figures; ///< ns by construct and team

  /// Whether nothing else had more than a quarter of a core, and its threads had theirs for more
  /// than 97 % of the time.
  bool isQuiet() const { return foreignCores < 0.25 && waitedShare < 0.03; }
};

/// Reads what `program` printed.
Result<Round> parseRound(const std::string &text, const std::string &program);

/// Fewer quiet rounds than these are not relied on.
inline constexpr unsigned FewestRounds = 3;

/// What a machine usually is like, by quiet rounds: the greatest of those values of which the most
/// are alike. (A host may run two processors of its guest on one core, or move them further from
/// each other, and change that every few seconds.)
class Usual {
public:
  void add(double value);
  /// Whether `value` is like it, or not known (0).
  bool has(double value) const;
  /// How far `value` is from it, a logarithm's size; 0 where that is not known.
  double apart(double value) const;

private:
  std::vector<double> values; ///< ascending
  double usual = 0;
};

struct Figure {
  double ns = 0;  ///< the median, never below 0
  double iqr = 0; ///< the interquartile range of the rounds, ns
};

/// Of several rounds, by construct and team, or whatever else a program measures by a number.
using Figures = std::map<std::string, std::map<unsigned, Figure>>;

/// A figure's median; 0 where it was not measured.
double valueOf(const Figures &figures, const std::string &name, unsigned key);

/// The rounds of one program under one wait policy.
class Rounds {
public:
  void add(Round round);
  /// What is usual depends on other rounds, too: the pace on all programs', the places on those of
  /// the same, whose threads have the same cores.
  void expectAlike(const Round &other);
  std::size_t tried() const { return all.size(); }
  std::size_t quiet() const { return numQuiet; }
  /// Of quiet ones on cores that were not in their usual places, what a line took there, ns.
  std::vector<double> elsewhere() const;
  /// Too few were quiet: `counted` are the least disturbed.
  bool disturbed() const { return numQuiet < FewestRounds; }
  std::size_t counted() const {
    return disturbed() ? std::min<std::size_t>(FewestRounds, tried()) : quiet();
  }

  /// Of the rounds that count.
  Figures figures() const;
  /// Those that count, the least disturbed first.
  std::span<const Round> thatCount() const { return std::span(all).first(counted()); }

private:
  std::vector<Round> all; ///< least disturbed first
  std::size_t numQuiet = 0;
  Usual pace;
  std::map<std::string, Usual> handover; ///< by Round::runtime

  void learn(const Round &round);
  /// Whether its cores were about where they usually are.
  bool isInPlace(const Round &round) const;
  /// Whether it was quiet, on cores that had about their usual pace and places.
  bool counts(const Round &round) const;
  /// Restores the order of `all`, by what is known of the usual now.
  void sort();
};

} // namespace prophet
