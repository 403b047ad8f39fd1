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
  for (TeamCost *cost : {&costs.tasks.create, &costs.tasks.steal, &costs.tasks.wait})
    *cost = byTeam();
  return costs;
}

/// Gives `program` costs, and threads that sleep at once, never or after a while.
void drawCosts(Program &program, std::mt19937_64 &random) {
  const double tick = 1e9 / program.tree.timebaseHz;
  program.options.overheads = drawOverheads(random, tick);
  const double times[] = {0, std::numeric_limits<double>::infinity(),
                          static_cast<double>(random() % 20000) * tick};
  program.options.givenBlockTime = times[random() % 3];
}

TEST_P(RealCharges, AreThoseOfTreesOfAnyShape) {
  expectRandomTreesAlike(20261125, GetParam(), executor, drawCosts);
}

TEST_P(RealCharges, AreThoseOfTasksOfAnyShape) {
  expectRandomTasksAlike(20261126, GetParam() == OmpRuntime::Libomp, executor, drawCosts,
                         [](Program &program) {
                           program.options.runtime = GetParam();
                           program.options.paradigm = Paradigm::OpenMP;
                         });
}

/// A cost may be far longer than a program that it is not a cost of.
TEST_P(RealCharges, LeaveProgramsWithoutRegionsAlone) {
  TreeMaker make;
  make.site(SiteKind::ParallelFor);
  make.root({{make.work(1), 3}});
  Program program{make.tree, {}};
  program.options.runtime = GetParam();
  program.options.overheads = Overheads::typical(GetParam());
  EXPECT_EQ(emulate(program.tree, program.options).ticks, 3);
  EXPECT_EQ(realTime(program, executor), 3);
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

TEST(TbbCharges, AreThoseOfTasksOfAnyShape) {
  const std::string executor = PROPHET_EXECUTORS "/tbb-executor";
  if (!std::filesystem::exists(executor))
    GTEST_SKIP() << "no oneTBB was there";
  expectRandomTasksAlike(20261127, true, executor, drawCosts, [](Program &program) {
    program.options.paradigm = Paradigm::Tbb;
    program.options.maxActiveLevels = 1;
  });
}

INSTANTIATE_TEST_SUITE_P(All, RealCharges, testing::Values(OmpRuntime::Libomp, OmpRuntime::Libgomp),
                         [](const auto &info) { return std::string(runtimeName(info.param)); });

} // namespace
