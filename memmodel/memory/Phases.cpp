//===- Phases.cpp - Lines that threads take from each other ---------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memmodel/memory/Phases.h"

#include "memmodel/memory/Lines.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <vector>

namespace memory_figures {

namespace {

using Clock = std::chrono::steady_clock;

/// As those of loops (Runs.cpp).
constexpr std::size_t runLengths[] = {5, 17, 83, 275};
/// Lines between runs, behind which prefetchers seldom are: what they take away there is no part of
/// what it takes to begin anew.
constexpr std::size_t gap = 24;

/// What a thread does between two meetings.
struct Phase {
  const char *name; ///< of what that takes; null: no figure
  enum { Read, Store, Change } use;
  bool isOthers; ///< to the other one's runs, not to its own
};
using Phases = std::array<Phase, 2>; ///< again and again

constexpr Phases readAndStored{Phase{"upgraded", Phase::Store, false},
                               Phase{"read", Phase::Read, true}};
constexpr Phases changedByBoth{Phase{"written", Phase::Change, false},
                               Phase{nullptr, Phase::Change, true}};

/// The runs of both threads, by turns.
struct Runs {
  std::size_t lines; ///< of a run
  std::size_t each;  ///< of each thread

  std::size_t at(std::size_t number) const { return number * (lines + gap); }
  std::size_t all() const { return at(2 * each); }
};

/// Goes through every other run, from that numbered `first` on.
void goThrough(const Buffer &buffer, const Runs &runs, std::size_t first, const Phase &phase) {
  Vector sums[vectors] = {};
  for (std::size_t number = first; number < 2 * runs.each; number += 2) {
    Line *lines = buffer.begin() + runs.at(number);
    if (phase.use == Phase::Read)
      for (std::size_t i = 0; i < runs.lines; ++i)
        addLine(lines[i], sums);
    else if (phase.use == Phase::Store)
      for (std::size_t i = 0; i < runs.lines; ++i)
        storeLine(lines[i], number);
    else
      for (std::size_t i = 0; i < runs.lines; ++i)
        changeLine(lines[i]);
    keepAll(sums);
    keep(lines);
  }
}

/// What each phase took, ns, from one meeting to the next.
using Times = std::array<std::vector<double>, std::tuple_size_v<Phases>>;

/// \param side 0 or 1 \param times that it writes down; null: the other one does
Job inPhases(const Buffer &buffer, Runs runs, const Phases &phases, std::size_t side,
             Meeting &meeting, Times *times) {
  return [&buffer, runs, &phases, side, &meeting, times](Meter &meter) {
    while (true)
      for (std::size_t number = 0; number < phases.size(); ++number) {
        const Phase &phase = phases[number];
        meeting.attend(meter);
        const auto begin = Clock::now();
        goThrough(buffer, runs, phase.isOthers ? 1 - side : side, phase);
        meeting.attend(meter);
        if (!meter.goOn())
          return;
        if (times)
          (*times)[number].push_back(
              std::chrono::duration<double, std::nano>(Clock::now() - begin).count());
      }
  };
}

void measure(Crew &crew, const Buffer &buffer, Runs runs, const Phases &phases, Figures &figures) {
  Meeting meeting(2);
  Times times;
  crew.paces({inPhases(buffer, runs, phases, 0, meeting, &times),
              inPhases(buffer, runs, phases, 1, meeting, nullptr)},
             windowMs);
  const auto lines = static_cast<double>(runs.each * runs.lines); // of a phase
  for (std::size_t number = 0; number < phases.size(); ++number) {
    // From the second half on: caches are in their stride. A hypervisor may halt a core.
    std::vector<double> settled(times[number].begin() +
                                    static_cast<std::ptrdiff_t>(times[number].size() / 2),
                                times[number].end());
    if (settled.empty() || !phases[number].name)
      continue;
    const auto middle = settled.begin() + static_cast<std::ptrdiff_t>(settled.size() / 2);
    std::ranges::nth_element(settled, middle);
    const std::string name = std::string("moved.") + phases[number].name;
    if (runs.each == 1)
      figures[name + ".ahead"][1] = *middle / lines;
    else
      figures[name + ".runs"][runs.lines] = *middle / lines;
  }
}

} // namespace

void measurePhases(Crew &crew, std::size_t bytes, Figures &figures) {
  const std::size_t half = std::max<std::size_t>(bytes / sizeof(Line) / 2, 2);
  std::vector<Runs> all{{half, 1}};
  for (const std::size_t run : runLengths)
    if (2 * run <= half)
      all.push_back({run, half / run});
  const std::size_t lines = std::ranges::max_element(all, {}, &Runs::all)->all();
  Buffer buffer(lines * sizeof(Line), Pages::Huge); // short runs lie on more pages than long ones
  crew.each([&](std::size_t i) {
    if (i == 0)
      buffer.touch();
  });
  for (const Runs &runs : all)
    for (const Phases *phases : {&readAndStored, &changedByBoth})
      measure(crew, buffer, runs, *phases, figures);
}

} // namespace memory_figures
