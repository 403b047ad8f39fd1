//===- Advice.cpp - What to do about a prediction ---------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/Advice.h"

#include "predictor/support/Text.h"

#include <algorithm>
#include <fmt/format.h>

namespace prophet {

std::vector<SitePlace> findSitePlaces(const Tree &tree) {
  std::vector<SitePlace> places(tree.sites.size());
  std::vector<SitePlace> nodes(tree.nodes.size());
  nodes[tree.root].outermost = true;
  for (NodeId id = tree.root + 1; id-- > 0;) {
    const Node &node = tree.nodes[id];
    SitePlace inside = nodes[id];
    if (node.kind == NodeKind::Section) {
      places[node.ref].outermost |= inside.outermost;
      places[node.ref].nested |= inside.nested;
      inside = {false, inside.outermost || inside.nested};
    }
    for (const Child &child : tree.childrenOf(id)) {
      nodes[child.node].outermost |= inside.outermost;
      nodes[child.node].nested |= inside.nested;
    }
  }
  return places;
}

Schedule bestScheduleFor(const Prediction &prediction, const PredictionPoint &best,
                         std::uint32_t site) {
  const PredictionPoint *chosen = nullptr;
  for (const PredictionPoint &point : prediction.points)
    if (point.threads == best.threads &&
        (!chosen ||
         point.estimate.sites[site].speedup > 1.005 * chosen->estimate.sites[site].speedup))
      chosen = &point;
  return chosen->choice.schedule;
}

/// The kept clauses that are OpenMP's: `cancel` is Prophet's own. Clauses are separated by one
/// blank.
static std::string openmpClauses(std::string_view clauses) {
  std::string kept;
  while (!clauses.empty()) {
    std::size_t end = 0;
    for (int depth = 0; end < clauses.size() && (depth > 0 || clauses[end] != ' '); ++end)
      depth += (clauses[end] == '(') - (clauses[end] == ')');
    std::string_view clause = clauses.substr(0, end);
    if (!clause.empty() && clause != "cancel")
      kept += " " + printable(clause);
    clauses.remove_prefix(std::min(end + 1, clauses.size()));
  }
  return kept;
}

std::string openmpPragma(const Site &site, const Schedule &schedule) {
  std::string clauses = openmpClauses(site.vars);
  switch (site.kind) {
  case SiteKind::ParallelFor:
    if (site.nowait)
      return fmt::format("#pragma omp for schedule({}) nowait{}", schedule.str(), clauses);
    return fmt::format("#pragma omp parallel for schedule({}){}", schedule.str(), clauses);
  case SiteKind::Sections:
    return fmt::format("#pragma omp parallel sections{}", clauses);
  case SiteKind::Tasks:
    return fmt::format("#pragma omp parallel{} / #pragma omp single", clauses);
  }
  return "";
}

std::string explainLoss(const LossShares &loss, const Schedule &schedule) {
  bool dynamic = schedule.kind == Schedule::Kind::Dynamic;
  struct Reason {
    double share;
    const char *text;
  };
  const Reason reasons[] = {
      {loss.serial,
       "code outside the parallel sections, where the other threads are idle: mark more "
       "loops, if there are more"},
      {loss.imbalance, dynamic
                           ? "waiting at the end of loops for the slowest thread: make the longest "
                             "iterations shorter, or the loop longer"
                           : "waiting at the end of loops for the slowest thread: deal iterations "
                             "out in smaller pieces, or dynamically"},
      {loss.lock,
       "waiting for each other's critical sections: shorten them, or reduce into private "
       "copies"},
      {loss.overhead, "OpenMP's own work, starting teams and dealing out iterations: take larger "
                      "chunks, or parallelize an outer loop"},
      {loss.memory, "memory that is slower when more threads use it: touch less data"},
  };
  const Reason &worst =
      *std::max_element(std::begin(reasons), std::end(reasons),
                        [](const Reason &a, const Reason &b) { return a.share < b.share; });
  if (worst.share < 0.01)
    return "nothing to speak of, nearly all of the threads' time is useful work";
  return fmt::format("{} goes to {}", formatShare(worst.share), worst.text);
}

} // namespace prophet
