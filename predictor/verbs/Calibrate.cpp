//===- Calibrate.cpp - prophet calibrate ------------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "memmodel/MessCurves.h"
#include "memmodel/Topology.h"
#include "predictor/calibration/MachineFile.h"
#include "predictor/support/Capture.h"
#include "predictor/support/Files.h"
#include "predictor/support/Machine.h"
#include "predictor/support/Text.h"
#include "predictor/verbs/CalibrationSeries.h"
#include "predictor/verbs/Installation.h"
#include "predictor/verbs/Verbs.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>

namespace prophet {

namespace fs = std::filesystem;

namespace {
struct CalibrateVerb {
  std::string output, seconds = "50", messGhz;
  std::vector<std::string> mess;

  Result<int> run() const;

private:
  Result<int> measureInto(const std::string &path, const std::string &old) const;
  Result<int> importInto(const std::string &path, const std::string &old) const;
};

/// Programs that measure, by runtime.
using Programs = std::vector<std::pair<std::string, std::string>>;

/// What is measured, and the programs that measure it.
struct Measurements {
  std::vector<RuntimeRounds> runtimes;
  std::vector<MemoryGroup> memory; ///< cacheGroup() first
  memmodel::Machine machine;
  std::string memoryProgram; ///< "": not there
  Failures failures;
  double cacheAtFirst = 0; ///< what of the last cache was thought to work when memory was measured

  /// The parts that fail are in `failures`, and have no figures.
  void measure(const Programs &programs, unsigned cores, unsigned seconds);
  /// Says so, too.
  void fail(const std::string &part, const Error &error);
  bool hasMemory() const { return !memoryProgram.empty() && !failures.contains("memory"); }

private:
  void measureAll(const Programs &programs, unsigned cores, unsigned seconds);
  /// In turns, as far as that goes. \returns whether no part has failed so far
  bool measureMore(const std::vector<Series> &series, unsigned seconds);
};
} // namespace

/// The programs that are there; says which are not.
static Result<Programs> findPrograms() {
  Programs found;
  std::string missing;
  for (const char *runtime : {"libomp", "libgomp"}) {
    auto program = measuringProgram(runtime);
    if (!program)
      return program.error();
    std::error_code ignored;
    if (fs::exists(*program, ignored)) {
      found.emplace_back(runtime, *program);
      continue;
    }
    missing = *program;
    report(fmt::format("calibrate: {}: no such program, so {} is not measured; build Prophet where "
                       "{} is installed",
                       *program, runtime,
                       runtime == std::string_view("libomp") ? "clang with its libomp" : "GCC"));
  }
  if (found.empty())
    return Error{missing + ": there is no measuring program at all; install Prophet again"};
  return found;
}

/// What is in the file that is to be replaced, empty where there is none.
static Result<std::string> oldMachineText(const std::string &path) {
  std::error_code ignored;
  if (path == "-" || !fs::is_regular_file(path, ignored))
    return std::string();
  auto text = readWholeFile(path);
  if (!text)
    return text.error();
  if (!checkMachineText(*text))
    return Error{printable(path) + ": is there and no machine file of this version; remove it, or "
                                   "name another with -o"};
  return text;
}

/// Where to write, once its directory is there.
static Result<std::string> findOutput(const std::string &asked) {
  if (!asked.empty())
    return asked;
  const std::string path = defaultMachineFile();
  if (path.empty())
    return Error{"calibrate: HOME is not set; name a file with -o"};
  std::error_code code;
  fs::create_directories(fs::path(path).parent_path(), code);
  if (code)
    return Error{fmt::format("{}: {}; name a file with -o",
                             printable(fs::path(path).parent_path().string()), code.message())};
  return path;
}

Result<int> CalibrateVerb::run() const {
  auto path = findOutput(output);
  if (!path)
    return path.error();
  auto old = oldMachineText(*path);
  if (!old)
    return old.error();
  if (*path != "-")
    if (auto error = checkReplaceable(*path)) // now, not when the time is spent
      return *error;

  return mess.empty() ? measureInto(*path, *old) : importInto(*path, *old);
}

bool Measurements::measureMore(const std::vector<Series> &series, unsigned seconds) {
  for (const auto &[part, error] : measureInTurns(series, seconds))
    fail(part, error);
  return failures.empty();
}

void Measurements::measureAll(const Programs &programs, unsigned cores, unsigned seconds) {
  std::vector<Series> all;
  runtimes.resize(programs.size());
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const auto &[runtime, program] = programs[i];
    runtimes[i].runtime = runtime;
    all.push_back(overheadSeries(runtime, program, "active", runtimes[i].active, cores));
    all.push_back(overheadSeries(runtime, program, "passive", runtimes[i].passive, cores));
  }
  const auto program = prophet::memoryProgram();
  std::error_code ignored;
  if (!program || !fs::exists(*program, ignored)) {
    measureMore(all, seconds);
    return;
  }
  memoryProgram = *program;
  auto [found, cpus] = memmodel::findTopology();
  machine = std::move(found);
  cpus.resize(std::min<std::size_t>(cpus.size(), cores));
  memory = {cacheGroup(machine)};
  const unsigned atFirst = std::max(1u, seconds / 5); // the others ask how large the cache is
  if (!measureMore({memorySeries(memoryProgram, memory[0], cpus)}, atFirst)) {
    measureMore(all, seconds);
    return;
  }
  findLastCache(machine, memory[0].rounds);
  cacheAtFirst = machine.caches.empty() ? 0 : machine.caches.back().effectiveBytes.second;
  std::ranges::move(memoryGroups(machine, cpus.size()), std::back_inserter(memory));
  for (MemoryGroup &group : memory) {
    if (&group != &memory[0])
      for (const Round &round : memory[0].rounds.thatCount())
        group.rounds.expectAlike(round);
    all.push_back(memorySeries(memoryProgram, group, cpus));
  }
  measureMore(all, seconds - std::min(seconds, atFirst));
}

void Measurements::fail(const std::string &part, const Error &error) {
  if (failures.emplace(part, error).second)
    report(fmt::format("calibrate: {} is not measured, what the file has of it stays: {}", part,
                       error.message));
}

void Measurements::measure(const Programs &programs, unsigned cores, unsigned seconds) {
  measureAll(programs, cores, seconds);
  std::erase_if(runtimes, [&](const RuntimeRounds &one) { return failures.contains(one.runtime); });
}

/// Says of what the figures are rough, and what becomes of them.
/// \param quiet rounds, of all that were \p tried \param isKept the file has better ones
static void reportDisturbed(const std::string &what, std::size_t quiet, std::size_t tried,
                            bool isKept) {
  report(fmt::format("calibrate: {}: other programs (or a host's other guests) disturbed the "
                     "measurement, {} of {} rounds were quiet and some figures have less than "
                     "three: {}; run it again when nothing else runs, or longer with --seconds",
                     what, quiet, tried,
                     isKept ? "those that the file has from before, which nothing disturbed, stay "
                              "(-o another file has the new ones)"
                            : "they are rough"));
}

namespace {
/// A machine file in the making.
struct Written {
  std::set<std::string> better; ///< what the old file has of parts that nothing disturbed
  std::string text, tables;

  /// Leaves out those of \p measured of which the old file has better ones.
  void addRuntimes(const MachineIdentity &identity, std::vector<RuntimeRounds> measured) {
    for (const RuntimeRounds &one : measured)
      if (one.disturbed())
        reportDisturbed(one.runtime, one.active.quiet() + one.passive.quiet(),
                        one.active.tried() + one.passive.tried(), better.contains(one.runtime));
    std::erase_if(measured, [&](const RuntimeRounds &one) {
      return one.disturbed() && better.contains(one.runtime);
    });
    text = renderMachine(identity, measured, text);
    for (const RuntimeRounds &runtime : measured)
      tables += describeRounds(runtime) + "\n";
  }

  /// Figures that no machine has, as of threads that had no core all through a window, fail.
  void addMemory(Measurements &measured) {
    memmodel::Machine &machine = measured.machine;
    addMemoryFigures(machine, measured.memory);
    memmodel::Quality &quality = machine.memory->quality;
    quality.disturbed = isDisturbed(measured.memory);
    if (quality.disturbed)
      reportDisturbed("memory", quality.accepted, quality.tried, better.contains("memory"));
    if (quality.disturbed && better.contains("memory"))
      return;
    machine.cores = 0; // those that are available count, and are there already
    std::string merged = memmodel::mergeMachine(machine, text), problem;
    if (!memmodel::readMachine(merged, problem)) {
      measured.fail("memory", Error{problem.substr(0, problem.find(';')) +
                                    "; run it again when nothing else runs"});
      return;
    }
    text = std::move(merged);
    if (otherPlaces(machine))
      report(fmt::format("calibrate: memory: the host moves the cores: {}; the figures are of "
                         "these, and the intervals of predictions have both",
                         describePlaces(quality)));
    tables += describeMemory(machine) + "\n";
    if (!machine.caches.empty() &&
        machine.caches.back().effectiveBytes.second > 2 * measured.cacheAtFirst)
      report("calibrate: memory: more of the last-level cache works than it looked like at first: "
             "what was measured as memory may be cache; run it again when nothing else runs");
  }
};
} // namespace

Result<int> CalibrateVerb::measureInto(const std::string &path, const std::string &old) const {
  auto most = parseCount(seconds, "--seconds", 1, 3600);
  if (!most)
    return Error{most.error().message + "; see 'prophet calibrate --help'"};
  auto programs = findPrograms();
  if (!programs)
    return programs.error();
  const MachineIdentity identity{processorName(), availableCores()};
  Measurements measured;
  measured.measure(*programs, identity.cores, static_cast<unsigned>(*most));
  if (measured.runtimes.empty() && !measured.hasMemory())
    return Error{"calibrate: nothing was measured; see above"};
  Written file{undisturbedParts(identity, old), old, ""};
  file.addRuntimes(identity, std::move(measured.runtimes));
  if (measured.memoryProgram.empty())
    report("calibrate: libexec/prophet/memory-figures: no such program, so memory is not "
           "measured; install Prophet again");
  else if (measured.hasMemory())
    file.addMemory(measured);
  if (auto error = writeResult(path, file.text))
    return *error;
  const int status = measured.failures.empty() ? ExitDone : ExitUsage;
  if (path == "-")
    return status;
  if (auto error = writeStandardOutput(file.tables))
    return *error;
  report(fmt::format("calibrate: wrote {}", printable(path)));
  return status;
}

Result<int> CalibrateVerb::importInto(const std::string &path, const std::string &old) const {
  double nsPerUnit = 1;
  if (!messGhz.empty()) {
    const char *end = messGhz.data() + messGhz.size();
    double ghz = 0;
    const auto [stop, code] = std::from_chars(messGhz.data(), end, ghz);
    if (stop != end || code != std::errc() || !(ghz >= 0.01 && ghz <= 100))
      return Error{fmt::format("--mess-ghz '{}' is no clock rate in GHz; write for example 2.2",
                               printable(messGhz))};
    nsPerUnit = 1 / ghz;
  }
  std::string problem;
  memmodel::Machine machine;
  if (!old.empty()) {
    auto known = memmodel::readMachine(old, problem);
    if (!known)
      return Error{printable(path) + ": " + printable(problem)};
    machine = std::move(*known);
  }
  memmodel::MemoryFigures memory = machine.memory.value_or(memmodel::MemoryFigures{});
  memory.source = "Mess";
  memory.saturationSeen = true; // it goes on until the memory is
  memory.curves.clear();
  memory.quality = {};
  for (const std::string &file : mess) {
    auto text = readWholeFile(file);
    if (!text)
      return text.error();
    auto curves = memmodel::readMess(*text, file, nsPerUnit, problem);
    if (!curves)
      return Error{printable(file) + ": " + printable(problem)};
    for (memmodel::MeasuredCurve &curve : *curves) {
      const auto same = [&](const auto &other) { return other.readShare == curve.readShare; };
      if (std::ranges::any_of(memory.curves, same))
        return Error{fmt::format("{}: its curve of {:.4g} % reads was in a file before; leave out "
                                 "one of the two",
                                 printable(file), 100 * curve.readShare)};
      memory.curves.push_back(std::move(curve));
    }
  }
  machine.memory = std::move(memory);
  if (auto error = writeResult(path, memmodel::mergeMachine(machine, old)))
    return *error;
  if (path != "-")
    report(fmt::format("calibrate: wrote {}", printable(path)));
  return ExitDone;
}

void addCalibrate(CLI::App &app, Action &action) {
  auto *sub = app.add_subcommand("calibrate", "Measures OpenMP and memory of this machine");
  describeInHelp(
      *sub, "Example:\n"
            "  prophet calibrate\n"
            "  prophet predict mandel.prophet.json\n\n"
            "Measures the overheads of libomp and libgomp, caches and memory of this machine and "
            "writes them into its machine file, which predictions then use. Let nothing else run "
            "meanwhile.\n");
  auto verb = std::make_shared<CalibrateVerb>();
  sub->add_option("--seconds", verb->seconds,
                  "How long it may take (default 50), but each part is measured once; it ends "
                  "earlier on a quiet machine")
      ->type_name("N");
  sub->add_option("-o,--output", verb->output,
                  "The machine file (default: $XDG_CONFIG_HOME or ~/.config, "
                  "prophet/machine.json); - is standard output")
      ->type_name("FILE");
  sub->add_option("--import-mess", verb->mess,
                  "Measure nothing; take the memory curves that the Mess benchmark has published "
                  "of a machine (memory_curves.csv or .json, bwlat_PERCENT.txt)")
      ->type_name("FILE...");
  sub->add_option("--mess-ghz", verb->messGhz,
                  "The latencies of --import-mess are cycles at this clock rate (default: ns)")
      ->type_name("GHZ");
  sub->final_callback([&action, verb] { action = [verb] { return verb->run(); }; });
}

} // namespace prophet
