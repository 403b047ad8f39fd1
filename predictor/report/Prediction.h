//===- Prediction.h - The estimates of one tree -------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `prophet predict` computed, before any view of it. Views (table, JSON,
// CSV) only read it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/Emulator.h"
#include "predictor/report/Outlook.h"
#include "predictor/report/Span.h"
#include "predictor/synthesizer/Delay.h"
#include "predictor/synthesizer/Sample.h"
#include "predictor/tree/Tree.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace prophet {

/// What the user asks for.
struct ScheduleChoice {
  enum class Kind : std::uint8_t {
    Given,   ///< this schedule
    Best,    ///< the best of the default ones
    Written, ///< every site's own, as its clauses say
    Split,   ///< none: the paradigm splits loops into tasks
  };
  Schedule schedule;
  Kind kind = Kind::Given;

  /// As --schedule takes it.
  std::string word() const;
  bool operator==(const ScheduleChoice &) const = default;
};

/// static; static,1; dynamic,1: what is predicted where nothing is asked for, and what `auto` is
/// the best of.
const std::vector<ScheduleChoice> &defaultSchedules();

/// What leaves a speedup open.
enum class OpenedBy : std::uint8_t {
  Merging,   ///< the profiler merged lengths within its tolerance
  Stealing,  ///< whom idle threads steal from is random
  Placement, ///< on which of the cores that they share threads are is random
  Runs,      ///< the program's runs differ
  Cache,     ///< what a last-level cache keeps that others fill, too
  Places,    ///< how far cores are from each other, where a host moves them
  Memory,    ///< more traffic than the machine was measured with
  Repeating, ///< repetitions of a real run differ
  Sampling,  ///< a part of the program was run for the whole
};

/// As JSON has it: "merging".
const char *sourceName(OpenedBy source);

/// Where a speedup lies on account of one source alone.
struct IntervalPart {
  OpenedBy source;
  std::pair<double, double> range;
};

/// One estimate: a schedule at a thread count.
struct PredictionPoint {
  ScheduleChoice choice;           ///< choice.schedule is the schedule that was emulated
  std::vector<SiteSettings> sites; ///< Written: what was emulated, by site; empty otherwise
  unsigned threads = 0;
  unsigned cores = 0;
  std::uint64_t seed = 1; ///< of the run that was emulated
  Estimate estimate;
  /// What the same OpenMP program takes on one thread, which may be more than the serial one; 0:
  /// not known, as where `num_threads` clauses ask for more.
  double oneThreadTicks = 0;
  bool isFree = false;                     ///< a change leaves out what OpenMP's constructs cost
  std::pair<double, double> interval;      ///< where the speedup lies, if isBounded()
  std::vector<IntervalPart> intervalParts; ///< what makes it as wide as it is, widest first
  std::vector<OpenedBy> unknownParts;      ///< of which it is not known how wide they make it

  bool isBounded() const { return unknownParts.empty(); }
  bool isSplit() const { return choice.kind == ScheduleChoice::Kind::Split; }
  bool isWritten() const { return choice.kind == ScheduleChoice::Kind::Written; }
  /// "static,1", or "written".
  std::string scheduleName() const;
  const Schedule &scheduleOf(std::uint32_t site) const;
};

/// One estimate that the real runtime has made. It knows of no losses and gains, and of its sites
/// only those that run nowhere else than in regions of their own.
struct SynthesizedPoint : PredictionPoint {
  Delay delay = Delay::Virtual;
  double seconds = 0;              ///< that one repetition took
  double walkShare = 0;            ///< of the threads' longest: walking the tree, taken off
  unsigned tried = 0, counted = 0; ///< repetitions
  /// Half the 95 % interval of their median, over the median; none where they are too few.
  std::optional<double> uncertainty;
  bool settled = true;                  ///< that is 1 % at most
  bool disturbed = false;               ///< by other load, all along
  Priority priority = Priority::Normal; ///< over it
  double wakeUpNs = 0;                  ///< how late the system wakes threads up
  /// For what was not run, over the estimate; none: not known.
  std::optional<SampleError> sampleError = SampleError{};
};

/// What --method synth was asked for.
struct SynthesisSettings {
  double scale = 1;                         ///< --scale
  std::uint64_t executed = 0, sections = 0; ///< of the program's outermost sections
};

/// The estimates of a changed program, beside those of the program as it is.
struct WhatIfPrediction {
  std::string text;                    ///< the change, as --what-if took it
  double serialTicks = 0;              ///< of the changed program
  std::vector<PredictionPoint> points; ///< as Prediction::points; see `overUnchanged`
  std::vector<SynthesizedPoint> synthesized;
};

/// One of several runs of a program.
struct ProfiledRun {
  std::string name; ///< of its tree's file
  double seconds;   ///< its serial time
};

/// Where the burden factors are from.
struct MemoryUse {
  const char *model = "none";       ///< as --memory takes it
  std::string why;                  ///< there are none; or what the model is based on
  std::string profile{}, machine{}; ///< files that it is by; "": by none
};

struct Prediction {
  std::string treeName;
  std::shared_ptr<const Tree> tree;
  EmulationOptions options; ///< what all points share
  MemoryUse memory;
  std::string validation;      ///< the file that `options`' body ratios are from; or ""
  std::string overheadsSource; ///< "built-in", "none" or a file's name
  std::vector<ScheduleChoice> schedules;
  std::vector<unsigned> threads;
  std::vector<PredictionPoint> points;       ///< by schedule, then by thread count; none without ff
  std::vector<SynthesizedPoint> synthesized; ///< in the same order; none without synth
  SynthesisSettings synthesis;
  std::vector<ProfiledRun> runs; ///< `tree` and others of one program, the shortest first; or none
  std::vector<std::string> warnings;
  std::vector<WhatIfPrediction> whatIfs;
  Span span;
  std::optional<Outlook> outlook;

  const PredictionPoint &at(std::size_t schedule, std::size_t thread) const {
    return points[schedule * threads.size() + thread];
  }
  bool isEmulated() const { return !points.empty(); }
  /// The emulated estimates and those in virtual time: those that `options.overheads` is charged
  /// to.
  std::vector<const PredictionPoint *> charged() const;
  double serialTicks() const {
    return (isEmulated() ? points.front() : synthesized.front()).estimate.serialTicks;
  }
};

/// States `point`, an estimate of a changed program, over the unchanged program's serial run, which
/// `unchanged` is an estimate of: all its serial times, speedups, gains and its interval.
void overUnchanged(PredictionPoint &point, const Estimate &unchanged);

/// The point with the highest speedup; of those that print alike that with the fewest threads, then
/// the first.
const PredictionPoint &bestPoint(const Prediction &prediction);

/// The speedups that are possible when every length may be off by `tolerance` while their total is
/// exact: speedup/(1+tolerance) to speedup/(1-tolerance), never above `bound`. Rigorous for static
/// schedules without locks; dynamic schedules may in theory react by more.
std::pair<double, double> speedupInterval(double speedup, double tolerance, double bound);

/// No schedule and no number of threads is faster: the serial time over the time outside of
/// parallel sections (Amdahl's law); infinite where everything is inside one.
double maximumGain(const Tree &tree);

/// The options that `point` was emulated under.
EmulationOptions optionsOf(const Prediction &prediction, const PredictionPoint &point);

/// Whether `tree` has loops, which alone have schedules.
bool hasScheduledLoops(const Tree &tree);

/// Whether estimates of `tree` under `choice` are those under any other schedule of its own.
bool isAnySchedule(const Tree &tree, const ScheduleChoice &choice);

/// Of a table's row: "static,1", "any schedule".
std::string rowName(const Tree &tree, const ScheduleChoice &choice);

/// Whether the point has teams that are larger than those whose overheads were measured.
bool isExtrapolated(const Prediction &prediction, const PredictionPoint &point);
/// The same; never of threads that spin.
bool isExtrapolated(const Prediction &prediction, const SynthesizedPoint &point);
/// The same of any run on as many `threads`.
bool isExtrapolated(const Prediction &prediction, const EmulationOptions &options);

/// One sentence on memory contention.
std::string describeMemoryUse(const MemoryUse &memory);

} // namespace prophet
