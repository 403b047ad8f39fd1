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
  places += other.places;
  return *this;
}

Traffic Traffic::scaled(double factor) const {
  Traffic result = *this;
  for (double &lines : result.misses)
    lines *= factor;
  for (double Traffic::*const count : trafficCounts)
    result.*count *= factor;
  result.places = places.scaled(factor);
  return result;
}

double MemorySystem::gbs(AccessClass accessClass, StreamEnds ends) const {
  const double ahead = gbs(accessClass);
  return accessClass == AccessClass::Stream ? streamRuns.gbs(ends, ahead) : ahead;
}

double MemorySystem::sharedAnewNs(StreamEnds ends) const {
  if (!sharedRuns.lean.empty() && sharedAheadNs > 0)
    return lineBytes / sharedRuns.gbs(ends, lineBytes / sharedAheadNs) - sharedAheadNs;
  // What prefetchers gain in memory they gain in the shared cache.
  const auto likeMemory = [&](StreamEnds of) {
    return std::min(1.0, gbs(AccessClass::Irregular) / gbs(AccessClass::Stream, of)) * sharedHitNs;
  };
  return likeMemory(ends) - likeMemory({});
}

double MemorySystem::sharedLeastNs(unsigned threads, double ofAllGbs) const {
  return threads > 1 && ofAllGbs > 0 ? std::min(threads, sharedByAll.threads) * lineBytes / ofAllGbs
                                     : 0;
}

double MemorySystem::concurrency(AccessClass accessClass, StreamEnds ends) const {
  return gbs(accessClass, ends) * curves.idleLatency() / lineBytes;
}

double MemorySystem::irregularAtOnce(double share) const {
  const double most = concurrency(AccessClass::Irregular);
  return std::isfinite(irregularWindow) ? std::min(most, 1 + share * irregularWindow) : most;
}

/// The share that loops through `measured` streams have in one through `number`.
static double shareOfTogether(double number, double measured) {
  return std::min(1.0, (1 - 1 / number) / (1 - 1 / measured));
}

double MemorySystem::memoryShowsNs(double number, double latencyNs, double computeNs) const {
  const double one = memoryOverlap.showsNs(computeNs, latencyNs / concurrency(AccessClass::Stream));
  if (!together)
    return one;
  const double lineNs = latencyNs / (together->gbs * curves.idleLatency() / lineBytes);
  return std::lerp(one, together->memoryOverlap.showsNs(computeNs, lineNs),
                   shareOfTogether(number, together->streams));
}

double MemorySystem::sharedShowsNs(double number, double lineNs, double computeNs) const {
  const double one = sharedOverlap.showsNs(computeNs, lineNs);
  return together ? std::lerp(one, together->sharedOverlap.showsNs(computeNs, lineNs),
                              shareOfTogether(number, together->streams))
                  : one;
}

double MemorySystem::movedShowsNs(const LineMove &move, double computeNs) const {
  return transferOverlap.showsNs(computeNs, move.aheadNs > 0 ? move.aheadNs : transferAheadNs);
}

double Traffic::fetched() const { return std::accumulate(misses.begin(), misses.end(), 0.0); }

namespace {

/// One side of (M2): what a traffic makes a latency and a time of computing take.
struct Stalls {
  const MemorySystem &machine;
  const Traffic &traffic;
  double lines;         ///< linesInOrder(), among which computing is divided
  double together;      ///< streams in lock step
  double streams = 0;   ///< D_stream, of which computing hides a part where they go on
  double perNs = 0;     ///< sum of D_c / MLP_c of the other classes
  double perNsAnew = 0; ///< what streams are more that begin anew, which a serial run has none of
  double ahead = 0;     ///< from the shared cache, of which computing hides a part likewise
  double aheadNs = 0;   ///< each of them
  double fixed = 0;     ///< ns for others from the shared cache
  double fixedAnew = 0; ///< what those are more that begin anew
  double transfers = 0; ///< ns for other cores, but for those lines that are fetched ahead

  double fromShared(double computeNs) const {
    const double ofLine = lines > 0 ? computeNs / lines : 0;
    return fixed + ahead * machine.sharedShowsNs(together, aheadNs, ofLine);
  }
  double fromMemory(double latencyNs, double computeNs) const {
    const double ofLine = lines > 0 ? computeNs / lines : 0;
    return (perNs + perNsAnew) * latencyNs +
           streams * machine.memoryShowsNs(together, latencyNs, ofLine);
  }
  double fromCores(double computeNs) const {
    const double ofLine = lines > 0 ? computeNs / lines : 0;
    double ns = transfers + traffic.stridesAhead() * machine.movedShowsNs({}, ofLine);
    for (const MovedCount &of : movedCounts) // computing hides a part as of `ahead`
      ns += traffic.*of.lines * machine.movedShowsNs(machine.moved.*of.move, ofLine);
    return ns;
  }
  double at(double latencyNs, double computeNs) const {
    return fromMemory(latencyNs, computeNs) + fromShared(computeNs) + fixedAnew +
           fromCores(computeNs);
  }
};

/// Lines between which a traffic's computing is done: streams, and strides from caches; those of
/// other cores where computing is known to hide a part of them. As many as if all tasks had what
/// those have that fetch some.
double linesInOrder(const MemorySystem &machine, const Traffic &traffic) {
  return (traffic.misses[static_cast<std::size_t>(AccessClass::Stream)] + traffic.sharedAhead +
          (machine.transferOverlap.isKnown() ? traffic.transfersAhead : 0)) *
         traffic.places.crowding();
}

/// How many of so many irregular lines `machine` has under way, in a section of `accesses` or of
/// unknown many.
double irregularAtOnce(const MemorySystem &machine, double lines, double accesses) {
  return accesses > 0 ? machine.irregularAtOnce(lines / accesses)
                      : machine.concurrency(AccessClass::Irregular);
}

/// \param load of the section \param traffic of it \param ends of its streams
/// \param lines in order, of the section: more than `traffic` has where the caches have the others
/// \param threads that use the caches meanwhile
Stalls stallsOf(const MemorySystem &machine, const SectionLoad &load, const Traffic &traffic,
                const std::vector<StreamEnds> &ends, double lines, unsigned threads) {
  // What prefetchers gain in memory they gain in the shared cache, but are no faster than that.
  const double ahead =
      std::min(1.0, machine.gbs(AccessClass::Irregular) / machine.gbs(AccessClass::Stream)) *
      machine.sharedHitNs;
  // (M5). Lines from other cores come among those from memory, which they do not hasten.
  const double misses = traffic.misses[static_cast<std::size_t>(AccessClass::Irregular)];
  const double irregular = irregularAtOnce(machine, misses, load.accesses);
  const double atOnce =
      std::max(1.0, irregularAtOnce(machine, misses + traffic.transfersAtOnce, load.accesses));
  const double alone = traffic.transfers - traffic.transfersAhead - traffic.transfersAtOnce;
  Stalls stalls{machine, traffic, lines, load.together};
  stalls.transfers = (alone + traffic.transfersAtOnce / atOnce) * machine.transferNs;
  stalls.ahead = traffic.sharedAhead;
  stalls.aheadNs = std::max(
      {ahead, machine.sharedAheadNs, machine.sharedLeastNs(threads, machine.sharedByAll.gbs)});
  const double hitNs = std::max(machine.sharedHitNs,
                                machine.sharedLeastNs(threads, machine.sharedByAll.irregularGbs));
  stalls.fixed = (traffic.sharedHits - traffic.sharedAhead - traffic.sharedChased) * hitNs +
                 traffic.sharedChased * std::max(hitNs, machine.sharedChasedNs);
  stalls.fixedAnew = stalls.ahead * machine.sharedEnds.ofLine(ends, [&](StreamEnds one) {
    return machine.sharedAnewNs(one);
  });
  for (std::size_t c = 0; c < accessClasses; ++c) {
    if (traffic.misses[c] == 0)
      continue;
    assert(machine.classGbs[c] > 0 && "the class was measured");
    const auto accessClass = static_cast<AccessClass>(c);
    if (accessClass != AccessClass::Stream) {
      stalls.perNs +=
          traffic.misses[c] /
          (accessClass == AccessClass::Irregular ? irregular : machine.concurrency(accessClass));
      continue;
    }
    stalls.streams = traffic.misses[c];
    const double anew = machine.memoryEnds.ofLine(ends, [&](StreamEnds one) {
      return 1 / machine.concurrency(accessClass, one) - 1 / machine.concurrency(accessClass);
    });
    stalls.perNsAnew = traffic.misses[c] * anew;
  }
  return stalls;
}

/// (M3): what is computed in a run that takes `ns` with these stalls, `least` or more; the least of
/// what solves it.
/// \pre with `least` it takes no longer than that
double computingOf(const Stalls &stalls, double latencyNs, double ns, double least) {
  const double shown = stalls.at(latencyNs, least);
  if (stalls.at(latencyNs, ns - shown) == shown) // it hides nothing
    return ns - shown;
  double low = least, high = ns;
  const double reached = ns * (1 - 1e-14); // but for rounding
  while (high - low > 1e-14 * high) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high)
      break;
    (middle + stalls.at(latencyNs, middle) < reached ? low : high) = middle;
  }
  return high;
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
  double timeWith(double latencyNs) const { return compute + stalls.at(latencyNs, compute); }
  double timeAt(double gbs) const { return timeWith(latencyAt(gbs)); }
  /// Whether threads that see the latency of `gbs` would move more than that.
  bool wantsMore(double gbs) const { return bytes > gbs * timeAt(gbs); }
  /// B. It is the only one: timeAt() never falls, so neither does the right side above.
  double solve(double most) const {
    if (bytes == 0)
      return 0;
    double low = 0, high = most;
    while (high - low > 1e-13 * high) {
      const double middle = low + (high - low) / 2;
      if (middle <= low || middle >= high)
        break;
      (wantsMore(middle) ? low : high) = middle;
    }
    return low + (high - low) / 2;
  }
  /// The latency of accesses that make the threads take `ns`. \pre not less than with `least`
  double latencyOf(double ns, double least) const {
    const double first = timeWith(least), more = timeWith(2 * least) - first;
    if (stalls.streams <= 0 && more <= 0)
      return least; // none waits for memory
    if (const double onLine = more > 0 ? least + (ns - first) / more * least : least;
        timeWith(onLine) == ns)
      return onLine; // nothing is hidden
    double low = least, high = 2 * least;
    while (timeWith(high) < ns) {
      low = high;
      high *= 2;
    }
    while (high - low > 1e-13 * high)
      (timeWith(low + (high - low) / 2) < ns ? low : high) = low + (high - low) / 2;
    return high;
  }
};

/// solve() of threads that all compute, all the time, of a `team`.
Contention solveBusy(const MemorySystem &machine, const SectionLoad &load, unsigned team) {
  assert(load.serialNs > 0 && load.threads > 0 && "a section that ran");
  const CurveFamily &curves = machine.curves;
  Contention result;
  const double ownShare = load.serial.readShare();
  const double own = load.serial.lines() * machine.lineBytes / load.serialNs;
  const double stretch = std::max(1.0, own / curves.mostBandwidth(ownShare));
  const double lines =
      std::max(linesInOrder(machine, load.serial), linesInOrder(machine, load.parallel));
  const Stalls serial = stallsOf(machine, load, load.serial, {}, lines, 1);
  const double ownNs = curves.latency(own / stretch, ownShare);
  const double waiting = std::max(0.0, load.serialNs - load.leastNs);
  const double mostStalls = serial.at(ownNs, load.serialNs - waiting);
  const double fit = mostStalls > waiting ? waiting / mostStalls : 1;
  result.clamped = stretch > 1 || fit < 1;
  const double compute = // (M3)
      fit < 1 ? load.serialNs - waiting
              : computingOf(serial, ownNs, load.serialNs, load.serialNs - waiting);

  Stalls stalls = stallsOf(machine, load, load.parallel, load.ends, lines, load.threads);
  stalls.perNs *= fit;
  stalls.streams *= fit;
  stalls.fixed -= (1 - fit) * // not more hits than it has
                  std::min(stalls.fromShared(compute), serial.fromShared(compute));
  stalls.fixedAnew += load.anewNs;
  stalls.transfers -= (1 - fit) * std::min(stalls.fromCores(compute), serial.fromCores(compute));
  const double readShare = load.parallel.readShare();
  const double bytes = load.parallel.lines() * machine.lineBytes * load.threads;
  const FixedPoint point{curves, stretch, readShare, bytes, compute, stalls};
  const double most = curves.mostBandwidth(readShare) * stretch;
  const double capped = bytes / most; // T_t where B = B_max
  const bool exceeds = point.wantsMore(most);
  const bool beyond = !machine.saturationSeen && team > machine.measuredThreads;
  result.upperBoundOnly = exceeds && beyond;
  result.saturated = exceeds && !beyond;
  double time;
  if (result.saturated) {
    time = capped;
    result.gbs = most;
    result.latencyNs = point.latencyOf(time, point.latencyAt(most));
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

/// The threads of a team that are dealt out chunks between what they compute (M6).
class DealtTeam {
public:
  DealtTeam(const MemorySystem &machine, const SectionLoad &load) : machine(machine), load(load) {}

  Contention solve() {
    Contention result = of(load.threads);
    const double busyNs = result.burden * load.serialNs;
    double computing = 1;
    if (load.threads > 1) {
      computing = computingAt(timeBy(&Contention::burden));
      const double most = computingAt(timeBy(&Contention::mostBurden));
      result = of(static_cast<unsigned>(std::lround(computing)));
      result.burden = burdenOf(computing, &Contention::burden);
      result.mostBurden = burdenOf(most, &Contention::mostBurden);
      result.upperBoundOnly = of(load.threads).upperBoundOnly;
    }
    // The lines are those of all threads, in all of the time.
    const double ns = result.burden * load.serialNs;
    result.gbs = of(load.threads).gbs * busyNs / load.dealing.allNs(ns);
    return result;
  }

private:
  const MemorySystem &machine;
  const SectionLoad &load;
  std::map<unsigned, Contention> solved{};

  const Contention &of(unsigned computing) {
    if (const auto known = solved.find(computing); known != solved.end())
      return known->second;
    SectionLoad some = load;
    some.threads = computing;
    return solved[computing] = solveBusy(machine, some, load.threads);
  }
  /// k, while T is `ns`.
  double computingAt(double ns) const {
    return 1 + (load.threads - 1) * ns / load.dealing.allNs(ns);
  }
  /// T_k / T_1: paces are linear between whole numbers of threads.
  double burdenOf(double computing, double Contention::*factor) {
    const unsigned number = std::min(static_cast<unsigned>(computing), load.threads - 1);
    const double fewer = of(number).*factor, more = of(number + 1).*factor;
    const double between = std::lerp(more, fewer, computing - number);
    return between > 0 ? fewer * more / between : 0; // in no time nothing is left to do
  }
  /// T. There is one: in a longer one more threads compute, but T_k / k never rises with k.
  double timeBy(double Contention::*factor) {
    const auto timeOf = [&](unsigned computing) { return of(computing).*factor * load.serialNs; };
    unsigned fewer = 1, more = load.threads;
    while (more - fewer > 1) {
      const unsigned middle = fewer + (more - fewer) / 2;
      (computingAt(timeOf(middle)) >= middle ? fewer : more) = middle;
    }
    double low = timeOf(fewer), high = timeOf(more);
    while (high - low > 1e-13 * high) {
      const double middle = low + (high - low) / 2;
      if (middle <= low || middle >= high)
        break;
      (burdenOf(computingAt(middle), factor) * load.serialNs > middle ? low : high) = middle;
    }
    return high;
  }
};

} // namespace

Contention solve(const MemorySystem &machine, const SectionLoad &load) {
  if (load.dealing.ns <= 0 && load.dealing.leastNs <= 0)
    return solveBusy(machine, load, load.threads);
  return DealtTeam(machine, load).solve();
}

} // namespace prophet::memmodel
