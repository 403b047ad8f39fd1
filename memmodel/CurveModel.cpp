//===- CurveModel.cpp - Memory contention by measured curves --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/CurveModel.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace prophet::memmodel {

const char *className(AccessClass accessClass) {
  switch (accessClass) {
  case AccessClass::Stream:
    return "stream";
  case AccessClass::Stride:
    return "stride";
  case AccessClass::Irregular:
    return "irregular";
  case AccessClass::Chase:
    return "chase";
  }
  return "";
}

Traffic &Traffic::operator+=(const Traffic &other) {
  for (std::size_t i = 0; i < accessClasses; ++i)
    misses[i] += other.misses[i];
  for (double Traffic::*const count : trafficCounts)
    this->*count += other.*count;
  return *this;
}

Traffic Traffic::scaled(double factor) const {
  Traffic result = *this;
  for (double &lines : result.misses)
    lines *= factor;
  for (double Traffic::*const count : trafficCounts)
    result.*count *= factor;
  return result;
}

/// Of a stream that gets `ahead` where it goes on. Behind the longest of `runs` it loses as much
/// time at each end.
static double gbsOfRun(const std::map<unsigned, double> &runs, double run, double ahead) {
  if (runs.empty())
    return ahead;
  if (const auto &[longest, gbs] = *runs.rbegin(); run >= longest)
    return 1 / (1 / ahead + std::max(0.0, 1 / gbs - 1 / ahead) * longest / run);
  const auto above = runs.lower_bound(static_cast<unsigned>(std::ceil(run)));
  double result = above->second;
  if (above != runs.begin()) {
    const auto &[lines, gbs] = *std::prev(above);
    const double part = std::log(run / lines) / std::log(double(above->first) / lines);
    result = gbs + (above->second - gbs) * part;
  }
  return std::min(result, ahead);
}

double MemorySystem::gbs(AccessClass accessClass, Streams streams) const {
  const double ahead = gbs(accessClass);
  if (accessClass != AccessClass::Stream)
    return ahead;
  const double lean = gbsOfRun(streamRuns, streams.run, ahead);
  if (busyRuns.empty())
    return lean;
  const double busy = std::min(lean, gbsOfRun(busyRuns, streams.run, ahead));
  const double part =
      std::clamp((streams.accesses - leanAccesses) / (busyAccesses - leanAccesses), 0.0, 1.0);
  return 1 / ((1 - part) / lean + part / busy);
}

double MemorySystem::concurrency(AccessClass accessClass, Streams streams) const {
  return gbs(accessClass, streams) * curves.idleLatency() / lineBytes;
}

double anewTogether(double streams) { return std::min(streams, std::sqrt(streams)); }

double Traffic::fetched() const { return std::accumulate(misses.begin(), misses.end(), 0.0); }

namespace {

/// One side of (M2): a traffic's stalls as a line in the latency.
struct Stalls {
  double perNs;     ///< sum of D_c / MLP_c, where streams go on
  double perNsAnew; ///< what that is more where they begin anew, which a serial run has none of
  double fixed;     ///< ns for the shared cache, where streams go on
  double fixedAnew; ///< what that is more where they begin anew
  double transfers; ///< ns for other cores, of which a serial run has none either

  double slope() const { return perNs + perNsAnew; }
  double at(double latencyNs) const { return slope() * latencyNs + fixed + fixedAnew + transfers; }
};

/// \param streams how they end \param number of those that do together, >= 1
Stalls stallsOf(const MemorySystem &machine, const Traffic &traffic, MemorySystem::Streams streams,
                double number) {
  const double together = anewTogether(number) / number; // not one after the other
  // What prefetchers gain in memory they gain in the shared cache, but streams that go on are no
  // faster than that.
  const auto ahead = [&](MemorySystem::Streams of) {
    return std::min(1.0,
                    machine.gbs(AccessClass::Irregular) / machine.gbs(AccessClass::Stream, of)) *
           machine.sharedHitNs;
  };
  const double slower = std::max(0.0, machine.sharedAheadNs - ahead({}));
  const auto hitNs = [&](MemorySystem::Streams of) {
    return (traffic.sharedHits - traffic.sharedAhead) * machine.sharedHitNs +
           traffic.sharedAhead * (ahead(of) + slower);
  };
  const double goOn = hitNs({});
  const double atOnce =
      std::max(1.0, machine.concurrency(AccessClass::Irregular)); // (M5), from wherever they come
  const double alone = traffic.transfers - traffic.transfersAhead - traffic.transfersAtOnce;
  const double transfers = (alone + traffic.transfersAtOnce / atOnce) * machine.transferNs +
                           traffic.transfersAhead * machine.transferAheadNs;
  Stalls stalls{0, 0, goOn, (hitNs(streams) - goOn) * together, transfers};
  for (std::size_t c = 0; c < accessClasses; ++c) {
    if (traffic.misses[c] == 0)
      continue;
    assert(machine.classGbs[c] > 0 && "the class was measured");
    const auto accessClass = static_cast<AccessClass>(c);
    const double goingOn = traffic.misses[c] / machine.concurrency(accessClass);
    stalls.perNs += goingOn;
    const double anew = traffic.misses[c] / machine.concurrency(accessClass, streams);
    stalls.perNsAnew += (anew - goingOn) * together;
  }
  return stalls;
}

/// (M1) and (M2) for what `compute` leaves.
struct FixedPoint {
  const CurveFamily &curves;
  double stretch; ///< of the curves' bandwidths
  double readShare;
  double bytes; ///< of all threads, times their number
  double compute;
  Stalls stalls;

  double latencyAt(double gbs) const { return curves.latency(gbs / stretch, readShare); }
  double timeAt(double gbs) const { return compute + stalls.at(latencyAt(gbs)); }
  /// Whether threads that see the latency of `gbs` would move more than that.
  bool wantsMore(double gbs) const { return bytes > gbs * timeAt(gbs); }
  /// B. It is the only one: timeAt() never falls, so neither does the right side above.
  double solve(double most) const {
    double low = 0, high = most;
    while (high - low > 1e-13 * high) {
      const double middle = low + (high - low) / 2;
      if (middle <= low || middle >= high)
        break;
      (wantsMore(middle) ? low : high) = middle;
    }
    return low + (high - low) / 2;
  }
};

} // namespace

Contention solve(const MemorySystem &machine, const SectionLoad &load) {
  assert(load.serialNs > 0 && load.threads > 0 && "a section that ran");
  const CurveFamily &curves = machine.curves;
  Contention result;
  const double ownShare = load.serial.readShare();
  const double own = load.serial.lines() * machine.lineBytes / load.serialNs;
  const double stretch = std::max(1.0, own / curves.mostBandwidth(ownShare));
  const Stalls serial = stallsOf(machine, load.serial, {}, 1);
  const double ownStalls = serial.at(curves.latency(own / stretch, ownShare));
  const double waiting = std::max(0.0, load.serialNs - load.leastNs);
  const double fit = ownStalls > waiting ? waiting / ownStalls : 1;
  result.clamped = stretch > 1 || fit < 1;

  Stalls stalls =
      stallsOf(machine, load.parallel, {load.streamRun, load.accessesOfLine}, load.streams);
  stalls.perNs *= fit;
  stalls.fixed -= std::min(stalls.fixed, serial.fixed) * (1 - fit); // not more hits than it has
  stalls.fixedAnew += load.restartNs;
  stalls.transfers -= std::min(stalls.transfers, serial.transfers) * (1 - fit);
  const double readShare = load.parallel.readShare();
  const double bytes = load.parallel.lines() * machine.lineBytes * load.threads;
  const double compute = load.serialNs - ownStalls * fit; // (M3)
  const FixedPoint point{curves, stretch, readShare, bytes, compute, stalls};
  const double most = curves.mostBandwidth(readShare) * stretch;
  const double capped = bytes / most; // T_t where B = B_max
  const bool exceeds = point.wantsMore(most);
  const bool beyond = !machine.saturationSeen && load.threads > machine.measuredThreads;
  result.upperBoundOnly = exceeds && beyond;
  result.saturated = exceeds && !beyond;
  double time;
  if (result.saturated) {
    time = capped;
    result.gbs = most;
    result.latencyNs = stalls.slope() > 0 ? (time - compute - stalls.at(0)) / stalls.slope()
                                          : point.latencyAt(most);
  } else {
    const double seen = exceeds ? most : point.solve(most);
    time = point.timeAt(seen);
    result.gbs = exceeds ? bytes / time : seen;
    result.latencyNs = point.latencyAt(seen);
  }
  result.burden = time / load.serialNs; // (M4)
  result.mostBurden = (exceeds ? capped : time) / load.serialNs;
  return result;
}

} // namespace prophet::memmodel
