//===- main.cpp - One round of measuring OpenMP's overheads ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   openmp-overheads-RUNTIME THREADS all|waits PARENT
//
// Measures every construct once, in teams of 1, 2, 4... THREADS, and prints one JSON
// object: {"runtime", "foreign_cores", "waited_share", "handover", "figures": {NAME: {TEAM: ns}}}.
// `waits` leaves out what does not depend on the wait policy. A process has one
// wait policy and belongs to one runtime, so `prophet calibrate` runs this program
// again and again, and judges what it printed. It ends with process PARENT.
//
//===----------------------------------------------------------------------===//

#include "memmodel/openmp/Constructs.h"
#include "memmodel/openmp/Guard.h"
#include "memmodel/openmp/Handover.h"
#include "memmodel/openmp/Measuring.h"
#include "memmodel/openmp/Process.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <omp.h>
#include <string>
#include <vector>

using namespace openmp_overheads;

namespace {

using Measure = double (*)(int threads);

struct Figure {
  const char *name;
  Measure measure;
};

constexpr Figure waits[] = {{"fork", forkCost}, {"join", joinCost}, {"lock_handoff", handoffCost}};

constexpr Figure others[] = {{"static.start", staticStart},
                             {"static_chunk.start", roundRobinStart},
                             {"static_chunk.chunk", roundRobinChunk},
                             {"dynamic_queue.start", queueStart},
                             {"dynamic_queue.chunk", queueChunk},
                             {"dynamic_queue.interval", queueInterval},
                             {"dynamic_steal.start", stealStart},
                             {"dynamic_steal.chunk", stealChunk},
                             {"guided.start", guidedStart},
                             {"guided.chunk", guidedChunk},
                             {"tasks.create", taskCreate},
                             {"tasks.steal", taskSteal},
                             {"tasks.wait", taskWait}};

/// Constructs that are the same in every team.
constexpr Figure single[] = {
    {"lock_pair", lockPair}, {"serialized_region", serializedRegion}, {"spin_turn", spinTurn}};

std::vector<int> teamSizes(int most) {
  std::vector<int> sizes;
  for (int size = 1; size < most; size *= 2)
    sizes.push_back(size);
  sizes.push_back(most);
  return sizes;
}

/// `"name": {"1": ..., "2": ...}`.
std::string measured(const Figure &figure, const std::vector<int> &sizes) {
  std::string text = std::string("\"") + figure.name + "\": {";
  for (int size : sizes) {
    char point[64];
    std::snprintf(point, sizeof point, "%s\"%d\": %.4g", size == sizes.front() ? "" : ", ", size,
                  figure.measure(size));
    text += point;
  }
  return text + "}";
}

/// Whether the runtime really makes teams of `threads`.
bool canHave(int threads) {
  int size = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  size = omp_get_num_threads();
  return size == threads;
}

/// Gives the system time to put the threads on cores of their own.
void warmUp(int threads) {
  constexpr double enough = 3e7;
#pragma omp parallel num_threads(threads)
  for (const double begin = now(); now() - begin < enough;)
    delay(bodySteps);
}

/// ns that a line takes between the first thread of a team and another, the mean of several
/// others; 0 where there are none.
double handover(int threads) {
  const int partners = std::min(threads - 1, static_cast<int>(mostPartners));
  double sum = 0;
  for (int partner = 1; partner <= partners; ++partner) {
    Baton baton;
#pragma omp parallel num_threads(threads)
    if (const int me = omp_get_thread_num(); me == 0)
      sum += handOver(baton, 0);
    else if (me == partner)
      handOver(baton, 1);
  }
  return partners > 0 ? sum / partners : 0;
}

} // namespace

int main(int argc, char **argv) {
  const int most = argc == 4 ? std::atoi(argv[1]) : 0;
  const bool all = argc == 4 && std::strcmp(argv[2], "all") == 0;
  if (most < 1 || (!all && std::strcmp(argv[2], "waits") != 0)) {
    std::fprintf(stderr, "usage: %s THREADS all|waits PARENT\n", argv[0]);
    return 2;
  }
  if (!endWith(std::atoi(argv[3])))
    return 2; // nobody waits for the result
  omp_set_dynamic(0);
  omp_set_max_active_levels(1);
  if (!canHave(most)) {
    std::fprintf(stderr, "%s: no team of %d threads; allow more of them (ulimit -u)\n", argv[0],
                 most);
    return 2;
  }
  const std::vector<int> sizes = teamSizes(most);
  std::string figures;
  const auto add = [&](const Figure &figure, const std::vector<int> &teams) {
    figures += (figures.empty() ? "\n  " : ",\n  ") + measured(figure, teams);
  };
  warmUp(most);
  const double before = handover(most);
  const Guard guard;
  for (const Figure &figure : waits)
    add(figure, sizes);
  if (all) {
    for (const Figure &figure : others)
      add(figure, sizes);
    for (const Figure &figure : single)
      add(figure, {1});
#ifdef __clang__ // libgomp's next chunk is elsewhere: it has one queue for all threads
    if (most > 1)
      add({"dynamic_steal.restart", [](int) { return stealRestart(); }}, {2});
#endif
  }
  const double foreign = guard.foreignCores(), waited = guard.waitedShare();
  std::printf("{\"runtime\": \"%s\", \"foreign_cores\": %.3f, \"waited_share\": %.4f, "
              "\"handover\": %.4g,\n \"figures\": {%s}}\n",
              openmpName, foreign, waited, std::sqrt(before * handover(most)), figures.c_str());
  return 0;
}
