//===- Synthesizer.cpp - Program trees run by a real OpenMP runtime -------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/Synthesizer.h"

#include "predictor/emulator/Charges.h"
#include "predictor/support/Machine.h"
#include "predictor/synthesizer/ExecutorEnvironment.h"
#include "predictor/synthesizer/Forecast.h"
#include "predictor/synthesizer/PlanText.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace prophet {

namespace {

using nlohmann::json;

/// Sections inside sections: each is a frame, and a team, of the threads that run them.
constexpr unsigned deepest = 200;
/// Of a section, which executors count with an int.
constexpr auto mostIterations = static_cast<std::uint64_t>(std::numeric_limits<int>::max());

std::optional<Error> unfitTree(const Tree &tree) {
  std::vector<unsigned> depth(tree.nodes.size());
  for (NodeId id = 0; id <= tree.root; ++id) {
    std::uint64_t repeats = 0;
    for (const Child &child : tree.childrenOf(id)) {
      depth[id] = std::max(depth[id], depth[child.node] + 1);
      repeats += child.repeat;
    }
    if (tree.nodes[id].kind == NodeKind::Section && repeats > mostIterations)
      return Error{fmt::format("sections of more than {} tasks are not synthesized; use --method "
                               "ff, or profile a smaller input",
                               mostIterations)};
    if (depth[id] > 2 * deepest)
      return Error{fmt::format("more than {} sections inside each other are not synthesized; use "
                               "--method ff",
                               deepest)};
  }
  return std::nullopt;
}

/// The serial run and all that constructs cost, slowed down by the largest burden factor, and as
/// much again for rounding.
double horizon(const Tree &tree, const EmulationOptions &options) {
  double factor = 1;
  const auto add = [&](const std::map<unsigned, double> &factors) {
    for (const auto &[threads, burden] : factors)
      factor = std::max(factor, burden);
  };
  for (const Site &site : tree.sites)
    add(site.burden);
  for (const auto &factors : options.burdens)
    add(factors);
  double body = 1;
  for (const double ratio : options.bodyRatios)
    body = std::max(body, ratio);
  const double serial = tree.serialLengths()[tree.root];
  const double overheads =
      options.overheads.isNone()
          ? 0
          : Charges::bound(options, TimedTree(tree, TimedTree::gridFor(serial)));
  return 2 * factor * body * (serial + overheads);
}

/// Whether `result` has numbers under all of `keys`.
bool hasNumbers(const json &result, std::initializer_list<const char *> keys) {
  return result.is_object() && std::all_of(keys.begin(), keys.end(), [&](const char *key) {
           return result.contains(key) && result[key].is_number();
         });
}

/// The times of the groups, where they are as they should be.
std::optional<std::vector<double>> groupsOf(const json &result, std::size_t count) {
  if (!result.contains("groups") || !result["groups"].is_array() ||
      result["groups"].size() != count)
    return std::nullopt;
  std::vector<double> times;
  for (const json &time : result["groups"]) {
    if (!time.is_number())
      return std::nullopt;
    times.push_back(time.get<double>());
  }
  return times;
}

/// The one of `runs` with the most threads.
const Synthesis &widest(const std::vector<Synthesis> &runs) {
  return *std::ranges::max_element(runs, {}, [](const Synthesis &run) {
    return std::pair(run.options.threads, run.options.maxActiveLevels);
  });
}

/// `failure` of an executor, where its runtime has said in its own words that it gets no more
/// threads: what to do about it is none of its variables.
Error explain(const Error &failure, const EmulationOptions &options) {
  constexpr std::string_view words[] = {
      "unable to allocate necessary resources for OMP thread", // libomp
      "smaller teams than asked for",                          // the walk
      "Thread creation failed",                                // libgomp
      "pthread_create has failed",                             // oneTBB
      "std::system_error",                                     // a std::thread
      "std::bad_alloc",
      "Out of memory",
  };
  if (std::ranges::none_of(
          words, [&](auto word) { return failure.message.find(word) != std::string::npos; }))
    return failure;
  const bool nests = options.maxActiveLevels > 1 && options.paradigm == Paradigm::OpenMP;
  return Error{fmt::format("the system gives the runtime no more threads, or no memory for them, "
                           "on {} --threads{}; ask for fewer{}, or raise what limits them (ulimit "
                           "-u and -v, the cgroup's pids.max)",
                           options.threads, nests ? " with teams inside teams" : "",
                           nests ? ", or for a lower --max-active-levels" : "")};
}

} // namespace

struct Synthesizer::State {
  State(const Tree &tree, const EmulationOptions &options, double fraction)
      : tree(tree), options(options), timed(tree, TimedTree::gridFor(horizon(tree, options))),
        chains(timed, options), forecast(timed, chains), plan(timed, chains),
        sample(plan.program(), plan.strata(), fraction), treeText(plan.treeText(sample)),
        outermost(tree.sites.size()) {
    for (const ProgramItem &item : plan.program())
      if (item.stratum && *item.stratum < tree.sites.size())
        outermost[*item.stratum] += static_cast<double>(item.repeat);
  }

  const Tree &tree;
  const EmulationOptions options;
  const TimedTree timed;
  const Chains chains;
  const Forecast forecast;
  const PlanText plan;
  const Sample sample;
  const std::string treeText;    ///< of the plan
  std::vector<double> outermost; ///< by site: executions at the outermost level

  double part() const;
  void fill(Synthesis &run, double units, const std::vector<double> &groups) const;
  std::optional<Error> read(const std::string &text, const std::string &executor,
                            std::vector<Synthesis> &runs) const;
};

Synthesizer::Synthesizer(const Tree &tree, const EmulationOptions &options, double fraction)
    : state(std::make_unique<State>(tree, options, fraction)) {}

Synthesizer::~Synthesizer() = default;

const Sample &Synthesizer::sample() const { return state->sample; }

double Synthesizer::serialTicks() const {
  return state->timed.grid.ticks(state->sample.serialLength());
}

/// Of the program's serial run, what is run.
double Synthesizer::State::part() const {
  const auto serial = static_cast<double>(timed.serial());
  return serial > 0 ? sample.serialLength() / serial : 1;
}

double Synthesizer::virtualSeconds(const EmulationOptions &options, unsigned runs) const {
  const Forecast::VirtualTime time = state->forecast.virtualTime(options);
  return time.once + runs * state->part() * time.run;
}

double Synthesizer::threads(const EmulationOptions &options) const {
  const bool nests = options.maxActiveLevels > 1 && options.paradigm == Paradigm::OpenMP;
  return nests ? state->forecast.threads(options) : options.widestTeam();
}

double Synthesizer::spinSeconds(const EmulationOptions &options, double nsPerTick) const {
  constexpr double visit = 20e-9, chunk = 0.1e-6;
  const Forecast &forecast = state->forecast;
  return serialTicks() * nsPerTick * 1e-9 +
         state->part() * (forecast.visits() * visit + forecast.asked(options) * chunk);
}

double Synthesizer::ticksPerVisit() const {
  const double visits = state->part() * state->forecast.visits();
  return visits > 0 ? serialTicks() / visits : std::numeric_limits<double>::infinity();
}

bool Synthesizer::nests() const { return state->timed.hasNestedSections(); }

bool Synthesizer::timesSite(std::uint32_t site) const {
  return state->outermost[site] > 0 && state->outermost[site] == state->timed.siteExecutions[site];
}

double Synthesizer::siteSerialTicks(std::uint32_t site) const {
  return state->timed.grid.ticks(state->timed.siteSerial[site]);
}

std::optional<Error> Synthesizer::unfit() const {
  if (auto error = unfitTree(state->tree))
    return error;
  if (state->plan.longestChain() > MostDispatchBuffers)
    return Error{fmt::format("more than {} loops in a row with 'nowait' are not synthesized; use "
                             "--method ff",
                             MostDispatchBuffers)};
  return std::nullopt;
}

void Synthesizer::State::fill(Synthesis &run, double units,
                              const std::vector<double> &groups) const {
  const SampleEstimate estimate = sample.estimate(groups);
  const bool isExact = run.delay == Delay::Virtual && sample.executed() == sample.total();
  run.ticks = timed.grid.ticks(isExact ? units : estimate.whole);
  run.sampleError = estimate.error;
  if (run.sampleError)
    for (double *value : {&run.sampleError->standard, &run.sampleError->margin})
      *value = timed.grid.ticks(*value);
  run.siteTicks.clear();
  for (std::size_t site = 0; site < tree.sites.size(); ++site)
    run.siteTicks.push_back(timed.grid.ticks(estimate.strata[site]));
}

std::optional<Error> Synthesizer::State::read(const std::string &text, const std::string &executor,
                                              std::vector<Synthesis> &runs) const {
  const Error wrong{executor + ": printed no results; install Prophet again"};
  const json parsed = json::parse(text, nullptr, false);
  if (!hasNumbers(parsed, {"wakeup_ns"}) || !parsed.contains("runs") ||
      !parsed.contains("priority") || parsed["runs"].size() != runs.size())
    return wrong;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const json &result = parsed["runs"][i];
    if (!hasNumbers(result,
                    {"units", "overhead_units", "wall_seconds", "foreign_cores", "waited_share"}))
      return wrong;
    const auto groups = groupsOf(result, sample.groups());
    if (!groups)
      return wrong;
    fill(runs[i], result["units"].get<double>(), *groups);
    runs[i].walkTicks = timed.grid.ticks(result["overhead_units"].get<double>());
    runs[i].wallSeconds = result["wall_seconds"].get<double>();
    runs[i].foreignCores = result["foreign_cores"].get<double>();
    runs[i].waitedShare = result["waited_share"].get<double>();
    for (Priority priority : {Priority::Normal, Priority::High, Priority::Realtime})
      if (parsed["priority"] == priorityName(priority))
        runs[i].priority = priority;
    runs[i].wakeUpNs = parsed["wakeup_ns"].get<double>();
  }
  return std::nullopt;
}

Result<bool> Synthesizer::run(std::vector<Synthesis> &runs, const Execution &execution) const {
  if (runs.empty())
    return true;
  if (runs.front().delay == Delay::Virtual)
    if (auto error = unfitForVirtualTime(state->options))
      return *error;
  const bool hasTasks = usesTasks(state->tree, state->options);
  const auto printed = runRuntimeProgram(
      {execution.executor}, executorEnvironment(runs.front(), state->plan.longestChain(), hasTasks),
      state->plan.text(state->treeText, runs, execution), execution.deadline);
  if (!printed)
    return explain(printed.error(), widest(runs).options);
  if (!*printed)
    return false;
  if (auto error = state->read(**printed, execution.executor, runs))
    return *error;
  double seconds = 0, foreign = 0;
  for (const Synthesis &run : runs) {
    seconds += run.wallSeconds;
    foreign += run.foreignCores * run.wallSeconds;
  }
  for (Synthesis &run : runs) {
    run.processSeconds = seconds;
    run.processForeignCores = seconds > 0 ? foreign / seconds : 0;
  }
  return true;
}

std::optional<Error> synthesize(const Tree &tree, std::vector<Synthesis> &runs,
                                const std::string &executor) {
  if (runs.empty())
    return std::nullopt;
  const Synthesizer synthesizer(tree, widest(runs).options);
  if (auto error = synthesizer.unfit())
    return error;
  const auto done = synthesizer.run(runs, {executor});
  return done ? std::nullopt : std::optional(done.error());
}

bool isQuiet(const Synthesis &run, unsigned cores) {
  const EmulationOptions &options = run.options;
  const bool enough = options.maxActiveLevels == 1 && options.threads <= cores;
  if (enough && run.waitedShare >= 0.03)
    return false;
  if (run.priority == Priority::Realtime)
    return true; // others only had what this one left to them
  const unsigned spare = enough ? cores - options.threads : 0;
  return wasQuiet(run.foreignCores, run.wallSeconds, spare) &&
         wasQuiet(run.processForeignCores, run.processSeconds, spare);
}

std::optional<Error> unfitForVirtualTime(const EmulationOptions &options) {
  if (options.paradigm != Paradigm::Cilk)
    return std::nullopt;
  return Error{"--paradigm cilk is not synthesized in virtual time; ask for --delay spin and no "
               "more --threads than cores, or use --method ff or --paradigm tbb"};
}

std::string executorName(const EmulationOptions &options) {
  return options.paradigm == Paradigm::Tbb    ? "tbb-executor"
         : options.paradigm == Paradigm::Cilk ? "cilk-executor"
                                              : executorName(options.runtime);
}

std::string executorName(OmpRuntime runtime) {
  return runtime == OmpRuntime::Libomp ? "openmp-executor-libomp" : "openmp-executor-libgomp";
}

} // namespace prophet
