//===- openmp_overheads.cpp - What OpenMP's constructs cost here ----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the manner of EPCC's syncbench and schedbench: the same work with and
// without a construct, in turns, and the median of the difference. Prints the
// JSON table that `prophet predict --overheads FILE` reads, for the OpenMP
// runtime it was built with (Clang: libomp, GCC: libgomp).
//
//   openmp_overheads [REPETITIONS] > overheads.json
//
// A process has one wait policy, so the program starts itself again for each.
//
//===----------------------------------------------------------------------===//

#include "openmp_overheads.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <omp.h>
#include <string>
#include <unistd.h>

using namespace overheads;

namespace {

using Measure = double (*)(int threads, int repetitions);

/// `"name": {"1": ..., "2": ...}` for teams up to this machine's size.
std::string curve(const char *name, Measure measure, int repetitions) {
  std::string text = std::string("\"") + name + "\": {";
  for (int threads = 1, most = omp_get_num_procs();;) {
    char point[64];
    std::snprintf(point, sizeof point, "\"%d\": %.4g", threads, measure(threads, repetitions));
    text += point;
    if (threads == most)
      return text + "}";
    threads = threads * 2 < most ? threads * 2 : most;
    text += ", ";
  }
}

/// What depends on the wait policy, which this process was started with.
std::string waitCosts(int repetitions) {
  return "{" + curve("fork", forkCost, repetitions) + ",\n    " +
         curve("join", joinCost, repetitions) + ",\n    " +
         curve("lock_handoff", handoffCost, repetitions) + "}";
}

/// The output of this program when started with `policy`.
std::string startAgain(const char *policy, int repetitions) {
  char self[4096];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length < 0)
    return {};
  self[length] = '\0';
  const std::string command = std::string("OMP_WAIT_POLICY=") + policy + " '" + self + "' " +
                              std::to_string(repetitions) + " --wait-costs";
  std::FILE *pipe = popen(command.c_str(), "r");
  if (!pipe)
    return {};
  std::string text;
  for (int c; (c = std::fgetc(pipe)) != EOF;)
    text += static_cast<char>(c);
  return pclose(pipe) == 0 ? text : std::string();
}

std::string loopCosts(const char *name, Measure start, Measure chunk, int repetitions) {
  return std::string("\"") + name + "\": {" + curve("start", start, repetitions) + ", " +
         curve("chunk", chunk, repetitions) + "}";
}

} // namespace

int main(int argc, char **argv) {
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 301;
  if (repetitions < 1) {
    std::fprintf(stderr, "openmp_overheads: '%s' is no number of repetitions; try 301\n", argv[1]);
    return 2;
  }
  omp_set_dynamic(0);
  if (argc > 2 && std::strcmp(argv[2], "--wait-costs") == 0) {
    std::printf("%s", waitCosts(repetitions).c_str());
    return 0;
  }
  const std::string active = startAgain("active", repetitions);
  const std::string passive = startAgain("passive", repetitions);
  if (active.empty() || passive.empty()) {
    std::fprintf(stderr, "openmp_overheads: cannot start itself again; is /proc mounted?\n");
    return 2;
  }
  std::printf("{\"format\": \"prophet-overheads\", \"version\": 1, \"runtime\": \"%s\",\n",
              runtimeName);
  std::printf("  \"active\": %s,\n  \"passive\": %s,\n", active.c_str(), passive.c_str());
  std::printf("  %s,\n", loopCosts("static", staticStart, staticBlock, repetitions).c_str());
  std::printf("  %s,\n", loopCosts("static_chunk", chunkStart, chunkChunk, repetitions).c_str());
  std::printf("  %s,\n", loopCosts("dynamic_queue", queueStart, queueChunk, repetitions).c_str());
  std::printf("  %s,\n", loopCosts("dynamic_steal", stealStart, stealChunk, repetitions).c_str());
  std::printf("  \"lock_pair\": %.4g, \"serialized_region\": %.4g}\n", lockPair(repetitions),
              serializedRegion(repetitions));
  return 0;
}
