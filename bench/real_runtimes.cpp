//===- real_runtimes.cpp - The emulator beside the real runtimes ----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   real_runtimes [--samples N] [--threads 2,4,...] [--runtime libomp|libgomp] ...
//
// Draws random programs of the paper's patterns (Parallel Prophet §VII-B), has the
// real libomp and libgomp run them (predictor/synthesizer), and prints how far the
// emulator's times are from theirs: in virtual time, or with threads that spin.
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/Emulator.h"
#include "predictor/synthesizer/Synthesizer.h"
#include "test/unit/predictor/emulatorPatterns.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <map>
#include <span>
#include <unistd.h>

using namespace prophet;
using namespace prophet::test;

namespace {

struct Pattern {
  const char *name;
  bool nested; ///< two active levels
  bool locks;
  Tree (*draw)(std::mt19937_64 &random);
};

constexpr double often = 0.7; ///< of critical sections

constexpr Pattern patterns[] = {
    {"Test1", false, false, [](auto &random) { return drawTest1Program(random, 0); }},
    {"Test1-locks", false, true, [](auto &random) { return drawTest1Program(random, often); }},
    {"Test2", false, false, [](auto &random) { return drawTest2Program(random, 0); }},
    {"Test2-locks", false, true, [](auto &random) { return drawTest2Program(random, often); }},
    {"Test2-nested", true, false, [](auto &random) { return drawTest2Program(random, 0); }},
    {"Test2-nested-locks", true, true,
     [](auto &random) { return drawTest2Program(random, often); }},
    {"nowait", false, false,
     [](auto &random) { return drawTest1Program(random, 0, 2 + random() % 4); }},
    {"nowait-locks", false, true,
     [](auto &random) { return drawTest1Program(random, often, 2 + random() % 4); }},
    {"sections", false, true, [](auto &random) { return drawSectionsProgram(random, often); }},
    {"lock-in-lock", false, true, drawLockInLockProgram},
};

constexpr Schedule schedules[] = {
    {Schedule::Kind::Static, 0},      {Schedule::Kind::StaticChunk, 1},
    {Schedule::Kind::StaticChunk, 5}, {Schedule::Kind::Dynamic, 1},
    {Schedule::Kind::Dynamic, 3},     {Schedule::Kind::Dynamic, 1, true},
    {Schedule::Kind::Guided, 1},      {Schedule::Kind::Guided, 4},
    {Schedule::Kind::Auto, 0},
};

struct Options {
  unsigned samples = 20;
  std::vector<unsigned> threads{2, 4, 8, 16, 32, 64};
  std::vector<std::string> runtimes{"libomp", "libgomp"};
  std::vector<std::string> patterns;  ///< all, where empty
  std::vector<std::string> schedules; ///< all, where empty
  unsigned nestedThreads = 8;         ///< no larger teams where teams nest
  unsigned long seed = 1;
  std::string executors = PROPHET_EXECUTORS;
  bool spin = false;
  double milliseconds = 50; ///< a spinning program's serial time
  unsigned repetitions = 5; ///< of a spinning run
  unsigned cores = 2;       ///< of a spinning run
  double show = 0.02;       ///< runs that differ by more are listed
  std::string table;        ///< overheads, for spinning runs
  bool byPattern = false;

  void declare(CLI::App &app);
};

void Options::declare(CLI::App &app) {
  app.add_option("--samples", samples, "Programs of each pattern (default 20)");
  app.add_option("--threads", threads, "Team sizes (default 2,4,8,16,32,64)")->delimiter(',');
  app.add_option("--runtime", runtimes, "libomp, libgomp (default both)")
      ->check(CLI::IsMember({"libomp", "libgomp"}));
  app.add_option("--pattern", patterns, "Only these patterns, e.g. Test1-locks");
  app.add_option("--schedule", schedules, "Only these schedules, e.g. dynamic,1");
  app.add_option("--nested-threads", nestedThreads, "The largest teams that nest (default 8)");
  app.add_option("--seed", seed, "Of the first program; the next has the next (default 1)");
  app.add_option("--executors", executors, "Directory of the executors");
  app.add_flag("--spin", spin, "Threads that spin in real time, not in virtual time");
  app.add_option("--cores", cores, "Spin: cores that the threads share (default 2)");
  app.add_option("--milliseconds", milliseconds, "Spin: of a program's serial time (default 50)");
  app.add_option("--repetitions", repetitions, "Spin: the median of so many counts (default 5)");
  app.add_option("--overheads", table, "Spin: a machine file (default: those built in), or none");
  app.add_flag("--by-pattern", byPattern, "One row for each pattern, not for each schedule");
  app.add_option("--show", show, "List runs that differ by more than this (default 0.02)");
}

/// Relative differences of one kind of run.
class Differences {
public:
  void add(double difference) { values.push_back(difference); }
  void add(const Differences &others) {
    values.insert(values.end(), others.values.begin(), others.values.end());
  }
  std::string str() {
    std::sort(values.begin(), values.end());
    double sum = 0;
    for (double value : values)
      sum += value;
    const auto exact = std::upper_bound(values.begin(), values.end(), 1e-9) - values.begin();
    const std::size_t count = values.size();
    return fmt::format("{:6} {:7.3f}% {:7.3f}% {:7.3f}% {:6.1f}%", count,
                       100 * sum / static_cast<double>(count), 100 * values[count / 2],
                       100 * values.back(),
                       100 * static_cast<double>(exact) / static_cast<double>(count));
  }

private:
  std::vector<double> values;
};

bool among(const std::vector<std::string> &wanted, const std::string &name) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
}

struct Group {
  std::string runtime, what;
  bool locks;
  auto operator<=>(const Group &) const = default;
};

class Comparison {
public:
  Comparison(const Options &options, Overheads libomp, Overheads libgomp)
      : options(options), libomp(std::move(libomp)), libgomp(std::move(libgomp)) {}

  /// One program under all schedules and team sizes.
  std::optional<Error> compare(const Pattern &pattern, OmpRuntime runtime, unsigned long seed);
  void print();

private:
  const Options &options;
  const Overheads libomp, libgomp;
  std::map<Group, Differences> groups;
  double spreads = 0, spinning = 0; ///< sum, and number, of the spinning runs' spreads
  double foreign = 0, waited = 0;   ///< sums, weighted with time
  double seconds = 0;

  std::vector<Synthesis> runsOf(const Pattern &pattern, OmpRuntime runtime, const Tree &tree) const;
  double realTime(std::span<const Synthesis> repetitions);
  void note(const Pattern &pattern, unsigned long seed, const EmulationOptions &run,
            double emulated, double real);
};

std::vector<Synthesis> Comparison::runsOf(const Pattern &pattern, OmpRuntime runtime,
                                          const Tree &tree) const {
  std::vector<Synthesis> runs;
  for (const Schedule &schedule : schedules)
    for (unsigned threads : options.threads) {
      if ((pattern.nested && threads > options.nestedThreads) ||
          !among(options.schedules, schedule.str()))
        continue;
      Synthesis run;
      run.options.threads = threads;
      run.options.schedule = schedule;
      run.options.runtime = runtime;
      run.options.maxActiveLevels = pattern.nested ? 2 : 1;
      run.options.cores = pattern.nested ? threads * threads : threads;
      if (options.spin) {
        run.options.cores = options.cores;
        run.options.overheads = runtime == OmpRuntime::Libomp ? libomp : libgomp;
        run.delay = Delay::Spin;
        run.nsPerTick = 1e9 / tree.timebaseHz;
      }
      runs.insert(runs.end(), options.spin ? options.repetitions : 1, run);
    }
  return runs;
}

/// The median of the repetitions of one run.
double Comparison::realTime(std::span<const Synthesis> repetitions) {
  std::vector<double> times;
  for (const Synthesis &run : repetitions) {
    times.push_back(run.ticks);
    foreign += run.foreignCores * run.wallSeconds;
    waited += run.waitedShare * run.wallSeconds;
    seconds += run.wallSeconds;
  }
  std::sort(times.begin(), times.end());
  const std::size_t count = times.size();
  spreads += (times[count * 3 / 4] - times[count / 4]) / times[count / 2];
  ++spinning;
  return times[count / 2];
}

std::optional<Error> Comparison::compare(const Pattern &pattern, OmpRuntime runtime,
                                         unsigned long seed) {
  std::mt19937_64 random(seed);
  Tree tree = pattern.draw(random);
  const double serial = tree.serialLengths()[tree.root];
  if (serial == 0) // nothing to compare
    return std::nullopt;
  if (options.spin)
    tree.timebaseHz = serial / (options.milliseconds * 1e-3);
  std::vector<Synthesis> runs = runsOf(pattern, runtime, tree);
  if (auto error = synthesize(tree, runs, options.executors + "/" + executorName(runtime)))
    return error;
  const std::size_t repeated = options.spin ? options.repetitions : 1;
  for (std::size_t i = 0; i < runs.size(); i += repeated)
    note(pattern, seed, runs[i].options, emulate(tree, runs[i].options).ticks,
         realTime(std::span(runs).subspan(i, repeated)));
  return std::nullopt;
}

void Comparison::note(const Pattern &pattern, unsigned long seed, const EmulationOptions &run,
                      double emulated, double real) {
  const double difference = emulated / real - 1;
  groups[{runtimeName(run.runtime), options.byPattern ? pattern.name : run.schedule.str(),
          pattern.locks}]
      .add(std::abs(difference));
  if (std::abs(difference) > options.show)
    fmt::print(
        "{} {} --schedule {} --threads {} --seed {}: emulated {:.6g}, real {:.6g} ({:+.2f}%)\n",
        runtimeName(run.runtime), pattern.name, run.schedule.str(), run.threads, seed, emulated,
        real, 100 * difference);
  std::fflush(stdout);
}

void Comparison::print() {
  fmt::print("{:8} {:20} {:6} {:>6} {:>8} {:>8} {:>8} {:>7}\n", "runtime",
             options.byPattern ? "programs" : "schedule", "locks", "runs", "mean", "median",
             "largest", "exact");
  std::map<Group, Differences> totals;
  for (auto &[group, differences] : groups) {
    fmt::print("{:8} {:20} {:6} {}\n", group.runtime, group.what, group.locks ? "yes" : "no",
               differences.str());
    totals[{group.runtime, "all", group.locks}].add(differences);
  }
  for (auto &[group, differences] : totals)
    fmt::print("{:8} {:20} {:6} {}\n", group.runtime, group.what, group.locks ? "yes" : "no",
               differences.str());
  if (options.spin && seconds > 0)
    fmt::print(
        "Real times are medians of {}; their interquartile range is {:.2f}% of them in the "
        "mean. Others kept {:.2f} cores busy, threads waited {:.1f}% of their time for one.\n",
        options.repetitions, 100 * spreads / spinning, foreign / seconds, 100 * waited / seconds);
}

Result<Overheads> overheadsOf(const Options &options, OmpRuntime runtime) {
  if (!options.spin || options.table == "none")
    return Overheads::none();
  if (options.table.empty())
    return Overheads::typical(runtime);
  auto table = readMachineOverheads(options.table, runtime);
  if (!table)
    return table.error();
  if (!*table)
    return Error{options.table + ": has no overheads of " + runtimeName(runtime) +
                 "; measure them with 'prophet calibrate'"};
  return **table;
}

std::optional<Error> compareAll(const Options &options) {
  auto libomp = overheadsOf(options, OmpRuntime::Libomp);
  if (!libomp)
    return libomp.error();
  auto libgomp = overheadsOf(options, OmpRuntime::Libgomp);
  if (!libgomp)
    return libgomp.error();
  Comparison comparison(options, *libomp, *libgomp);
  const bool terminal = ::isatty(STDERR_FILENO);
  for (unsigned sample = 0; sample < options.samples; ++sample)
    for (const Pattern &pattern : patterns)
      for (const std::string &runtime : options.runtimes) {
        if (!among(options.patterns, pattern.name))
          continue;
        if (terminal)
          fmt::print(stderr, "\r\033[K{} of {}: {}, {}", sample + 1, options.samples, pattern.name,
                     runtime);
        const auto which = runtime == "libomp" ? OmpRuntime::Libomp : OmpRuntime::Libgomp;
        if (auto error = comparison.compare(pattern, which, options.seed + sample))
          return Error{fmt::format("{} (--pattern {} --seed {})", error->message, pattern.name,
                                   options.seed + sample)};
      }
  if (terminal)
    fmt::print(stderr, "\r\033[K");
  comparison.print();
  return std::nullopt;
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("The emulator's times beside those of the real OpenMP runtimes");
  Options options;
  options.declare(app);
  CLI11_PARSE(app, argc, argv);
  if (const auto error = compareAll(options)) {
    fmt::print(stderr, "real_runtimes: {}\n", error->message);
    return 2;
  }
  return 0;
}
