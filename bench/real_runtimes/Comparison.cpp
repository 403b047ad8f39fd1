//===- Comparison.cpp - Programs emulated and really run ------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"

#include "predictor/emulator/Seeds.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <numeric>

namespace real_runtimes {

using namespace prophet;

namespace {

constexpr Schedule schedules[] = {
    {Schedule::Kind::Static, 0},      {Schedule::Kind::StaticChunk, 1},
    {Schedule::Kind::StaticChunk, 5}, {Schedule::Kind::Dynamic, 1},
    {Schedule::Kind::Dynamic, 3},     {Schedule::Kind::Dynamic, 1, true},
    {Schedule::Kind::Guided, 1},      {Schedule::Kind::Guided, 4},
    {Schedule::Kind::Auto, 0},
};

double mean(const std::vector<double> &values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

} // namespace

std::vector<Synthesis> Comparison::runsOf(const Pattern &pattern, OmpRuntime runtime,
                                          const Tree &tree) const {
  std::vector<Synthesis> runs;
  for (const Schedule &schedule : schedules)
    for (unsigned threads : options.threads) {
      if ((pattern.nested && threads > options.nestedThreads) ||
          !among(options.schedules, schedule.str()))
        continue;
      // Tasks have none; a loop around them, or inside, has.
      if (pattern.tasks && !pattern.nested && &schedule != schedules)
        continue;
      Synthesis run;
      run.options.threads = threads;
      run.options.schedule = schedule;
      run.options.runtime = runtime;
      run.options.maxActiveLevels = pattern.nested ? 2 : 1;
      run.options.paradigm = pattern.tasks.value_or(Paradigm::OpenMP);
      run.options.cores = pattern.nested && !pattern.crowded ? threads * threads : threads;
      run.options.overheads = runtime == OmpRuntime::Libomp ? libomp : libgomp;
      if (!options.spin)
        run.options.overheads.baseSlice = 0; // virtual time shares cores evenly
      if (options.spin) {
        run.options.cores = options.cores;
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

/// The median of the quiet ones among the repetitions of run `which`, if there are enough of them;
/// where threads are placed at random, which makes two groups of them, the mean.
std::optional<double> Comparison::realTime(const std::vector<Synthesis> &runs, std::size_t which,
                                           bool isPlaced) {
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
  if (!isPlaced)
    return times[count / 2];
  return mean(times);
}

/// Spinning runs are repeated until most of their repetitions were quiet, or it has been enough.
std::optional<Error> Comparison::spinAgain(const Tree &tree, std::vector<Synthesis> &runs,
                                           const std::string &executor) const {
  for (unsigned round = 1; round < options.rounds; ++round) {
    std::vector<Synthesis> loud;
    for (const Synthesis &run : runs)
      if (!isQuiet(run, options.cores))
        loud.push_back(run);
    if (auto error = runAll(tree, loud, loud.size(), executor)) // none, if all were quiet
      return error;
    auto again = loud.begin();
    for (Synthesis &run : runs)
      if (!isQuiet(run, options.cores))
        run = *again++;
  }
  return std::nullopt;
}

/// Runs all `runs`, of which so many `times` as many are repetitions as there are different ones.
std::optional<Error> Comparison::runAll(const Tree &tree, std::vector<Synthesis> &runs,
                                        std::size_t times, const std::string &executor) const {
  if (!options.spin || !options.processes || runs.empty())
    return synthesize(tree, runs, executor);
  const auto once = static_cast<std::ptrdiff_t>(runs.size() / times);
  for (auto first = runs.begin(); first != runs.end(); first += once) {
    std::vector<Synthesis> one(first, first + once);
    if (auto error = synthesize(tree, one, executor))
      return error;
    std::ranges::copy(one, first);
  }
  return std::nullopt;
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
  const std::string executor = options.executors + "/" + executorName(runs.front().options);
  if (auto error = runAll(tree, runs, repetitions(pattern), executor))
    return error;
  if (options.spin && !options.keepDisturbed)
    if (auto error = spinAgain(tree, runs, executor))
      return error;
  const std::size_t once = runs.size() / repetitions(pattern);
  const Emulator emulator(tree);
  // Speedups of spinning runs are over their own on one thread.
  const auto serialTime = options.spin ? realTime(runs, 0, false) : serial;
  for (std::size_t i = 1; serialTime && i < once; ++i)
    if (pattern.tasks && !options.spin)
      compareDraws(pattern, seed, tree, runs, i);
    else if (const auto time =
                 realTime(runs, i, emulator.chance(runs[i].options) == Chance::Placement))
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

double Comparison::meanOf(const Pattern &pattern, const Tree &tree,
                          const EmulationOptions &run) const {
  return pattern.tasks ? mean(emulateDraws(tree, run)) : typicalSpeedup(Emulator(tree), run);
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
  fmt::print("{:8} {:28} {:6} {:>6} {:>8} {:>8} {:>8} {:>8} {:>7} {:>7}\n", "runtime",
             options.byPattern ? "programs" : "schedule", "locks", "runs", "mean", "median",
             "largest", "signed", "exact", "inside");
  std::map<Group, Differences> totals;
  for (auto &[group, differences] : groups) {
    fmt::print("{:8} {:28} {:6} {}\n", group.runtime, group.what, group.locks ? "yes" : "no",
               differences.str());
    totals[{group.runtime, "all", group.locks}].add(differences);
  }
  for (auto &[group, differences] : totals)
    fmt::print("{:8} {:28} {:6} {}\n", group.runtime, group.what, group.locks ? "yes" : "no",
               differences.str());
  if (!options.spin)
    return;
  fmt::print("{} of {} repetitions count; {} runs had too few that were quiet and are left out.\n",
             counted, tried, disturbed);
  if (spreads.empty())
    return;
  std::sort(spreads.begin(), spreads.end());
  fmt::print(
      "Real times are medians (means, where threads are placed at random); the interquartile "
      "range of a run's repetitions is {:.2f}% in the median of all runs, {:.2f}% at most.\n",
      100 * spreads[spreads.size() / 2], 100 * spreads.back());
}

} // namespace real_runtimes
