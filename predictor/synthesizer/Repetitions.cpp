//===- Repetitions.cpp - Real runs until they agree -----------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/Repetitions.h"

#include "predictor/emulator/Chain.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <thread>

namespace prophet {

namespace {

using Clock = std::chrono::steady_clock;

/// The fewest values whose median has a 95 % interval.
constexpr std::size_t fewest = 6;
/// At real-time priority the kernel stops programs that use up 95 % of a second.
constexpr double realtimeSeconds = 0.8;
/// Of one process, so that progress can be shown.
constexpr double batchSeconds = 0.8;

double medianOf(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1)
    return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// The repetitions of one run.
class Series {
public:
  /// \param needed repetitions in virtual time
  Series(Synthesis wanted, unsigned needed, double expectedSeconds, const Patience &patience)
      : wanted(std::move(wanted)), needed(needed), expected(expectedSeconds), patience(patience) {}

  void add(Synthesis made) {
    expected = made.wallSeconds;
    quiet += isQuiet(made, patience.cores);
    all.push_back(std::move(made));
  }
  std::size_t tried() const { return all.size(); }
  /// How many repetitions one process makes at least: in another, threads' random numbers would
  /// begin anew.
  std::size_t together() const { return wanted.delay == Delay::Virtual ? needed : 1; }
  double expectedSeconds() const { return expected; }
  const Synthesis &run() const { return wanted; }

  /// Whether it needs no more repetitions.
  bool isDone() const {
    if (wanted.delay == Delay::Virtual)
      return all.size() >= needed;
    return quiet >= fewest && result().settled;
  }

  /// What the repetitions say up to now. \pre there are any
  Repeated result() const { return summarize(all, patience); }

private:
  Synthesis wanted;
  unsigned needed;
  double expected;
  const Patience &patience;
  std::vector<Synthesis> all;
  std::size_t quiet = 0;
};

/// The cores that `run`'s threads have to share; 0 where each can have one of its own.
unsigned pinOf(const Synthesis &run) {
  const EmulationOptions &options = run.options;
  const unsigned offered = options.cores ? options.cores : options.threads;
  return options.maxActiveLevels == 1 && options.threads <= offered ? 0 : offered;
}

/// Whether one process can make both runs. OpenCilk's workers are counted when a process begins.
bool fitTogether(const Synthesis &one, const Synthesis &other) {
  return pinOf(one) == pinOf(other) &&
         (one.options.paradigm != Paradigm::Cilk || one.options.threads == other.options.threads);
}

/// How often one process makes a run at most: an interval is then of two processes at least, each
/// of which has measured by itself what the walk costs.
constexpr std::size_t mostRounds = fewest / 2;

/// Those of `series` that one process is to make next: the least often tried first.
std::vector<std::size_t> chooseBatch(const std::vector<Series> &series) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < series.size(); ++i)
    if (!series[i].isDone())
      open.push_back(i);
  std::sort(open.begin(), open.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(series[a].tried(), a) < std::pair(series[b].tried(), b);
  });
  std::vector<std::size_t> batch;
  double seconds = 0;
  for (std::size_t round = 0; round < mostRounds; ++round)
    for (std::size_t i : open) {
      const Synthesis &run = series[i].run();
      if ((round > 0 && run.delay == Delay::Virtual) ||
          !fitTogether(run, series[open.front()].run()))
        continue;
      const std::size_t together = series[i].together();
      seconds += series[i].expectedSeconds() * static_cast<double>(together);
      if (!batch.empty() && seconds > batchSeconds)
        return batch;
      batch.insert(batch.end(), together, i);
    }
  return batch;
}

Execution executionOf(const std::vector<Series> &series, const std::vector<std::size_t> &batch,
                      const std::string &executor) {
  Execution execution{executor, true, 0};
  double seconds = 0;
  for (std::size_t i : batch) {
    const Synthesis &run = series[i].run();
    seconds += series[i].expectedSeconds();
    // Threads that need each other's cores would wait for ever for the one who has them.
    execution.realtime &= run.delay == Delay::Spin && pinOf(run) == 0;
    execution.pin = run.delay == Delay::Spin ? pinOf(run) : 0; // of all in a batch
  }
  execution.realtime &= seconds <= realtimeSeconds;
  return execution;
}

} // namespace

std::pair<double, double> medianInterval(const std::vector<double> &sorted) {
  // The median lies below the k-th of n values with the probability that at most k-1 of n tosses
  // of a coin are heads.
  const std::size_t n = sorted.size();
  double tail = 0, tosses = std::exp2(-static_cast<double>(n));
  std::size_t k = 0;
  while (k < n / 2 && tail + tosses <= 0.025) {
    tail += tosses;
    ++k;
    tosses *= static_cast<double>(n - k + 1) / static_cast<double>(k);
  }
  k = std::max<std::size_t>(k, 1);
  return {sorted[k - 1], sorted[n - k]};
}

unsigned virtualRepetitions(const Tree &tree, const Synthesis &run) {
  // Odd, so that the median is one of them.
  constexpr unsigned draws = 13;
  return run.delay == Delay::Virtual && stealsAtRandom(tree, run.options) ? draws : 1;
}

/// Gives `result` the medians of `counting`, and where they lie.
static void setMedians(Repeated &result, const std::vector<const Synthesis *> &counting) {
  const auto middle = [&](auto of) {
    std::vector<double> values;
    for (const Synthesis *one : counting)
      values.push_back(of(*one));
    return medianOf(std::move(values));
  };
  result.run = *counting.front();
  std::vector<double> times;
  for (const Synthesis *one : counting)
    times.push_back(one->ticks);
  std::sort(times.begin(), times.end());
  result.extremes = {times.front(), times.back()};
  result.run.ticks = medianOf(times);
  if (result.run.delay == Delay::Virtual && times.size() == 1)
    result.range = result.extremes; // exact
  else if (times.size() >= fewest)
    result.range = medianInterval(times);
  for (std::size_t site = 0; site < result.run.siteTicks.size(); ++site)
    result.run.siteTicks[site] = middle([&](const Synthesis &one) { return one.siteTicks[site]; });
  for (double Synthesis::*value :
       {&Synthesis::walkTicks, &Synthesis::wallSeconds, &Synthesis::wakeUpNs})
    result.run.*value = middle([&](const Synthesis &one) { return one.*value; });
  if (std::ranges::any_of(counting, [](auto *one) { return !one->sampleError; }))
    result.run.sampleError.reset();
  else
    for (double SampleError::*value : {&SampleError::standard, &SampleError::margin})
      (*result.run.sampleError).*value =
          middle([&](const Synthesis &one) { return (*one.sampleError).*value; });
}

Repeated summarize(const std::vector<Synthesis> &all, const Patience &patience) {
  const auto isFit = [&](const Synthesis &one) {
    return one.delay == Delay::Virtual || isQuiet(one, patience.cores);
  };
  const auto fit = static_cast<std::size_t>(std::ranges::count_if(all, isFit));
  Repeated result;
  result.tried = static_cast<unsigned>(all.size());
  result.disturbed = fit < std::min(all.size(), fewest / 2);
  std::vector<const Synthesis *> counting;
  for (const Synthesis &one : all)
    if (result.disturbed || isFit(one))
      counting.push_back(&one);
  result.counted = static_cast<unsigned>(counting.size());
  setMedians(result, counting);
  const std::optional<double> uncertainty = result.uncertainty();
  result.settled = !result.disturbed && uncertainty && *uncertainty <= patience.precision;
  return result;
}

Result<std::vector<Repeated>> repeat(const Tree &tree, const Synthesizer &synthesizer,
                                     const std::vector<Synthesis> &wanted,
                                     const std::string &executor, const Patience &patience,
                                     const Report &report) {
  using Seconds = std::chrono::duration<double>;
  const auto start = Clock::now();
  const auto after = [&](double seconds) {
    return start + std::chrono::duration_cast<Clock::duration>(Seconds(seconds));
  };
  const auto end = after(patience.seconds), utmost = after(patience.utmost());
  std::vector<Series> series;
  for (const Synthesis &run : wanted) {
    const double expected =
        run.delay == Delay::Spin ? synthesizer.spinSeconds(run.options, run.nsPerTick) : 0.1;
    series.emplace_back(run, virtualRepetitions(tree, run), expected, patience);
  }
  const auto reportDone = [&] {
    report(static_cast<std::size_t>(std::ranges::count_if(series, &Series::isDone)), series.size());
  };
  reportDone();
  while (true) {
    const std::vector<std::size_t> batch = chooseBatch(series);
    const bool allTried = std::all_of(series.begin(), series.end(),
                                      [](const Series &one) { return one.tried() > 0; });
    if (batch.empty() || (allTried && Clock::now() >= end))
      break;
    std::vector<Synthesis> runs;
    for (std::size_t i : batch)
      runs.push_back(series[i].run());
    Execution execution = executionOf(series, batch, executor);
    execution.deadline = utmost;
    const auto begin = Clock::now();
    const auto isWhole = synthesizer.run(runs, execution);
    if (!isWhole)
      return isWhole.error();
    if (!*isWhole && allTried)
      break;
    if (!*isWhole)
      return Error{fmt::format("--time-limit is {:.0f}, and after {:.0f} s not every run had been "
                               "made once; ask for fewer --threads or --schedule, or raise it",
                               patience.seconds, patience.utmost())};
    for (std::size_t i = 0; i < batch.size(); ++i)
      series[batch[i]].add(std::move(runs[i]));
    if (execution.realtime) // other programs need some time, too
      std::this_thread::sleep_for((Clock::now() - begin) / 4);
    reportDone();
  }
  std::vector<Repeated> results;
  for (const Series &one : series)
    results.push_back(one.result());
  return results;
}

} // namespace prophet
