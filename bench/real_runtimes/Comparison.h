//===- Comparison.h - Programs emulated and really run ----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Differences.h"
#include "Options.h"
#include "Patterns.h"
#include "predictor/emulator/Overheads.h"
#include "predictor/synthesizer/Synthesizer.h"

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace real_runtimes {

using prophet::EmulationOptions, prophet::Error, prophet::OmpRuntime, prophet::Overheads,
    prophet::Synthesis, prophet::Tree;

/// One row of the table.
struct Group {
  std::string runtime, what;
  bool locks;
  auto operator<=>(const Group &) const = default;
};

/// Has programs emulated, and run by a real runtime, and collects how their speedups differ.
class Comparison {
public:
  Comparison(const Options &options, Overheads libomp, Overheads libgomp)
      : options(options), libomp(std::move(libomp)), libgomp(std::move(libgomp)) {}

  /// One program under all schedules and team sizes.
  std::optional<Error> compare(const Pattern &pattern, OmpRuntime runtime, unsigned long seed);
  void print();

private:
  const Options &options;
  const Overheads libomp, libgomp;
  std::map<Group, Differences> groups;
  std::vector<double> spreads;        ///< of the spinning runs
  std::size_t counted = 0, tried = 0; ///< repetitions
  std::size_t disturbed = 0;          ///< runs with too few quiet ones

  std::vector<Synthesis> runsOf(const Pattern &pattern, OmpRuntime runtime, const Tree &tree) const;
  std::size_t repetitions(const Pattern &pattern) const {
    return options.spin ? options.repetitions : pattern.tasks ? options.draws : 1;
  }
  std::optional<double> realTime(const std::vector<Synthesis> &runs, std::size_t which,
                                 bool isPlaced);
  std::optional<Error> runAll(const Tree &tree, std::vector<Synthesis> &runs, std::size_t times,
                              const std::string &executor) const;
  std::optional<Error> spinAgain(const Tree &tree, std::vector<Synthesis> &runs,
                                 const std::string &executor) const;
  std::vector<double> emulateDraws(const Tree &tree, EmulationOptions run) const;
  double meanOf(const Pattern &pattern, const Tree &tree, const EmulationOptions &run) const;
  void compareDraws(const Pattern &pattern, unsigned long seed, const Tree &tree,
                    const std::vector<Synthesis> &runs, std::size_t which);
  Differences &note(const Pattern &pattern, unsigned long seed, const EmulationOptions &run,
                    double emulated, double real);
};

} // namespace real_runtimes
