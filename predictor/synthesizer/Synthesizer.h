//===- Synthesizer.h - Program trees run by a real OpenMP runtime *- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program-synthesis-based emulation of Parallel Prophet (§IV-E): the tree is
// run by the real runtime, computation is a delay. Which iterations a thread gets,
// and who gets a lock next, is then no model's answer but the runtime's. An
// executor (executor/main.cpp) is a program of its own, since a process has one
// OpenMP runtime and one wait policy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/emulator/EmulationOptions.h"
#include "predictor/support/Process.h"
#include "predictor/support/Result.h"
#include "predictor/synthesizer/Delay.h"
#include "predictor/synthesizer/Sample.h"
#include "predictor/tree/Tree.h"

#include <memory>
#include <string>
#include <vector>

namespace prophet {

/// One run that is asked for, and then what it took.
struct Synthesis {
  /// The seed counts for nothing: the runtime draws its own. Overheads are charged in virtual time,
  /// where the runtime's own take none; threads that spin have the runtime's.
  EmulationOptions options;
  Delay delay = Delay::Virtual;
  double nsPerTick = 1; ///< Spin: real time of a tick

  double ticks = 0;
  std::vector<double> siteTicks; ///< by site, where Synthesizer::timesSite
  /// Of ticks, where only a sample was run; none: not known.
  std::optional<SampleError> sampleError = SampleError{};
  double walkTicks = 0;    ///< Spin: what walking the tree cost, which is not in `ticks`
  double wallSeconds = 0;  ///< real time that it took
  double foreignCores = 0; ///< that other processes kept busy meanwhile
  /// The same of all runs of its process: the system counts such time in hundredths of a second.
  double processSeconds = 0, processForeignCores = 0;
  double waitedShare = 0; ///< of its threads' time, for a core
  Priority priority = Priority::Normal;
  double wakeUpNs = 0; ///< Spin: how late the system wakes threads up
};

/// How an executor is run.
struct Execution {
  std::string executor;  ///< the program
  bool realtime = false; ///< at real-time priority, where that is permitted
  unsigned pin = 0;      ///< cores of this machine to keep to; 0: all
  Deadline deadline = {};
};

/// One tree, with one choice of parallel sites.
class Synthesizer {
public:
  /// \param options those of which sites are parallel, the overheads, the most threads and the
  /// largest factors that any run has: times have room for these
  /// \param fraction of the executions of each site that are run
  Synthesizer(const Tree &tree, const EmulationOptions &options, double fraction = 1);
  ~Synthesizer();

  /// Why it cannot be run.
  std::optional<Error> unfit() const;
  /// Has an executor run the tree as `runs` say, which have one runtime, wait policy and kind of
  /// delay, under Cilk also one number of threads; fills in what they took.
  /// \pre !unfit(), and !unsupported(tree, options) for all of them.
  /// \returns whether it ended before its deadline
  Result<bool> run(std::vector<Synthesis> &runs, const Execution &execution) const;

  const Sample &sample() const;
  /// The serial time of what is run.
  double serialTicks() const;
  /// About how long a run takes whose threads spin: the serial time, the walk and, where chunks are
  /// asked for, what these take the runtime.
  double spinSeconds(const EmulationOptions &options, double nsPerTick) const;
  /// The mean length of a delay for each node that is looked at, in ticks; infinite where there are
  /// none.
  double ticksPerVisit() const;
  /// Whether sections lie inside others.
  bool nests() const;
  /// How many threads a run has at once, at most.
  double threads(const EmulationOptions &options) const;
  /// About how long so many runs of one process take in virtual time, where each act that other
  /// threads can see costs switches of real threads.
  double virtualSeconds(const EmulationOptions &options, unsigned runs) const;
  /// Whether all executions of a site are at the outermost level and share their team with no
  /// other.
  bool timesSite(std::uint32_t site) const;
  double siteSerialTicks(std::uint32_t site) const;

private:
  struct State;
  std::unique_ptr<const State> state;
};

/// The same for the whole of `tree` once.
std::optional<Error> synthesize(const Tree &tree, std::vector<Synthesis> &runs,
                                const std::string &executor);

/// Whether the threads of `run`, which spun, had the cores that they need to themselves.
/// \param cores of this machine that they could use
bool isQuiet(const Synthesis &run, unsigned cores);

/// Why runtimes of `options` run no tree in virtual time.
std::optional<Error> unfitForVirtualTime(const EmulationOptions &options);

/// The executor's file name for `options`, and for OpenMP under `runtime`.
std::string executorName(const EmulationOptions &options);
std::string executorName(OmpRuntime runtime);

} // namespace prophet
