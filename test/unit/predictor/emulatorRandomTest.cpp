//===- emulatorRandomTest.cpp - Random programs against the reference -----===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parallel Prophet §VII-B: 300 random programs of each pattern, here against a
// plain emulator that shares no code. PROPHET_TEST_SEED draws others.
//
//===----------------------------------------------------------------------===//

#include "emulatorPatterns.h"
#include "emulatorPrograms.h"
#include "emulatorReference.h"
#include "predictor/emulator/Emulator.h"
#include "predictor/emulator/Listener.h"

#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

const int programs = static_cast<int>(programsToDraw(300));

std::uint64_t seed() { return seedOfPrograms(20260711); }

/// A schedule, as a runtime has it.
struct Case {
  Schedule schedule;
  OmpRuntime runtime;
};

constexpr Schedule monotonic{Schedule::Kind::Dynamic, 3, true};
const Case cases[] = {
    {{Schedule::Kind::Static, 0}, OmpRuntime::Libomp},
    {{Schedule::Kind::StaticChunk, 1}, OmpRuntime::Libomp},
    {{Schedule::Kind::StaticChunk, 5}, OmpRuntime::Libomp},
    {{Schedule::Kind::Dynamic, 1}, OmpRuntime::Libgomp},
    {{Schedule::Kind::Dynamic, 3}, OmpRuntime::Libgomp},
    {monotonic, OmpRuntime::Libomp},
    {{Schedule::Kind::Dynamic, 1}, OmpRuntime::Libomp},
    {{Schedule::Kind::Dynamic, 3}, OmpRuntime::Libomp},
    {{Schedule::Kind::Guided, 1}, OmpRuntime::Libgomp},
    {{Schedule::Kind::Guided, 4}, OmpRuntime::Libgomp},
    {{Schedule::Kind::Guided, 1}, OmpRuntime::Libomp},
    {{Schedule::Kind::Guided, 4}, OmpRuntime::Libomp},
    {{Schedule::Kind::Auto, 0}, OmpRuntime::Libomp},
};

EmulationOptions optionsOf(const Case &tested, unsigned threads, unsigned cores) {
  EmulationOptions options;
  options.threads = threads;
  options.cores = cores;
  options.schedule = tested.schedule;
  options.runtime = tested.runtime;
  return options;
}

/// Makes the emulator take the event engine where it would use a closed form.
class Ignore : public EventListener {
  void regionBegins(NodeId, double) override {}
  void interval(const Interval &) override {}
  void regionEnds(double) override {}
};

/// Whether the emulator's time is the reference's, on both engines.
void expectReference(const Tree &tree, const Emulator &emulator, const EmulationOptions &options) {
  const double expected = reference(tree, options).ticks, exact = 1e-9 * expected;
  Ignore ignore;
  EXPECT_NEAR(emulator.runWithoutGains(options).ticks, expected, exact)
      << options.schedule.str() << " on " << options.threads << " threads, " << options.cores
      << " cores";
  EXPECT_NEAR(emulator.run(options, &ignore).ticks, expected, exact) << "by events";
}

/// Programs with `locked` critical sections on 2 to 12 threads.
void compareTest1(double locked, unsigned (*coresFor)(unsigned threads)) {
  std::mt19937_64 random(seed());
  for (int program = 0; program < programs && !testing::Test::HasFailure(); ++program) {
    SCOPED_TRACE("program " + std::to_string(program) + " of seed " + std::to_string(seed()));
    const std::vector<Task> tasks = iterationsOf(drawTest1(random, locked), random);
    TreeMaker make;
    const auto site = make.site();
    make.root({{addSection(make, site, tasks, program % 2 == 0), 1}});
    const Emulator emulator(make.tree);
    for (int run = 0; run < 4; ++run) {
      const Case &tested = cases[random() % std::size(cases)];
      const unsigned threads = 2 + static_cast<unsigned>(random() % 11);
      expectReference(make.tree, emulator, optionsOf(tested, threads, coresFor(threads)));
    }
  }
}

unsigned asMany(unsigned threads) { return threads; }
unsigned aThird(unsigned threads) { return (threads + 2) / 3; }

TEST(Test1, LockFree) { compareTest1(0, asMany); }
TEST(Test1, WithLocks) { compareTest1(0.7, asMany); }
TEST(Test1, WithLocksAndTooFewCores) { compareTest1(0.7, aThird); }

TEST(Test2, InnerLoopsRunOnTheirThreadOrOnATeamOfTheirOwn) {
  std::mt19937_64 random(seed());
  for (int program = 0; program < programs && !testing::Test::HasFailure(); ++program) {
    SCOPED_TRACE("program " + std::to_string(program) + " of seed " + std::to_string(seed()));
    TreeMaker make;
    const auto outer = make.site(), inner = make.site();
    const bool teams = program % 2 == 0; // those only where there are no locks that all ask for
    const Test1 shape = drawTest1(random, teams ? 0 : 0.3);
    std::vector<Child> children;
    for (std::uint64_t k = 0, count = 1 + random() % 12; k < count; ++k) { // Figure 10
      std::vector<Child> parts{{make.u(static_cast<double>(random() % 500)), 1}};
      if (random() % 4 != 0) // do_nested_parallelism
        parts.push_back(
            {addSection(make, inner, iterationsOf(shape, random), program % 3 == 0), 1});
      parts.push_back({make.u(static_cast<double>(random() % 500)), 1});
      children.push_back({make.task(parts), 1});
    }
    make.root({{make.section(outer, children), 1}});
    const Emulator emulator(make.tree);
    for (int run = 0; run < 4; ++run) {
      const Case &tested = cases[random() % std::size(cases)];
      const unsigned threads = 2 + static_cast<unsigned>(random() % 4);
      EmulationOptions options = optionsOf(tested, threads, threads * (teams ? threads : 1));
      options.maxActiveLevels = teams ? 2 : 1;
      expectReference(make.tree, emulator, options);
    }
  }
}

} // namespace
