//===- Span.cpp - The critical path ---------------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/Span.h"

#include "predictor/report/TreeSummary.h"

#include <algorithm>
#include <limits>

namespace prophet {

namespace {

/// A node's span depends on where it runs: outside of all teams, or inside one, below which so many
/// more levels of teams can open. Loops open a team; task sections only do outside of all.
class SpanFinder {
public:
  SpanFinder(const Tree &tree, const EmulationOptions &options)
      : tree(tree), options(options), serial(tree.serialLengths()) {}

  /// The root's span where `levels` >= 1 levels of teams can open.
  double run(unsigned levels) const {
    std::vector<double> inside = spans([&](NodeId id, const auto &same) {
      return spawns(tree.nodes[id]) ? sectionSpan(id, same) : serial[id]; // a team of one thread
    });
    for (unsigned level = 1; level < levels; ++level) {
      std::vector<double> next = spans([&](NodeId id, const auto &same) {
        return sectionSpan(id, spawns(tree.nodes[id]) ? same : inside);
      });
      if (next == inside)
        break; // no section lies deeper
      inside = std::move(next);
    }
    const std::vector<double> outside =
        spans([&](NodeId id, const auto &) { return sectionSpan(id, inside); });
    return std::min(serial[tree.root], outside[tree.root]);
  }

private:
  const Tree &tree;
  const EmulationOptions &options;
  const std::vector<double> serial; ///< by node: its serial length

  bool parallel(const Node &section) const {
    return (!options.onlySite || *options.onlySite == section.ref) &&
           (!options.exceptSite || *options.exceptSite != section.ref);
  }

  /// Whether the section's tasks go to the team that executes it.
  bool spawns(const Node &section) const {
    return options.paradigm != Paradigm::OpenMP || tree.sites[section.ref].kind == SiteKind::Tasks;
  }

  /// By node. \param ofSection a parallel section's span, given the spans of the nodes before it.
  template <typename OfSection> std::vector<double> spans(const OfSection &ofSection) const {
    std::vector<double> result(tree.nodes.size());
    for (NodeId id = 0; id <= tree.root; ++id) {
      const Node &node = tree.nodes[id];
      result[id] = node.kind == NodeKind::Section && parallel(node)
                       ? ofSection(id, result)
                       : node.length + chainSpan(id, result);
    }
    return result;
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

  /// Children one after the other; but sections of a `nowait` chain side by side.
  double chainSpan(NodeId id, const std::vector<double> &spans) const {
    double sum = 0, beside = 0;
    for (const Child &child : tree.childrenOf(id)) {
      const Node &node = tree.nodes[child.node];
      const bool section = node.kind == NodeKind::Section && parallel(node);
      if (section && tree.sites[node.ref].nowait) {
        beside = std::max(beside, spans[child.node]);
      } else if (section) {
        sum += std::max(beside, spans[child.node]) +
               spans[child.node] * static_cast<double>(child.repeat - 1);
        beside = 0;
      } else {
        sum += spans[child.node] * static_cast<double>(child.repeat);
      }
    }
    return sum + beside;
  }
};

/// By lock: how long it is held inside sections, and the same for everything outside of any.
double outsideTicks(const Tree &tree, const std::vector<double> &lengths) {
  double ticks = 0;
  for (const Child &child : tree.childrenOf(tree.root))
    if (tree.nodes[child.node].kind != NodeKind::Section)
      ticks += lengths[child.node] * static_cast<double>(child.repeat);
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
  span.spanTicks = SpanFinder(tree, options).run(options.maxActiveLevels);

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
    span.lockTicks = held[*span.lock] + outsideTicks(tree, lengths);
  return span;
}

} // namespace prophet
