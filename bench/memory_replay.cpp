//===- memory_replay.cpp - What caches would miss -------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines that come from memory, and those that come from another thread's cache, on private caches
// of PRIVATE KiB each and a shared one of each of SHARED KiB, one pair of figures a line:
//
//   memory_replay trace ORDER FILE THREADS PRIVATE SHARED...
//     of the accesses in the parallel regions of a run, which memory_kernels/trace_runtime.c has
//     written down: in the order in which they came (ORDER "came"), or with those of each region
//     merged by their numbers ("even"): its threads go through it at one pace
//   memory_replay profile FILE THREADS CHUNK PRIVATE SHARED...
//     of the sites of a memory profile, whose tasks are dealt to threads in blocks, or chunks
//
//===----------------------------------------------------------------------===//
#include "memmodel/MemoryProfile.h"
#include "memmodel/PartsReplay.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <unordered_map>
#include <vector>

using namespace prophet::memmodel;

namespace {

[[noreturn]] void die(const std::string &message) {
  std::fprintf(stderr, "memory_replay: %s\n", message.c_str());
  std::exit(2);
}

std::string contents(const char *name) {
  std::ifstream file(name, std::ios::binary);
  if (!file)
    die(std::string("cannot read ") + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

CacheSizes sizes(double privateKiB, const char *sharedKiB) {
  constexpr double linesPerKiB = 1024 / 64.;
  return {privateKiB * linesPerKiB, std::atof(sharedKiB) * linesPerKiB};
}

void print(const Traffic &traffic) {
  std::printf("%.0f %.0f\n", traffic.fetched(), traffic.transfers);
}

struct Trace {
  /// What goes on until a parallel region begins or ends.
  struct Part {
    bool isParallel;
    std::vector<Reference> references; ///< in the order in which they came
    std::vector<unsigned> threads;     ///< of each
  };

  std::vector<Part> parts;
};

Trace readTrace(const char *name, unsigned threads) {
  constexpr unsigned regionBegins = 14, regionEnds = 15; // trace_runtime.c
  const std::string bytes = contents(name);
  const std::size_t count = bytes.size() / sizeof(std::uint64_t);
  Trace trace;
  trace.parts.push_back({false, {}, {}});
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t record;
    bytes.copy(reinterpret_cast<char *>(&record), sizeof record, i * sizeof record);
    const auto kind = static_cast<unsigned>(record & 15);
    if (kind == regionBegins || kind == regionEnds) {
      if (trace.parts.back().isParallel == (kind == regionBegins))
        die("the trace has regions inside of regions");
      trace.parts.push_back({kind == regionBegins, {}, {}});
      continue;
    }
    const auto thread = static_cast<unsigned>(record >> 4 & 15);
    if (thread >= threads)
      die("the trace has more threads");
    const auto line = numbers.try_emplace(record >> 8, numbers.size()).first->second;
    trace.parts.back().references.push_back(
        {line, static_cast<AccessClass>(kind / 2), kind % 2 == 1});
    trace.parts.back().threads.push_back(thread);
  }
  if (trace.parts.size() == 1)
    die("no parallel region is in the trace");
  return trace;
}

Traffic replayAsItCame(const Trace::Part &part, Replay &caches) {
  constexpr std::size_t atOnce = 1 << 16;
  Traffic all;
  for (std::size_t first = 0; first < part.references.size(); first += atOnce) {
    std::vector<Piece> pieces;
    const std::size_t last = std::min(first + atOnce, part.references.size());
    for (std::size_t i = first; i < last; ++i) {
      const auto time = static_cast<double>(i);
      pieces.push_back({part.threads[i], time, time, {&part.references[i], 1}});
    }
    all += caches.run(pieces);
  }
  return all;
}

Traffic replayEvenly(const Trace::Part &part, unsigned threads, Replay &caches) {
  std::vector<std::vector<Reference>> own(threads);
  for (std::size_t i = 0; i < part.references.size(); ++i)
    own[part.threads[i]].push_back(part.references[i]);
  std::vector<Piece> pieces;
  for (unsigned thread = 0; thread < threads; ++thread)
    pieces.push_back({thread, 0, static_cast<double>(own[thread].size()), own[thread]});
  return caches.run(pieces);
}

int replayTrace(char **arguments) {
  const std::string order = arguments[0];
  if (order != "came" && order != "even")
    die("the order of a trace is came, or even");
  const auto threads = static_cast<unsigned>(std::atoi(arguments[2]));
  const Trace trace = readTrace(arguments[1], threads);
  for (char **shared = arguments + 4; *shared; ++shared) {
    Replay caches(threads, sizes(std::atof(arguments[3]), *shared), 1);
    Traffic all;
    for (const Trace::Part &part : trace.parts) {
      const Traffic moved =
          order == "came" ? replayAsItCame(part, caches) : replayEvenly(part, threads, caches);
      if (part.isParallel)
        all += moved;
    }
    print(all);
  }
  return 0;
}

int replayLog(char **arguments) {
  std::string problem;
  const auto profile = readMemoryProfile(contents(arguments[0]), problem);
  if (!profile || !profile->log)
    die(profile ? "the profile has no log" : problem);
  const auto threads = static_cast<unsigned>(std::atoi(arguments[1]));
  const auto chunk = static_cast<std::uint64_t>(std::atoi(arguments[2]));
  const std::size_t sites = profile->sites.size();
  const auto deal = [&](std::size_t part, std::uint64_t task) {
    return dealTask(task, profile->log->parts[part].size, threads, chunk);
  };
  for (char **shared = arguments + 4; *shared; ++shared) {
    const auto bySite =
        replayProgram(*profile->log, sites, threads, sizes(std::atof(arguments[3]), *shared), deal);
    Traffic all;
    for (std::size_t site = 0; site < sites; ++site)
      all += bySite[site];
    print(all);
  }
  return 0;
}

} // namespace

int main(int count, char **arguments) {
  const std::string what = count > 1 ? arguments[1] : "";
  if (what == "trace" && count > 6)
    return replayTrace(arguments + 2);
  if (what == "profile" && count > 6)
    return replayLog(arguments + 2);
  die("trace ORDER FILE THREADS PRIVATE SHARED..., or profile FILE THREADS CHUNK PRIVATE "
      "SHARED...");
}
