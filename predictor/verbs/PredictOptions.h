//===- PredictOptions.h - The words of a prediction ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options that `prophet predict` and `prophet run` share. CLI11 fills
// strings; `resolve` turns them into values or into one error line.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "memmodel/Machine.h"
#include "predictor/report/Prediction.h"
#include "predictor/report/WhatIf.h"
#include "predictor/support/Result.h"
#include "predictor/support/Terminal.h"
#include "predictor/synthesizer/Delay.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace prophet {

enum class OutputFormat : std::uint8_t { Table, Json, Csv };
/// `--memory`: no burden factors, those of the tree, a model's, or the best that there are.
enum class MemoryMode : std::uint8_t { None, Burden, Paper, Curve, Auto };

/// --method synth.
struct SynthesisRequest {
  std::optional<Delay> delay; ///< none: spin where this machine has the cores, virtual elsewhere
  double seconds = 30;        ///< --time-limit
  double scale = 1;           ///< of each site's executions that are run
  unsigned machineCores = 1;
  const char *forOverheads = nullptr; ///< an option that was given for their sake alone, if any
};

/// What to predict and how to show it.
struct PredictRequest {
  std::vector<unsigned> threads;
  std::vector<ScheduleChoice> schedules;
  bool defaultSchedules = true; ///< none was asked for: `written` too where a tree has clauses
  EmulationOptions base;        ///< threads and schedule are set for each estimate
  MemoryMode memory = MemoryMode::Auto;
  std::optional<memmodel::Machine> machine; ///< what its file says of memory
  std::string machineSource;                ///< that file, or "" where there is none
  std::string memoryProfile;                ///< --memory-profile; empty: one beside the tree
  std::string validation; ///< --validation: a file or none; empty: one beside the tree
  std::vector<WhatIf> whatIfs;
  bool emulate = true;                       ///< --method ff
  std::optional<SynthesisRequest> synthesis; ///< --method synth
  std::string overheadsSource;               ///< "built-in", "none" or a file's name
  std::string site;                          ///< the only parallel site's name, or "" for all
  OutputFormat format = OutputFormat::Table;
  ColorMode color = ColorMode::Auto;
  bool outlook = false; ///< also look beyond the estimates, where the format has room for it
  unsigned jobs = 1;    ///< estimates computed at a time
  bool quiet = false;
};

/// The options as typed.
struct PredictWords {
  std::optional<std::string> blockTime;
  std::string threads, cores, paradigm, seed, runtime, waitPolicy, levels, overheads, machine,
      memory, memoryProfile, validation, site, format, color, jobs, delay, timeLimit, scale;
  std::vector<std::string> schedules, methods, whatIfs;
  bool nested = false, quiet = false;

  /// Declares the options on `app`.
  void declare(CLI::App &app);
  /// Those that say what a run is like, apart from threads and schedule.
  void declareModel(CLI::App &app);
  /// Checks the words. The machine file `defaultMachine` is used where it is there and no other
  /// overheads are asked for.
  Result<PredictRequest> resolve(unsigned machineCores,
                                 const std::string &defaultMachine = "") const;

private:
  std::optional<Error> chooseMethods(PredictRequest &request, unsigned machineCores) const;
  std::optional<Error> refuseUseless(PredictRequest &request) const;
  std::optional<Error> splitLoops(PredictRequest &request) const;
  std::optional<Error> chooseOverheads(PredictRequest &request,
                                       const std::string &defaultMachine) const;
  std::optional<Error> chooseMachine(PredictRequest &request,
                                     const std::string &defaultMachine) const;
  std::optional<Error> chooseProfile(PredictRequest &request) const;
};

/// "static", "static,4", "dynamic", "dynamic,4", "guided", "guided,4", "written",
/// "auto".
Result<ScheduleChoice> parseSchedule(std::string_view text);

/// What `machine`, of the file `source`, lacks for predictions by memory profiles.
std::optional<Error> unfitForProfiles(const std::optional<memmodel::Machine> &machine,
                                      const std::string &source);

/// Powers of two from 2 up to twice `machineCores`.
std::vector<unsigned> defaultThreads(unsigned machineCores);

/// `--color`'s word.
Result<ColorMode> parseColor(std::string_view text);

} // namespace prophet
