//===- synthesizerChargesTest.cpp - Real runtimes, charged by a table -----===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In virtual time the real runtimes pay for their constructs by the emulator's table,
// at moments that they decide: the emulator has to have found the same.
//
//===----------------------------------------------------------------------===//

#include "emulatorPatterns.h"
#include "synthesizerPrograms.h"

#include <filesystem>
#include <limits>

using namespace prophet;
using namespace prophet::test;

namespace {

class RealCharges : public testing::TestWithParam<OmpRuntime> {
protected:
  const std::string executor = PROPHET_EXECUTORS "/" + executorName(GetParam());

  void SetUp() override {
    if (!std::filesystem::exists(executor))
      GTEST_SKIP() << "no compiler for " << runtimeName(GetParam()) << " was there";
  }
};

/// Draws what constructs cost, in ticks: on the whole about as much as a task or far less.
Overheads drawOverheads(std::mt19937_64 &random, double tick) {
  const std::uint64_t most = random() % 2 ? 50 : 5000;
  const auto ns = [&] { return static_cast<double>(random() % most) * tick; };
  const auto byTeam = [&] { return TeamCost({{1, ns()}, {2, ns()}, {5, ns()}}); };
  Overheads costs;
  for (WaitCosts *wait : {&costs.active, &costs.passive})
    for (TeamCost *cost : {&wait->fork, &wait->join, &wait->lockHandoff})
      *cost = byTeam();
  for (LoopCosts *loop :
       {&costs.staticBlock, &costs.staticChunk, &costs.queue, &costs.steal, &costs.guided}) {
    loop->start = byTeam();
    loop->chunk = byTeam();
    if (random() % 2)
      loop->interval = byTeam();
  }
  costs.lockPair = ns();
  costs.serializedRegion = ns();
  return costs;
}

TEST_P(RealCharges, AreThoseOfTreesOfAnyShape) {
  expectRandomTreesAlike(
      20261125, GetParam(), executor, [&](Program &program, std::mt19937_64 &random) {
        EmulationOptions &options = program.options;
        options.runtime = GetParam(); // whose block time is given below
        options.overheads = drawOverheads(random, 1e9 / program.tree.timebaseHz);
        options.givenBlockTime = random() % 2 ? std::numeric_limits<double>::infinity() : 0;
      });
}

/// Where creating tasks, stealing them and waiting for them costs what built-in tables say.
TEST_P(RealCharges, AreThoseOfTasks) {
  std::mt19937_64 random(3);
  for (const Tree &tree : {drawFlatTasksProgram(random, 0), drawFourierProgram(random)})
    for (unsigned threads : {1u, 2u}) {
      Program program{tree, {}};
      program.options.runtime = GetParam();
      program.options.threads = threads;
      const double free = emulate(program.tree, program.options).ticks;
      program.options.overheads = Overheads::typical(GetParam());
      program.options.overheads.baseSlice = 0; // cores are shared evenly
      const double expected = emulate(program.tree, program.options).ticks;
      EXPECT_LT(free, 0.999 * expected);
      EXPECT_NEAR(realTime(program, executor), expected, 1e-9 * expected) << threads;
    }
}

INSTANTIATE_TEST_SUITE_P(All, RealCharges, testing::Values(OmpRuntime::Libomp, OmpRuntime::Libgomp),
                         [](const auto &info) { return std::string(runtimeName(info.param)); });

} // namespace
