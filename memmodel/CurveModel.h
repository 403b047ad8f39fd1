//===- CurveModel.h - Memory contention by measured curves ------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How much slower a section computes on t threads because they share the memory
// system. One family of bandwidth-latency curves says both how much traffic t
// threads get and how long an access then takes (Parallel Prophet's Psi and Phi,
// IPDPS 2012, §V, Eqs. 4 and 5), as the solution of
//
//   B   = 64 (sum of D_c(t) + WB(t)) t / T_t                                 (M1)
//   T_t = T_c + sum of D_c(t) L(B, s) / MLP_c + D_L2hit(t) lat_L3 / MLP_L3
//             + X(t) lat_X, of streams what computing does not hide          (M2)
//   T_c = T_1 - the same sum at one thread                                   (M3)
//   beta_t = T_t / T_1,   B <= B_max(s)                                      (M4)
//   MLP_c = bandwidth of class c on one thread x L(0) / 64                   (M5)
//   T   = T_k,  k = 1 + (t - 1) T / (T + O)                                  (M6)
//
// T sums the time of all threads, so T_t / t is the elapsed time; s is the read share. O, on top of
// it, is what the runtime takes to deal out chunks; 1 / T_k is linear between whole k.
// docs/memory-model.md has them in full.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/CurveFamily.h"
#include "memmodel/LineMoves.h"
#include "memmodel/Overlap.h"
#include "memmodel/StreamEnds.h"
#include "memmodel/TaskPlaces.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace prophet::memmodel {

/// What lets a thread have several misses under way: prefetchers, independent addresses, nothing.
enum class AccessClass : unsigned char { Stream, Stride, Irregular, Chase };
inline constexpr std::size_t accessClasses = 4;
/// "stream", "stride", "irregular", "chase".
const char *className(AccessClass accessClass);

/// Whether a prefetcher knows where the next access is.
inline bool isFetchedAhead(AccessClass accessClass) {
  return accessClass == AccessClass::Stream || accessClass == AccessClass::Stride;
}

/// What a section moves, all threads and executions together, in cache lines.
struct Traffic {
  std::array<double, accessClasses> misses{}; ///< D_c: fetched from memory, by class
  double writeBacks = 0;                      ///< WB
  double sharedHits = 0;                      ///< D_L2hit: fetched from the last-level cache
  double sharedAhead = 0;     ///< of these, streams and strides, which prefetchers fetch ahead
  double sharedChased = 0;    ///< and those whose address came from the one before: one by one
  double transfers = 0;       ///< X: fetched from another core's cache, or taken away from it
  double transfersAhead = 0;  ///< of these, streams and strides, but not back to who is at a line
  double readAhead = 0;       ///< of these, streams' that are read
  double upgradedAhead = 0;   ///< streams' that are written where the thread has a copy itself
  double writtenAhead = 0;    ///< and streams' that are written where it has none
  double transfersAtOnce = 0; ///< of the transfers, irregular ones, of which several are under way
  /// Of streams, written where the thread's own cache has them alone, each once for every task.
  double ownWritten = 0;
  PlaceUses places{}; ///< of lines in order, by where among their threads' the tasks are

  bool operator==(const Traffic &) const = default;
  Traffic &operator+=(const Traffic &other);
  Traffic scaled(double factor) const;
  double fetched() const;
  double lines() const { return fetched() + writeBacks; }
  /// Of the transfers that prefetchers fetch ahead, those of strides.
  double stridesAhead() const { return transfersAhead - readAhead - upgradedAhead - writtenAhead; }
  double readShare() const { return lines() > 0 ? fetched() / lines() : 1; }
};

/// What a Traffic counts beside its misses, and by place.
inline constexpr double Traffic::*trafficCounts[] = {
    &Traffic::writeBacks,      &Traffic::sharedHits,    &Traffic::sharedAhead,
    &Traffic::sharedChased,    &Traffic::transfers,     &Traffic::transfersAhead,
    &Traffic::readAhead,       &Traffic::upgradedAhead, &Traffic::writtenAhead,
    &Traffic::transfersAtOnce, &Traffic::ownWritten};

/// What a Traffic counts of streams' lines from other cores, and what is known of such.
struct MovedCount {
  double Traffic::*lines;
  LineMove LineMoves::*move;
  double PlaceUse::*inPlace; ///< the same, by place
  double PlaceUse::*of;      ///< all that tasks use so
};
inline constexpr MovedCount movedCounts[] = {
    {&Traffic::readAhead, &LineMoves::read, &PlaceUse::read, &PlaceUse::loaded},
    {&Traffic::upgradedAhead, &LineMoves::upgraded, &PlaceUse::upgraded, &PlaceUse::stored},
    {&Traffic::writtenAhead, &LineMoves::written, &PlaceUse::written, &PlaceUse::stored}};

/// What as many threads get of a last-level cache together that share it, each in order, and each
/// at independent random places; 0: not known.
struct SharedByAll {
  unsigned threads = 0;
  double gbs = 0, irregularGbs = 0;
};

/// What the model knows of a machine.
struct MemorySystem {
  static constexpr unsigned sparseAccesses = 64; ///< between lines, where the window is measured
  CurveFamily curves;
  std::array<double, accessClasses> classGbs{}; ///< of one thread that does nothing else, > 0
  StreamRunTables streamRuns{};                 ///< from memory; what goes on is in classGbs
  /// From the last-level cache; what goes on takes sharedAheadNs. Empty: they lose as large a part
  /// as those from memory.
  StreamRunTables sharedRuns{};
  Overlap memoryOverlap{};   ///< of one stream from memory
  Overlap sharedOverlap{};   ///< of one stream or stride from the last-level cache
  Overlap transferOverlap{}; ///< of one from other cores
  /// The same of a loop that goes through several in lock step. Prefetchers keep so many lines
  /// ahead in each, so it gets more of a memory than one, and waits less beside computing.
  struct Together {
    double streams = 0; ///< > 1
    double gbs = 0;     ///< > 0, of all of them
    Overlap memoryOverlap{}, sharedOverlap{};
  };
  std::optional<Together> together{}; ///< none: any number is as one
  EndsTogether memoryEnds{};          ///< of streams from memory
  EndsTogether sharedEnds{};          ///< and from the last-level cache
  EndTimes ownEnds{};                 ///< of streams that are written in cores' own caches
  EndsTogether ownEndsTogether{};     ///< and of several such
  double sharedHitNs = 0;             ///< lat_L3 / MLP_L3
  double sharedAheadNs = 0;           ///< the same where prefetchers know of it; 0: not known
  double sharedChasedNs = 0;          ///< lat_L3 itself; 0: not known
  SharedByAll sharedByAll{};          ///< the least that a line takes where many threads use it
  double transferNs = 0;              ///< lat_X
  double transferAheadNs = 0;         ///< the same where prefetchers know of it
  LineMoves moved{};                  ///< and by what a thread does with such lines
  /// Accesses among which a core has irregular lines under way at once; as many as there are: where
  /// it was not measured.
  double irregularWindow = std::numeric_limits<double>::infinity();
  bool saturationSeen = true;   ///< the curves reach the memory's own limit
  unsigned measuredThreads = 1; ///< that they were measured with
  double lineBytes = 64;

  /// Of one thread whose streams end so.
  double gbs(AccessClass accessClass, StreamEnds ends) const;
  double gbs(AccessClass accessClass) const {
    return classGbs[static_cast<std::size_t>(accessClass)];
  }
  /// What a line of streams from the last-level cache takes more that begin anew, ns.
  double sharedAnewNs(StreamEnds ends) const;
  /// The least that a thread waits for a line while so many use the last-level cache of which all
  /// together get so many GB/s.
  double sharedLeastNs(unsigned threads, double ofAllGbs) const;
  /// MLP_i where there are `share` irregular lines to an access: one, and those that are in the
  /// window with it.
  double irregularAtOnce(double share) const;
  /// MLP_c: how many lines that thread has under way (M5).
  double concurrency(AccessClass accessClass, StreamEnds ends) const;
  double concurrency(AccessClass accessClass) const { return concurrency(accessClass, {}); }
  /// How long a line shows of `number` streams that go on in lock step: linear in 1 / `number`
  /// between one and those that were measured. \param computeNs for each of their lines
  double memoryShowsNs(double number, double latencyNs, double computeNs) const;
  /// How long a line shows of those from other cores. \param move {}: as transferAheadNs
  double movedShowsNs(const LineMove &move, double computeNs) const;
  /// The same from the last-level cache, where that is `lineNs`.
  double sharedShowsNs(double number, double lineNs, double computeNs) const;
};

/// What the threads of a section take in all to be dealt out chunks, beside T_t. They move nothing
/// meanwhile.
struct DealingTime {
  double ns = 0;      ///< O
  double leastNs = 0; ///< that T_t + O takes: where chunks come from one counter threads take turns

  /// T_t + O, where T_t is `computedNs`.
  double allNs(double computedNs) const { return std::max(computedNs + ns, leastNs); }
};

/// A section to be run by `threads`.
struct SectionLoad {
  double serialNs = 0; ///< T_1 > 0
  Traffic serial;      ///< with one thread
  Traffic parallel;    ///< with `threads`
  unsigned threads = 1;
  double leastNs = 0; ///< of serialNs, what is no waiting for memory, at least
  /// How streams of one of `threads` come to an end, all together: where its next task is not the
  /// one behind. Each has a run above 0. None: they go on.
  std::vector<StreamEnds> ends = {};
  double together = 1; ///< streams in lock step, >= 1; as many as if all were equally long
  /// Part of T_t, of whatever lines: what streams take that begin anew at each chunk although they
  /// go on in memory, and what ends take longer of those that are written in threads' own caches.
  double anewNs = 0;
  DealingTime dealing{};
  double accesses = 0;                        ///< of the section; 0: not known
  std::optional<double> flops = std::nullopt; ///< floating-point operations, where they are known
};

struct Contention {
  double burden = 1;      ///< beta_t: below 1 where threads together have more cache
  double mostBurden = 1;  ///< that, if the memory moves no more than it was seen to move
  double gbs = 0;         ///< of all threads: B, or less where they are dealt out chunks in between
  double latencyNs = 0;   ///< of an access meanwhile; where saturated, what the threads wait
  bool saturated = false; ///< where as many threads as do, rounded, compute
  /// The serial run is faster than the machine's figures allow with these counts: stalls that are
  /// longer than T_1 - leastNs were scaled down to that, and B_max up to what one thread moved.
  bool clamped = false;
  /// More traffic than was measured, by a memory whose limit was not: `burden` is what it is if
  /// there is none and latency stays, so the speedup is an upper bound.
  bool upperBoundOnly = false;
};

/// Solves (M1) to (M4) by bisection, to 1e-12 of B, and (M6) to 1e-12 of T_t.
Contention solve(const MemorySystem &machine, const SectionLoad &load);

} // namespace prophet::memmodel
