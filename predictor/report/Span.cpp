//===- Span.cpp - The critical path ---------------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/Span.h"

#include "predictor/emulator/Chain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace prophet {

namespace {

/// How many sections lie inside each other, at most.
unsigned sectionDepth(const Tree &tree) {
  std::vector<unsigned> depth(tree.nodes.size());
  for (NodeId id = 0; id <= tree.root; ++id) {
    for (const Child &child : tree.childrenOf(id))
      depth[id] = std::max(depth[id], depth[child.node]);
    depth[id] += tree.nodes[id].kind == NodeKind::Section;
  }
  return depth[tree.root];
}

/// Which sections are parallel, and which of them share a team with the one before.
class Regions {
public:
  Regions(const Tree &tree, const EmulationOptions &options, const std::vector<double> &lengths)
      : tree(tree), options(options), lengths(lengths), flows(options.paradigm == Paradigm::OpenMP),
        // At the limit itself rounding decides in the emulator: they may share a team.
        longestGap(Chains::adjacentGap * tree.timebaseHz * (1 + 1e-9)),
        teamsOfOne(std::ranges::count(options.sites, 1u, &SiteSettings::numThreads) > 0) {
    for (const double ratio : options.bodyRatios)
      leastRatio = std::min(leastRatio, ratio);
  }

  bool isParallel(NodeId id) const {
    const Node &node = tree.nodes[id];
    return node.kind == NodeKind::Section && options.isParallel(node.ref);
  }

  bool hasNowait(NodeId section) const {
    return flows && siteOf(section).nowait && isWorksharing(siteOf(section));
  }

  /// Whether some sites ask for teams of one thread, inside which others can open regions.
  bool haveTeamsOfOne() const { return teamsOfOne; }

  /// How much longer the region that `section` opens computes than the serial program, at least:
  /// in a team of one, not all that is computed is its own.
  double bodyRatio(NodeId section) const {
    return teamsOfOne ? leastRatio : options.bodyRatio(tree.nodes[section].ref);
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
  const bool teamsOfOne;
  double leastRatio = 1;

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
        teamsOfOne(regions.haveTeamsOfOne()) {}

  /// The root's span where `levels` >= 1 levels of teams can open; `work` is that of one thread.
  double run(unsigned levels, double work) const {
    const std::vector<double> inside = insideTeams(levels);
    return std::min(work, spans(Opens::All, &inside)[tree.root]);
  }

private:
  enum class Opens : std::uint8_t { None, Loops, All }; ///< which sections open a team

  const Tree &tree;
  const EmulationOptions &options;
  const Regions &regions;
  const std::vector<double> &serial; ///< by node: its serial length
  const bool teamsOfOne;

  /// Whether the section's tasks go to the team that executes it.
  bool spawns(const Node &section) const {
    return options.paradigm != Paradigm::OpenMP || tree.sites[section.ref].kind == SiteKind::Tasks;
  }

  /// By node: its span, and that of a section whose team is that of the one before.
  struct Spans {
    std::vector<double> own, joining;
  };

  /// By node: its span inside a team, below which levels - 1 more can open. Cost: linear in the
  /// tree, times the levels if they are fewer than lie inside each other.
  std::vector<double> insideTeams(unsigned levels) const {
    if (levels >= sectionDepth(tree))
      return spans(Opens::Loops, nullptr);
    std::vector<double> inside = spans(Opens::None, nullptr);
    for (unsigned level = 1; level < levels; ++level)
      inside = spans(Opens::Loops, &inside);
    return inside;
  }

  /// By node. \param insideTeams the spans in the teams that are opened; null: the same.
  std::vector<double> spans(Opens opens, const std::vector<double> *insideTeams) const {
    Spans found{std::vector<double>(tree.nodes.size()), {}};
    const std::vector<double> &inside = insideTeams ? *insideTeams : found.own;
    found.joining.resize(teamsOfOne ? tree.nodes.size() : 0);
    for (NodeId id = 0; id <= tree.root; ++id) {
      const Node &node = tree.nodes[id];
      const bool parallel = regions.isParallel(id);
      if (parallel && (opens == Opens::All || (opens == Opens::Loops && !spawns(node)))) {
        setTeamSpan(id, inside, opens == Opens::All ? regions.bodyRatio(id) : 1, found);
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

  /// Of a section that opens a team, unless it goes on with the one before. \param ratio of what
  /// that computes: an outermost team's, which teams inside it have, too.
  void setTeamSpan(NodeId id, const std::vector<double> &inside, double ratio, Spans &found) const {
    found.own[id] = sectionSpan(id, inside) * ratio;
    if (!teamsOfOne)
      return;
    const double alone = chainSpan(id, found) * ratio; // by the thread that is there
    found.joining[id] = std::min(found.own[id], alone);
    if (options.sites[tree.nodes[id].ref].numThreads == 1)
      found.own[id] = alone;
  }

  /// Children one after the other, but sections that share a team side by side.
  struct Path {
    double before = 0, beside = 0; ///< all but the last region; the longest section of that
    double length() const { return before + beside; }
    void endRegion() { before += std::exchange(beside, 0); }
  };

  /// Goes on to child `at`, of which nodes have the spans `own`; `joining` in the team of the one
  /// before.
  void follow(Path &path, std::span<const Child> children, std::size_t at,
              const std::vector<double> &own, const std::vector<double> &joining) const {
    const auto [node, repeat] = children[at];
    const auto times = static_cast<double>(repeat);
    if (!regions.isParallel(node)) {
      path.before += own[node] * times;
      return;
    }
    const bool joins = regions.gapBefore(children, at).has_value();
    if (!joins)
      path.endRegion();
    if (!joins || !teamsOfOne)
      path.beside = std::max(path.beside, own[node]);
    else if (!joining.empty()) // where that is not known: nothing
      path.beside = std::max(path.beside, joining[node]);
    if (repeat > 1 && !regions.hasNowait(node))
      path.before += std::exchange(path.beside, own[node]) + own[node] * (times - 2);
  }

  /// What the section's spawner runs, and tasks from where it has come to. \param inside the spans
  /// of what it holds.
  double sectionSpan(NodeId id, const std::vector<double> &inside) const {
    const std::span<const Child> children = tree.childrenOf(id);
    Path spawner;
    double end = 0;
    for (std::size_t i = 0; i < children.size(); ++i)
      if (tree.nodes[children[i].node].kind == NodeKind::Task) {
        spawner.endRegion();
        end = std::max(end, spawner.length() + inside[children[i].node]);
      } else {
        follow(spawner, children, i, inside, {});
      }
    return std::max(spawner.length(), end);
  }

  double chainSpan(NodeId id, const Spans &spans) const {
    const std::span<const Child> children = tree.childrenOf(id);
    Path path;
    for (std::size_t i = 0; i < children.size(); ++i)
      follow(path, children, i, spans.own, spans.joining);
    return path.length();
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

/// By node, how often the program executes it.
struct Places {
  std::vector<double> outside; ///< of all sections
  std::vector<double> serial;  ///< in sections that stay serial
  std::vector<double> inside;  ///< in regions, each weighted with its body ratio
};

Places placesOf(const Tree &tree, const Regions &regions) {
  Places places{std::vector<double>(tree.nodes.size()), {}, {}};
  places.serial = places.inside = places.outside;
  places.outside[tree.root] = 1;
  for (NodeId id = tree.root + 1; id-- > 0;) {
    double outside = places.outside[id], serial = places.serial[id], inside = places.inside[id];
    if (regions.isParallel(id)) {
      inside += (outside + serial) * regions.bodyRatio(id);
      outside = serial = 0;
    } else if (tree.nodes[id].kind == NodeKind::Section) {
      serial += std::exchange(outside, 0);
    }
    for (const Child &child : tree.childrenOf(id)) {
      const auto repeat = static_cast<double>(child.repeat);
      places.outside[child.node] += outside * repeat;
      places.serial[child.node] += serial * repeat;
      places.inside[child.node] += inside * repeat;
    }
  }
  return places;
}

/// What the parallel program computes, at least.
double workOf(const Tree &tree, const Places &places) {
  double work = 0;
  for (NodeId id = 0; id <= tree.root; ++id)
    work += (places.outside[id] + places.serial[id] + places.inside[id]) * tree.nodes[id].length;
  return work;
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
  const Places places = placesOf(tree, regions);
  const double work = options.bodyRatios.empty() ? span.workTicks : workOf(tree, places);
  span.spanTicks = SpanFinder(tree, options, regions, lengths).run(options.maxActiveLevels, work);

  std::vector<double> held(tree.locks.size());
  for (NodeId id = 0; id <= tree.root; ++id)
    if (const Node &node = tree.nodes[id]; node.kind == NodeKind::L)
      held[node.ref] += (places.serial[id] + places.inside[id]) * lengths[id];
  for (std::uint32_t lock = 0; lock < held.size(); ++lock)
    if (held[lock] > (span.lock ? held[*span.lock] : 0))
      span.lock = lock;
  if (span.lock)
    span.lockTicks = held[*span.lock] + outsideTicks(tree, regions, lengths);
  return span;
}

/// An upper bound of how many threads compute at once.
static double mostComputing(const Tree &tree, const EmulationOptions &options) {
  const double cores = options.usableCores();
  if (options.maxActiveLevels == 1)
    return cores;
  const double team = options.widestTeam();
  if (!isOpenMP(options.paradigm)) // inner sections are tasks of the same threads
    return std::min(cores, team);
  return std::min(cores, std::pow(team, std::min(sectionDepth(tree), options.maxActiveLevels)));
}

double gainOfCores(const Tree &tree, const EmulationOptions &options) {
  const double cores = mostComputing(tree, options);
  if (options.bodyRatios.empty())
    return cores;
  const std::vector<double> lengths = tree.serialLengths();
  const double work = workOf(tree, placesOf(tree, Regions(tree, options, lengths)));
  return work > 0 ? cores * lengths[tree.root] / work : cores;
}

} // namespace prophet
