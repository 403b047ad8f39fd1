//===- ExecutorEnvironment.cpp - How a runtime is to behave ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/ExecutorEnvironment.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace prophet {

namespace {

/// Frames that a worker of OpenCilk's may have spawned from, and its stacks' bytes: what the
/// deepest trees need that are run at all, each of whose loops is halved up to 31 times.
constexpr unsigned cilkDeque = 8192, cilkStack = 8'000'000;

/// GOMP_SPINCOUNT: turns.
std::string gompSpinCount(double ns, double turn) {
  return std::isinf(ns) ? "infinite" : fmt::format("{:.0f}", ns / turn);
}

} // namespace

Environment executorEnvironment(const Synthesis &run, std::size_t longestChain, bool hasTasks) {
  const std::size_t buffers = std::clamp<std::size_t>(longestChain + 1, 7, MostDispatchBuffers);
  Environment environment{{"OMP_DYNAMIC", "false"},
                          {"OMP_PROC_BIND", "false"},
                          {"KMP_DISP_NUM_BUFFERS", std::to_string(buffers)}};
  std::optional<std::string> policy, blockTime, spinCount, useYield;
  const EmulationOptions &options = run.options;
  if (run.delay == Delay::Virtual) {
    policy = "passive";
    blockTime = spinCount = "0";
    useYield = "1";
    if (hasTasks && options.runtime == OmpRuntime::Libomp) { // who polls for them must not sleep
      policy.reset();
      blockTime = "infinite";
    }
  } else {
    if (options.waitPolicy != WaitPolicy::Default)
      policy = waitPolicyName(options.waitPolicy);
    if (options.givenBlockTime) {
      blockTime = kmpBlockTime(*options.givenBlockTime);
      spinCount = gompSpinCount(*options.givenBlockTime, options.overheads.spinTurn);
    }
  }
  environment.insert(environment.end(), {{"OMP_WAIT_POLICY", policy},
                                         {"KMP_BLOCKTIME", blockTime},
                                         {"GOMP_SPINCOUNT", spinCount},
                                         {"KMP_USE_YIELD", useYield}});
  if (options.paradigm == Paradigm::Cilk)
    environment.insert(environment.end(), {{"CILK_NWORKERS", std::to_string(options.threads)},
                                           {"CILK_DEQDEPTH", std::to_string(cilkDeque)},
                                           {"CILK_STACKSIZE", std::to_string(cilkStack)}});
  return runtimeEnvironment(std::move(environment));
}

} // namespace prophet
