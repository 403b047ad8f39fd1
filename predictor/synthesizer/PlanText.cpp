//===- PlanText.cpp - A tree and runs of it, for an executor --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/PlanText.h"

#include "predictor/emulator/Charges.h"

#include <fmt/format.h>

namespace prophet {

namespace {

/// The executor's word for how a site's sections are shared out.
const char *sharingOf(const Site &site, const Schedule &schedule) {
  if (site.kind == SiteKind::Sections)
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
  for (NodeId id = 0; id <= timed.tree.root; ++id)
    if (timed.executions[id] > 0)
      place[id] = add(addNode(id));
  head = fmt::format("prophet-plan 1\nlocks {}\nnodes {}\n", timed.tree.locks.size(), count);
  sites = fmt::format("sites {}\n", timed.tree.sites.size());
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

/// The children of `id`; sections that share a team are one of them.
std::string PlanText::addSequence(NodeId id) {
  std::string line;
  std::size_t length = 0;
  const auto append = [&](std::uint32_t child, std::uint64_t repeat) {
    line += fmt::format(" {} {}", child, repeat);
    ++length;
  };
  Position at = firstChild(timed.tree, id);
  while (at.child != at.end) {
    const NodeId child = at.child->node;
    if (timed.tree.nodes[child].kind == NodeKind::Section && chains.parallel(child) &&
        chains.next(at)) {
      std::uint32_t chain = 0;
      at = addChain(at, chain);
      append(chain, 1);
      continue;
    }
    append(place[child], at.left);
    at.left = 1;
    at = at.next();
  }
  return fmt::format("{}{}", length, line);
}

/// Adds the sections from `start` on; returns the position behind the last.
Position PlanText::addChain(Position start, std::uint32_t &chain) {
  std::string line = fmt::format(" {} 0", place[start.child->node]);
  std::size_t length = 1;
  while (const auto link = chains.next(start)) {
    start = link->section;
    line += fmt::format(" {} {}", place[start.child->node], link->gap);
    ++length;
  }
  longest = std::max(longest, length);
  chain = add(fmt::format("c {}{}", length, line));
  return start.next();
}

void PlanText::addRun(const Synthesis &run) {
  const EmulationOptions &options = run.options;
  const std::string delay =
      run.delay == Delay::Virtual
          ? fmt::format("virtual {}", options.cores ? options.cores : options.threads)
          : fmt::format("spin {:.17g}", timed.grid.ticks(run.nsPerTick));
  runs += fmt::format("run {} {} {}\n", place[timed.tree.root], delay, options.maxActiveLevels);
  for (std::uint32_t i = 0; i < timed.tree.sites.size(); ++i) {
    const Site &site = timed.tree.sites[i];
    const Schedule &schedule = options.scheduleOf(i);
    const bool isSerial = (options.onlySite && i != *options.onlySite) || i == options.exceptSite;
    const unsigned threads = options.teamSize(i);
    runs +=
        fmt::format("{} {} {} {:.17g}\n", isSerial ? "serial" : sharingOf(site, schedule),
                    schedule.chunk, threads, options.useBurden ? burdenFactor(site, threads) : 1.0);
  }
}

} // namespace prophet
