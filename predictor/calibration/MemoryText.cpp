//===- MemoryText.cpp - What was measured of memory, for people -----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/calibration/MemoryRounds.h"

#include <fmt/format.h>
#include <iterator>

namespace prophet {

using memmodel::Machine, memmodel::MemoryFigures;

namespace {

class Description {
public:
  explicit Description(const Machine &machine) : machine(machine), memory(*machine.memory) {}

  std::string text() {
    fmt::format_to(out(), "memory, {} of {} windows counted", memory.quality.accepted,
                   memory.quality.tried);
    if (memory.quality.elsewhere > 0)
      fmt::format_to(
          out(), "; in {} cores were not where they usually are, {:.3g} ns apart, not {:.3g}",
          memory.quality.elsewhere, memory.quality.elsewhereNs, memory.quality.handoverNs);
    result += "\n";
    for (const memmodel::Cache &cache : machine.caches)
      describe(cache);
    describeThread();
    describeStreams();
    describeCurves();
    return std::move(result);
  }

private:
  const Machine &machine;
  const MemoryFigures &memory;
  std::string result;

  std::back_insert_iterator<std::string> out() { return std::back_inserter(result); }

  /// One figure, if it was measured. \param iqr its name there
  void figure(const std::string &name, double value, const char *unit,
              const std::string &iqr = "") {
    if (value <= 0)
      return;
    fmt::format_to(out(), "  {:<22}{:>10.4g} {}", name, value, unit);
    if (const auto found = memory.quality.iqr.find(iqr); found != memory.quality.iqr.end())
      fmt::format_to(out(), " ±{:.2g} %", 100 * found->second);
    result += "\n";
  }

  void describe(const memmodel::Cache &cache) {
    fmt::format_to(out(), "  {:<22}{:>10.4g} ns  {} KiB", fmt::format("L{} cache", cache.level),
                   cache.latencyNs, cache.bytes / 1024);
    if (cache.effectiveBytes.second > 0)
      fmt::format_to(out(), ", of which {:.0f} to {:.0f} work", cache.effectiveBytes.first / 1024,
                     cache.effectiveBytes.second / 1024);
    if (cache.effectiveSharedBy == 1)
      result += ", each core's own";
    else if (cache.effectiveSharedBy > 0)
      fmt::format_to(out(), ", shared by {} cores", cache.effectiveSharedBy);
    result += "\n";
    if (cache.reach.size() == 1)
      fmt::format_to(out(), "  {:<22}{:>10.0f} KiB\n", "  passes fill",
                     cache.reach.front().size / 1024);
    else
      for (const memmodel::ReachPoint &point : cache.reach)
        fmt::format_to(out(), "  {:<22}{:>10.4g} ms  {:.0f} KiB\n", "  keeps for", point.ns / 1e6,
                       point.size / 1024);
    if (cache.reachSpread > 1)
      fmt::format_to(out(), "  {:<22}{:>10.3g} times as much or as little\n", "  or",
                     cache.reachSpread);
    if (cache.reachSigma > 0)
      fmt::format_to(out(), "  {:<22}{:>10.2g} sigma of the logarithm\n", "  ends gradually",
                     cache.reachSigma);
  }

  void describeRuns(const char *lean, const memmodel::StreamRunTables &runs) {
    for (const auto &[name, table] : {std::pair(lean, &runs.lean),
                                      {"  busy loop, of {}", &runs.busy},
                                      {"  written, of {}", &runs.written}})
      for (const auto &[lines, gbs] : *table)
        figure(fmt::format(fmt::runtime(name), lines), gbs, "GB/s");
  }

  void describeThread() {
    for (std::size_t c = 0; c < memmodel::accessClasses; ++c) {
      const std::string name = memmodel::className(static_cast<memmodel::AccessClass>(c));
      figure("one thread, " + name, memory.classGbs[c], "GB/s", "class." + name);
    }
    figure(fmt::format("irregular, {} apart", memmodel::MemorySystem::sparseAccesses),
           memory.sparseGbs, "GB/s", "sparse");
    figure("from the last cache", memory.sharedStreamGbs, "GB/s");
    const std::string all = fmt::format("  of {} threads", memory.sharedByAll.threads);
    figure(all, memory.sharedByAll.gbs, "GB/s");
    figure(all + ", irregular", memory.sharedByAll.irregularGbs, "GB/s");
    describeRuns("stream of {} lines", memory.streamRuns);
    describeRuns("last cache, of {} lines", memory.sharedRuns);
    for (const auto &[lines, ns] : memory.ownEnds.ns)
      figure(fmt::format("end of {} lines, own", lines), ns, "ns, where they are written",
             "run.own.written.end");
    for (const auto &[name, ends] : memmodel::endsKeys) {
      const memmodel::EndsTogether &all = memory.*ends;
      constexpr const char *asOne = "times as long as one stream's";
      figure(fmt::format("ends of {}, {}", all.streams, name), all.times, asOne);
      figure("  lean loop", all.leanTimes, asOne);
      figure("  written", all.writtenTimes, asOne);
    }
    figure("line from another core", memory.transferNs, "ns", "transfer");
    figure("many of them in order", memory.transferAheadNs, "ns", "exchange.other");
    for (const auto &[name, of] : memmodel::lineMoveKeys)
      figure(fmt::format("  {}", name), (memory.moved.*of).aheadNs, "ns",
             fmt::format("moved.{}.ahead", name));
    figure("accesses, L1 cache", memory.accessesPerNs, "a nanosecond", "accesses");
    figure("dependent addition", memory.additionNs, "ns", "addition");
  }

  void describe(const char *name, const std::vector<memmodel::OverlapPoint> &points) {
    if (!points.empty())
      fmt::format_to(out(), "  {:<22}{:>10.3g} % of a line's time shows beside as much computing\n",
                     name, 100 * memmodel::Overlap(memmodel::asOverlap(points)).shows(1));
  }

  void describeStreams() {
    describe("one stream, memory", memory.memoryOverlap);
    describe("one stream, cache", memory.sharedOverlap);
    describe("one stream, core", memory.transferOverlap);
    if (!memory.together)
      return;
    figure(fmt::format("{} streams together", memory.together->streams), memory.together->gbs,
           "GB/s", "together.memory");
    describe("  of these, memory", memory.together->memoryOverlap);
    describe("  of these, cache", memory.together->sharedOverlap);
  }

  void describeCurves() {
    for (const memmodel::MeasuredCurve &curve : memory.curves) {
      const auto points = memmodel::monotone(curve.points);
      fmt::format_to(out(), "  {:<22}{:>10.4g} ns idle, {:.4g} ns at {:.4g} GB/s\n",
                     fmt::format("{:.0f} % reads", 100 * curve.readShare), points.front().ns,
                     points.back().ns, points.back().gbs);
    }
    fmt::format_to(out(), "  the memory's own limit was {}\n",
                   memory.saturationSeen ? "reached"
                                         : fmt::format("not reached by {} cores", memory.threads));
  }
};

} // namespace

std::string describePlaces(const memmodel::Quality &quality) {
  return fmt::format("in {} of {} windows a line took {:.0f} ns from one core to another, in the "
                     "others {:.0f}",
                     quality.elsewhere, quality.elsewhere + quality.accepted, quality.elsewhereNs,
                     quality.handoverNs);
}

std::string describeMemory(const Machine &machine) { return Description(machine).text(); }

} // namespace prophet
