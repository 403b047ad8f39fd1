//===- BurdenModel.h - Burden factors that a model gives --------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace prophet {

struct EmulationOptions;

/// By site, how much slower it computes by the number of threads (Parallel Prophet §V).
using BurdenFactors = std::vector<std::map<unsigned, double>>;

/// What a site's threads get of the memory.
struct Roofline {
  double gbs = 0, latencyNs = 0; ///< the bandwidth of all; how long an access takes
  bool saturated = false;        ///< the memory moves no more
  /// What all compute meanwhile, in 10^9 floating-point operations a second, and how many
  /// operations that is for each byte moved; nothing where it is not known, or none is moved.
  std::optional<double> gflops, flopsPerByte;
};

/// A memory model whose factors depend on how tasks are dealt to threads: which cache has a line is
/// up to who used it before. All may be called from several threads at once.
class BurdenModel {
public:
  virtual ~BurdenModel() = default;

  /// For the teams of a run under `options`.
  virtual BurdenFactors factors(const EmulationOptions &options) const = 0;
  /// By site, how much slower it computes while so many of its team's threads do, which have what
  /// the team moves among them: at least up to as many as can at the same time.
  virtual BurdenFactors whileComputing(const EmulationOptions &options) const = 0;
  /// The same at worst.
  virtual BurdenFactors heaviestWhileComputing(const EmulationOptions &options) const = 0;
  /// `factors` at worst, where the machine's own figures leave them open.
  virtual BurdenFactors heaviest(const EmulationOptions &options) const = 0;
  /// The same model where caches keep the least and the most that they may; empty where caches are
  /// not in it.
  virtual std::vector<std::shared_ptr<const BurdenModel>> otherCaches() const { return {}; }
  /// The same model where the machine's cores are from each other as they were at times while it
  /// was measured; null where they hardly were.
  virtual std::shared_ptr<const BurdenModel> otherPlaces() const { return nullptr; }
  /// Whether `site` has factors of its own where it alone is parallel, other than among all.
  virtual bool knowsAlone(std::uint32_t site) const {
    (void)site;
    return false;
  }
  /// What is to be said of these factors.
  virtual std::vector<std::string> warnings(const EmulationOptions &options) const = 0;
  /// Of such a run, by site; nothing for a site of which the model does not know.
  virtual std::vector<std::optional<Roofline>> rooflines(const EmulationOptions &options) const = 0;
};

} // namespace prophet
