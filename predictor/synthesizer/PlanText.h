//===- PlanText.h - A tree and runs of it, for an executor ------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text that executors read; executor/Plan.h describes it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Chain.h"
#include "predictor/synthesizer/Synthesizer.h"

#include <string>

namespace prophet {

class PlanText {
public:
  /// \pre `timed` and `chains` outlive this.
  PlanText(const TimedTree &timed, const Chains &chains);

  void addRun(const Synthesis &run);
  /// The whole plan.
  std::string finish() const { return head + nodes + sites + runs + "end\n"; }

  /// How many loops a team runs at most without waiting between them.
  std::size_t longestChain() const { return longest; }

private:
  const TimedTree &timed;
  const Chains &chains;
  std::string head, nodes, sites, runs;
  std::vector<std::uint32_t> place; ///< by node: its number in the plan
  std::uint32_t count = 0;
  std::size_t longest = 1;

  std::uint32_t add(const std::string &line);
  std::string addNode(NodeId id);
  std::string addSequence(NodeId id);
  Position addChain(Position start, std::uint32_t &chain);
};

} // namespace prophet
