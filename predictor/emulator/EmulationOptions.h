//===- EmulationOptions.h - What an emulated run is like --------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/BurdenModel.h"
#include "predictor/emulator/Overheads.h"
#include "predictor/tree/Tree.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace prophet {

/// An OpenMP schedule clause.
struct Schedule {
  enum class Kind : std::uint8_t { Static, StaticChunk, Dynamic, Guided, Auto };
  Kind kind = Kind::Static;
  std::uint64_t chunk = 0; ///< >= 1 for StaticChunk, Dynamic and Guided, 0 for the others
  bool monotonic = false;  ///< of Dynamic: from one central queue, under libomp too

  /// OpenMP's spelling: "static", "static,1", "dynamic,4", "monotonic:dynamic,1", "guided,1",
  /// "auto".
  std::string str() const;
  bool operator==(const Schedule &) const = default;
};

/// OMP_WAIT_POLICY: how threads wait. `Default` is the variable not set.
enum class WaitPolicy : std::uint8_t { Default, Active, Passive };

/// As --wait-policy takes it.
const char *waitPolicyName(WaitPolicy policy);

/// What a parallel program is written in. `OpenMP`: worksharing loops, and tasks for sections of
/// tasks; the others: tasks for everything.
enum class Paradigm : std::uint8_t { OpenMP, Tasks, Tbb, Cilk };

/// Whether OpenMP's runtimes run it; oneTBB and OpenCilk are runtimes of their own.
constexpr bool isOpenMP(Paradigm paradigm) {
  return paradigm == Paradigm::OpenMP || paradigm == Paradigm::Tasks;
}

/// As --paradigm takes it.
const char *paradigmName(Paradigm paradigm);

/// What one site asks for of its own.
struct SiteSettings {
  Schedule schedule;
  unsigned numThreads = 0; ///< the most threads in its team; 0: no limit of its own
  bool operator==(const SiteSettings &) const = default;
};

/// How much longer a thread computes than in the serial run.
struct Slowdown {
  double factor = 1; ///< in all
  double body = 1;   ///< as part of that: what EmulationOptions::bodyRatios says

  /// What `body` adds to `useful` work, where `factor` adds `added`.
  double outlining(double useful, double added) const {
    return body == factor ? added : (body - 1) * useful;
  }
};

struct EmulationOptions {
  unsigned threads = 2; ///< team size T >= 1
  unsigned cores = 0;   ///< P; 0 = as many as threads
  Schedule schedule;    ///< for every parallel_for
  /// By site, in the place of `schedule`, and limiting `threads`; empty: all sites are alike.
  std::vector<SiteSettings> sites;
  Paradigm paradigm = Paradigm::OpenMP;
  std::uint64_t seed = 1; ///< of what is random: Chance
  OmpRuntime runtime = OmpRuntime::Libomp;
  WaitPolicy waitPolicy = WaitPolicy::Default;
  std::optional<double> givenBlockTime; ///< in the place of the runtime's own, ns
  unsigned maxActiveLevels =
      1;                  ///< OpenMP's max_active_levels; inner sections below it run serially
  Overheads overheads;    ///< all zero = none
  bool useBurden = false; ///< multiply by burden factors
  /// By site, factors by thread count, in the place of the tree's own; empty: those.
  BurdenFactors burdens;
  /// By site, factors by how many of the team's threads compute at a moment; empty: they do not
  /// depend on that.
  BurdenFactors whileComputing;
  /// Knows `burdens` and `whileComputing` for each run, which burdened() asks it for.
  std::shared_ptr<const BurdenModel> burdenModel;
  /// By site, how much longer the regions that it opens compute as OpenMP's functions, on any
  /// number of threads, than the serial program does; empty: all just as long.
  std::vector<double> bodyRatios;
  std::optional<std::uint32_t> onlySite;   ///< only this site is parallel; all others run serially
  std::optional<std::uint32_t> exceptSite; ///< this site runs serially

  /// How long a waiting thread spins before it sleeps, in ns: 0 and infinity are possible.
  double blockTime() const;
  /// How many of the cores the threads can use: no more than threads, unless teams nest.
  unsigned usableCores() const;
  const Schedule &scheduleOf(std::uint32_t site) const;
  /// Whether sections of `site` are to be parallel at all.
  bool isParallel(std::uint32_t site) const {
    return onlySite.value_or(site) == site && exceptSite != site;
  }
  /// How many threads are in the team of a region that a section of `site` opens.
  unsigned teamSize(std::uint32_t site) const;
  /// Of all teams that there can be, and the largest of them.
  std::set<unsigned> teamSizes() const;
  unsigned widestTeam() const;
  /// These, with the factors that `burdenModel`, if any, has for a run under them.
  EmulationOptions burdened() const;
  /// How much slower site number `site` of `tree` computes on `threads` threads: by its body's
  /// ratio, and (Parallel Prophet §V) by `burdens`: between two counts that are given, linear;
  /// beyond them the nearest one's, where one thread has factor 1. 1 where nothing is given.
  double burdenFactor(const Tree &tree, std::uint32_t site, unsigned threads) const;
  /// By how many threads compute, up to `threads` of a team of that many on sections of `site`: how
  /// long a moment of the whole team's computation takes then, over how long it takes while all
  /// do (emulation.md: the number of threads at that moment). Empty: always the same.
  std::vector<double> relief(std::uint32_t site, unsigned threads) const;
  double bodyRatio(std::uint32_t site) const { return bodyRatios.empty() ? 1 : bodyRatios[site]; }
};

} // namespace prophet
