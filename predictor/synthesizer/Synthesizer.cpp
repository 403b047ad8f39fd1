//===- Synthesizer.cpp - Program trees run by a real OpenMP runtime -------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/synthesizer/Synthesizer.h"

#include "predictor/support/Capture.h"
#include "predictor/support/Text.h"
#include "predictor/synthesizer/PlanText.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace prophet {

namespace {

using nlohmann::json;

/// Sections inside sections: each is a frame, and a team, of the threads that run them.
constexpr unsigned deepest = 200;
/// libomp's most (KMP_MAX_DISP_NUM_BUFF): how many loops ahead of another a thread may be.
constexpr std::size_t mostBuffers = 4096;

std::optional<Error> unfit(const Tree &tree, const EmulationOptions &options) {
  if (usesTasks(tree, options))
    return Error{"programs with tasks are not synthesized; use --method ff"};
  std::vector<unsigned> depth(tree.nodes.size());
  for (NodeId id = 0; id <= tree.root; ++id) {
    for (const Child &child : tree.childrenOf(id))
      depth[id] = std::max(depth[id], depth[child.node] + 1);
    if (depth[id] > 2 * deepest)
      return Error{fmt::format("more than {} sections inside each other are not synthesized; use "
                               "--method ff",
                               deepest)};
  }
  return std::nullopt;
}

/// How the runtime is to behave. Where time is virtual, threads that wait must not use up the
/// cores; where it is real they wait as they would in the program.
Environment environmentOf(const Synthesis &run, std::size_t longestChain) {
  const std::size_t buffers = std::clamp<std::size_t>(longestChain + 1, 7, mostBuffers);
  Environment environment{{"OMP_DYNAMIC", "false"},
                          {"OMP_PROC_BIND", "false"},
                          {"KMP_DISP_NUM_BUFFERS", std::to_string(buffers)}};
  if (run.delay == Delay::Virtual)
    for (const auto &[name, value] : {std::pair("OMP_WAIT_POLICY", "passive"),
                                      {"KMP_BLOCKTIME", "0"},
                                      {"KMP_USE_YIELD", "1"},
                                      {"GOMP_SPINCOUNT", "0"}})
      environment.emplace_back(name, value);
  else if (run.options.waitPolicy != WaitPolicy::Default)
    environment.emplace_back("OMP_WAIT_POLICY",
                             run.options.waitPolicy == WaitPolicy::Active ? "active" : "passive");
  return environment;
}

std::optional<Error> readResults(const std::string &text, const std::string &executor,
                                 TimeGrid grid, std::vector<Synthesis> &runs) {
  const Error wrong{executor + ": printed no results; install Prophet again"};
  const json parsed = json::parse(text, nullptr, false);
  if (!parsed.is_object() || !parsed.contains("runs") || parsed["runs"].size() != runs.size())
    return wrong;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const json &result = parsed["runs"][i];
    for (const char *key : {"units", "wall_seconds", "foreign_cores", "waited_share"})
      if (!result.is_object() || !result.contains(key) || !result[key].is_number())
        return wrong;
    runs[i].ticks = grid.ticks(result["units"].get<double>());
    runs[i].wallSeconds = result["wall_seconds"].get<double>();
    runs[i].foreignCores = result["foreign_cores"].get<double>();
    runs[i].waitedShare = result["waited_share"].get<double>();
  }
  return std::nullopt;
}

/// The serial run, slowed down by the largest burden factor, and as much again for rounding.
double horizon(const Tree &tree) {
  double factor = 1;
  for (const Site &site : tree.sites)
    for (const auto &[threads, burden] : site.burden)
      factor = std::max(factor, burden);
  return 2 * factor * tree.serialLengths()[tree.root];
}

} // namespace

std::string executorName(OmpRuntime runtime) {
  return runtime == OmpRuntime::Libomp ? "openmp-executor-libomp" : "openmp-executor-libgomp";
}

std::optional<Error> synthesize(const Tree &tree, std::vector<Synthesis> &runs,
                                const std::string &executor) {
  if (runs.empty())
    return std::nullopt;
  const EmulationOptions &options = runs.front().options;
  if (auto error = unfit(tree, options))
    return error;
  const TimedTree timed(tree, TimedTree::gridFor(horizon(tree)));
  const Chains chains(timed, options);
  PlanText plan(timed, chains);
  for (const Synthesis &run : runs)
    plan.addRun(run);
  if (plan.longestChain() > mostBuffers)
    return Error{fmt::format("more than {} loops in a row with 'nowait' are not synthesized; use "
                             "--method ff",
                             mostBuffers)};

  auto directory = TemporaryDirectory::create();
  if (!directory)
    return directory.error();
  const std::string file = *directory / "plan";
  if (!(std::ofstream(file) << plan.finish()).flush())
    return Error{file + ": cannot be written; make room there, or set TMPDIR"};
  auto captured = runCaptured({executor, file}, environmentOf(runs.front(), plan.longestChain()),
                              CaptureErrors::Yes);
  if (!captured)
    return captured.error();
  if (captured->end.failed()) {
    const std::string said = captured->errors.substr(0, captured->errors.find('\n'));
    return Error{fmt::format("{}: {}{}{}", executor, captured->end.describe(),
                             said.empty() ? "" : ": ", printable(said))};
  }
  return readResults(captured->output, executor, timed.grid, runs);
}

} // namespace prophet
