//===- emulatorEventsTest.cpp - Who acts next, and who needs no event -----===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorBothWays.h"
#include "emulatorPrograms.h"
#include "predictor/emulator/Tournament.h"

#include <algorithm>
#include <random>

using namespace prophet;
using namespace prophet::test;

namespace {

TEST(Tournament, HasTheFirstOfAllEventsOnTop) {
  std::mt19937_64 random(1);
  for (const std::size_t places : {1, 2, 3, 7, 8, 13}) {
    Tournament tournament(places);
    // Threads stand anywhere: at one time the lower-numbered is first, wherever it stands.
    std::vector<Event> events(places, {Tournament::never, 0});
    for (int change = 0; change < 1000; ++change) {
      const std::size_t place = random() % places;
      events[place] = {static_cast<Time>(random() % 5), static_cast<std::uint32_t>(random() % 100)};
      tournament.set(place, events[place]);
      const Event first = *std::ranges::min_element(events, std::less<>());
      ASSERT_EQ(tournament.top().at, first.at);
      ASSERT_EQ(tournament.top().thread, first.thread);
    }
  }
}

TEST(EventHeap, KnowsWhoStaysOnTop) {
  std::mt19937_64 random(1);
  for (int drawn = 0; drawn < 1000; ++drawn) {
    EventHeap heap;
    for (std::uint32_t thread = 0; thread <= drawn % 9u; ++thread)
      heap.push({static_cast<Time>(random() % 5), thread});
    const std::uint32_t top = heap.top().thread;
    const Time later = heap.top().at + static_cast<Time>(random() % 5);
    const bool stays = heap.staysOnTop(later);
    heap.moveTop(later);
    ASSERT_EQ(heap.top().thread == top, stays);
  }
}

/// Where somebody listens every overhead is an event of its own; where nobody does, those during
/// which no other thread acts are none.
TEST(Overheads, MayPassWithoutAnEvent) {
  std::mt19937_64 random(seedOfPrograms(20261123));
  for (std::uint64_t number = 0; number < programsToDraw(600); ++number) {
    SCOPED_TRACE("program " + std::to_string(number));
    Shape shape;
    shape.tasks = number % 2 == 0;
    Program program = drawProgram(random, shape);
    EmulationOptions &options = program.options;
    options.threads = static_cast<unsigned>(2 + random() % 6);
    options.cores = 0;
    options.maxActiveLevels = 1;
    options.overheads = Overheads::typical(options.runtime);
    ticks(program.tree, options);
  }
}

} // namespace
