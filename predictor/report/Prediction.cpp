//===- Prediction.cpp - The estimates of one tree ---------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/report/Prediction.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace prophet {

const std::vector<ScheduleChoice> &defaultSchedules() {
  using Kind = Schedule::Kind;
  static const std::vector<ScheduleChoice> schedules = {
      {{Kind::Static, 0}}, {{Kind::StaticChunk, 1}}, {{Kind::Dynamic, 1}}};
  return schedules;
}

std::string ScheduleChoice::word() const {
  switch (kind) {
  case Kind::Given:
    return schedule.str();
  case Kind::Best:
    return "auto";
  case Kind::Written:
    return "written";
  case Kind::Split:
    return "split";
  }
  return "";
}

std::string PredictionPoint::scheduleName() const {
  return isWritten() || isSplit() ? choice.word() : choice.schedule.str();
}

const Schedule &PredictionPoint::scheduleOf(std::uint32_t site) const {
  return isWritten() ? sites[site].schedule : choice.schedule;
}

const char *sourceName(OpenedBy source) {
  switch (source) {
  case OpenedBy::Merging:
    return "merging";
  case OpenedBy::Stealing:
    return "stealing";
  case OpenedBy::Placement:
    return "placement";
  case OpenedBy::Runs:
    return "runs";
  case OpenedBy::Cache:
    return "cache";
  case OpenedBy::Places:
    return "places";
  case OpenedBy::Memory:
    return "memory";
  case OpenedBy::Repeating:
    return "repeating";
  case OpenedBy::Sampling:
    return "sampling";
  }
  return "";
}

void overUnchanged(PredictionPoint &point, const Estimate &unchanged) {
  Estimate &changed = point.estimate;
  const auto ratio = [](double serial, double ticks) { return ticks > 0 ? serial / ticks : 1; };
  const double growth = ratio(unchanged.serialTicks, changed.serialTicks);
  const auto grow = [growth](std::pair<double, double> &range) {
    range.first *= growth;
    range.second *= growth;
  };
  grow(point.interval);
  for (IntervalPart &part : point.intervalParts)
    grow(part.range);
  for (std::size_t site = 0; site < changed.sites.size(); ++site) {
    SiteEstimate &entry = changed.sites[site];
    entry.gain *= growth;
    entry.serialTicks = unchanged.sites[site].serialTicks;
    entry.speedup = ratio(entry.serialTicks, entry.ticks);
  }
  changed.serialTicks = unchanged.serialTicks;
  changed.speedup = ratio(changed.serialTicks, changed.ticks);
}

const PredictionPoint &bestPoint(const Prediction &prediction) {
  const auto printed = [](const PredictionPoint &point) {
    return std::round(point.estimate.speedup * 100);
  };
  return *std::max_element(prediction.points.begin(), prediction.points.end(),
                           [&](const PredictionPoint &a, const PredictionPoint &b) {
                             return std::pair(printed(a), b.threads) <
                                    std::pair(printed(b), a.threads);
                           });
}

std::pair<double, double> speedupInterval(double speedup, double tolerance, double bound) {
  return {speedup / (1 + tolerance), std::min(speedup / (1 - tolerance), std::max(speedup, bound))};
}

double maximumGain(const Tree &tree) {
  std::vector<double> lengths = tree.serialLengths();
  double outside = 0;
  for (const Child &child : tree.childrenOf(tree.root))
    if (tree.nodes[child.node].kind != NodeKind::Section)
      outside += static_cast<double>(child.repeat) * lengths[child.node];
  if (outside > 0)
    return lengths[tree.root] / outside;
  return lengths[tree.root] > 0 ? std::numeric_limits<double>::infinity() : 1;
}

std::string describeMemoryUse(const MemoryUse &memory) {
  if (std::string_view(memory.model) == "none")
    return fmt::format("Memory contention is not in these figures{} (--memory none).", memory.why);
  return fmt::format("Memory contention is{} (--memory {}).", memory.why, memory.model);
}

bool hasScheduledLoops(const Tree &tree) {
  return std::ranges::find(tree.sites, SiteKind::ParallelFor, &Site::kind) != tree.sites.end();
}

bool isAnySchedule(const Tree &tree, const ScheduleChoice &choice) {
  using Kind = ScheduleChoice::Kind;
  return !hasScheduledLoops(tree) && (choice.kind == Kind::Given || choice.kind == Kind::Best);
}

std::string rowName(const Tree &tree, const ScheduleChoice &choice) {
  return isAnySchedule(tree, choice) ? "any schedule" : choice.word();
}

EmulationOptions optionsOf(const Prediction &prediction, const PredictionPoint &point) {
  EmulationOptions options = prediction.options;
  options.threads = point.threads;
  options.schedule = point.choice.schedule;
  options.sites = point.sites;
  options.seed = point.seed;
  return options;
}

/// How many threads can want one lock at a time: those of all teams around it.
static double contenders(const Tree &tree, const EmulationOptions &options) {
  constexpr int none = -1;
  std::vector<int> sections(tree.nodes.size(), none); ///< the most above a lock, from the node on
  for (NodeId id = 0; id <= tree.root; ++id) {
    if (tree.nodes[id].kind == NodeKind::L)
      sections[id] = 0;
    for (const Child &child : tree.childrenOf(id))
      sections[id] = std::max(sections[id], sections[child.node]);
    if (tree.nodes[id].kind == NodeKind::Section && sections[id] != none)
      ++sections[id];
  }
  const auto levels = std::min<double>(sections[tree.root], options.maxActiveLevels);
  return levels > 0 ? std::pow(options.widestTeam(), levels) : 0;
}

bool isExtrapolated(const Prediction &prediction, const EmulationOptions &options) {
  const Tree &tree = *prediction.tree;
  const unsigned measured = options.overheads.measured();
  if (measured == 0 || options.overheads.isNone())
    return false;
  const bool isBeyond = options.widestTeam() > measured ||
                        (options.maxActiveLevels > 1 && contenders(tree, options) > measured);
  return isBeyond &&
         std::ranges::find(tree.nodes, NodeKind::Section, &Node::kind) != tree.nodes.end();
}

bool isExtrapolated(const Prediction &prediction, const PredictionPoint &point) {
  return !point.isFree && isExtrapolated(prediction, optionsOf(prediction, point));
}

bool isExtrapolated(const Prediction &prediction, const SynthesizedPoint &point) {
  const PredictionPoint &charged = point;
  return point.delay == Delay::Virtual && isExtrapolated(prediction, charged);
}

std::vector<const PredictionPoint *> Prediction::charged() const {
  std::vector<const PredictionPoint *> all;
  for (const PredictionPoint &point : points)
    all.push_back(&point);
  for (const SynthesizedPoint &point : synthesized)
    if (point.delay == Delay::Virtual)
      all.push_back(&point);
  return all;
}

} // namespace prophet
