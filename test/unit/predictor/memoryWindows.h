//===- memoryWindows.h - What memory-figures might print --------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "predictor/calibration/MemoryRounds.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <ranges>
#include <string>
#include <vector>

namespace prophet {

/// Four cores with 512 KiB each and so many MiB together.
inline memmodel::Machine fourCores(double mib = 8) {
  memmodel::Machine machine;
  machine.caches = {{1, 32768, 1, 0, {}}, {2, 524288, 1, 0, {}}, {3, mib * (1 << 20), 4, 0, {}}};
  return machine;
}

/// Windows of cacheGroup() with so many ns by KiB.
inline Rounds latencies(const std::map<unsigned, double> &byKib) {
  Rounds rounds;
  for (unsigned i = 0; i < FewestRounds; ++i)
    rounds.add({"memory", 0, 0, 0, 0, {{"latency", byKib}}});
  return rounds;
}

/// What memory-figures would print of them, of which the last brings `last` GB/s, and where a line
/// from another core that is fetched ahead takes `ahead` ns.
inline std::vector<MemoryGroup> memoryWindows(double last, double ahead = 8) {
  memmodel::Machine machine = fourCores();
  std::vector<MemoryGroup> groups = {cacheGroup(machine)};
  groups[0].rounds = latencies(
      {{512, 5}, {1024, 14}, {2048, 15}, {4096, 16}, {8192, 60}, {16384, 100}, {32768, 110}});
  findLastCache(machine, groups[0].rounds);
  std::ranges::move(memoryGroups(machine, 4), std::back_inserter(groups));
  for (MemoryGroup &group : groups | std::views::drop(1)) {
    Round round{"memory", 0, 0, 0, 0, {}};
    const std::string load = "load." + group.arguments[1] + ".";
    if (group.arguments[0] == "classes")
      round.figures = {{"class.stream", {{1, 10}}},
                       {"class.stride", {{1, 5}}},
                       {"class.irregular", {{1, 4}}},
                       {"class.chase", {{1, 0.64}}},
                       {"shared", {{1, 20}, {4, 60}}},
                       {"accesses", {{1, 8}}},
                       {"addition", {{1, 0.7}}},
                       {"run.stream.gbs", {{16, 5}, {64, 4}}},
                       {"run.stream.end", {{16, 96}, {64, 128}}},
                       {"run.busy.gbs", {{16, 2.5}, {64, 2.5}}},
                       {"run.busy.end", {{16, 160}, {64, -30}}},
                       {"run.written.gbs", {{5, 2.5}}},
                       {"run.written.end", {{5, 40}}},
                       {"run.near.stream.gbs", {{5, 20}}},
                       {"run.near.stream.end", {{5, 4}}},
                       {"run.near.busy.gbs", {{5, 20}}},
                       {"run.near.busy.end", {{5, 6}}},
                       {"run.near.written.gbs", {{5, 20}}},
                       {"run.near.written.end", {{5, 8}}},
                       {"run.together.gbs", {{16, 5}}},
                       {"run.together.end", {{16, 480}}},
                       {"run.together.lean.gbs", {{16, 5}}},
                       {"run.together.lean.end", {{16, 240}}},
                       {"run.near.together.gbs", {{5, 20}}},
                       {"run.near.together.end", {{5, 12}}},
                       {"run.near.together.lean.gbs", {{5, 20}}},
                       {"run.near.together.lean.end", {{5, 10}}},
                       {"run.near.together.written.gbs", {{5, 20}}},
                       {"run.near.together.written.end", {{5, 99}}},
                       {"sparse", {{1, 0.8}}},
                       {"overlap.own", {{1, 1}, {2, 2}, {3, 8}}},
                       {"overlap.memory", {{1, 4}, {2, 5}, {3, 9}}},
                       {"overlap.shared", {{1, 2}, {2, 3}, {3, 7.5}}},
                       {"together.own", {{1, 1}, {2, 2}, {3, 8}}},
                       {"together.memory", {{1, 3.2}, {2, 4}, {3, 8}}},
                       {"together.shared", {{1, 2}, {2, 2.5}, {3, 8}}}};
    else if (group.arguments[0] == "load")
      round.figures = {{load + "gbs", {{1, 5}, {2, 20}}},
                       {load + "ns", {{1, 100}, {2, 140}}},
                       {load + "traffic", {{1, 10}, {3, 24}, {4, 24 + last}}}};
    else if (group.arguments[0] == "reach")
      round.figures = {{"reach.1.0.up", {{4096, 20}, {8192, 10}, {16384, 20 / 3.}}},
                       {"reach.1.0.down", {{4096, 20}, {8192, 10}, {16384, 20 / 3.}}},
                       {"reach.1.far", {{32768, 20 / 3.}}},
                       {"reach.4.0.up", {{1024, 90}, {4096, 50}, {8192, 10}}},
                       {"reach.2.0.up", {{1024, 70}, {4096, 40}, {8192, 10}}}};
    else if (group.arguments[0] == "latency")
      round.figures = {{"latency", {{16, 1}, {256, 4}, {384, 4}}}};
    else
      round.figures = {{"transfer", {{2, 50}}},
                       {"exchange.own", {{1, 1}, {2, 2}}},
                       {"exchange.other", {{1, ahead}, {2, ahead}}},
                       {"run.own.written.gbs", {{5, 40}, {16, 40}, {64, 40}}},
                       {"moved.read.ahead", {{1, 4}}},
                       {"moved.read.runs", {{16, 6}, {32, 3.5}, {64, 4.5}}},
                       {"moved.upgraded.ahead", {{1, 600}}},
                       {"moved.upgraded.runs", {{16, 800}}},
                       {"moved.written.runs", {{16, 5}}}, // by turns alone
                       {"run.own.written.end", {{5, -3}, {16, 60}, {64, 150}}},
                       {"run.own.together.written.gbs", {{16, 40}, {64, 40}}},
                       {"run.own.together.written.end", {{16, 250}, {64, 275}}}};
    for (unsigned i = 0; i < FewestRounds; ++i)
      group.rounds.add(round);
  }
  return groups;
}

} // namespace prophet
