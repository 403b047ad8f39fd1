//===- MachineReader.cpp - Reading a machine file's memory ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/Machine.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

namespace prophet::memmodel {

namespace {

using nlohmann::json;

/// Reads values and keeps the first thing that is wrong.
class Reader {
public:
  std::string problem;

  Machine machine(const json &file) {
    Machine result;
    if (file.contains("name"))
      result.name = text(file, "name", "");
    result.cores = count(file, "cores", "");
    result.sockets = count(file, "sockets", "");
    result.smt = count(file, "smt", "");
    result.frequencyHz = number(file, "freq_hz", "", 0, 1e12, 0);
    result.lineBytes = number(file, "line", "", 1, 4096, 64);
    if (const json *caches = find(file, "caches"))
      result.caches = readCaches(*caches);
    if (const json *memory = find(file, "memory"))
      result.memory = readMemory(*memory);
    if (const json *paper = find(file, "paper"))
      result.paper = readPaper(*paper);
    return result;
  }

private:
  static const json *find(const json &object, const char *key) {
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  }

  /// A key of the file's own in a message: not so long that what to do is cut off.
  static std::string shown(std::string_view key) { return std::string(key.substr(0, 20)); }

  void complain(const std::string &what) {
    if (problem.empty())
      problem = what;
  }

  /// \returns whether `value` is an object.
  bool isObject(const json &value, const std::string &name) {
    if (!value.is_object())
      complain("\"" + name + "\" is no object");
    return value.is_object();
  }

  double number(const json &object, const char *key, const std::string &in, double least,
                double most, std::optional<double> otherwise) {
    const json *value = find(object, key);
    if (!value && otherwise)
      return *otherwise;
    if (value && value->is_number()) {
      const double read = value->get<double>();
      if (read >= least && read <= most)
        return read;
    }
    complain("\"" + in + shown(key) + "\" is no number from " + json(least).dump() + " to " +
             json(most).dump());
    return least;
  }

  bool flag(const json &object, const char *key, const std::string &in) {
    const json *value = find(object, key);
    if (value && !value->is_boolean())
      complain("\"" + in + key + "\" is neither true nor false");
    return value && value->is_boolean() && value->get<bool>();
  }

  unsigned count(const json &object, const char *key, const std::string &in) {
    const double read = number(object, key, in, 0, 1 << 16, 0);
    if (read != std::floor(read))
      complain("\"" + in + key + "\" is no whole number");
    return static_cast<unsigned>(read);
  }

  std::string text(const json &object, const char *key, const std::string &in) {
    const json *value = find(object, key);
    if (!value)
      return "";
    if (!value->is_string())
      complain("\"" + in + key + "\" is no text");
    return value->is_string() ? value->get<std::string>() : "";
  }

  /// Two numbers.
  std::pair<double, double> pair(const json &value, const std::string &name, double most) {
    if (value.is_array() && value.size() == 2 && value[0].is_number() && value[1].is_number()) {
      const std::pair read(value[0].get<double>(), value[1].get<double>());
      if (read.first >= 0 && read.first <= most && read.second > 0 && read.second <= most)
        return read;
    }
    complain("\"" + name + "\" has something that is no pair of numbers from 0 to " +
             json(most).dump());
    return {0, 1};
  }

  std::vector<Cache> readCaches(const json &value) {
    std::vector<Cache> caches;
    if (!value.is_array())
      complain("\"caches\" is no array");
    for (const json &one : value.is_array() ? value : json::array()) {
      if (!isObject(one, "caches"))
        break;
      Cache cache;
      cache.level = count(one, "level", "caches.");
      cache.bytes = number(one, "bytes", "caches.", 1, 1e15, std::nullopt);
      cache.sharedBy = std::max(1u, count(one, "shared_by", "caches."));
      cache.latencyNs = number(one, "lat_ns", "caches.", 0, 1e6, 0);
      if (const json *band = find(one, "effective_bytes"))
        cache.effectiveBytes = pair(*band, "caches.effective_bytes", 1e15);
      if (cache.effectiveBytes.first > cache.effectiveBytes.second)
        complain("\"caches.effective_bytes\" begins with the larger one");
      cache.effectiveSharedBy = count(one, "effective_shared_by", "caches.");
      if (const json *reach = find(one, "reach"))
        cache.reach = readReach(*reach);
      cache.reachSpread = number(one, "reach_spread", "caches.", 1, 1e3, 1);
      cache.reachSigma = number(one, "reach_sigma", "caches.", 0, 3, usualReachSigma);
      caches.push_back(cache);
    }
    std::ranges::sort(caches, {}, &Cache::level);
    return caches;
  }

  std::vector<ReachPoint> readReach(const json &value) {
    std::vector<ReachPoint> points;
    const std::string name = "caches.reach";
    if (!value.is_array())
      complain("\"" + name + "\" is no array");
    for (const json &point : value.is_array() ? value : json::array()) {
      const auto [ns, bytes] = pair(point, name, 1e15);
      points.push_back({ns, bytes});
    }
    if (problem.empty() && !isReach(points))
      complain("\"" + name + "\" has times [ns, bytes] that fall or are 0, or bytes that rise");
    return points;
  }

  MeasuredCurve readCurve(const std::string &key, const json &points) {
    MeasuredCurve curve{-1, {}};
    const char *end = key.data() + key.size();
    const auto [stop, code] = std::from_chars(key.data(), end, curve.readShare);
    if (code != std::errc() || stop != end || !(curve.readShare >= 0 && curve.readShare <= 1))
      complain("\"memory.curves\" has a key that is no read share from 0 to 1");
    const std::string name = "memory.curves." + shown(key);
    for (const json &point : points.is_array() ? points : json::array()) {
      const auto [gbs, ns] = pair(point, name, 1e6);
      curve.points.push_back({gbs, ns});
    }
    const auto moves = [](const CurvePoint &point) { return point.gbs > 0; };
    if (std::ranges::none_of(curve.points, moves))
      complain("\"" + name + "\" has no point [GB/s, ns] above 0 GB/s");
    return curve;
  }

  MemoryFigures readMemory(const json &value) {
    MemoryFigures memory;
    if (!isObject(value, "memory"))
      return memory;
    memory.source = text(value, "source", "memory.");
    memory.threads = std::max(1u, count(value, "threads", "memory."));
    memory.saturationSeen = flag(value, "saturation_seen", "memory.");
    const json *curves = find(value, "curves");
    if (!curves || !curves->is_object() || curves->empty())
      complain("\"memory.curves\" is missing or empty");
    else
      for (const auto &[key, points] : curves->items())
        memory.curves.push_back(readCurve(key, points));
    std::ranges::sort(memory.curves, {}, &MeasuredCurve::readShare);
    if (std::ranges::adjacent_find(memory.curves, {}, &MeasuredCurve::readShare) !=
        memory.curves.end()) // "1" and "1.0"
      complain("\"memory.curves\" has a read share twice");
    readFigures(value, memory);
    return memory;
  }

  enum class Figure { Bandwidth, Time };

  /// \param in where `value` is
  void readRuns(const json &value, const char *name, Figure what, std::map<unsigned, double> &runs,
                const std::string &in = "memory.") {
    if (const json *object = find(value, name); object && isObject(*object, in + name))
      for (const auto &[key, figure] : object->items())
        readRun(in + name, key, figure, what, runs);
  }

  void readMoves(const json &value, LineMoves &moves) {
    const json *all = find(value, "moved_lines");
    if (!all || !isObject(*all, "memory.moved_lines"))
      return;
    for (const auto &[name, of] : lineMoveKeys) {
      const std::string in = std::string("memory.moved_lines.") + name;
      const json *one = find(*all, name);
      if (!one || !isObject(*one, in))
        continue;
      (moves.*of).aheadNs = number(*one, "ahead_ns", in + ".", 0, 1e6, 0);
      readRuns(*one, "ends", Figure::Time, (moves.*of).ends.ns, in + ".");
    }
  }

  /// Of `in`, "memory." or within.
  void readOverlaps(const json &value, const std::string &in, std::vector<OverlapPoint> &memory,
                    std::vector<OverlapPoint> &shared) {
    const json *overlap = find(value, "overlap");
    if (!overlap || !isObject(*overlap, in + "overlap"))
      return;
    memory = readOverlap(*overlap, in + "overlap.", "memory");
    shared = readOverlap(*overlap, in + "overlap.", "shared");
  }

  MemoryFigures::Together readTogether(const json &value) {
    const std::string in = "memory.together.";
    MemoryFigures::Together together;
    together.streams = count(value, "streams", in);
    if (together.streams < 2)
      complain("\"" + in + "streams\" is not 2 or more");
    together.gbs = number(value, "gbs", in, 0, 1e6, 0);
    if (!(together.gbs > 0))
      complain("\"" + in + "gbs\" is no bandwidth above 0");
    readOverlaps(value, in, together.memoryOverlap, together.sharedOverlap);
    return together;
  }

  std::vector<OverlapPoint> readOverlap(const json &overlap, const std::string &in,
                                        const char *of) {
    std::vector<OverlapPoint> points;
    const json *value = find(overlap, of);
    const std::string name = in + of;
    if (value && !value->is_array())
      complain("\"" + name + "\" is no array");
    for (const json &point : value && value->is_array() ? *value : json::array()) {
      if (!point.is_array() || point.size() != 2 || !point[0].is_number() ||
          !point[1].is_number() ||
          !(point[0] > 0 && point[0] <= 1e6 && point[1] >= 0 && point[1] <= 1)) {
        complain("\"" + name +
                 "\" has something that is no pair of numbers above 0 and from 0 to 1");
        break;
      }
      points.push_back({point[0].get<double>(), point[1].get<double>()});
    }
    return points;
  }

  /// \param what a figure is; a time may be 0
  void readRun(const std::string &name, const std::string &key, const json &figure, Figure what,
               std::map<unsigned, double> &runs) {
    unsigned lines = 0;
    const char *end = key.data() + key.size();
    const auto [stop, code] = std::from_chars(key.data(), end, lines);
    const double value = figure.is_number() ? figure.get<double>() : -1;
    const bool isTime = what == Figure::Time;
    if (code != std::errc() || stop != end || lines == 0)
      complain("\"" + name + "\" has a key that is no number of lines");
    else if (!(isTime ? value >= 0 : value > 0) || value > 1e6)
      complain("\"" + name + "." + shown(key) + "\" is no " +
               (isTime ? "time from 0 up to 1e6" : "bandwidth above 0 up to 1e6"));
    else if (!runs.emplace(lines, value).second) // "16" and "016"
      complain("\"" + name + "\" has a number of lines twice");
  }

  EndsTogether readEnds(const json &value, const std::string &in) {
    EndsTogether ends{count(value, "streams", in)};
    if (ends.streams < 2)
      complain("\"" + in + "streams\" is not 2 or more");
    for (const auto &[name, of] : endsTimesKeys) {
      ends.*of = number(value, name, in, 0, 1e3, 0);
      const bool isLeftOut = of != &EndsTogether::times && !find(value, name);
      if (ends.streams > 1 && !isLeftOut && !(ends.*of >= 1 && ends.*of <= ends.streams))
        complain("\"" + in + name + "\" is not from 1 to its streams");
    }
    return ends;
  }

  void readFigures(const json &value, MemoryFigures &memory) {
    if (const json *classes = find(value, "classes");
        classes && isObject(*classes, "memory.classes"))
      for (std::size_t c = 0; c < accessClasses; ++c)
        memory.classGbs[c] =
            number(*classes, className(static_cast<AccessClass>(c)), "memory.classes.", 0, 1e6, 0);
    for (const auto &[name, from, of] : runTableKeys)
      readRuns(value, name, Figure::Bandwidth, memory.*from.*of);
    readRuns(value, "own_ends", Figure::Time, memory.ownEnds.ns);
    memory.sharedCacheGbs = number(value, "shared_cache_gbs", "memory.", 0, 1e6, 0);
    memory.sharedStreamGbs = number(value, "shared_stream_gbs", "memory.", 0, 1e6, 0);
    if (const json *all = find(value, "shared_by_all");
        all && isObject(*all, "memory.shared_by_all")) {
      memory.sharedByAll.threads = count(*all, "threads", "memory.shared_by_all.");
      memory.sharedByAll.gbs = number(*all, "gbs", "memory.shared_by_all.", 0, 1e6, 0);
      memory.sharedByAll.irregularGbs =
          number(*all, "irregular_gbs", "memory.shared_by_all.", 0, 1e6, 0);
      if (memory.sharedByAll.threads < 2)
        complain("\"memory.shared_by_all\" lacks \"threads\" above 1");
    }
    memory.transferNs = number(value, "transfer_ns", "memory.", 0, 1e6, 0);
    memory.transferAheadNs = number(value, "transfer_ahead_ns", "memory.", 0, 1e6, 0);
    readMoves(value, memory.moved);
    readOverlaps(value, "memory.", memory.memoryOverlap, memory.sharedOverlap);
    if (const json *overlap = find(value, "overlap"); overlap && overlap->is_object())
      memory.transferOverlap = readOverlap(*overlap, "memory.overlap.", "transfers");
    if (const json *all = find(value, "ends_together");
        all && isObject(*all, "memory.ends_together"))
      for (const auto &[name, ends] : endsKeys)
        if (const json *one = find(*all, name);
            one && isObject(*one, std::string("memory.ends_together.") + name))
          memory.*ends = readEnds(*one, std::string("memory.ends_together.") + name + ".");
    if (memory.ownEndsTogether.leanTimes > 0 || memory.ownEndsTogether.writtenTimes > 0)
      complain("\"memory.ends_together.own\" has times beside \"times\"");
    if (const json *together = find(value, "together");
        together && isObject(*together, "memory.together"))
      memory.together = readTogether(*together);
    memory.sparseGbs = number(value, "sparse_gbs", "memory.", 0, 1e6, 0);
    memory.accessesPerNs = number(value, "accesses_per_ns", "memory.", 0, 1e3, 0);
    memory.additionNs = number(value, "addition_ns", "memory.", 0, 1e3, 0);
    if (const json *quality = find(value, "quality"); quality && isObject(*quality, "quality")) {
      const std::string in = "memory.quality.";
      memory.quality.tried = count(*quality, "tried", in);
      memory.quality.accepted = count(*quality, "accepted", in);
      memory.quality.disturbed = flag(*quality, "disturbed", in);
      memory.quality.elsewhere = count(*quality, "elsewhere", in);
      memory.quality.handoverNs = number(*quality, "handover_ns", in, 0, 1e9, 0);
      memory.quality.elsewhereNs = number(*quality, "elsewhere_ns", in, 0, 1e9, 0);
      if (const json *iqr = find(*quality, "iqr"); iqr && isObject(*iqr, in + "iqr"))
        for (const auto &[name, share] : iqr->items())
          memory.quality.iqr[name] = number(*iqr, name.c_str(), in + "iqr.", 0, 1e6, 0);
    }
  }

  Coefficients readPaper(const json &value) {
    Coefficients paper;
    const json *psi = isObject(value, "paper") ? find(value, "psi") : nullptr;
    const json *phi = psi ? find(value, "phi") : nullptr;
    if (!psi || !psi->is_object() || psi->empty() || !phi || !phi->is_object()) {
      complain("\"paper\" lacks \"psi\" or \"phi\"");
      return paper;
    }
    for (const auto &[key, line] : psi->items()) {
      unsigned threads = 0;
      const char *end = key.data() + key.size();
      const auto [stop, code] = std::from_chars(key.data(), end, threads);
      if (code != std::errc() || stop != end || threads < 2 || threads > 1 << 16)
        complain("\"paper.psi\" has a key that is no number of threads from 2 to 65536");
      if (!isObject(line, "paper.psi"))
        break;
      const std::string shape = text(line, "shape", "paper.psi.");
      if (shape != "linear" && shape != "logarithmic")
        complain("\"paper.psi.shape\" is neither linear nor logarithmic");
      paper.psi[threads] = {shape == "linear" ? TrafficLine::Shape::Linear
                                              : TrafficLine::Shape::Logarithmic,
                            number(line, "slope", "paper.psi.", -1e9, 1e9, std::nullopt),
                            number(line, "offset", "paper.psi.", -1e9, 1e9, std::nullopt)};
    }
    paper.phiScale = number(*phi, "scale", "paper.phi.", 0, 1e12, std::nullopt);
    paper.phiExponent = number(*phi, "exponent", "paper.phi.", -10, 10, std::nullopt);
    paper.leastTraffic = number(value, "least_traffic", "paper.", 0, 1e9, 2000);
    paper.leastMissRate = number(value, "least_miss_rate", "paper.", 0, 1, 0.001);
    return paper;
  }
};

} // namespace

std::optional<Machine> readMachine(const std::string &text, std::string &problem) {
  const json file = json::parse(text, nullptr, false);
  if (!file.is_object() || file.value("format", json()) != "prophet-machine") {
    problem = "is no machine file; 'prophet calibrate' writes one";
    return std::nullopt;
  }
  if (file.value("version", json()) != 1) {
    problem = "is not version 1 of the machine file; run 'prophet calibrate' again";
    return std::nullopt;
  }
  Reader reader;
  Machine machine = reader.machine(file);
  if (reader.problem.empty())
    return machine;
  problem = reader.problem + "; correct it, or run 'prophet calibrate' again";
  return std::nullopt;
}

} // namespace prophet::memmodel
