//===- Emulator.h - Fast-forward emulation of a program tree ----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fast-forward emulator (Parallel Prophet §IV-C): how long would the
// profiled program take as an OpenMP program? Pure: no clock, file, thread or
// unseeded randomness. Same input, same bits out. Input is validated by the
// tree reader; here it is asserted.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"
#include "predictor/emulator/Waterfall.h"
#include "predictor/support/Result.h"
#include "predictor/tree/Tree.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace prophet {

/// Shares of threads x ticks; they add up to 1.
using LossShares = TimeParts;

struct SiteEstimate {
  std::uint32_t site = 0;
  double serialTicks = 0; ///< of all executions that are in no other one of the site, serially
  double ticks = 0;       ///< the same executions in the emulated run (elapsed, summed)
  double speedup = 1;     ///< serialTicks / ticks
  double gain = 1;        ///< the whole program's speedup if only this site were parallel
  double asleep = 0;      ///< share of its regions that start with threads to be woken up
};

struct Estimate {
  double serialTicks = 0;
  double ticks = 0;
  double speedup = 1; ///< serialTicks / ticks
  LossShares loss;    ///< waterfall.program in shares
  Waterfall waterfall;
  std::vector<SiteEstimate> sites; ///< one for each of Tree::sites, in order
};

class EventListener;
class TimedTree;

/// What makes a run a draw, which EmulationOptions::seed decides.
enum class Chance : std::uint8_t {
  None,
  Stealing,  ///< idle threads choose at random whom to take tasks from
  Placement, ///< threads stay on the cores that they share, wherever they are
};

/// A tree made ready for many estimates. Estimates are independent of each other, and `run` may be
/// called from several threads at once.
class Emulator {
public:
  /// \pre `profiled` has passed the reader's validation and outlives the emulator.
  explicit Emulator(const Tree &profiled);
  ~Emulator();

  /// The estimate under `options`; `listener`, if any, hears what every thread does and when.
  /// \pre !unsupported(tree, options).
  Estimate run(const EmulationOptions &options, EventListener *listener = nullptr) const;

  /// The same for less, with every SiteEstimate::gain left 1.
  Estimate runWithoutGains(const EmulationOptions &options) const;
  /// The estimate's speedup alone, which is less work.
  double speedup(const EmulationOptions &options) const;

  /// How many nodes the tree has.
  std::size_t size() const { return tree.nodes.size(); }

  /// What is random in a run under `options`; where two things are, the second.
  Chance chance(const EmulationOptions &options) const;

  /// How many pieces of the program a run under `options` steps through, at most: executions in
  /// regions in which threads meet at locks, as inner teams or by tasks. What others cost depends
  /// on the tree's size alone.
  double steps(const EmulationOptions &options) const;

private:
  const std::optional<Tree> split; ///< where it matters which executions are in the same site
  const Tree &tree;
  std::unique_ptr<const TimedTree> timed;

  /// Calls `use` with the tree on a grid with room for a run under `options`, and with these,
  /// burdened.
  template <typename Use> auto onGrid(const EmulationOptions &options, const Use &use) const;
};

/// One estimate: Emulator(tree).run(options).
Estimate emulate(const Tree &tree, const EmulationOptions &options);

/// Why `tree` cannot be emulated under `options`: locks that are taken in opposite orders (the
/// parallel program could deadlock), options out of range.
/// The tools call this before they emulate; the message has no file name in front.
std::optional<Error> unsupported(const Tree &tree, const EmulationOptions &options);

} // namespace prophet
