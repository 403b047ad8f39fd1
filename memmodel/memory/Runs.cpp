//===- Runs.cpp - Streams that end and begin anew -------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/memory/Runs.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace memory_figures {

namespace {

/// Ends are all over pages, as those of rows are: prefetchers stop where a page ends, else they run
/// on into what another thread has. And of powers of two a thread's lines would lie in a part of
/// the sets of its caches.
constexpr std::size_t shortRuns[] = {1, 2, 5, 9, 17, 83, 275};
constexpr std::size_t someRuns[] = {5, 17, 83, 275};
constexpr std::size_t fewRuns[] = {17, 83};

struct Loop {
  const char *name;
  Use use;
  bool isNear;             ///< in what the last-level cache has
  std::size_t streams = 1; ///< or streamsTogether
};

/// GB/s of each of as many threads as there are jobs.
double gbs(Crew &crew, const std::vector<Job> &jobs, double milliseconds) {
  const std::vector<double> rates = crew.rates(jobs, milliseconds);
  return lineBytes * std::accumulate(rates.begin(), rates.end(), 0.0) /
         static_cast<double>(jobs.size());
}

void measure(Crew &crew, const Buffer &buffer, const Loop &loop, std::size_t lines, std::size_t run,
             Figures &figures) {
  const std::size_t threads = std::min<std::size_t>(crew.size(), 2);
  const std::size_t ofStream = lines / loop.streams, part = ofStream / threads;
  if (part < 2 * run)
    return;
  const auto job = [&](const Stretch &stretch) {
    return loop.streams == 1 ? runs(buffer, stretch, loop.use)
                             : runsTogether(buffer, lines, stretch, loop.use);
  };
  std::vector<Job> on, byTurns;
  for (std::size_t i = 0; i < threads; ++i) {
    on.push_back(job({i * part, (i + 1) * part, run, 0}));
    byTurns.push_back(job({i * run, ofStream, run, run, threads == 1}));
  }
  const double ms = loop.isNear ? windowMs : 2 * windowMs;
  const double ahead = gbs(crew, on, ms), ending = gbs(crew, byTurns, ms);
  const std::string prefix = std::string("run.") + loop.name;
  figures[prefix + ".gbs"][run] = ahead;
  figures[prefix + ".end"][run] = static_cast<double>(run * loop.streams) * lineBytes *
                                  (1 / ending - 1 / ahead); // bytes over GB/s are ns
}

} // namespace

void measureRuns(Crew &crew, const Buffer &buffer, std::size_t near, Figures &figures) {
  for (const std::size_t run : shortRuns)
    measure(crew, buffer, {"stream", Use::Read, false}, buffer.size(), run, figures);
  for (const Loop &loop : {Loop{"busy", Use::ReadAgain, false}, {"written", Use::Change, false}})
    for (const std::size_t run : someRuns)
      measure(crew, buffer, loop, buffer.size(), run, figures);
  for (const Loop &loop : {Loop{"near.stream", Use::Read, true},
                           {"near.busy", Use::ReadAgain, true},
                           {"near.written", Use::Change, true}})
    for (const std::size_t run : someRuns)
      measure(crew, buffer, loop, std::min(near, buffer.size()), run, figures);
  for (const std::size_t run : fewRuns) {
    measure(crew, buffer, {"together", Use::ReadAgain, false, streamsTogether}, buffer.size(), run,
            figures);
    measure(crew, buffer, {"near.together", Use::ReadAgain, true, streamsTogether},
            std::min(near, buffer.size()), run, figures);
  }
}

} // namespace memory_figures
