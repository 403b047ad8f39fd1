//===- MachineFile.h - What was measured of a machine -----------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   {"format": "prophet-machine", "version": 1,
//    "name": "AMD EPYC 7B13", "source": "prophet calibrate", "cores": 2,
//    "overheads": {
//      "libomp": {
//        "active": {"fork": {"1": 67, "2": 454}, "join": {}, "lock_handoff": {}},
//        "passive": {},
//        "static": {"start": {"1": 307, "2": 334}, "chunk": {"1": 0}},
//        "static_chunk": {}, "dynamic_queue": {"start": {}, "chunk": {}, "interval": {}},
//        "dynamic_steal": {"start": {}, "chunk": {}, "restart": {}}, "guided": {},
//        "tasks": {"create": {}, "steal": {}, "wait": {}},
//        "lock_pair": 25, "serialized_region": 97, "spin_turn": 27.7,
//        "quality": {"active": {"tried": 15, "counted": 14}, "passive": {}, "disturbed": false,
//                    "iqr": {"active.fork": {"1": 2, "2": 11}}}}}}
//
// where {} stands for more of the same.
// Costs are nanoseconds by team size. readMachineOverheads (Overheads.h) reads it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/calibration/Rounds.h"

#include <set>

namespace prophet {

/// What was measured of one runtime.
struct RuntimeRounds {
  std::string runtime;
  Rounds active, passive;

  bool disturbed() const { return active.disturbed() || passive.disturbed(); }
  /// By their names in the file: "active.fork", "static.start".
  std::map<std::string, std::map<unsigned, Figure>> figures() const;
};

struct MachineIdentity {
  std::string name; ///< the processor's
  unsigned cores = 0;
};

/// The text of a machine file. What `old`, the text of the file in its place, has besides is kept;
/// of another machine no figures.
/// \pre checkMachineText(old)
std::string renderMachine(const MachineIdentity &machine,
                          const std::vector<RuntimeRounds> &measured, const std::string &old);

/// The parts that `text`, of a machine file or empty, has of this machine and nothing disturbed:
/// runtimes, by name, and "memory".
std::set<std::string> undisturbedParts(const MachineIdentity &machine, const std::string &text);

/// Whether `text` is empty or a machine file of this version.
bool checkMachineText(const std::string &text);

/// The figures for people, with the law that goes on behind the last one.
std::string describeRounds(const RuntimeRounds &measured);

/// Where the machine file of this user is: $XDG_CONFIG_HOME or ~/.config, prophet/machine.json. ""
/// where there is neither.
std::string defaultMachineFile();

} // namespace prophet
