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
//   memory_replay trace FILE THREADS PRIVATE SHARED...
//     of all accesses of a run in parallel, as memory_kernels/trace_runtime.c has written them
//   memory_replay profile FILE THREADS CHUNK PRIVATE SHARED...
//     of the sites of a memory profile, whose tasks are dealt to threads in blocks, or chunks
//
//===----------------------------------------------------------------------===//
#include "memmodel/MemoryProfile.h"

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
  std::vector<Reference> references;
  std::vector<unsigned> threads; ///< of each
};

Trace readTrace(const char *name) {
  const std::string bytes = contents(name);
  const std::size_t count = bytes.size() / sizeof(std::uint64_t);
  Trace trace;
  trace.references.reserve(count);
  trace.threads.reserve(count);
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t record;
    bytes.copy(reinterpret_cast<char *>(&record), sizeof record, i * sizeof record);
    const auto line = numbers.try_emplace(record >> 8, numbers.size()).first->second;
    const auto kind = static_cast<unsigned>(record & 15);
    trace.references.push_back({line, static_cast<AccessClass>(kind / 2), kind % 2 == 1});
    trace.threads.push_back(static_cast<unsigned>(record >> 4 & 15));
  }
  return trace;
}

Traffic replay(const Trace &trace, unsigned threads, CacheSizes caches) {
  constexpr std::size_t atOnce = 1 << 16;
  Replay replay(threads, caches, 1);
  Traffic all;
  for (std::size_t first = 0; first < trace.references.size(); first += atOnce) {
    std::vector<Piece> pieces;
    const std::size_t last = std::min(first + atOnce, trace.references.size());
    for (std::size_t i = first; i < last; ++i) {
      if (trace.threads[i] >= threads)
        die("the trace has more threads");
      const auto time = static_cast<double>(i);
      pieces.push_back({trace.threads[i], time, time, {&trace.references[i], 1}});
    }
    all += replay.run(pieces);
  }
  return all;
}

int replayTrace(char **arguments) {
  const Trace trace = readTrace(arguments[0]);
  const auto threads = static_cast<unsigned>(std::atoi(arguments[1]));
  for (char **shared = arguments + 3; *shared; ++shared)
    print(replay(trace, threads, sizes(std::atof(arguments[2]), *shared)));
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
  const auto deal = [&](std::uint32_t, std::uint64_t task, std::uint64_t size) {
    return dealTask(task, size, threads, chunk);
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
  if (what == "trace" && count > 5)
    return replayTrace(arguments + 2);
  if (what == "profile" && count > 6)
    return replayLog(arguments + 2);
  die("trace FILE THREADS PRIVATE SHARED..., or profile FILE THREADS CHUNK PRIVATE SHARED...");
}
