//===- EmulationOptions.cpp - What an emulated run is like ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/EmulationOptions.h"

#include "memmodel/PaperModel.h"

#include <algorithm>
#include <limits>

namespace prophet {

std::string Schedule::str() const {
  switch (kind) {
  case Kind::Static:
    return "static";
  case Kind::StaticChunk:
    return "static," + std::to_string(chunk);
  case Kind::Dynamic:
    return (monotonic ? "monotonic:dynamic," : "dynamic,") + std::to_string(chunk);
  case Kind::Guided:
    return "guided," + std::to_string(chunk);
  case Kind::Auto:
    return "auto";
  }
  return {};
}

const char *waitPolicyName(WaitPolicy policy) {
  switch (policy) {
  case WaitPolicy::Default:
    return "default";
  case WaitPolicy::Active:
    return "active";
  case WaitPolicy::Passive:
    return "passive";
  }
  return "";
}

const char *paradigmName(Paradigm paradigm) {
  switch (paradigm) {
  case Paradigm::OpenMP:
    return "openmp";
  case Paradigm::Tasks:
    return "tasks";
  case Paradigm::Tbb:
    return "tbb";
  case Paradigm::Cilk:
    return "cilk";
  }
  return "";
}

double EmulationOptions::blockTime() const {
  if (givenBlockTime)
    return *givenBlockTime;
  if (waitPolicy == WaitPolicy::Passive)
    return 0;
  const bool active = waitPolicy == WaitPolicy::Active;
  constexpr double never = std::numeric_limits<double>::infinity();
  if (runtime == OmpRuntime::Libomp) // KMP_DEFAULT_BLOCKTIME, KMP_MAX_BLOCKTIME (kmp.h)
    return active ? never : 200e6;
  // libgomp counts turns (env.c), fewer where its threads are more than the processors.
  const double turn = overheads.spinTurn;
  if (cores != 0 && cores < widestTeam())
    return (active ? 1000 : 100) * turn;
  return active ? never : 300'000 * turn;
}

unsigned EmulationOptions::usableCores() const {
  if (cores == 0)
    return threads;
  return maxActiveLevels == 1 ? std::min(cores, threads) : cores;
}

const Schedule &EmulationOptions::scheduleOf(std::uint32_t site) const {
  return sites.empty() ? schedule : sites[site].schedule;
}

unsigned EmulationOptions::teamSize(std::uint32_t site) const {
  if (sites.empty() || sites[site].numThreads == 0)
    return threads;
  return std::min(threads, sites[site].numThreads);
}

std::set<unsigned> EmulationOptions::teamSizes() const {
  std::set<unsigned> sizes;
  for (std::uint32_t site = 0; site < sites.size(); ++site)
    sizes.insert(teamSize(site));
  if (sizes.empty())
    sizes.insert(threads);
  return sizes;
}

unsigned EmulationOptions::widestTeam() const {
  unsigned widest = sites.empty() ? threads : 1;
  for (std::uint32_t site = 0; site < sites.size(); ++site)
    widest = std::max(widest, teamSize(site));
  return widest;
}

EmulationOptions EmulationOptions::burdened() const {
  EmulationOptions result = *this;
  if (useBurden && burdenModel) {
    result.burdens = burdenModel->factors(*this);
    result.whileComputing = burdenModel->whileComputing(*this);
  }
  result.burdenModel = nullptr;
  return result;
}

double EmulationOptions::burdenFactor(const Tree &tree, std::uint32_t site,
                                      unsigned threads) const {
  if (!useBurden)
    return bodyRatio(site);
  return bodyRatio(site) * memmodel::interpolateBurden(
                               burdens.empty() ? tree.sites[site].burden : burdens[site], threads);
}

std::vector<double> EmulationOptions::relief(std::uint32_t site, unsigned threads) const {
  if (!useBurden || threads <= 1 || whileComputing.empty() || whileComputing[site].empty())
    return {};
  const auto factorOf = [&](unsigned computing) {
    const unsigned running = cores ? std::min(computing, cores) : computing;
    return memmodel::interpolateBurden(whileComputing[site], running);
  };
  const double all = factorOf(threads);
  std::vector<double> relief(threads + 1, 1);
  for (unsigned computing = 1; computing < threads; ++computing)
    relief[computing] = factorOf(computing) / all;
  return relief;
}

} // namespace prophet
