//===- ValidationRuns.cpp - Running what was predicted --------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/ValidationRuns.h"

#include "memmodel/openmp/Guard.h"
#include "predictor/support/Machine.h"
#include "predictor/support/RuntimeProgram.h"
#include "predictor/support/Text.h"
#include "predictor/tree/TreeReader.h"
#include "predictor/verbs/Installation.h"
#include "predictor/verbs/OpenMPVersion.h"
#include "predictor/verbs/ProfiledBuild.h"
#include "predictor/verbs/RaceCheck.h"
#include "predictor/verbs/RunFiles.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace prophet {

//===- Builds -------------------------------------------------------------===//

std::optional<Error> ValidationRuns::compile(const std::vector<std::string> &command) const {
  const auto run = runCaptured(command, {}, CaptureErrors::No);
  if (!run)
    return run.error();
  if (!run->end.failed())
    return std::nullopt;
  return Error{fmt::format("{}: cannot be built ({}); add what it needs, other sources and "
                           "libraries too, after --",
                           printable(job.compilation.source),
                           printable(fmt::format("{}", fmt::join(command, " ")), 1000))};
}

Result<ValidationRuns> ValidationRuns::create(ValidationJob job) {
  auto directory = TemporaryDirectory::create();
  if (!directory)
    return directory.error();
  auto tool = helperProgram("libprophet-regions.so");
  if (!tool)
    return tool.error();
  if (!std::filesystem::exists(*tool))
    return Error{fmt::format("{}: is not there; build Prophet where Clang's omp-tools.h is "
                             "(libomp-19-dev)",
                             *tool)};
  const auto turnsOn = [](const std::string &option) { return option.starts_with("-fopenmp"); };
  if (job.isOpenMP && std::ranges::none_of(job.compilation.options, turnsOn))
    job.compilation.options.push_back("-fopenmp"); // for all of its programs
  ValidationRuns runs(std::move(job), std::move(*directory), std::move(*tool));
  runs.serial = {runs.directory / "serial", "the serial program", {}};
  runs.profiled = {runs.directory / "profiled", "the profiled program", {}};
  if (auto error = runs.buildSerial())
    return *error;
  if (auto error = runs.buildProfiled())
    return *error;
  return runs;
}

/// An OpenMP program's serial one takes its OpenMP ways, too, on a thread of its own.
std::optional<Error> ValidationRuns::buildSerial() {
  const auto place = findInstallation();
  if (!place)
    return place.error();
  Compilation plain = job.compilation;
  if (job.isOpenMP) {
    plain.options = withoutOpenMP(plain.options).kept;
    plain.options.erase(plain.options.begin()); // which is the plugin's
    plain.options.insert(plain.options.end(), {"-lprophet-omp", "-lprophet"});
  }
  return compile(plain.link(
      {"-fno-openmp", "-w", "-L" + place->library, "-Wl,-rpath," + place->library}, serial.path));
}

std::optional<Error> ValidationRuns::buildProfiled() {
  const auto place = findInstallation();
  if (!place)
    return place.error();
  Compilation annotated = job.compilation;
  if (job.isOpenMP)
    annotated.options = withoutOpenMP(annotated.options).kept;
  std::vector<std::string> command = annotated.link({}, profiled.path);
  const std::size_t clang = clangFor(annotated.source).size();
  const auto arguments = command.begin() + static_cast<std::ptrdiff_t>(clang);
  return compile(profiledCommand(*place, {command.begin(), arguments}, {arguments, command.end()}));
}

/// A plan that has every loop parallel under `schedule`.
static std::string planFor(const Tree &tree, const std::string &schedule) {
  std::vector<std::string> sites;
  for (const Site &site : tree.sites)
    sites.push_back(fmt::format(
        "{{\"file\": {}, \"line\": {}, \"schedule\": {}, \"serial\": false, \"note\": \"\"}}",
        formatJsonString(site.file), site.line,
        formatJsonString(site.kind == SiteKind::ParallelFor ? schedule : "")));
  return fmt::format("{{\"sites\": [{}]}}\n", fmt::join(sites, ",\n"));
}

std::optional<Error> ValidationRuns::buildOne(const std::string &plan, const std::string &program,
                                              CaptureErrors messages) const {
  std::vector<std::string> options = {"-fopenmp"};
  if (!job.isOpenMP) {
    auto version =
        makeOpenMPVersion(job.compilation, plan, ChangeHeaders::Yes, directory, messages);
    if (!version)
      return version.error();
    if (!*version)
      return Error{fmt::format("{}: cannot be made an OpenMP program; see the errors above",
                               printable(job.compilation.source))};
    options = (*version)->options;
  }
  options.insert(options.end(), {"-gline-tables-only", "-w", "-Wl,-rpath," + llvmFile("lib")});
  return compile(job.compilation.link(options, program));
}

std::optional<Error> ValidationRuns::buildOpenMP(const Tree &tree,
                                                 const std::vector<ScheduleChoice> &schedules) {
  for (const ScheduleChoice &choice : schedules) {
    const std::size_t n = openMP.size();
    openMP.push_back({directory / ("openmp" + std::to_string(n)),
                      job.isOpenMP
                          ? "the OpenMP program"
                          : fmt::format("the OpenMP program with schedule({})", choice.word()),
                      {}});
    if (auto error = buildOne(planFor(tree, choice.word()), openMP.back().path,
                              n == 0 ? CaptureErrors::No : CaptureErrors::Yes))
      return error;
  }
  return std::nullopt;
}

//===- Runs ---------------------------------------------------------------===//

Result<Captured> ValidationRuns::runOnce(const Program &program,
                                         const Environment &environment) const {
  std::vector<std::string> command = {program.path};
  command.insert(command.end(), job.arguments.begin(), job.arguments.end());
  input.rewind();
  auto ended = runCaptured(command, environment, CaptureErrors::Yes);
  if (!ended || !ended->end.failed())
    return ended;
  const std::string said = printable(ended->errors, 400);
  return Error{fmt::format("{}: {} {}{}; {}", printable(job.compilation.source), program.name,
                           ended->end.describe(), said.empty() ? "" : " (" + said + ")",
                           &program == &serial || &program == &profiled
                               ? "give the program's arguments after a second --"
                               : "'prophet apply --check' finds races")};
}

Result<Captured> ValidationRuns::run(const Program &program, const Environment &environment,
                                     unsigned threads, double &seconds) {
  constexpr int mostAttempts = 3;
  const unsigned spare = job.machineCores - std::min(job.machineCores, threads);
  for (int attempt = 1;; ++attempt) {
    const openmp_overheads::Guard guard;
    const auto start = std::chrono::steady_clock::now();
    auto ended = runOnce(program, environment);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!ended)
      return ended;
    const double foreign = guard.foreignCores();
    const bool isQuiet = wasQuiet(foreign, seconds, spare);
    if (!isQuiet && attempt < mostAttempts)
      continue;
    ++(isQuiet ? quiet : disturbed);
    if (!isQuiet)
      mostForeign = std::max(mostForeign, foreign);
    return ended;
  }
}

std::string ValidationRuns::disturbance() const {
  if (disturbed == 0)
    return "";
  return fmt::format("other programs kept up to {:.1f} cores busy during {} of {} runs, which were "
                     "tried three times: speedups are measured too low; validate again when the "
                     "machine is idle",
                     mostForeign, disturbed, quiet + disturbed);
}

Result<std::shared_ptr<const Tree>> ValidationRuns::profile() {
  const std::string path = directory / "profiled.prophet.json";
  const FileIdentity before(path);
  const CoreLimit oneCore(1);
  double seconds = 0;
  auto ended = run(profiled, {{"PROPHET_OUT", outPattern(path)}}, 1, seconds);
  if (!ended)
    return ended.error();
  profiledOutput = std::move(ended->output);
  if (const FileIdentity after(path); !after.exists() || after == before)
    return Error{
        fmt::format("{}: the profiled program wrote no program tree; see that it reaches "
                    "an annotated loop (of an OpenMP program: add --from-openmp), and that it "
                    "ends by return or exit(), not _exit()",
                    printable(job.compilation.source))};
  auto tree = readTree(path);
  if (!tree)
    return tree.error();
  tree->command = job.arguments;
  tree->command.insert(tree->command.begin(), job.compilation.source);
  return std::shared_ptr<const Tree>(std::make_shared<Tree>(std::move(*tree)));
}

Result<double> ValidationRuns::runSerial() {
  const CoreLimit oneCore(1);
  double seconds = 0;
  auto ended = run(serial, {}, 1, seconds);
  if (!ended)
    return ended.error();
  serialOutput = std::move(ended->output);
  return seconds;
}

Environment ValidationRuns::environmentFor(unsigned threads, const std::string &regions) const {
  const EmulationOptions &options = job.options;
  const unsigned cores = options.cores ? options.cores : job.machineCores;
  std::optional<std::string> policy, blockTime;
  if (options.waitPolicy != WaitPolicy::Default)
    policy = waitPolicyName(options.waitPolicy);
  if (options.givenBlockTime)
    blockTime = kmpBlockTime(*options.givenBlockTime);
  const unsigned levels = std::min(options.maxActiveLevels, 1000000000u); // an int there
  std::optional<std::string> limit;
  if (levels == 1 || threads == 1)
    limit = std::to_string(threads);
  return runtimeEnvironment({{"OMP_NUM_THREADS", std::to_string(threads)},
                             {"OMP_DYNAMIC", "false"},
                             {"OMP_PROC_BIND", threads <= cores && levels == 1 ? "true" : "false"},
                             {"OMP_MAX_ACTIVE_LEVELS", std::to_string(levels)},
                             // num_threads clauses ask for no more, as in the prediction
                             {"OMP_THREAD_LIMIT", limit},
                             {"OMP_WAIT_POLICY", policy},
                             {"KMP_BLOCKTIME", blockTime},
                             {"OMP_TOOL_LIBRARIES", tool},
                             {"PROPHET_REGIONS_OUT", regions}});
}

Result<std::vector<RegionTime>> ValidationRuns::readRegions(const std::string &path) const {
  auto text = std::filesystem::exists(path) ? readWholeFile(path) : Result<std::string>("");
  if (!text)
    return text.error();
  if (text->empty())
    return std::vector<RegionTime>(); // ended by _exit, or without a region
  auto regions = parseRegionTimes(*text);
  if (!regions)
    return Error{fmt::format("{}: {}; validate a part of it", printable(job.compilation.source),
                             regions.error().message)};
  return regions;
}

std::optional<Error> ValidationRuns::findLines(Program &program,
                                               const std::vector<RegionTime> &regions) const {
  const auto answer = runCaptured({llvmFile("bin/llvm-symbolizer"), "--output-style=JSON"}, {},
                                  CaptureErrors::No, symbolQuestion(regions));
  if (!answer)
    return answer.error();
  program.lines = parseSymbols(regions, answer->output);
  return std::nullopt;
}

Result<OpenMPRun> ValidationRuns::runOpenMP(std::size_t schedule, unsigned threads,
                                            const Tree &tree) {
  Program &program = openMP[schedule];
  const std::string path = directory / "regions";
  std::filesystem::remove(path);
  std::optional<CoreLimit> cores;
  if (job.options.cores)
    cores.emplace(job.options.cores);
  OpenMPRun result;
  const auto ended = run(program, environmentFor(threads, path), threads, result.seconds);
  if (!ended)
    return ended.error();
  if (different.empty()) {
    different = outputDifference(serialOutput, profiledOutput, ended->output);
    if (!different.empty())
      different = fmt::format("{} on {} writes something else: {}", program.name,
                              formatThreads(threads), different);
  }
  const auto regions = readRegions(path);
  if (!regions)
    return regions.error();
  if (!program.lines || program.lines->size() < regions->size()) // more threads, more regions
    if (auto error = findLines(program, *regions))
      return *error;
  // In an OpenMP program the pragma is the annotation; in others one may stand beside it.
  result.sites = timesOfSites(tree, *regions, *program.lines, job.isOpenMP ? 0 : 1);
  return result;
}

} // namespace prophet
