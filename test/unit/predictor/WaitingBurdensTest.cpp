//===- WaitingBurdensTest.cpp - What of a profiled loop is waiting --------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorOptions.h"
#include "memoryProgram.h"

#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

TEST(ReplayedBurdens, HaveIrregularLinesOneByOneWhereTheyAreFew) {
  Program program;
  for (memmodel::Reference &reference : program.profile->log->references)
    reference.accessClass = memmodel::AccessClass::Irregular;
  const auto factor = [&] {
    return program.burdens()->factors(optionsWith(OmpRuntime::Libomp, 2, {}))[0].at(2);
  };
  // 64 lines change hands, each in a microsecond, of 128; five are under way at once.
  EXPECT_NEAR(factor(), 1 + 64. / 5 / 128, 1e-9);
  program.machine.memory->sparseGbs = 1.3; // 0.625 in 64 accesses besides: 40 for each
  EXPECT_NEAR(factor(), 1 + 64. / 5 / 128, 1e-9);
  program.profile->sites[0].reads = 2560; // with as many from memory, one in twenty
  EXPECT_NEAR(factor(), 1 + 64. / 3 / 128, 1e-9);
}

TEST(ReplayedBurdens, HideStreamsBehindWhatIsComputed) {
  // 2000 lines, from the shared cache the second time, or 1000 each in a thread's own.
  Program program;
  program.readAgain(2, 2, 1000, memmodel::AccessClass::Stream);
  program.machine.memory->sharedCacheGbs = 2;
  program.machine.memory->sharedStreamGbs = 2; // 32 ns a line, 64 us of the second pass
  const auto factor = [&] {
    return program.burdens()->factors(optionsWith(OmpRuntime::Libomp, 2, {}))[0].at(2);
  };
  EXPECT_NEAR(factor(), 1 - 64. / 128, 1e-9);
  program.machine.memory->sharedOverlap = {{0.5, 0.5}}; // more is computed
  EXPECT_NEAR(factor(), 1 - 64. / 128 * 0.5, 1e-9);
}

TEST(ReplayedBurdens, HideMoreOfStreamsInLockStep) {
  // 32 ns a line as of one stream, which two show half of.
  Program program;
  program.readAgain(2, 50, 40, memmodel::AccessClass::Stream);
  program.machine.memory->sharedCacheGbs = program.machine.memory->sharedStreamGbs = 2;
  program.machine.memory->together = {2, 12, {}, {{0.5, 0.5}}};
  const auto factor = [&] {
    return program.burdens()->factors(optionsWith(OmpRuntime::Libomp, 2, {}))[0].at(2);
  };
  EXPECT_NEAR(factor(), 1 - 64. / 128, 1e-9);       // where lines are is not known
  for (std::uint32_t line = 0; line < 2000; ++line) // two arrays
    program.profile->log->places.push_back(line / 2 + line % 2 * 5000);
  EXPECT_NEAR(factor(), 1 - 64. / 128 * 0.5, 1e-9);
}

TEST(ReplayedBurdens, LeaveTimeForWhatIsNoWaiting) {
  Program program;
  program.machine.memory->sharedCacheGbs = 0.064; // a microsecond a line
  program.machine.frequencyHz = 1e9;
  program.profile->sites[0].reads = 100e3; // 50 us at least, of 128
  program.profile->log.reset();
  memmodel::ClassUse &use = program.profile->sites[0].classes[2];
  use.reuse.add(2000, 2000, 1000); // 1000 hits in the shared cache
  const auto burdens = program.burdens();
  const EmulationOptions options = optionsWith(OmpRuntime::Libomp, 2, {});
  EXPECT_NEAR(burdens->factors(options)[0].at(2), 1, 1e-9);
  EXPECT_TRUE(burdens->warnings(options).empty());
  program.machine.frequencyHz = 3e9; // does not count where accesses were measured
  program.machine.memory->accessesPerNs = 2;
  use = {};
  // two passes of half of 2000 lines each, by one task each
  program.readAgain(2, 2, 1000, memmodel::AccessClass::Irregular);
  const auto replayed = program.burdens();
  // alone 2000 hits, at 128 us at most of which 50 are no waiting; together none
  const double factor = replayed->factors(options)[0].at(2);
  EXPECT_GE(factor, 50.0 / 128 - 1e-9);
  EXPECT_LT(factor, 0.5);
  ASSERT_EQ(replayed->warnings(options).size(), 1u);
  EXPECT_NE(replayed->warnings(options)[0].find("'site0'"), std::string::npos);
}

TEST(ReplayedBurdens, LeaveTimeForInstructionsAndChains) {
  // 2000 irregular hits in the shared cache alone, none together: all 128 us are waiting, but for
  // what is executed.
  Program program;
  program.machine.memory->sharedCacheGbs = 0.064;
  program.machine.memory->accessesPerNs = 2;
  program.readAgain(2, 2, 1000, memmodel::AccessClass::Irregular);
  memmodel::SiteUse &use = program.profile->sites[0];
  use.reads = 8000;
  const auto factor = [&] {
    return program.burdens()->factors(optionsWith(OmpRuntime::Libomp, 2, {}))[0].at(2);
  };
  const double others = factor() * 128 - 4; // of the lines that are new to both
  use.instructions = 80e3;                  // of which four take as long as three accesses: 30 us
  EXPECT_NEAR(factor(), (30 + others * (128 - 30) / (128 - 4)) / 128, 1e-9);
  use.chained = 50e3; // has no effect where it is not known how long one takes
  EXPECT_NEAR(factor(), (30 + others * (128 - 30) / (128 - 4)) / 128, 1e-9);
  program.machine.memory->additionNs = 1;
  EXPECT_NEAR(factor(), (50 + others * (128 - 50) / (128 - 4)) / 128, 1e-9);
  use.chained = 500e3; // more than it took
  EXPECT_NEAR(factor(), 1, 1e-9);
}
