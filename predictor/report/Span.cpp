//===- Span.cpp - The critical path ---------------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/Span.h"

#include "predictor/emulator/Chain.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace prophet {

namespace {

/// Which sections are parallel, and which of them share a team with the one before.
class Regions {
public:
  Regions(const Tree &tree, const EmulationOptions &options, const std::vector<double> &lengths)
      : tree(tree), options(options), lengths(lengths), flows(options.paradigm == Paradigm::OpenMP),
        // At the limit itself rounding decides in the emulator: they may share a team.
        longestGap(Chains::adjacentGap * tree.timebaseHz * (1 + 1e-9)) {}

  bool isParallel(NodeId id) const {
    const Node &node = tree.nodes[id];
    return node.kind == NodeKind::Section && (!options.onlySite || *options.onlySite == node.ref) &&
           (!options.exceptSite || *options.exceptSite != node.ref);
  }

  bool hasNowait(NodeId section) const {
    return flows && siteOf(section).nowait && isWorksharing(siteOf(section));
  }

  /// If threads come to section `at` of `children` without having waited behind another one: the
  /// code between the two, which each of them runs.
  std::optional<double> gapBefore(std::span<const Child> children, std::size_t at) const {
    if (!isWorksharing(siteOf(children[at].node)))
      return std::nullopt;
    double gap = 0;
    while (at-- > 0 && gap <= longestGap) {
      const Child &before = children[at];
      if (tree.nodes[before.node].kind == NodeKind::U)
        gap += lengths[before.node] * static_cast<double>(before.repeat);
      else if (isParallel(before.node) && hasNowait(before.node))
        return gap;
      else
        break;
    }
    return std::nullopt;
  }

private:
  const Tree &tree;
  const EmulationOptions &options;
  const std::vector<double> &lengths;
  const bool flows;
  const double longestGap;

  const Site &siteOf(NodeId section) const { return tree.sites[tree.nodes[section].ref]; }
};

/// A node's span depends on where it runs: outside of all teams, or inside one, below which so many
/// more levels of teams can open. Loops open a team; task sections only do outside of all. A team
/// of one thread is no level.
class SpanFinder {
public:
  SpanFinder(const Tree &tree, const EmulationOptions &options, const Regions &regions,
             const std::vector<double> &serial)
      : tree(tree), options(options), regions(regions), serial(serial),
        teamsOfOne(std::ranges::count(options.sites, 1u, &SiteSettings::numThreads) > 0) {}

  /// The root's span where `levels` >= 1 levels of teams can open.
  double run(unsigned levels) const {
    std::vector<double> inside = spans(Opens::None, {});
    for (unsigned level = 1; level < levels; ++level) {
      std::vector<double> next = spans(Opens::Loops, inside);
      if (next == inside)
        break; // no section lies deeper
      inside = std::move(next);
    }
    return std::min(serial[tree.root], spans(Opens::All, inside)[tree.root]);
  }

private:
  enum class Opens : std::uint8_t { None, Loops, All }; ///< which sections open a team

  const Tree &tree;
  const EmulationOptions &options;
  const Regions &regions;
  const std::vector<double> &serial; ///< by node: its serial length
  const bool teamsOfOne;             ///< some sites ask for them

  /// Whether the section's tasks go to the team that executes it.
  bool spawns(const Node &section) const {
    return options.paradigm != Paradigm::OpenMP || tree.sites[section.ref].kind == SiteKind::Tasks;
  }

  /// By node: its span, and that of a section whose team is that of the one before.
  struct Spans {
    std::vector<double> own, joining;
  };

  /// By node. \param inside the spans in the teams that are opened.
  std::vector<double> spans(Opens opens, const std::vector<double> &inside) const {
    Spans found{std::vector<double>(tree.nodes.size()), {}};
    found.joining.resize(teamsOfOne ? tree.nodes.size() : 0);
    for (NodeId id = 0; id <= tree.root; ++id) {
      const Node &node = tree.nodes[id];
      const bool parallel = regions.isParallel(id);
      if (parallel && (opens == Opens::All || (opens == Opens::Loops && !spawns(node)))) {
        setTeamSpan(id, inside, found);
        continue;
      }
      found.own[id] = !parallel      ? node.length + chainSpan(id, found)
                      : spawns(node) ? sectionSpan(id, found.own)
                                     : serial[id];
      if (teamsOfOne)
        found.joining[id] = found.own[id];
    }
    return std::move(found.own);
  }

  /// Of a section that opens a team, unless it goes on with the one before.
  void setTeamSpan(NodeId id, const std::vector<double> &inside, Spans &found) const {
    found.own[id] = sectionSpan(id, inside);
    if (!teamsOfOne)
      return;
    const double alone = chainSpan(id, found); // by the thread that is there
    found.joining[id] = std::min(found.own[id], alone);
    if (options.sites[tree.nodes[id].ref].numThreads == 1)
      found.own[id] = alone;
  }

  /// What the section's spawner runs, and tasks from where it has come to. \param inside the spans
  /// of what it holds.
  double sectionSpan(NodeId id, const std::vector<double> &inside) const {
    double spawner = 0, end = 0;
    for (const Child &child : tree.childrenOf(id))
      if (tree.nodes[child.node].kind == NodeKind::Task)
        end = std::max(end, spawner + inside[child.node]);
      else
        spawner += inside[child.node] * static_cast<double>(child.repeat);
    return std::max(spawner, end);
  }

  /// Children one after the other; but sections that share a team side by side.
  double chainSpan(NodeId id, const Spans &spans) const {
    const std::span<const Child> children = tree.childrenOf(id);
    double sum = 0, beside = 0; // in all but the last region; the longest section of that
    for (std::size_t i = 0; i < children.size(); ++i) {
      const auto [node, repeat] = children[i];
      const auto times = static_cast<double>(repeat);
      if (!regions.isParallel(node)) {
        sum += spans.own[node] * times;
        continue;
      }
      const bool joins = regions.gapBefore(children, i).has_value();
      if (!joins)
        sum += std::exchange(beside, 0);
      beside = std::max(beside, (joins && teamsOfOne ? spans.joining : spans.own)[node]);
      if (repeat > 1 && !regions.hasNowait(node))
        sum += std::exchange(beside, spans.own[node]) + spans.own[node] * (times - 2);
    }
    return sum + beside;
  }
};

/// How long all code outside of sections takes that no other thread runs along with its team's
/// master: nothing that lies between the sections of one team.
double outsideTicks(const Tree &tree, const Regions &regions, const std::vector<double> &lengths) {
  const std::span<const Child> children = tree.childrenOf(tree.root);
  double ticks = 0;
  for (std::size_t i = 0; i < children.size(); ++i)
    if (tree.nodes[children[i].node].kind != NodeKind::Section)
      ticks += lengths[children[i].node] * static_cast<double>(children[i].repeat);
    else if (regions.isParallel(children[i].node))
      ticks -= regions.gapBefore(children, i).value_or(0);
  return ticks;
}

} // namespace

double Span::speedupBound() const {
  const double least = std::max(spanTicks, lockTicks);
  return least > 0 ? workTicks / least : std::numeric_limits<double>::infinity();
}

Span findSpan(const Tree &tree, const EmulationOptions &options) {
  const std::vector<double> lengths = tree.serialLengths();
  Span span;
  span.workTicks = lengths[tree.root];
  const Regions regions(tree, options, lengths);
  span.spanTicks = SpanFinder(tree, options, regions, lengths).run(options.maxActiveLevels);

  std::vector<double> outside(tree.nodes.size()), within(tree.nodes.size());
  outside[tree.root] = 1;
  std::vector<double> held(tree.locks.size());
  for (NodeId id = tree.root + 1; id-- > 0;) {
    const Node &node = tree.nodes[id];
    if (node.kind == NodeKind::L)
      held[node.ref] += within[id] * lengths[id];
    for (const Child &child : tree.childrenOf(id)) {
      const auto repeat = static_cast<double>(child.repeat);
      within[child.node] += within[id] * repeat;
      (node.kind == NodeKind::Section ? within : outside)[child.node] += outside[id] * repeat;
    }
  }
  for (std::uint32_t lock = 0; lock < held.size(); ++lock)
    if (held[lock] > (span.lock ? held[*span.lock] : 0))
      span.lock = lock;
  if (span.lock)
    span.lockTicks = held[*span.lock] + outsideTicks(tree, regions, lengths);
  return span;
}

} // namespace prophet
