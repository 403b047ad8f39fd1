//===- Runs.cpp - Streams that end and begin anew -------------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/memory/Runs.h"

#include <algorithm>
#include <numeric>
#include <span>
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
  std::size_t streams = 1; ///< or streamsTogether
};
constexpr Loop written{"written", Use::Change};
constexpr Loop writtenTogether{"together.written", Use::Change, streamsTogether};
constexpr Loop ofOneStream[] = {{"stream", Use::Read}, {"busy", Use::ReadAgain}, written};
constexpr Loop ofSeveral[] = {{"together", Use::ReadAgain, streamsTogether},
                              {"together.lean", Use::Read, streamsTogether},
                              writtenTogether};

/// Where the lines are.
struct Place {
  const char *name; ///< before loops' names
  const Buffer &buffer;
  std::size_t lines; ///< of it
  double milliseconds;
};

/// GB/s of each of as many threads as there are stretches.
double gbs(Crew &crew, const Place &place, const Loop &loop,
           const std::vector<Stretch> &stretches) {
  const auto once = [&] {
    Meeting meeting(static_cast<unsigned>(stretches.size()));
    std::vector<Job> jobs;
    for (const Stretch &stretch : stretches)
      jobs.push_back(loop.streams == 1
                         ? runs(place.buffer, stretch, loop.use, meeting)
                         : runsTogether(place.buffer, place.lines, stretch, loop.use, meeting));
    return crew.paces(jobs, place.milliseconds);
  };
  const std::vector<double> rates = crew.steadiest(once).rates;
  return lineBytes * std::accumulate(rates.begin(), rates.end(), 0.0) /
         static_cast<double>(rates.size());
}

void measure(Crew &crew, const Place &place, const Loop &loop, std::size_t run, Figures &figures) {
  const std::size_t threads = std::min<std::size_t>(crew.size(), 2);
  const std::size_t part = place.lines / loop.streams / threads / run * run;
  if (part < 2 * run)
    return;
  std::vector<Stretch> on, byTurns;
  for (std::size_t i = 0; i < threads; ++i) {
    on.push_back({i * part, (i + 1) * part, run, 0});
    byTurns.push_back({i * run, threads * part, run, run, threads == 1});
  }
  const double ahead = gbs(crew, place, loop, on), ending = gbs(crew, place, loop, byTurns);
  const std::string prefix = std::string("run.") + place.name + loop.name;
  figures[prefix + ".gbs"][run] = ahead;
  figures[prefix + ".end"][run] = static_cast<double>(run * loop.streams) * lineBytes *
                                  (1 / ending - 1 / ahead); // bytes over GB/s are ns
}

} // namespace

void measureRuns(Crew &crew, const Buffer &buffer, std::size_t near, Figures &figures) {
  const Place memory{"", buffer, buffer.size(), 2 * windowMs};
  const Place shared{"near.", buffer, std::min(near, buffer.size()), windowMs};
  for (const std::size_t run : shortRuns)
    measure(crew, memory, ofOneStream[0], run, figures);
  for (const std::size_t run : someRuns) {
    for (const Loop &loop : std::span(ofOneStream).subspan(1))
      measure(crew, memory, loop, run, figures);
    for (const Loop &loop : ofOneStream)
      measure(crew, shared, loop, run, figures);
  }
  for (const Place &place : {memory, shared})
    for (const Loop &loop : ofSeveral)
      for (const std::size_t run : fewRuns)
        measure(crew, place, loop, run, figures);
}

void measureOwnRuns(Crew &crew, const Buffer &buffer, Figures &figures) {
  const Place own{"own.", buffer, buffer.size(), windowMs};
  for (const std::size_t run : someRuns)
    measure(crew, own, written, run, figures);
  for (const std::size_t run : fewRuns)
    measure(crew, own, writtenTogether, run, figures);
}

} // namespace memory_figures
