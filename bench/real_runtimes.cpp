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
// emulator's speedups are from theirs: in virtual time, or with threads that spin.
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
#include <numeric>
#include <optional>
#include <unistd.h>

using namespace prophet;
using namespace prophet::test;

namespace {

struct Pattern {
  const char *name;
  bool nested; ///< two active levels
  bool locks;
  Tree (*draw)(std::mt19937_64 &random);
  /// Tasks: stealing is random, so many runs are compared with many.
  std::optional<Paradigm> tasks{};
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
    {"quicksort", false, false, [](auto &random) { return drawQuicksortProgram(random); },
     Paradigm::OpenMP},
    {"quicksort-tbb", false, false, [](auto &random) { return drawQuicksortProgram(random); },
     Paradigm::Tbb},
    {"fft-tbb", false, false, drawFourierProgram, Paradigm::Tbb},
    {"quicksort-locks", false, true, [](auto &random) { return drawQuicksortProgram(random, 0.5); },
     Paradigm::OpenMP},
    {"fft", false, false, drawFourierProgram, Paradigm::OpenMP},
    {"flat-tasks", false, false, [](auto &random) { return drawFlatTasksProgram(random, 0); },
     Paradigm::OpenMP},
    {"flat-tasks-locks", false, true,
     [](auto &random) { return drawFlatTasksProgram(random, often); }, Paradigm::OpenMP},
    {"tasks-in-loop", false, false, [](auto &random) { return drawTasksInLoopProgram(random, 0); },
     Paradigm::OpenMP},
    {"tasks-in-loop-locks", false, true,
     [](auto &random) { return drawTasksInLoopProgram(random, often); }, Paradigm::OpenMP},
    {"taskloop", false, false, [](auto &random) { return drawTest1Program(random, 0); },
     Paradigm::Tasks},
    {"taskloop-locks", false, true, [](auto &random) { return drawTest1Program(random, often); },
     Paradigm::Tasks},
    {"taskloop-nested", false, false, [](auto &random) { return drawTest2Program(random, 0); },
     Paradigm::Tasks},
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
  double milliseconds = 50;     ///< a spinning program's serial time
  unsigned repetitions = 7;     ///< of a spinning run
  unsigned rounds = 4;          ///< in which disturbed repetitions are tried again
  unsigned cores = 2;           ///< of a spinning run
  unsigned draws = 10;          ///< runs of a program with tasks, and seeds
  double show = 0.02;           ///< runs that differ by more are listed
  std::string table;            ///< overheads, for spinning runs
  std::string wait = "default"; ///< OMP_WAIT_POLICY of spinning runs
  bool keepDisturbed = false;
  bool byPattern = false;

  void declare(CLI::App &app);
};

void Options::declare(CLI::App &app) {
  app.add_option("--samples", samples, "Programs of each pattern (default 20)");
  app.add_option("--threads", threads, "Team sizes (default 2,4,8,16,32,64)")->delimiter(',');
  app.add_option("--runtime", runtimes, "libomp, libgomp (default both)")
      ->check(CLI::IsMember({"libomp", "libgomp"}));
  app.add_option("--pattern", patterns,
                 "Only these patterns, e.g. Test1-locks; those of tasks only where they are named");
  app.add_option("--schedule", schedules, "Only these schedules, e.g. dynamic,1");
  app.add_option("--nested-threads", nestedThreads, "The largest teams that nest (default 8)");
  app.add_option("--seed", seed, "Of the first program; the next has the next (default 1)");
  app.add_option("--executors", executors, "Directory of the executors");
  app.add_flag("--spin", spin, "Threads that spin in real time, not in virtual time");
  app.add_option("--cores", cores, "Spin: cores that the threads share (default 2)");
  app.add_option("--milliseconds", milliseconds, "Spin: of a program's serial time (default 50)");
  app.add_option("--repetitions", repetitions, "Spin: the median of so many counts (default 7)");
  app.add_option("--rounds", rounds,
                 "Spin: tries for repetitions that others disturbed (default 4)");
  app.add_option("--overheads", table, "Spin: a machine file (default: those built in), or none");
  app.add_flag("--keep-disturbed", keepDisturbed, "Spin: count all repetitions");
  app.add_option("--wait-policy", wait, "Spin: default, active or passive")
      ->check(CLI::IsMember({"default", "active", "passive"}));
  app.add_option("--draws", draws,
                 "Runs and seeds whose means are compared, of tasks (default 10)");
  app.add_flag("--by-pattern", byPattern, "One row for each pattern, not for each schedule");
  app.add_option("--show", show, "List runs that differ by more than this (default 0.02)");
}

/// Relative differences of one kind of run.
class Differences {
public:
  void add(double difference) {
    values.push_back(std::abs(difference));
    bias += difference;
  }
  void add(const Differences &others) {
    inside += others.inside;
    drawn += others.drawn;
    values.insert(values.end(), others.values.begin(), others.values.end());
    bias += others.bias;
  }
  std::string str() {
    std::sort(values.begin(), values.end());
    double sum = 0;
    for (double value : values)
      sum += value;
    const auto exact = std::upper_bound(values.begin(), values.end(), 1e-9) - values.begin();
    const std::size_t count = values.size();
    std::string line = fmt::format("{:6} {:7.3f}% {:7.3f}% {:7.3f}% {:+7.3f}% {:6.1f}%", count,
                                   100 * sum / static_cast<double>(count), 100 * values[count / 2],
                                   100 * values.back(), 100 * bias / static_cast<double>(count),
                                   100 * static_cast<double>(exact) / static_cast<double>(count));
    if (drawn > 0)
      line +=
          fmt::format(" {:6.1f}%", 100 * static_cast<double>(inside) / static_cast<double>(drawn));
    return line;
  }

  std::size_t inside = 0, drawn = 0; ///< runs, with tasks, and those that some seed could be

private:
  std::vector<double> values; ///< without their signs
  double bias = 0;            ///< sum, with them
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
  std::vector<double> spreads;        ///< of the spinning runs
  std::size_t counted = 0, tried = 0; ///< repetitions
  std::size_t disturbed = 0;          ///< runs with too few quiet ones

  std::vector<Synthesis> runsOf(const Pattern &pattern, OmpRuntime runtime, const Tree &tree) const;
  std::size_t repetitions(const Pattern &pattern) const {
    return options.spin ? options.repetitions : pattern.tasks ? options.draws : 1;
  }
  std::optional<double> realTime(const std::vector<Synthesis> &runs, std::size_t which);
  std::optional<Error> spinAgain(const Tree &tree, std::vector<Synthesis> &runs,
                                 const std::string &executor) const;
  std::vector<double> emulateDraws(const Tree &tree, EmulationOptions run) const;
  double meanOf(const Pattern &pattern, const Tree &tree, const EmulationOptions &run) const;
  void compareDraws(const Pattern &pattern, unsigned long seed, const Tree &tree,
                    const std::vector<Synthesis> &runs, std::size_t which);
  Differences &note(const Pattern &pattern, unsigned long seed, const EmulationOptions &run,
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
      if (pattern.tasks && (&schedule != schedules)) // they have none, or the loop around them has
        continue;
      Synthesis run;
      run.options.threads = threads;
      run.options.schedule = schedule;
      run.options.runtime = runtime;
      run.options.maxActiveLevels = pattern.nested ? 2 : 1;
      run.options.paradigm = pattern.tasks.value_or(Paradigm::OpenMP);
      run.options.cores = pattern.nested ? threads * threads : threads;
      if (options.spin) {
        run.options.cores = options.cores;
        run.options.overheads = runtime == OmpRuntime::Libomp ? libomp : libgomp;
        run.options.waitPolicy = options.wait == "active"    ? WaitPolicy::Active
                                 : options.wait == "passive" ? WaitPolicy::Passive
                                                             : WaitPolicy::Default;
        run.delay = Delay::Spin;
        run.nsPerTick = 1e9 / tree.timebaseHz;
      }
      if (runs.empty()) { // what speedups refer to
        runs.push_back(run);
        runs.front().options.threads = 1;
      }
      runs.push_back(run);
    }
  // Repetitions lie far apart, so that what disturbs one does not disturb the next.
  const std::vector<Synthesis> once = runs;
  for (std::size_t i = 1; i < repetitions(pattern); ++i)
    runs.insert(runs.end(), once.begin(), once.end());
  return runs;
}

/// The median of the quiet ones among the repetitions of run `which`, if there are enough of them.
std::optional<double> Comparison::realTime(const std::vector<Synthesis> &runs, std::size_t which) {
  if (!options.spin)
    return runs[which].ticks;
  std::vector<double> times;
  for (std::size_t i = which; i < runs.size(); i += runs.size() / options.repetitions)
    if (options.keepDisturbed || isQuiet(runs[i], options.cores))
      times.push_back(runs[i].ticks);
  const std::size_t count = times.size();
  counted += count;
  tried += options.repetitions;
  if (2 * count <= options.repetitions) {
    ++disturbed;
    return std::nullopt;
  }
  std::sort(times.begin(), times.end());
  spreads.push_back((times[count * 3 / 4] - times[count / 4]) / times[count / 2]);
  return times[count / 2];
}

/// Spinning runs are repeated until most of their repetitions were quiet, or it has been enough.
std::optional<Error> Comparison::spinAgain(const Tree &tree, std::vector<Synthesis> &runs,
                                           const std::string &executor) const {
  for (unsigned round = 1; round < options.rounds; ++round) {
    std::vector<Synthesis> loud;
    for (const Synthesis &run : runs)
      if (!isQuiet(run, options.cores))
        loud.push_back(run);
    if (auto error = synthesize(tree, loud, executor)) // none, if all were quiet
      return error;
    auto again = loud.begin();
    for (Synthesis &run : runs)
      if (!isQuiet(run, options.cores))
        run = *again++;
  }
  return std::nullopt;
}

std::optional<Error> Comparison::compare(const Pattern &pattern, OmpRuntime runtime,
                                         unsigned long seed) {
  const bool isTbb = pattern.tasks == Paradigm::Tbb;
  if (isTbb && (!options.spin || runtime != OmpRuntime::Libomp)) // once, and not in virtual time
    return std::nullopt;
  std::mt19937_64 random(seed);
  Tree tree = pattern.draw(random);
  const double serial = tree.serialLengths()[tree.root];
  if (serial == 0) // nothing to compare
    return std::nullopt;
  if (options.spin)
    tree.timebaseHz = serial / (options.milliseconds * 1e-3);
  std::vector<Synthesis> runs = runsOf(pattern, runtime, tree);
  const std::string executor = options.executors + "/" + executorName(runs.front().options);
  if (auto error = synthesize(tree, runs, executor))
    return error;
  if (options.spin && !options.keepDisturbed)
    if (auto error = spinAgain(tree, runs, executor))
      return error;
  const std::size_t once = runs.size() / repetitions(pattern);
  const auto serialTime = realTime(runs, 0);
  for (std::size_t i = 1; serialTime && i < once; ++i)
    if (pattern.tasks && !options.spin)
      compareDraws(pattern, seed, tree, runs, i);
    else if (const auto time = realTime(runs, i))
      note(pattern, seed, runs[i].options, meanOf(pattern, tree, runs[i].options),
           *serialTime / *time);
  return std::nullopt;
}

/// The speedups under seeds 1, 2, ...
std::vector<double> Comparison::emulateDraws(const Tree &tree, EmulationOptions run) const {
  std::vector<double> speedups;
  for (run.seed = 1; run.seed <= options.draws; ++run.seed)
    speedups.push_back(emulate(tree, run).speedup);
  return speedups;
}

double mean(const std::vector<double> &values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double Comparison::meanOf(const Pattern &pattern, const Tree &tree,
                          const EmulationOptions &run) const {
  return pattern.tasks ? mean(emulateDraws(tree, run)) : emulate(tree, run).speedup;
}

/// Many runs, in each of which other threads steal, beside as many emulations.
void Comparison::compareDraws(const Pattern &pattern, unsigned long seed, const Tree &tree,
                              const std::vector<Synthesis> &runs, std::size_t which) {
  const double serial = tree.serialLengths()[tree.root];
  const std::vector<double> emulated = emulateDraws(tree, runs[which].options);
  std::vector<double> real;
  for (std::size_t i = which; i < runs.size(); i += runs.size() / options.draws)
    real.push_back(serial / runs[i].ticks);
  Differences &differences = note(pattern, seed, runs[which].options, mean(emulated), mean(real));
  const auto [least, most] = std::minmax_element(emulated.begin(), emulated.end());
  differences.drawn += real.size();
  for (double speedup : real)
    differences.inside += speedup >= *least * (1 - 1e-9) && speedup <= *most * (1 + 1e-9);
}

Differences &Comparison::note(const Pattern &pattern, unsigned long seed,
                              const EmulationOptions &run, double emulated, double real) {
  const double difference = emulated / real - 1;
  Differences &differences =
      groups[{run.paradigm == Paradigm::Tbb ? "oneTBB" : runtimeName(run.runtime),
              options.byPattern ? pattern.name
              : pattern.tasks   ? "tasks"
                                : run.schedule.str(),
              pattern.locks}];
  differences.add(difference);
  if (std::abs(difference) > options.show)
    fmt::print("{} {} --schedule {} --threads {} --seed {}: speedup {:.4f} emulated, {:.4f} real "
               "({:+.2f}%)\n",
               runtimeName(run.runtime), pattern.name, run.schedule.str(), run.threads, seed,
               emulated, real, 100 * difference);
  std::fflush(stdout);
  return differences;
}

void Comparison::print() {
  fmt::print("{:8} {:20} {:6} {:>6} {:>8} {:>8} {:>8} {:>8} {:>7} {:>7}\n", "runtime",
             options.byPattern ? "programs" : "schedule", "locks", "runs", "mean", "median",
             "largest", "signed", "exact", "inside");
  std::map<Group, Differences> totals;
  for (auto &[group, differences] : groups) {
    fmt::print("{:8} {:20} {:6} {}\n", group.runtime, group.what, group.locks ? "yes" : "no",
               differences.str());
    totals[{group.runtime, "all", group.locks}].add(differences);
  }
  for (auto &[group, differences] : totals)
    fmt::print("{:8} {:20} {:6} {}\n", group.runtime, group.what, group.locks ? "yes" : "no",
               differences.str());
  if (!options.spin)
    return;
  fmt::print("{} of {} repetitions count; {} runs had too few that were quiet and are left out.\n",
             counted, tried, disturbed);
  if (spreads.empty())
    return;
  std::sort(spreads.begin(), spreads.end());
  fmt::print("Real times are medians; the interquartile range of a run's repetitions is {:.2f}% in "
             "the median of all runs, {:.2f}% at most.\n",
             100 * spreads[spreads.size() / 2], 100 * spreads.back());
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
        if (!among(options.patterns, pattern.name) || (options.patterns.empty() && pattern.tasks))
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
  CLI::App app("The emulator's speedups beside those of the real OpenMP runtimes");
  Options options;
  options.declare(app);
  CLI11_PARSE(app, argc, argv);
  if (const auto error = compareAll(options)) {
    fmt::print(stderr, "real_runtimes: {}\n", error->message);
    return 2;
  }
  return 0;
}
