//===- SerialTrafficTest.cpp - Burden factors without a log ---------------===//
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

namespace {

EmulationOptions onTwo() { return optionsWith(OmpRuntime::Libomp, 2, {}); }

/// 2000 irregular lines from memory, and again from the shared cache, or from two threads' own: 32
/// us and two milliseconds in 128 us, which are scaled down to what is no waiting.
struct Fitted : Program {
  Fitted() {
    machine.memory->sharedCacheGbs = 0.064;
    readAgain(2, 2, 1000, memmodel::AccessClass::Irregular);
  }
  static double withLeast(double us) { return (us + (128 - us) * 32 / 2032) / 128; }
  double factor() const { return burdens()->factors(onTwo())[0].at(2); }
  bool warns() const { return !burdens()->warnings(onTwo()).empty(); }
};

} // namespace

TEST(ReplayedBurdens, WithoutALogAreOfWhatEachCacheLacks) {
  // 40 us of lines from memory and 88 us of those from the shared cache, twice what it takes: alone
  // they move 625 MB/s. 1 GB/s takes 1.8 times as long, which is what two threads come to.
  Program program;
  program.profile->log.reset();
  auto &memory = *program.machine.memory;
  memory.curves = {{1, {{0, 80}, {0.625, 80}, {1, 144}, {2, 400}}}};
  memory.classGbs = {12, 6, 4, 0.8};
  memory.sharedCacheGbs = 64 / 88.;
  memory.sharedStreamGbs = 64 / 44.;
  memmodel::SiteUse &use = program.profile->sites[0];
  memmodel::ClassUse &chase = use.classes[3], &stream = use.classes[0];
  chase.cold = 500;
  chase.reuse.add(2000, 2000, 500); // a thread has 1024 lines, all have 16384
  stream.reuse.add(2000, 2000, 1000);
  use.writebacks.add(2000, 2000, 300);
  use.writebacks.add(100000, 100000, 125);
  EmulationOptions options = onTwo();
  const auto burdens = program.burdens({2}, 64e3);
  EXPECT_NEAR(burdens->factors(options)[0].at(2), 80 / 64., 1e-9);
  EXPECT_NEAR(burdens->rooflines(options)[0]->gbs, 1, 1e-9);
  options.cores = 1; // which they take turns on
  EXPECT_NEAR(burdens->factors(options)[0].at(2), 1, 1e-9);
}

TEST(ReplayedBurdens, LeaveTimeForTwoAccessesACycleWhereNothingWasMeasured) {
  Fitted program;
  program.machine.frequencyHz = 1e9;
  program.profile->sites[0].reads = 40e3;
  program.profile->sites[0].writes = 20e3;
  EXPECT_NEAR(program.factor(), Fitted::withLeast(30), 1e-9);
  program.machine.frequencyHz = 0; // as 3 GHz
  EXPECT_NEAR(program.factor(), Fitted::withLeast(10), 1e-9);
  program.profile->sites[0].chained = 50e3;
  program.machine.memory->additionNs = 1;
  EXPECT_NEAR(program.factor(), Fitted::withLeast(50), 1e-9);
}

TEST(ReplayedBurdens, WarnOfMoreStallsThanTimeWhereTheyGainMuch) {
  Fitted program;
  program.machine.memory->accessesPerNs = 1;
  program.profile->sites[0].reads = 90e3;
  EXPECT_NEAR(program.factor(), Fitted::withLeast(90), 1e-9); // below 0.8
  EXPECT_TRUE(program.warns());
  program.profile->sites[0].reads = 110e3;
  EXPECT_NEAR(program.factor(), Fitted::withLeast(110), 1e-9);
  EXPECT_FALSE(program.warns());
  program.profile->sites[0].reads = 0;
  program.machine.memory->sharedCacheGbs = 2; // 64 us and those 32: no more than it took
  EXPECT_NEAR(program.factor(), 0.5, 1e-9);
  EXPECT_FALSE(program.warns());
}
