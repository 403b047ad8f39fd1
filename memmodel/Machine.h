//===- Machine.h - What a machine file knows of memory ----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   {"format": "prophet-machine", "version": 1, "name": "a processor", "cores": 2,
//    "sockets": 1, "smt": 1, "freq_hz": 2450000000, "line": 64,
//    "caches": [{"level": 3, "bytes": 33554432, "shared_by": 2, "lat_ns": 17.5,
//                "effective_bytes": [16777216, 25165824], "reach": [[1e6, 32e6], [6e6, 15e6]],
//                "reach_spread": 1.2, "reach_sigma": 0.5}],
//    "memory": {"source": "prophet calibrate", "threads": 2, "saturation_seen": false,
//               "curves": {"1": [[0.5, 96], [11, 104]], "0.5": [[0.4, 150], [9, 170]]},
//               "classes": {"stream": 12, "stride": 6, "irregular": 5, "chase": 0.66},
//               "sparse_gbs": 1.5,
//               "overlap": {"memory": [[0.3, 0.9], [2, 0.4]], "shared": [[0.5, 0.6]]},
//               "together": {"streams": 5, "gbs": 15, "overlap": {"memory": [], "shared": []}},
//               "shared_cache_gbs": 25, "transfer_ns": 60,
//               "ends_together": {"memory": {"streams": 5, "times": 4.6}},
//               "quality": {"tried": 90, "accepted": 84, "elsewhere": 2, "handover_ns": 60,
//                           "elsewhere_ns": 240, "iqr": {"chase": 0.01}}},
//    "paper": {"psi": {"2": {"shape": "linear", "slope": 1.35, "offset": 1758}},
//              "phi": {"scale": 101481, "exponent": -0.964}}}
//
// What else a file has, such as OpenMP's overheads, belongs to others and stays.
// Bandwidths are GB/s of 10^9 bytes, latencies ns; curves are keyed by read share.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/CurveModel.h"
#include "memmodel/PaperModel.h"
#include "memmodel/Reach.h"
#include "memmodel/Replay.h"

#include <map>
#include <optional>
#include <string>

namespace prophet::memmodel {

/// How gradually a cache that others fill was seen to end on two Xeons (decision 22), where it is
/// not known.
inline constexpr double usualReachSigma = 0.5;

struct Cache {
  unsigned level = 0;
  double bytes = 0;      ///< as the system says; virtual machines may say what is not theirs
  unsigned sharedBy = 1; ///< cores
  double latencyNs = 0;  ///< 0: not known
  /// Where latency was seen to rise: fits for certain, and does not. {0, 0}: not known.
  std::pair<double, double> effectiveBytes{};
  /// Of a last one: bytes, by how long ago they were used; empty: not known.
  std::vector<ReachPoint> reach{};
  /// How many times as much it may be, or as little: by what others do, and by whether a program's
  /// data comes to be there from memory, or stays. >= 1
  double reachSpread = 1;
  /// Of a last one: cores that were seen to share one; 0: not known.
  unsigned effectiveSharedBy = 0;
  /// How gradually the reach ends: of the logarithm of how many times it lines have, as much and as
  /// late. >= 0
  double reachSigma = 0;
};

/// How far the figures can be relied on.
struct Quality {
  unsigned tried = 0, accepted = 0;  ///< windows
  bool disturbed = false;            ///< by other load, all of some kind
  unsigned elsewhere = 0;            ///< quiet ones on cores that were not in their usual places
  double handoverNs = 0;             ///< from core to core, in those that count; 0: not known
  double elsewhereNs = 0;            ///< the same in those elsewhere
  std::map<std::string, double> iqr; ///< of a figure's windows, over their median
};

struct MemoryFigures {
  std::string source;
  unsigned threads = 1; ///< that the curves were measured with
  bool saturationSeen = false;
  std::vector<MeasuredCurve> curves;            ///< at least one
  std::array<double, accessClasses> classGbs{}; ///< 0: not known
  /// What a stream would get if it lost what one does that begins anew elsewhere, from memory and
  /// from the last-level cache.
  StreamRunTables streamRuns, sharedRuns;
  EndsTogether memoryEnds{}, sharedEnds{};   ///< of several streams, from each
  EndTimes ownEnds{};                        ///< of streams that are written in own caches
  EndsTogether ownEndsTogether{};            ///< and of several of these
  double sharedCacheGbs = 0;                 ///< one thread's, irregular; 0: not known
  double sharedStreamGbs = 0;                ///< one thread's, in order; 0: not known
  SharedByAll sharedByAll{};                 ///< all threads' that share it
  double transferNs = 0;                     ///< a line from another core; 0: not known
  double transferAheadNs = 0;                ///< one of many in order; 0: as transferNs
  LineMoves moved{};                         ///< and by what a thread does with such lines
  std::vector<OverlapPoint> transferOverlap; ///< of those; empty: not known
  /// Of one thread; empty: not known.
  std::vector<OverlapPoint> memoryOverlap, sharedOverlap;
  /// The same of several streams in lock step.
  struct Together {
    unsigned streams = 0; ///< > 1
    double gbs = 0;       ///< > 0, of all of them
    std::vector<OverlapPoint> memoryOverlap, sharedOverlap;
  };
  static constexpr unsigned streamsTogether = 5; ///< that are measured
  std::optional<Together> together;              ///< none: not known
  double sparseGbs = 0;     ///< irregular, with sparseAccesses (MemorySystem) between; 0: not known
  double accessesPerNs = 0; ///< of one thread to its first cache; 0: not known
  double additionNs = 0;    ///< of floating-point numbers, one after the other; 0: not known
  Quality quality;
};

/// A table of runs, and its key in the file.
struct RunTableKey {
  const char *name;
  StreamRunTables MemoryFigures::*from;
  std::map<unsigned, double> StreamRunTables::*of;
};
inline constexpr RunTableKey runTableKeys[] = {
    {"stream_runs", &MemoryFigures::streamRuns, &StreamRunTables::lean},
    {"busy_stream_runs", &MemoryFigures::streamRuns, &StreamRunTables::busy},
    {"written_stream_runs", &MemoryFigures::streamRuns, &StreamRunTables::written},
    {"shared_stream_runs", &MemoryFigures::sharedRuns, &StreamRunTables::lean},
    {"busy_shared_runs", &MemoryFigures::sharedRuns, &StreamRunTables::busy},
    {"written_shared_runs", &MemoryFigures::sharedRuns, &StreamRunTables::written}};

/// What `ends_together` has in the file, and what each of them has besides its streams.
inline constexpr std::pair<const char *, double EndsTogether::*> endsTimesKeys[] = {
    {"times", &EndsTogether::times},
    {"lean_times", &EndsTogether::leanTimes},
    {"written_times", &EndsTogether::writtenTimes}};
inline constexpr std::pair<const char *, EndsTogether MemoryFigures::*> endsKeys[] = {
    {"memory", &MemoryFigures::memoryEnds},
    {"shared", &MemoryFigures::sharedEnds},
    {"own", &MemoryFigures::ownEndsTogether}};

/// Cores that share a last-level cache: as was seen, or as the system says.
unsigned sharedBy(const Cache &last);

struct Machine {
  std::string name;
  unsigned cores = 0, sockets = 0, smt = 0; ///< smt: threads of a core; 0: not known
  double frequencyHz = 0;                   ///< 0: not known
  double lineBytes = 64;
  std::vector<Cache> caches; ///< levels ascend
  std::optional<MemoryFigures> memory;
  std::optional<Coefficients> paper;
};

/// Reads a machine file's text. \param problem where there is no result: what is wrong; what to do.
std::optional<Machine> readMachine(const std::string &text, std::string &problem);

/// `old`, the text of a machine file or "", with what `machine` knows in it; the rest stays.
/// \pre `old` is JSON that is an object.
std::string mergeMachine(const Machine &machine, const std::string &old);

/// The machine that is built in by this name: "westmere", of which the paper prints coefficients.
std::optional<Machine> presetMachine(const std::string &name);

/// What a core has to itself, in bytes: its share of the cache before the last one; 0 where there
/// is one level or none.
double privateBytes(const Machine &machine);

/// Of the cache that accesses look into first, in bytes; a common size where it is not known.
double firstCacheBytes(const Machine &machine);

/// Of one last-level cache, a core's own included: what passes were seen to fill of it at all
/// times, or half way between what was seen to fit and what was not. 0 where no cache is known.
double sharedBytes(const Machine &machine);

/// A core's own cache and the last-level one, for a replay on `threads` threads.
CacheSizes cacheSizes(const Machine &machine, unsigned threads);

/// The machine with caches of 0.7 and of 1.4 times the size, the core's own and the last-level one:
/// at a knife's edge, where data are about as large as a cache, how much is found there turns on
/// little. Of a last one it is what was seen to fit and not to, where that is further apart, and of
/// one that others fill its spread. Empty where no cache is known.
std::vector<Machine> otherCaches(const Machine &machine);

/// Whether two cores that hand a line over in `handoverNs` do so through a last-level cache that
/// they share, by how much longer that takes than the cache before it; nothing where either is not
/// known.
std::optional<bool> shareLastCache(const Machine &machine, double handoverNs);

/// The machine with its cores from each other as they were where they had not their usual places,
/// if that was so in more than one of ten quiet windows of its calibration: a program's may be
/// there as well. Lines take as much longer, or less long, as one that is handed over. Where two
/// cores share a last-level cache in one place and not in the other, so many have one there.
std::optional<Machine> otherPlaces(const Machine &machine);

/// How many of `threads` threads share a last-level cache: they fill the cores of one before the
/// next one's, and all caches alike where they are more than cores.
unsigned sharers(const Machine &machine, unsigned threads);

/// What the curve model needs of `machine`. \param problem where there is none, as above.
std::optional<MemorySystem> memorySystem(const Machine &machine, std::string &problem);

} // namespace prophet::memmodel
