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
#include "predictor/emulator/Emulator.h"
#include "predictor/emulator/Listener.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

constexpr int programs = 300;

std::uint64_t seed() {
  const char *given = std::getenv("PROPHET_TEST_SEED");
  return given ? std::strtoull(given, nullptr, 10) : 20260711;
}

/// A schedule, and what the reference calls it.
struct Case {
  Schedule schedule;
  OmpRuntime runtime;
  Policy policy;
};

const Case cases[] = {
    {{Schedule::Kind::Static, 0}, OmpRuntime::Libomp, Policy::Static},
    {{Schedule::Kind::StaticChunk, 1}, OmpRuntime::Libomp, Policy::StaticChunk},
    {{Schedule::Kind::StaticChunk, 5}, OmpRuntime::Libomp, Policy::StaticChunk},
    {{Schedule::Kind::Dynamic, 1}, OmpRuntime::Libgomp, Policy::Queue},
    {{Schedule::Kind::Dynamic, 3}, OmpRuntime::Libgomp, Policy::Queue},
    {{Schedule::Kind::Dynamic, 1}, OmpRuntime::Libomp, Policy::Steal},
    {{Schedule::Kind::Dynamic, 3}, OmpRuntime::Libomp, Policy::Steal},
    {{Schedule::Kind::Guided, 1}, OmpRuntime::Libgomp, Policy::GuidedGnu},
    {{Schedule::Kind::Guided, 4}, OmpRuntime::Libgomp, Policy::GuidedGnu},
    {{Schedule::Kind::Guided, 1}, OmpRuntime::Libomp, Policy::GuidedLlvm},
    {{Schedule::Kind::Guided, 4}, OmpRuntime::Libomp, Policy::GuidedLlvm},
    {{Schedule::Kind::Auto, 0}, OmpRuntime::Libomp, Policy::AutoLlvm},
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

/// Whether the emulator's time for `tasks` is the reference's, on both engines.
void expectReference(const Emulator &emulator, const std::vector<Task> &tasks, const Case &tested,
                     unsigned threads, unsigned cores) {
  const EmulationOptions options = optionsOf(tested, threads, cores);
  const std::size_t chunk = std::max<std::size_t>(1, tested.schedule.chunk);
  const double expected = referenceTime(tasks, tested.policy, chunk, static_cast<int>(threads),
                                        static_cast<int>(cores));
  const double exact = 1e-9 * expected;
  Ignore ignore;
  EXPECT_NEAR(emulator.run(options).ticks, expected, exact)
      << tested.schedule.str() << " on " << threads << " threads, " << cores << " cores";
  EXPECT_NEAR(emulator.run(options, &ignore).ticks, expected, exact) << "by events";
}

/// `count` programs with `locked` critical sections on 2 to 12 threads.
void compareTest1(double locked, unsigned (*coresFor)(unsigned threads)) {
  std::mt19937_64 random(seed());
  for (int program = 0; program < programs && !testing::Test::HasFailure(); ++program) {
    SCOPED_TRACE("program " + std::to_string(program) + " of seed " + std::to_string(seed()));
    const std::vector<Task> tasks = iterationsOf(drawTest1(random, locked), random);
    TreeMaker make;
    const auto site = make.site();
    make.root({{addSection(make, site, tasks, program % 2 == 0), 1}});
    const Emulator emulator(make.tree);
    for (const Case &tested : cases)
      for (unsigned threads = 2; threads <= 12; ++threads)
        expectReference(emulator, tasks, tested, threads, coresFor(threads));
  }
}

unsigned asMany(unsigned threads) { return threads; }
unsigned aThird(unsigned threads) { return (threads + 2) / 3; }

TEST(Test1, LockFree) { compareTest1(0, asMany); }
TEST(Test1, WithLocks) { compareTest1(0.7, asMany); }
TEST(Test1, WithLocksAndTooFewCores) { compareTest1(0.7, aThird); }

TEST(Test1, LoopsWithSettingsOfTheirOwn) {
  // Three loops in a row, each with one of the schedules that libomp has and a team of its own.
  std::mt19937_64 random(seed());
  std::vector<Case> own;
  for (Case tested : cases) {
    if (tested.policy == Policy::GuidedGnu)
      continue;
    tested.schedule.monotonic = tested.policy == Policy::Queue;
    own.push_back(tested);
  }
  for (int program = 0; program < programs && !testing::Test::HasFailure(); ++program) {
    SCOPED_TRACE("program " + std::to_string(program) + " of seed " + std::to_string(seed()));
    EmulationOptions options;
    options.threads = 1 + static_cast<unsigned>(program) % 9;
    options.cores = program % 3 == 0 ? aThird(options.threads) : options.threads;
    TreeMaker make;
    std::vector<Child> loops;
    double expected = 0;
    for (int loop = 0; loop < 3; ++loop) {
      const Case &tested = own[random() % own.size()];
      const unsigned wanted = static_cast<unsigned>(random() % 12);
      const unsigned team = wanted == 0 ? options.threads : std::min(wanted, options.threads);
      const std::vector<Task> tasks = iterationsOf(drawTest1(random, 0.3), random);
      options.sites.push_back({tested.schedule, wanted});
      loops.push_back({addSection(make, make.site(), tasks, program % 2 == 0), 1});
      expected +=
          referenceTime(tasks, tested.policy, std::max<std::size_t>(1, tested.schedule.chunk),
                        static_cast<int>(team), static_cast<int>(options.cores));
    }
    const Tree &tree = make.root(loops);
    Ignore ignore;
    EXPECT_NEAR(emulate(tree, options).ticks, expected, 1e-9 * expected);
    EXPECT_NEAR(Emulator(tree).run(options, &ignore).ticks, expected, 1e-9 * expected);
  }
}

TEST(Test2, InnerLoopsRunOnTheirThread) {
  std::mt19937_64 random(seed());
  for (int program = 0; program < programs && !testing::Test::HasFailure(); ++program) {
    TreeMaker make;
    const auto outer = make.site(), inner = make.site();
    const Test1 shape = drawTest1(random, 0.3);
    std::vector<Task> written; // Figure 10 with the inner loop's iterations in a row
    std::vector<Child> children;
    for (std::uint64_t k = 0, count = 1 + random() % 12; k < count; ++k) {
      const auto a = static_cast<double>(random() % 500), b = static_cast<double>(random() % 500);
      Task task{{-1, a}};
      std::vector<Child> parts{{make.u(a), 1}};
      if (random() % 4 != 0) { // do_nested_parallelism
        const std::vector<Task> tasks = iterationsOf(shape, random);
        parts.push_back({addSection(make, inner, tasks, program % 2 == 0), 1});
        for (const Task &iteration : tasks)
          task.insert(task.end(), iteration.begin(), iteration.end());
      }
      task.push_back({-1, b});
      parts.push_back({make.u(b), 1});
      written.push_back(task);
      children.push_back({make.task(parts), 1});
    }
    make.root({{make.section(outer, children), 1}});
    const Emulator emulator(make.tree);
    for (const Case &tested : cases)
      for (unsigned threads : {2u, 3u, 8u})
        expectReference(emulator, written, tested, threads, threads);
  }
}

TEST(Test2, InnerTeamsOfALockFreeLoop) {
  // With a core for every thread of every team, an inner loop is a task of its own team's time.
  std::mt19937_64 random(seed());
  for (int program = 0; program < programs && !testing::Test::HasFailure(); ++program) {
    const Case &tested = cases[program % std::size(cases)];
    const unsigned threads = 2 + static_cast<unsigned>(program) % 4;
    const std::size_t chunk = std::max<std::size_t>(1, tested.schedule.chunk);
    TreeMaker make;
    const auto outer = make.site(), inner = make.site();
    std::vector<Task> written;
    std::vector<Child> children;
    for (std::uint64_t k = 0, count = 1 + random() % 12; k < count; ++k) {
      const std::vector<Task> tasks = iterationsOf(drawTest1(random, 0), random);
      const double time = referenceTime(tasks, tested.policy, chunk, static_cast<int>(threads),
                                        static_cast<int>(threads));
      written.push_back({{-1, time}});
      children.push_back({make.task({{addSection(make, inner, tasks, false), 1}}), 1});
    }
    make.root({{make.section(outer, children), 1}});
    EmulationOptions options = optionsOf(tested, threads, threads * threads);
    options.maxActiveLevels = 2;
    const double expected = referenceTime(written, tested.policy, chunk, static_cast<int>(threads),
                                          static_cast<int>(threads));
    EXPECT_NEAR(emulate(make.tree, options).ticks, expected, 1e-9 * expected) << program;
  }
}

} // namespace
