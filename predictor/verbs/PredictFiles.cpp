//===- PredictFiles.cpp - The files that a prediction reads ----------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/support/Capture.h"
#include "predictor/support/Text.h"
#include "predictor/verbs/PredictOptions.h"

#include <filesystem>
#include <fmt/format.h>

namespace prophet {

/// Whether `machine` is the name of one that is built in, and of no file.
static bool isPreset(const std::string &machine) {
  std::error_code ignored;
  return memmodel::presetMachine(machine) && !std::filesystem::exists(machine, ignored);
}

/// What --machine, or the default machine file, says of memory.
std::optional<Error> PredictWords::chooseMachine(PredictRequest &request,
                                                 const std::string &defaultMachine) const {
  std::error_code ignored;
  const bool isDefault = machine.empty() && std::filesystem::exists(defaultMachine, ignored);
  if (machine == "none" || (machine.empty() && !isDefault) || request.memory == MemoryMode::None ||
      request.memory == MemoryMode::Burden)
    return std::nullopt;
  request.machineSource = isDefault ? defaultMachine : machine;
  if (isPreset(machine)) {
    request.machine = memmodel::presetMachine(machine);
    return std::nullopt;
  }
  auto text = readWholeFile(request.machineSource);
  if (!text)
    return text.error();
  std::string problem;
  request.machine = memmodel::readMachine(*text, problem);
  if (request.machine)
    return std::nullopt;
  return Error{printable(request.machineSource) + ": " + printable(problem) +
               (isDefault ? ", or use --machine none" : "")};
}

std::optional<Error> unfitForProfiles(const std::optional<memmodel::Machine> &machine,
                                      const std::string &source) {
  if (!machine)
    return Error{"a memory profile goes with a machine file, and there is none; run 'prophet "
                 "calibrate', or name one with --machine"};
  std::string problem;
  if (!memorySystem(*machine, problem))
    return Error{printable(source) + " " + problem};
  if (sharedBytes(*machine) <= 0)
    return Error{printable(source) +
                 " has no \"caches\"; run 'prophet calibrate', or leave out the "
                 "memory profile"};
  return std::nullopt;
}

/// --memory-profile, where what it takes is there.
std::optional<Error> PredictWords::chooseProfile(PredictRequest &request) const {
  request.memoryProfile = memoryProfile;
  if (memoryProfile.empty())
    return std::nullopt;
  if (request.memory != MemoryMode::Auto && request.memory != MemoryMode::Curve)
    return Error{fmt::format("a memory profile has no effect with --memory {}; leave out one of "
                             "the two",
                             memory)};
  return unfitForProfiles(request.machine, request.machineSource);
}

/// --overheads, else --machine, else the default machine file, else what is built in.
std::optional<Error> PredictWords::chooseOverheads(PredictRequest &request,
                                                   const std::string &defaultMachine) const {
  EmulationOptions &base = request.base;
  request.overheadsSource = overheads;
  if (overheads == "none")
    return std::nullopt;
  if (!overheads.empty()) {
    auto table = readOverheads(overheads, base.runtime);
    if (!table)
      return table.error();
    base.overheads = std::move(*table);
    return std::nullopt;
  }
  std::error_code ignored;
  const bool isDefault = machine.empty() && std::filesystem::exists(defaultMachine, ignored);
  if (isDefault || !(machine.empty() || machine == "none" || isPreset(machine))) {
    request.overheadsSource = isDefault ? defaultMachine : machine;
    auto table = readMachineOverheads(request.overheadsSource, base.runtime);
    if (!table)
      return Error{table.error().message + (isDefault ? ", or use --machine none" : "")};
    if (*table) {
      base.overheads = std::move(**table);
      return std::nullopt;
    }
    if (!isDefault)
      return Error{fmt::format("{}: has no overheads of {}; ask for {}--overheads none, or for "
                               "--machine none",
                               machine, runtimeName(base.runtime),
                               isOpenMP(base.paradigm) ? "another --runtime, for " : "")};
  }
  request.overheadsSource = "built-in";
  base.overheads = Overheads::typical(base.runtime);
  return std::nullopt;
}

} // namespace prophet
