//===- Machine.cpp - What a machine file knows of memory ------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/Machine.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace prophet::memmodel {

using nlohmann::ordered_json;

/// Without ".0" where it is whole.
static ordered_json plain(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15
             ? ordered_json(static_cast<std::int64_t>(value))
             : ordered_json(value);
}

/// Four digits are more than is known.
static ordered_json rounded(double value) {
  if (!std::isfinite(value))
    return 0;
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.4g", value);
  return plain(std::strtod(digits, nullptr));
}

static ordered_json renderCache(const Cache &cache) {
  ordered_json result = {
      {"level", cache.level}, {"bytes", plain(cache.bytes)}, {"shared_by", cache.sharedBy}};
  if (cache.latencyNs > 0)
    result["lat_ns"] = rounded(cache.latencyNs);
  if (cache.effectiveBytes.second > 0)
    result["effective_bytes"] = {plain(cache.effectiveBytes.first),
                                 plain(cache.effectiveBytes.second)};
  if (cache.effectiveSharedBy > 0)
    result["effective_shared_by"] = cache.effectiveSharedBy;
  for (const ReachPoint &point : cache.reach)
    result["reach"].push_back({rounded(point.ns), rounded(point.size)});
  if (cache.reachSpread > 1)
    result["reach_spread"] = rounded(cache.reachSpread);
  if (!cache.reach.empty())
    result["reach_sigma"] = rounded(cache.reachSigma);
  return result;
}

static void addOverlap(ordered_json &to, const std::vector<OverlapPoint> &memory,
                       const std::vector<OverlapPoint> &shared,
                       const std::vector<OverlapPoint> &transfers = {}) {
  for (const auto &[name, points] :
       {std::pair("memory", &memory), {"shared", &shared}, {"transfers", &transfers}})
    for (const OverlapPoint &point : *points)
      to["overlap"][name].push_back({rounded(point.computing), rounded(point.shows)});
}

static ordered_json renderMemory(const MemoryFigures &memory) {
  ordered_json result = {{"source", memory.source},
                         {"threads", memory.threads},
                         {"saturation_seen", memory.saturationSeen}};
  ordered_json &curves = result["curves"] = ordered_json::object();
  for (const MeasuredCurve &curve : memory.curves) {
    ordered_json &points = curves[rounded(curve.readShare).dump()] = ordered_json::array();
    for (const CurvePoint &point : curve.points)
      points.push_back({rounded(point.gbs), rounded(point.ns)});
  }
  ordered_json &classes = result["classes"] = ordered_json::object();
  for (std::size_t c = 0; c < accessClasses; ++c)
    if (memory.classGbs[c] > 0)
      classes[className(static_cast<AccessClass>(c))] = rounded(memory.classGbs[c]);
  for (const auto &[name, from, of] : runTableKeys)
    for (const auto &[lines, gbs] : memory.*from.*of)
      result[name][std::to_string(lines)] = rounded(gbs);
  for (const auto &[name, ends] : endsKeys)
    if (const EndsTogether &all = memory.*ends; all != EndsTogether{}) {
      ordered_json &json = result["ends_together"][name] = {{"streams", all.streams}};
      for (const auto &[key, of] : endsTimesKeys)
        if (all.*of > 0)
          json[key] = rounded(all.*of);
    }
  for (const auto &[lines, ns] : memory.ownEnds.ns)
    result["own_ends"][std::to_string(lines)] = rounded(ns);
  if (memory.sharedCacheGbs > 0)
    result["shared_cache_gbs"] = rounded(memory.sharedCacheGbs);
  if (memory.sharedStreamGbs > 0)
    result["shared_stream_gbs"] = rounded(memory.sharedStreamGbs);
  if (const SharedByAll &all = memory.sharedByAll; all.threads > 0) {
    result["shared_by_all"] = {{"threads", all.threads}};
    if (all.gbs > 0)
      result["shared_by_all"]["gbs"] = rounded(all.gbs);
    if (all.irregularGbs > 0)
      result["shared_by_all"]["irregular_gbs"] = rounded(all.irregularGbs);
  }
  if (memory.transferNs > 0)
    result["transfer_ns"] = rounded(memory.transferNs);
  if (memory.transferAheadNs > 0)
    result["transfer_ahead_ns"] = rounded(memory.transferAheadNs);
  for (const auto &[name, of] : lineMoveKeys) {
    const LineMove &move = memory.moved.*of;
    if (move.aheadNs > 0)
      result["moved_lines"][name]["ahead_ns"] = rounded(move.aheadNs);
    for (const auto &[lines, ns] : move.ends.ns)
      result["moved_lines"][name]["ends"][std::to_string(lines)] = rounded(ns);
  }
  addOverlap(result, memory.memoryOverlap, memory.sharedOverlap, memory.transferOverlap);
  if (memory.together) {
    ordered_json &together = result["together"];
    together = {{"streams", memory.together->streams}, {"gbs", rounded(memory.together->gbs)}};
    addOverlap(together, memory.together->memoryOverlap, memory.together->sharedOverlap);
  }
  if (memory.sparseGbs > 0)
    result["sparse_gbs"] = rounded(memory.sparseGbs);
  if (memory.accessesPerNs > 0)
    result["accesses_per_ns"] = rounded(memory.accessesPerNs);
  if (memory.additionNs > 0)
    result["addition_ns"] = rounded(memory.additionNs);
  ordered_json iqr = ordered_json::object();
  for (const auto &[name, value] : memory.quality.iqr)
    iqr[name] = rounded(value);
  if (memory.quality.tried > 0)
    result["quality"] = {{"tried", memory.quality.tried},
                         {"accepted", memory.quality.accepted},
                         {"disturbed", memory.quality.disturbed},
                         {"elsewhere", memory.quality.elsewhere},
                         {"handover_ns", rounded(memory.quality.handoverNs)},
                         {"elsewhere_ns", rounded(memory.quality.elsewhereNs)},
                         {"iqr", std::move(iqr)}};
  return result;
}

static ordered_json renderPaper(const Coefficients &paper) {
  ordered_json psi = ordered_json::object();
  for (const auto &[threads, line] : paper.psi)
    psi[std::to_string(threads)] = {
        {"shape", line.shape == TrafficLine::Shape::Linear ? "linear" : "logarithmic"},
        {"slope", line.slope},
        {"offset", line.offset}};
  return {{"psi", std::move(psi)},
          {"phi", {{"scale", paper.phiScale}, {"exponent", paper.phiExponent}}},
          {"least_traffic", paper.leastTraffic},
          {"least_miss_rate", paper.leastMissRate}};
}

std::string mergeMachine(const Machine &machine, const std::string &old) {
  ordered_json file = old.empty() ? ordered_json::object() : ordered_json::parse(old);
  file["format"] = "prophet-machine";
  file["version"] = 1;
  if (!machine.name.empty())
    file["name"] = machine.name;
  for (const auto &[key, value] :
       {std::pair("cores", machine.cores), {"sockets", machine.sockets}, {"smt", machine.smt}})
    if (value > 0)
      file[key] = value;
  if (machine.frequencyHz > 0)
    file["freq_hz"] = plain(machine.frequencyHz);
  file["line"] = plain(machine.lineBytes);
  if (!machine.caches.empty()) {
    file["caches"] = ordered_json::array();
    for (const Cache &cache : machine.caches)
      file["caches"].push_back(renderCache(cache));
  }
  if (machine.memory)
    file["memory"] = renderMemory(*machine.memory);
  if (machine.paper)
    file["paper"] = renderPaper(*machine.paper);
  return file.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::optional<Machine> presetMachine(const std::string &name) {
  if (name != "westmere")
    return std::nullopt;
  Machine machine;
  machine.name = "Westmere, as Parallel Prophet prints it";
  machine.cores = 12;
  machine.sockets = 2;
  machine.smt = 1;
  machine.paper = westmere();
  return machine;
}

unsigned sharedBy(const Cache &last) {
  return std::max(1u, last.effectiveSharedBy > 0 ? last.effectiveSharedBy : last.sharedBy);
}

double privateBytes(const Machine &machine) {
  if (machine.caches.size() < 2)
    return 0;
  const Cache &own = machine.caches[machine.caches.size() - 2];
  return own.bytes / own.sharedBy;
}

double firstCacheBytes(const Machine &machine) {
  constexpr double common = 32 << 10;
  const bool known = !machine.caches.empty() && machine.caches.front().level == 1;
  return known ? machine.caches.front().bytes : common;
}

double sharedBytes(const Machine &machine) {
  if (machine.caches.empty())
    return 0;
  const Cache &last = machine.caches.back();
  if (last.reach.size() == 1)
    return last.reach.front().size + privateBytes(machine); // it is what lies behind that
  const auto [fits, exceeds] = last.effectiveBytes;
  return exceeds > 0 ? (fits + exceeds) / 2 : last.bytes;
}

CacheSizes cacheSizes(const Machine &machine, unsigned threads) {
  CacheSizes sizes{privateBytes(machine) / machine.lineBytes,
                   sharedBytes(machine) / machine.lineBytes, sharers(machine, threads)};
  if (machine.caches.empty())
    return sizes;
  for (const ReachPoint &point : machine.caches.back().reach)
    sizes.reach.push_back({point.ns, point.size / machine.lineBytes});
  sizes.reachSigma = machine.caches.back().reachSigma;
  return sizes;
}

std::vector<Machine> otherCaches(const Machine &machine) {
  if (machine.caches.empty())
    return {};
  const Cache &last = machine.caches.back();
  const auto [fits, exceeds] = last.effectiveBytes;
  const double size = sharedBytes(machine), spread = last.reachSpread;
  const auto with = [&](double edge, double lastBytes, double reach) {
    Machine other = machine;
    Cache &shared = other.caches.back();
    shared.bytes = lastBytes;
    shared.effectiveBytes = {};
    for (ReachPoint &point : shared.reach)
      point = {point.ns * reach, point.size * reach};
    if (other.caches.size() > 1)
      other.caches[other.caches.size() - 2].bytes *= edge;
    return other;
  };
  constexpr double less = 0.7, more = 1.4;
  const bool known = exceeds > 0, isSpread = spread > 1;
  return {
      with(less, known ? std::min(fits, less * size) : less * size, isSpread ? 1 / spread : less),
      with(more, known ? std::max(exceeds, more * size) : more * size, isSpread ? spread : more)};
}

std::optional<bool> shareLastCache(const Machine &machine, double handoverNs) {
  // Through one it was 10 to 14 times as long, from one to another 43 to 53.
  constexpr double most = 20;
  const double before = machine.caches.size() > 1 ? machine.caches.rbegin()[1].latencyNs : 0;
  if (before <= 0 || handoverNs <= 0)
    return std::nullopt;
  return handoverNs <= most * before;
}

std::optional<Machine> otherPlaces(const Machine &machine) {
  if (!machine.memory)
    return std::nullopt;
  const Quality &quality = machine.memory->quality;
  constexpr double often = 0.1;
  const double quiet = quality.accepted + quality.elsewhere;
  constexpr double least = 1, most = 1e6; // ns: else it is no time that a line takes
  const auto isTime = [&](double ns) { return ns >= least && ns <= most; };
  if (quality.elsewhere <= often * quiet || !isTime(quality.handoverNs) ||
      !isTime(quality.elsewhereNs))
    return std::nullopt;
  Machine other = machine;
  MemoryFigures &memory = *other.memory;
  const double longer = quality.elsewhereNs / quality.handoverNs;
  memory.transferNs *= longer;
  memory.transferAheadNs *= longer;
  std::vector<EndTimes *> ends{&memory.ownEnds}; // lines come back from the other core
  for (const auto &[name, of] : lineMoveKeys) {
    (memory.moved.*of).aheadNs *= longer;
    ends.push_back(&(memory.moved.*of).ends);
  }
  for (EndTimes *of : ends)
    for (auto &[lines, ns] : of->ns)
      ns *= longer;
  const auto share = shareLastCache(machine, quality.elsewhereNs);
  // Of more cores the handover is a mean, which does not say which of them share one.
  if (machine.cores == 2 && share != shareLastCache(machine, quality.handoverNs)) {
    Cache &last = other.caches.back();
    last.effectiveSharedBy = *share ? last.sharedBy : 1;
    if (last.effectiveSharedBy != sharedBy(machine.caches.back()))
      memory.sharedByAll = {}; // it was measured of so many
  }
  return other;
}

unsigned sharers(const Machine &machine, unsigned threads) {
  if (machine.caches.empty() || threads == 0)
    return std::max(threads, 1u);
  const unsigned most = sharedBy(machine.caches.back());
  const unsigned cores = machine.cores / std::max(machine.smt, 1u); // it counts their threads
  if (cores == 0 || threads <= cores)
    return most;
  const unsigned caches = (cores - 1) / most + 1;
  return (threads - 1) / caches + 1;
}

std::optional<MemorySystem> memorySystem(const Machine &machine, std::string &problem) {
  if (!machine.memory) {
    problem = "has no memory curves; run 'prophet calibrate', or use --memory none";
    return std::nullopt;
  }
  const MemoryFigures &memory = *machine.memory;
  MemorySystem system{CurveFamily(memory.curves)};
  system.classGbs = memory.classGbs;
  // A chain of loads has one line under way, by definition.
  double &chase = system.classGbs[static_cast<std::size_t>(AccessClass::Chase)];
  if (chase == 0)
    chase = machine.lineBytes / system.curves.idleLatency();
  for (std::size_t c = 0; c < accessClasses; ++c)
    if (system.classGbs[c] == 0) {
      problem = std::string("has no \"memory\" \"classes\" \"") +
                className(static_cast<AccessClass>(c)) +
                "\"; add the bandwidth of one thread, or run 'prophet calibrate'";
      return std::nullopt;
    }
  system.streamRuns = memory.streamRuns;
  system.sharedRuns = memory.sharedRuns;
  system.memoryEnds = memory.memoryEnds;
  system.sharedEnds = memory.sharedEnds;
  system.ownEnds = memory.ownEnds;
  system.ownEndsTogether = memory.ownEndsTogether;
  if (memory.sharedCacheGbs > 0)
    system.sharedHitNs = machine.lineBytes / memory.sharedCacheGbs;
  if (memory.sharedStreamGbs > 0)
    system.sharedAheadNs = machine.lineBytes / memory.sharedStreamGbs;
  system.sharedByAll = memory.sharedByAll;
  if (!machine.caches.empty())
    system.sharedChasedNs = std::min(machine.caches.back().latencyNs, system.curves.idleLatency());
  if (memory.sparseGbs > 0) {
    const double atOnce = memory.sparseGbs * system.curves.idleLatency() / machine.lineBytes;
    system.irregularWindow = std::max(0.0, atOnce - 1) * MemorySystem::sparseAccesses;
  }
  system.memoryOverlap = Overlap(asOverlap(memory.memoryOverlap));
  system.sharedOverlap = Overlap(asOverlap(memory.sharedOverlap));
  system.transferOverlap = Overlap(asOverlap(memory.transferOverlap));
  if (memory.together)
    system.together = {double(memory.together->streams), memory.together->gbs,
                       Overlap(asOverlap(memory.together->memoryOverlap)),
                       Overlap(asOverlap(memory.together->sharedOverlap))};
  system.transferNs = memory.transferNs;
  system.transferAheadNs = memory.transferAheadNs > 0 ? memory.transferAheadNs : memory.transferNs;
  system.moved = memory.moved;
  system.saturationSeen = memory.saturationSeen;
  system.measuredThreads = memory.threads;
  system.lineBytes = machine.lineBytes;
  return system;
}

} // namespace prophet::memmodel
