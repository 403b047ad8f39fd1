//===- PlanText.cpp - A tree and runs of it, for an executor --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/PlanText.h"

#include "predictor/emulator/Charges.h"
#include "predictor/synthesizer/PlanCosts.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace prophet {

namespace {

/// Executors count iterations with an int, and a chunk has no more than its section.
constexpr auto longestSection = static_cast<std::uint64_t>(std::numeric_limits<int>::max());

/// The executor's word for how a site's sections are shared out.
const char *sharingOf(const Site &site, const Schedule &schedule, Paradigm paradigm) {
  const bool isLoop = site.kind == SiteKind::ParallelFor;
  if (site.kind == SiteKind::Tasks || (paradigm != Paradigm::OpenMP && !isLoop))
    return "tasks";
  if (paradigm != Paradigm::OpenMP)
    return "taskloop";
  if (!isLoop)
    return "sections";
  switch (schedule.kind) {
  case Schedule::Kind::Static:
    return "static";
  case Schedule::Kind::StaticChunk:
    return "static_chunk";
  case Schedule::Kind::Dynamic:
    return schedule.monotonic ? "monotonic" : "dynamic";
  case Schedule::Kind::Guided:
    return "guided";
  case Schedule::Kind::Auto:
    return "auto";
  }
  return "static";
}

} // namespace

PlanText::PlanText(const TimedTree &timed, const Chains &chains)
    : timed(timed), chains(chains), place(timed.tree.nodes.size()) {
  for (NodeId id = 0; id < timed.tree.root; ++id)
    if (timed.executions[id] > 0)
      place[id] = add(addNode(id));
  forEachPiece(timed.tree.root, [&](const ProgramItem &piece) { items.push_back(piece); });
}

std::uint32_t PlanText::add(const std::string &line) {
  nodes += line + "\n";
  return count++;
}

std::string PlanText::addNode(NodeId id) {
  const Node &node = timed.tree.nodes[id];
  switch (node.kind) {
  case NodeKind::U:
    return fmt::format("u {}", timed.length[id]);
  case NodeKind::L:
    if (node.childCount == 0)
      return fmt::format("l {} {}", node.ref, timed.length[id]);
    return fmt::format("h {} {}", node.ref, addSequence(id));
  case NodeKind::Section: {
    if (timed.tree.sites[node.ref].kind == SiteKind::Tasks) // whose own code may have chains
      return fmt::format("p {} {}", node.ref, addSequence(id));
    std::string line = fmt::format("s {} {}", node.ref, node.childCount);
    for (const Child &child : timed.tree.childrenOf(id))
      line += fmt::format(" {} {}", place[child.node], child.repeat);
    return line;
  }
  case NodeKind::Task:
  case NodeKind::Root:
    break;
  }
  return "t " + addSequence(id);
}

/// Calls `append` for the children of `id`; sections that share a team are one of them.
template <typename Append> void PlanText::forEachPiece(NodeId id, const Append &append) {
  Position at = firstChild(timed, id);
  while (at.child != at.end) {
    const NodeId child = at.child->node;
    const bool parallel =
        timed.tree.nodes[child].kind == NodeKind::Section && chains.parallel(child);
    ProgramItem piece;
    if (parallel && chains.next(at)) {
      at = addChain(at, piece);
    } else {
      piece = {place[child], at.left, static_cast<double>(timed.length[child]), std::nullopt};
      if (parallel)
        piece.stratum = timed.tree.nodes[child].ref;
      at.left = 1;
      at = at.next();
    }
    append(piece);
  }
}

std::string PlanText::addSequence(NodeId id) {
  std::string line;
  std::size_t length = 0;
  forEachPiece(id, [&](const ProgramItem &piece) {
    line += fmt::format(" {} {}", piece.node, piece.repeat);
    ++length;
  });
  return fmt::format("{}{}", length, line);
}

/// Makes `piece` the sections from `start` on; returns the position behind the last.
Position PlanText::addChain(Position start, ProgramItem &piece) {
  const auto lengthOf = [&](const Position &at) {
    return static_cast<double>(timed.length[at.child->node]);
  };
  std::string line = fmt::format(" {} 0", place[start.child->node]);
  double total = lengthOf(start);
  std::size_t length = 1;
  while (const auto link = chains.next(start)) {
    start = link->section;
    line += fmt::format(" {} {}", place[start.child->node], link->gap);
    total += static_cast<double>(link->gap) + lengthOf(start);
    ++length;
  }
  longest = std::max(longest, length);
  piece = {add(fmt::format("c {}{}", length, line)), 1, total, strata() - 1};
  return start.next();
}

std::string PlanText::treeText(const Sample &sample) const {
  std::string text = fmt::format("locks {}\nnodes {}\n", timed.tree.locks.size(), count) + nodes;
  text += fmt::format("sites {}\ngroups {}\nprogram {}", timed.tree.sites.size(), sample.groups(),
                      items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto group = sample.group(i);
    text += fmt::format(" {} {} {}", items[i].node, sample.repeat(i),
                        group ? std::to_string(*group) : "-");
  }
  return text + "\n";
}

std::string PlanText::text(std::string_view tree, const std::vector<Synthesis> &runs,
                           const Execution &execution) const {
  std::string text = fmt::format("prophet-plan 3\nrealtime {}\npin {}\n{}",
                                 execution.realtime ? 1 : 0, execution.pin, tree);
  for (const Synthesis &run : runs)
    text += runText(run);
  return text + "end\n";
}

std::string PlanText::runText(const Synthesis &run) const {
  EmulationOptions options = run.options.burdened();
  const std::string delay =
      run.delay == Delay::Virtual
          ? fmt::format("virtual {}", options.cores ? options.cores : options.threads)
          : fmt::format("spin {:.17g}", timed.grid.ticks(run.nsPerTick));
  std::string text = fmt::format("run {} {}\n", delay, options.maxActiveLevels);
  std::string costs;
  if (run.delay == Delay::Virtual) {
    // Cores are shared evenly there: nobody waits for a turn.
    options.overheads.baseSlice = 0;
    const Charges charges(options, timed.grid, timed.tree.timebaseHz);
    costs = lockCosts(timed, options, charges) + teamCosts(timed, options, charges);
  }
  for (std::uint32_t i = 0; i < timed.tree.sites.size(); ++i) {
    const Site &site = timed.tree.sites[i];
    const Schedule &schedule = options.scheduleOf(i);
    const unsigned threads = options.teamSize(i);
    text +=
        fmt::format("{} {} {} {:.17g}\n",
                    options.isParallel(i) ? sharingOf(site, schedule, options.paradigm) : "serial",
                    std::min(schedule.chunk, longestSection), threads,
                    options.burdenFactor(timed.tree, i, threads));
  }
  return text + costs;
}

} // namespace prophet
