//===- TrafficBurdens.h - Burden factors by what sites move -----*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/CurveModel.h"
#include "predictor/emulator/EmulationOptions.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace prophet {

/// By site, what it moves in the serial run and on a team; nothing: not known.
using SectionLoads = std::vector<std::optional<memmodel::SectionLoad>>;

/// Factors by a machine's curves (docs/memory-model.md, M1 to M6), from what each site moves.
class TrafficBurdens : public BurdenModel {
public:
  BurdenFactors factors(const EmulationOptions &options) const final;
  BurdenFactors whileComputing(const EmulationOptions &options) const final;
  BurdenFactors heaviestWhileComputing(const EmulationOptions &options) const final;
  BurdenFactors heaviest(const EmulationOptions &options) const final;
  std::vector<std::optional<Roofline>> rooflines(const EmulationOptions &options) const final;

  std::vector<std::string> warnings(const EmulationOptions &options) const final;

protected:
  /// \param source the machine's file, as it is shown
  TrafficBurdens(memmodel::MemorySystem system, std::string source,
                 std::shared_ptr<const Tree> tree)
      : tree(std::move(tree)), system(std::move(system)), source(std::move(source)) {}

  const std::shared_ptr<const Tree> tree;
  const memmodel::MemorySystem system;
  const std::string source;

  /// What the sites move in a run under `options`.
  virtual SectionLoads loads(const EmulationOptions &options) const = 0;
  /// What makes factors of these sites under `options`, which are other than 1, doubtful.
  virtual std::vector<std::string> doubts(const EmulationOptions &,
                                          const std::vector<std::uint32_t> &) const {
    return {};
  }
  /// How many threads of the team of `site` run at the same time.
  static unsigned running(const EmulationOptions &options, std::uint32_t site);
  /// Of so many sections of `site` with `tasks` in the mean.
  memmodel::DealingTime dealing(const EmulationOptions &options, std::uint32_t site, double tasks,
                                double sections) const;

private:
  BurdenFactors byComputing(const EmulationOptions &options,
                            double memmodel::Contention::*factor) const;
  /// By site; without traffic a section is not slowed down.
  std::vector<std::optional<memmodel::Contention>>
  contention(const EmulationOptions &options) const;
};

/// Of sites whose misses hardware has counted. A counter does not tell what lets misses overlap,
/// nor on how many threads there are how many: they count as irregular, and as the serial run's.
/// Where that makes them take longer than the section did, the model fits them.
class CountedBurdens final : public TrafficBurdens {
public:
  /// \param counted by site, `serial` alone
  CountedBurdens(memmodel::MemorySystem system, std::string source,
                 std::shared_ptr<const Tree> tree, SectionLoads counted);

private:
  const SectionLoads counted;
  struct Sections {
    double number, tasks; ///< of each in the mean
  };
  std::vector<Sections> sections; ///< by site, the outermost ones

  SectionLoads loads(const EmulationOptions &options) const override;
};

} // namespace prophet
