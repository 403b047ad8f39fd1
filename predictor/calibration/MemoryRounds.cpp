//===- MemoryRounds.cpp - What the memory program printed -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/calibration/MemoryRounds.h"

#include "memmodel/Median.h"
#include "predictor/calibration/CacheReach.h"
#include "predictor/calibration/LatencyBySize.h"
#include "predictor/calibration/RunFigures.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace prophet {

using memmodel::AccessClass, memmodel::CurvePoint, memmodel::Machine, memmodel::MeasuredCurve,
    memmodel::MemoryFigures;

namespace {

/// Of three lines that a generator touches, how many it writes.
constexpr unsigned writtenLines[] = {0, 1, 3};

/// Of a chain of lines, in bytes: the next ones are half as large again, twice as large, ...
constexpr double leastCircle = 16 << 10;

/// What a figure's windows are apart, over their median; of several the mean.
double relativeRange(const std::map<unsigned, Figure> &values) {
  double sum = 0;
  for (const auto &[key, figure] : values)
    sum += figure.ns > 0 ? figure.iqr / figure.ns : 0;
  return sum / static_cast<double>(values.size());
}

/// The curve of one mix. Where all threads make traffic none is left to see the latency; but each
/// has as many lines under way as alone, so it is longer in proportion to what each gets less.
MeasuredCurve curveOf(const Figures &figures, unsigned written, CurvePoint idle) {
  const std::string prefix = fmt::format("load.{}.", written);
  MeasuredCurve curve{1 / (1 + written / 3.0), {idle}};
  if (const auto loads = figures.find(prefix + "gbs"); loads != figures.end())
    for (const auto &[pause, gbs] : loads->second)
      curve.points.push_back({gbs.ns, valueOf(figures, prefix + "ns", pause)});
  const auto &traffic = figures.at(prefix + "traffic");
  const auto [threads, all] = *traffic.rbegin();
  const double alone = traffic.begin()->second.ns;
  const memmodel::CurveFamily loaded({curve});
  const double ns = loaded.latency(std::min(alone, loaded.mostBandwidth(1)), 1);
  const double each = all.ns / threads;
  curve.points.push_back({all.ns, std::max(ns, each > 0 ? ns * alone / each : ns)});
  return curve;
}

/// The last core brings less than a quarter of what the first one did.
bool isSaturated(const std::map<unsigned, Figure> &traffic) {
  const auto last = traffic.rbegin();
  if (traffic.size() < 2)
    return false;
  return last->second.ns - std::next(last)->second.ns < 0.25 * traffic.begin()->second.ns;
}

/// What `machine` says of its last-level cache, or what is assumed where it says nothing.
double saidBytes(const Machine &machine) {
  constexpr double unknown = 32 << 20;
  return machine.caches.empty() ? unknown : machine.caches.back().bytes;
}

/// Up to which the caches before the last one reach.
double innerBytes(const Machine &machine) {
  constexpr double unknown = 1 << 20;
  return machine.caches.size() < 2 ? unknown : machine.caches.rbegin()[1].bytes;
}

std::string count(double bytes) { return fmt::format("{:.0f}", bytes); }

/// The first size from `bytes` on of which memory-figures measures the latency.
double measuredFrom(double bytes) {
  double size = leastCircle;
  while (1.5 * size < bytes)
    size *= 2;
  return size < bytes ? 1.5 * size : size;
}

} // namespace

/// Behind the last-level cache. What a virtual machine says may be a whole package's: no more of
/// that than shows its end.
static double beyondLastCache(const Machine &machine) {
  constexpr double large = 256 << 20;
  const double said = saidBytes(machine);
  return measuredFrom(std::max({std::min(4 * said, large), 1.5 * said, 8 * innerBytes(machine)}));
}

MemoryGroup cacheGroup(const Machine &machine) {
  return {{"latency", count(innerBytes(machine)), count(beyondLastCache(machine)),
           count(saidBytes(machine)), count(saidBytes(machine))}};
}

void findLastCache(Machine &machine, const Rounds &rounds) {
  if (machine.caches.size() < 2)
    return;
  const LatencyBySize latency(rounds.figures().at("latency"));
  memmodel::Cache &last = machine.caches.back();
  const double inner = innerBytes(machine);
  // In twice the cache before it half of what is used may still be that one's: first behind that.
  double end = latency.steepest(4 * inner);
  if (end == 0)
    end = latency.steepest(2 * inner);
  if (end == 0) { // latencies do not rise behind it: there is nothing of it left
    last.latencyNs = latency.at(2 * inner);
    last.effectiveBytes = {inner, 2 * inner};
    return;
  }
  last.latencyNs = latency.at(std::min(4 * inner, end));
  const double rise = latency.at(latency.plateau(2 * end)) - last.latencyNs;
  last.effectiveBytes = latency.between(last.latencyNs + 0.25 * rise, last.latencyNs + 0.75 * rise);
}

std::vector<MemoryGroup> memoryGroups(const Machine &machine, std::size_t cores) {
  const double inner = innerBytes(machine), own = memmodel::privateBytes(machine);
  const auto [fits, leaves] =
      machine.caches.empty() ? std::pair(0., 0.) : machine.caches.back().effectiveBytes;
  const double llc = leaves > 0 ? leaves : saidBytes(machine);
  // More than the cores' own caches have, less than the last one.
  const double near = std::min(std::max(4 * own, 2 * inner), leaves > 0 ? fits : llc / 2);
  const unsigned sharers =
      machine.caches.empty() ? static_cast<unsigned>(cores) : machine.caches.back().sharedBy;
  // As much for each of two threads, if that is more than their own caches keep.
  const double both = std::min(2 * near, leaves > 0 ? fits : llc / 2);
  const bool isBoth = both > 3 * own;
  std::vector<MemoryGroup> groups;
  const auto add = [&](const char *group, std::string first, std::string second) {
    groups.push_back(
        {{group, std::move(first), std::move(second), count(llc), count(saidBytes(machine))}});
  };
  add("classes", count(near), count(isBoth ? both : 0));
  for (unsigned written : writtenLines)
    add("load", std::to_string(written), std::to_string(sharers));
  add("latency", count(leastCircle), count(std::max(inner, leastCircle)));
  if (machine.caches.size() > 1)
    add("reach", std::to_string(sharers),
        count(std::min(beyondLastCache(machine), measuredFrom(16 * llc))));
  if (cores > 1)
    add("transfer", count(std::max(own / 2, 65536.)), "0");
  return groups;
}

bool isDisturbed(const std::vector<MemoryGroup> &groups) {
  return std::ranges::any_of(groups, [](const auto &group) { return group.rounds.disturbed(); });
}

/// The geometric mean. \pre there are some
static memmodel::ReachPoint meanOf(const std::vector<memmodel::ReachPoint> &points) {
  memmodel::ReachPoint logarithms{0, 0};
  for (const auto &[ns, size] : points)
    logarithms = {logarithms.ns + std::log(ns), logarithms.size + std::log(size)};
  const auto count = static_cast<double>(points.size());
  return {std::exp(logarithms.ns / count), std::exp(logarithms.size / count)};
}

/// Adds to the last-level cache how many cores share one and how long it keeps how much, by passes
/// over ever more bytes.
/// \param isOne it is known that all share one
static void addReach(Machine &machine, const std::vector<MemoryGroup> &groups, bool isOne) {
  memmodel::Cache &last = machine.caches.back();
  last.reach.clear();
  last.reachSpread = 1;
  last.reachSigma = 0;
  last.effectiveSharedBy = 0;
  std::vector<std::vector<CacheEnd>> windows;
  for (const MemoryGroup &group : groups)
    for (const Round &window : group.rounds.thatCount())
      windows.push_back(endsOf(window.figures, machine));
  const MeasuredReach measured = reachOf(windows);
  const unsigned caches = isOne ? 1 : cachesOf(measured);
  std::vector<memmodel::ReachPoint> points;
  for (const auto &[passes, end] : measured.ends)
    points.push_back({end.ns, end.size / (passes.first > 1 ? caches : 1)});
  if (points.empty())
    return;
  const unsigned together =
      measured.ends.rbegin()->first.first; // which the system may say are more
  last.effectiveSharedBy = caches > 1 ? together / caches : 0;
  last.reach = memmodel::asReach(points);
  last.reachSpread = measured.spread;
  constexpr double fades = 2; // else nobody else fills it, and it has a size
  if (last.reach.front().size < fades * last.reach.back().size) {
    const memmodel::ReachPoint mean = meanOf(points);
    const auto [least, most] = std::ranges::minmax(points, {}, &memmodel::ReachPoint::size);
    last.reach = {mean};
    last.reachSpread *= std::max(most.size / mean.size, mean.size / least.size);
  }
  last.reachSigma =
      sigmaOf(windows, memmodel::Reach(last.reach), caches).value_or(memmodel::usualReachSigma);
}

/// Adds what is not known of the caches yet.
/// \param handoverNs of two cores; 0: there are more, or it is not known
static void addCaches(Machine &machine, const std::vector<MemoryGroup> &groups,
                      const LatencyBySize &latency, double handoverNs) {
  const std::size_t known = machine.caches.size() > 1 ? machine.caches.size() - 1 : 1;
  for (std::size_t i = 0; i < std::min(known, machine.caches.size()); ++i) // then the last one
    machine.caches[i].latencyNs = latency.at(machine.caches[i].bytes / 2);
  if (known < machine.caches.size())
    addReach(machine, groups, shareLastCache(machine, handoverNs).value_or(false));
}

/// GB/s of passes of so many threads that find all in the last-level cache, the median of windows,
/// by the fewest bytes that the threads' own caches do not have a half of; 0 where there are none.
static double sharedStreamGbs(const Machine &machine, const Figures &figures, unsigned threads) {
  const auto passes = figures.find(fmt::format("reach.{}.0.up", threads));
  if (passes == figures.end())
    return 0;
  std::map<unsigned, double> byKib;
  for (const auto &[kib, gbs] : passes->second)
    byKib[kib] = gbs.ns; // of whatever unit
  return passesInCache(byKib, 2 * threads * memmodel::privateBytes(machine));
}

/// The same of several threads of which memory gives \p farGbs; 0 also where their own caches have
/// more than a quarter of the last one, or memory gives nearly as much: then the passes were not in
/// it.
static double sharedByAllGbs(const Machine &machine, const Figures &figures, unsigned threads,
                             double farGbs) {
  const double own = threads * memmodel::privateBytes(machine);
  const double gbs = sharedStreamGbs(machine, figures, threads);
  return 4 * own <= machine.caches.back().bytes && gbs >= 1.5 * farGbs ? gbs : 0;
}

/// What all threads that share a last-level cache get of it.
static void addSharedByAll(MemoryFigures &memory, const Machine &machine, const Figures &figures) {
  const auto &[cores, traffic] = *figures.at("load.0.traffic").rbegin(); // behind all of the cache
  const memmodel::Cache &last = machine.caches.back();
  const unsigned said = std::min(last.sharedBy, cores); // that make passes
  const unsigned threads = std::min(memmodel::sharedBy(last), cores);
  const double part = 1.0 * threads / cores; // of several caches
  if (threads > 1)
    memory.sharedByAll = {threads,
                          part * cores / said *
                              sharedByAllGbs(machine, figures, said, traffic.ns * said / cores),
                          part * valueOf(figures, "shared", cores)};
}

/// What shows of streams from where GROUP.FROM says, by what a loop takes that finds all in its
/// first cache.
/// \param group "overlap", of one, or "together"
static std::vector<memmodel::OverlapPoint>
overlapOf(const Figures &figures, const std::string &group, const std::string &from) {
  std::vector<memmodel::OverlapPoint> points;
  const auto far = figures.find(group + "." + from);
  if (far == figures.end())
    return points;
  const double stream = far->second.begin()->second.ns; // of the loop that computes the least
  for (const auto &[rounds, figure] : far->second) {
    const double computing = valueOf(figures, group + ".own", rounds);
    if (stream > 0 && computing > 0)
      points.push_back({computing / stream, (figure.ns - computing) / stream});
  }
  return memmodel::asOverlap(std::move(points));
}

/// What lines take that other cores have.
static void addTransfers(MemoryFigures &memory, const Figures &figures) {
  memory.transferNs = valueOf(figures, "transfer", 2);
  memory.transferAheadNs = valueOf(figures, "exchange.other", 1);
  if (memory.transferAheadNs <= memory.transferNs)
    memory.transferOverlap = overlapOf(figures, "exchange", "other");
  else // prefetchers make it no slower
    memory.transferAheadNs = memory.transferNs;
}

/// What a line takes from core to core, in the windows that count and in those that were elsewhere.
static void addHandovers(memmodel::Quality &quality, const std::vector<MemoryGroup> &groups) {
  std::vector<double> counted, elsewhere;
  for (const MemoryGroup &group : groups) {
    // Where too few count, so do some that were not quiet: who knows where their cores were.
    for (const Round &window : group.rounds.thatCount().first(group.rounds.quiet()))
      counted.push_back(window.handoverNs);
    std::ranges::copy(group.rounds.elsewhere(), std::back_inserter(elsewhere));
  }
  quality.handoverNs = counted.empty() ? 0 : memmodel::median(counted);
  quality.elsewhere = static_cast<unsigned>(elsewhere.size());
  quality.elsewhereNs = elsewhere.empty() ? 0 : memmodel::median(elsewhere);
}

void addMemoryFigures(Machine &machine, const std::vector<MemoryGroup> &groups) {
  findLastCache(machine, groups.front().rounds);
  MemoryFigures memory;
  memory.source = "prophet calibrate";
  Figures figures;
  for (const MemoryGroup &group : groups) {
    memory.quality.tried += static_cast<unsigned>(group.rounds.tried());
    memory.quality.accepted += static_cast<unsigned>(group.rounds.quiet());
    for (auto &[name, values] : group.rounds.figures())
      figures[name].insert(values.begin(), values.end());
  }
  addHandovers(memory.quality, groups);
  for (const auto &[name, values] : figures)
    memory.quality.iqr[name] = relativeRange(values);
  for (std::size_t c = 0; c < memmodel::accessClasses; ++c)
    memory.classGbs[c] = valueOf(
        figures, std::string("class.") + memmodel::className(static_cast<AccessClass>(c)), 1);
  memory.sharedCacheGbs = valueOf(figures, "shared", 1);
  const bool isPair = figures.at("load.0.traffic").rbegin()->first == 2;
  addCaches(machine, groups, LatencyBySize(figures.at("latency")),
            isPair ? memory.quality.handoverNs : 0);
  memory.sharedStreamGbs = sharedStreamGbs(machine, figures, 1);
  if (!machine.caches.empty())
    addSharedByAll(memory, machine, figures);
  memory.memoryOverlap = overlapOf(figures, "overlap", "memory");
  memory.sharedOverlap = overlapOf(figures, "overlap", "shared");
  addTransfers(memory, figures);
  if (const double least = valueOf(figures, "together.memory", 1); least > 0) // ns a line
    memory.together = {MemoryFigures::streamsTogether, measuredLineBytes / least,
                       overlapOf(figures, "together", "memory"),
                       overlapOf(figures, "together", "shared")};
  memory.sparseGbs = valueOf(figures, "sparse", 1);
  memory.accessesPerNs = valueOf(figures, "accesses", 1);
  constexpr double mostNs = 1e3; // more takes a thread only that did not get its core
  if (const double ns = valueOf(figures, "addition", 1); ns <= mostNs)
    memory.additionNs = ns;
  const double chase = memory.classGbs[static_cast<std::size_t>(AccessClass::Chase)];
  const CurvePoint idle{chase, machine.lineBytes / chase};
  for (unsigned written : writtenLines)
    memory.curves.push_back(curveOf(figures, written, idle));
  const auto &traffic = figures.at("load.0.traffic");
  memory.threads = traffic.rbegin()->first;
  memory.saturationSeen = isSaturated(traffic);
  addRuns(memory, figures);
  machine.memory = std::move(memory);
}

} // namespace prophet
