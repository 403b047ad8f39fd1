//===- SerialCosts.h - What one thread takes for a subtree ------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Chain.h"
#include "predictor/emulator/Charges.h"

#include <compare>
#include <map>
#include <unordered_map>
#include <utility>

namespace prophet {

/// A length of which a thread takes `factor` times as long.
inline Time scaled(Time length, double factor) {
  return factor == 1 ? length : std::llround(static_cast<double>(length) * factor);
}

/// What OpenMP (or another paradigm) adds to the parallel section `id` where one thread is its
/// team.
Time sectionOverhead(const TimedTree &timed, const EmulationOptions &options,
                     const Charges &charges, NodeId id);

/// By node: the overheads of one execution on a single thread of a team: of the inner sections,
/// which run serially, and of free locks. Empty where nothing costs anything.
std::vector<Time> innerOverheads(const TimedTree &timed, const EmulationOptions &options,
                                 const Charges &charges, const Chains &chains);

/// Durations of subtrees that one thread runs without meeting another.
class SerialCosts {
public:
  SerialCosts(const TimedTree &timed, std::vector<Time> inner)
      : timed(timed), inner(std::move(inner)) {}

  Time overhead(NodeId id) const { return inner.empty() ? 0 : inner[id]; }
  Time work(NodeId id, double factor) const { return scaled(timed.length[id], factor); }

private:
  const TimedTree &timed;
  std::vector<Time> inner;
};

/// What regions add up to, in virtual time, summed over threads except `elapsed`.
struct ThreadTimes {
  double elapsed = 0;
  double useful = 0, memory = 0, outlining = 0, overhead = 0;
  double barrierWait = 0, lockWait = 0;
  double teamWait = 0;  ///< of a team's other threads while its master forks and joins it
  double preempted = 0; ///< ready to run, but all cores were busy
  double relieved = 0;  ///< of `memory`: that others did not compute meanwhile, <= 0

  void add(const ThreadTimes &other, double count);
  double busy() const { return useful + memory + outlining + overhead; }
  /// How many times as long threads take for what they do than on cores of their own, without
  /// relief.
  double stretch() const {
    const double alone = busy() - relieved;
    return alone > 0 ? (busy() + preempted) / alone : 1;
  }
};

/// Whose time is spent where: in regions that the site `opener` opens, by loops and teams of
/// `site`.
struct Spender {
  std::uint32_t opener, site;
  auto operator<=>(const Spender &) const = default;
};

/// What a run adds up to.
struct Tally {
  explicit Tally(const Tree &tree) : siteElapsed(tree.sites.size()) {}

  /// In regions; `elapsed` says nothing here.
  std::map<Spender, ThreadTimes> times;
  /// `spent` in one of `executions` of a region.
  void addTimes(Spender by, const ThreadTimes &spent, double executions) {
    times[by].add(spent, executions);
  }
  std::vector<double> siteElapsed; ///< by site, summed over its outermost executions
  /// `elapsed`: of executions of `section`.
  void addSection(const TimedTree &timed, NodeId section, double elapsed) {
    siteElapsed[timed.tree.nodes[section].ref] += elapsed * timed.outermostShare(section);
  }

  void addSection(const TimedTree &timed, const TimedChild &section, double elapsed) {
    siteElapsed[section.ref] += elapsed * timed.outermostShare(section);
  }

  std::map<std::pair<Spender, std::uint32_t>, double> lockWaits; ///< by who waits, and lock

  /// Subtrees with inner sections that ran as one piece, and how often: counted, and weighted with
  /// the factor they ran under. By node; empty until there is one.
  std::vector<double> fused, fusedScaled;
  /// The same of a region in which time can stretch, between beginRegion() and endRegion().
  std::unordered_map<NodeId, std::pair<double, double>> fusedInRegion;
  bool isInRegion = false;
  void addFused(const Tree &tree, NodeId id, double count, double factor);

  void beginRegion() { isInRegion = true; }
  /// \param stretch see ThreadTimes
  void endRegion(double stretch);

  /// Adds the time of the sections inside fused subtrees to `siteElapsed`.
  void resolveFused(const TimedTree &timed, const SerialCosts &costs);
};

} // namespace prophet
