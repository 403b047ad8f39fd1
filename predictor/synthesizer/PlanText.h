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
#include "predictor/synthesizer/Sample.h"
#include "predictor/synthesizer/Synthesizer.h"

#include <string>
#include <string_view>

namespace prophet {

class PlanText {
public:
  /// \pre `timed` and `chains` outlive this.
  PlanText(const TimedTree &timed, const Chains &chains);

  /// What the program runs at its outermost level; the strata of its sections are their sites, and
  /// behind those one for sections that share a team.
  const std::vector<ProgramItem> &program() const { return items; }
  std::size_t strata() const { return timed.tree.sites.size() + 1; }
  /// How many loops a team runs at most without waiting between them.
  std::size_t longestChain() const { return longest; }

  /// The whole plan: what treeText() has made, as each of `runs` says.
  std::string text(std::string_view tree, const std::vector<Synthesis> &runs,
                   const Execution &execution) const;
  /// The plan's part that all runs share: nodes, and `sample` of the program.
  std::string treeText(const Sample &sample) const;

private:
  const TimedTree &timed;
  const Chains &chains;
  std::string nodes;
  std::vector<ProgramItem> items;
  std::vector<std::uint32_t> place; ///< by node: its number in the plan
  std::uint32_t count = 0;
  std::size_t longest = 1;

  std::uint32_t add(const std::string &line);
  std::string addNode(NodeId id);
  std::string addSequence(NodeId id);
  template <typename Append> void forEachPiece(NodeId id, const Append &append);
  Position addChain(Position start, ProgramItem &piece);
  std::string runText(const Synthesis &run) const;
};

} // namespace prophet
