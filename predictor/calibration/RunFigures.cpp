//===- RunFigures.cpp - What streams take that begin anew -----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/calibration/RunFigures.h"

#include <algorithm>

namespace prophet {

using memmodel::AccessClass, memmodel::MemoryFigures;

/// What an end takes `loop` of so many streams behind so many lines of each, ns, where nothing else
/// uses the memory.
/// \param latency that two threads see which each get so many GB/s of lines that they use, over the
/// idle one: by turns ends take so much longer than alone
template <typename Latency>
static double endNs(const Figures &figures, const std::string &loop, unsigned lines,
                    unsigned streams, Latency latency) {
  const double ns = valueOf(figures, "run." + loop + ".end", lines) / (lines * streams);
  const double on = valueOf(figures, "run." + loop + ".gbs", lines);
  const double ofLine = on > 0 ? ns / latency(1 / (1 / on + ns / measuredLineBytes)) : ns;
  return ofLine * lines * streams;
}

/// What a stream of `ahead` GB/s would get, by lines, if it lost what `loop` does at its ends.
/// \param latency as above
template <typename Latency>
static std::map<unsigned, double> runsOf(const Figures &figures, const std::string &loop,
                                         double ahead, Latency latency) {
  std::map<unsigned, double> result;
  const auto ends = figures.find("run." + loop + ".end");
  if (ends == figures.end() || ahead <= 0)
    return result;
  for (const auto &[lines, end] : ends->second)
    result[lines] = measuredLineBytes /
                    (measuredLineBytes / ahead + endNs(figures, loop, lines, 1, latency) / lines);
  return result;
}

/// How long several streams take to begin anew, in the time of one, by ends of one and of several;
/// 0: not known.
/// \param latency as above
template <typename Latency>
static double timesTogether(const Figures &figures, const std::string &together,
                            const std::string &one, Latency latency) {
  const auto ends = figures.find("run." + together + ".end");
  double ofAll = 0, ofOne = 0;
  if (ends != figures.end())
    for (const auto &[lines, end] : ends->second) {
      ofAll += endNs(figures, together, lines, MemoryFigures::streamsTogether, latency);
      ofOne += endNs(figures, one, lines, 1, latency);
    }
  constexpr double most = MemoryFigures::streamsTogether;
  return ofOne > 0 ? std::clamp(ofAll / ofOne, 1.0, most) : 0;
}

/// The same of all kinds of loops. Where that is not known of busy ones nothing is.
/// \param where "" for memory, or before the figures' names
/// \param under a read share: the latency as above
template <typename Under>
static memmodel::EndsTogether endsTogether(const Figures &figures, const std::string &where,
                                           Under under) {
  const auto times = [&](const char *kind, const char *one, double readShare) {
    return timesTogether(figures, where + "together" + kind, where + one, under(readShare));
  };
  const double busy = times("", "busy", 1);
  if (busy <= 0)
    return {};
  return {MemoryFigures::streamsTogether, busy, times(".lean", "stream", 1),
          times(".written", "written", 0.5)};
}

/// Has no line take longer for an end than `mostNs`, as one that nothing fetches ahead: where other
/// programs run, threads may have waited for each other.
/// \param where the figures' names begin
static void limitEnds(Figures &figures, const std::string &where, double mostNs) {
  for (auto &[name, ends] : figures)
    if (name.starts_with(where) && name.ends_with(".end"))
      for (auto &[lines, end] : ends) {
        const bool isOne = name.find("together") == std::string::npos;
        end.ns = std::min(end.ns, (isOne ? 1 : MemoryFigures::streamsTogether) * lines * mostNs);
      }
}

/// Where prefetchers take nothing away there is none.
static void addOwnEnds(MemoryFigures &memory, const Figures &figures) {
  const auto own = figures.find("run.own.written.end");
  if (own == figures.end())
    return;
  std::map<unsigned, double> ns;
  for (const auto &[lines, end] : own->second)
    ns[lines] = std::max(0.0, end.ns);
  if (std::ranges::none_of(ns, [](const auto &end) { return end.second > 0; }))
    return;
  memory.ownEnds.ns = std::move(ns);
  const auto alike = [](double) { return 1.0; };
  if (const double times = timesTogether(figures, "own.together.written", "own.written", alike);
      times > 0)
    memory.ownEndsTogether = {MemoryFigures::streamsTogether, times};
}

/// What a line takes that the other core has, and what ends of runs of them do. None takes longer
/// than one alone. \param mostNs for a line, whatever disturbed the threads
static void addMoves(MemoryFigures &memory, const Figures &figures, double mostNs) {
  const double alone = std::min(memory.transferNs, mostNs);
  for (const auto &[name, of] : memmodel::lineMoveKeys) {
    const std::string prefix = std::string("moved.") + name;
    const double ahead = std::min(valueOf(figures, prefix + ".ahead", 1), alone);
    const auto byRun = figures.find(prefix + ".runs");
    if (ahead <= 0 || byRun == figures.end())
      continue;
    memmodel::LineMove &move = memory.moved.*of;
    move.aheadNs = ahead;
    for (const auto &[lines, figure] : byRun->second)
      move.ends.ns[lines] = lines * std::max(0.0, std::min(figure.ns, alone) - ahead);
  }
}

void addRuns(MemoryFigures &memory, Figures figures) {
  const memmodel::CurveFamily curves(memory.curves);
  constexpr double mostNs = 1e3; // for a line, whatever disturbed the threads
  limitEnds(figures, "run.", std::min(curves.latency(curves.mostBandwidth(1), 1), mostNs));
  if (memory.transferNs > 0)
    limitEnds(figures, "run.own.", memory.transferNs);
  const unsigned threads = std::min(memory.threads, 2u);
  const auto under = [&](double readShare) { // of lines that are used, all or none are written
    return [&, readShare](double gbs) {
      const double all = threads * gbs / readShare;
      return curves.latency(std::min(all, curves.mostBandwidth(readShare)), readShare) /
             curves.idleLatency();
    };
  };
  const auto inCache = [](double) { return 1.0; };
  const double ahead = memory.classGbs[static_cast<std::size_t>(AccessClass::Stream)];
  memory.streamRuns.lean = runsOf(figures, "stream", ahead, under(1));
  memory.streamRuns.busy = runsOf(figures, "busy", ahead, under(1));
  memory.streamRuns.written = runsOf(figures, "written", ahead, under(0.5));
  memory.sharedRuns.lean = runsOf(figures, "near.stream", memory.sharedStreamGbs, inCache);
  memory.sharedRuns.busy = runsOf(figures, "near.busy", memory.sharedStreamGbs, inCache);
  memory.sharedRuns.written = runsOf(figures, "near.written", memory.sharedStreamGbs, inCache);
  memory.memoryEnds = endsTogether(figures, "", under);
  memory.sharedEnds = endsTogether(figures, "near.", [&](double) { return inCache; });
  addOwnEnds(memory, figures);
  addMoves(memory, figures, mostNs);
}

} // namespace prophet
