//===- InnerBurdensTest.cpp - Burden factors of sites inside others -------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorOptions.h"
#include "memoryProgram.h"
#include "predictor/emulator/Emulator.h"
#include "predictor/verbs/ProfileMatch.h"

#include <array>
#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

constexpr std::uint32_t outer = 0, inner = 1;

/// The loop of Program as site `inner`, in each of the two iterations of a loop of each of
/// `around`, and `alone` times outside of them.
std::shared_ptr<const Tree> nestedTree(const std::vector<std::uint32_t> &around, unsigned alone) {
  TreeMaker make;
  for (int site = 0; site < 3; ++site)
    make.site();
  const NodeId loop = make.section(inner, {{make.work(1000), 64}});
  const NodeId iteration = make.task({{loop, 1}});
  std::vector<Child> children;
  for (const std::uint32_t site : around)
    children.push_back({make.section(site, {{iteration, 2}}), 1});
  if (alone > 0)
    children.push_back({loop, alone});
  return std::make_shared<Tree>(make.root(children));
}

/// The loop of Program as site 1, in each of the two iterations of a loop of site 0, whose log has
/// no line.
struct Nested : Program {
  Nested() {
    tree = nestedTree({outer}, 0);
    memmodel::InnerSite &use = profile->inner.emplace_back();
    use.name = "site1";
    use.executions = 2;
    use.log = std::move(profile->log);
    profile->log.emplace().parts = {{0, 2, 0, 0}};
    profile->sites[0].name = "site0";
    profile->sites[0].executions = 1;
    use.kind = profile->sites[0].kind = "parallel_for";
  }

  ProfileMatch match() const { return matchProfile(*tree, outermostUses(*tree), {profile, "p"}); }
  std::shared_ptr<ReplayedBurdens> model() const {
    const ProfileMatch found = match();
    return std::make_shared<ReplayedBurdens>(machine, "m.json", tree, profile, found.known,
                                             std::vector{2u, 4u}, found.inner);
  }
};

EmulationOptions onTwo(Schedule schedule = {}) {
  return optionsWith(OmpRuntime::Libomp, 2, schedule);
}

EmulationOptions onlyInner(Schedule schedule = {}) {
  EmulationOptions options = onTwo(schedule);
  options.onlySite = inner;
  return options;
}

constexpr Schedule inOneChunk{Schedule::Kind::StaticChunk, 64};

} // namespace

TEST(InnerBurdens, AreOfTheSitesOwnLogWhereItAloneIsParallel) {
  const auto model = Nested().model();
  // Every line changes its owner.
  EXPECT_NEAR(model->factors(onlyInner())[inner].at(2), 1.5, 1e-9);
  EXPECT_NEAR(model->whileComputing(onlyInner())[inner].at(2), 1.5, 1e-9);
  EXPECT_NEAR(model->factors(onlyInner(inOneChunk))[inner].at(2), 1, 1e-9);
  EXPECT_TRUE(model->rooflines(onlyInner())[inner]);
}

TEST(InnerBurdens, AreKnownOfThoseSitesAlone) {
  const auto model = Nested().model();
  EXPECT_TRUE(model->knowsAlone(inner));
  EXPECT_FALSE(model->knowsAlone(outer));
}

TEST(InnerBurdens, AreDoubtfulByALogOfFewLines) {
  Nested program;
  program.profile->rate = 1.0 / 64;
  program.profile->sampledLines = 500;
  auto &its = *program.profile->inner[0].log;
  const auto warnings = [&](const EmulationOptions &options, std::size_t lines, double rate) {
    its.places.assign(lines, 0);
    its.rate = rate;
    return program.model()->warnings(options);
  };
  const std::vector<std::string> expected{
      "the memory profile's log of 'site1' has 99 cache lines, 1 of 256, of a run that is too long "
      "for more: what memory does to the speedups may be far off; make it of a shorter one"};
  EXPECT_EQ(warnings(onlyInner(), 99, 1.0 / 256), expected);
  EXPECT_TRUE(warnings(onlyInner(), 100, 1.0 / 256).empty());
  EXPECT_TRUE(warnings(onlyInner(), 99, 1.0 / 64).empty()); // the site uses no more
  EXPECT_TRUE(warnings(onTwo(), 99, 1.0 / 256).empty());    // the log does not count
}

TEST(InnerBurdens, AreNotDoubtfulByTheProgramsLogThatDoesNotCount) {
  Nested program;
  program.profile->log->places.assign(99, 0);
  program.profile->log->rate = 1.0 / 256;
  EXPECT_GT(program.model()->factors(onlyInner())[inner].at(2), 1.1);
  EXPECT_TRUE(program.model()->warnings(onlyInner()).empty());
}

TEST(InnerBurdens, AreReplayedOnTheThreadsThatAreAskedFor) {
  // With five by turns twelve lines do not change their owner, with four and six all do.
  const Nested program;
  const ProfileMatch found = program.match();
  const ReplayedBurdens model(program.machine, "m.json", program.tree, program.profile, found.known,
                              {5}, found.inner);
  EmulationOptions options = onlyInner({Schedule::Kind::StaticChunk, 1});
  options.threads = 5;
  EXPECT_NEAR(model.factors(options)[inner].at(5), 1 + 52 / 128., 1e-9);
}

TEST(InnerBurdens, AreOfATeamOfOneOnlyWhereThatWasAskedFor) {
  const auto model = Nested().model();
  EmulationOptions options = onlyInner();
  options.threads = 1;
  EXPECT_TRUE(model->rooflines(options)[inner]);
  options.onlySite.reset();
  EXPECT_FALSE(model->rooflines(options)[inner]);
  options.threads = 2; // no team is larger than one
  options.sites = {{{}, 1}, {{}, 0}};
  options.exceptSite = inner;
  EXPECT_FALSE(model->rooflines(options)[inner]);
}

TEST(InnerBurdens, HaveTheRestOfTheRunBetweenSections) {
  // 64 lines, read in two sections, each with 100 us before it: a third of both is between the two.
  // Two threads read them again 32 us and that later, one after 64 us and that.
  Nested program;
  TreeMaker make;
  for (int site = 0; site < 3; ++site)
    make.site();
  const NodeId loop = make.section(inner, {{make.work(1000), 64}});
  const NodeId iteration = make.task({{make.u(100e3), 1}, {loop, 1}});
  program.tree = std::make_shared<Tree>(make.root({{make.section(outer, {{iteration, 2}}), 1}}));
  program.profile->log.reset();
  program.readAgain(2, 64, 1, memmodel::AccessClass::Stream);
  program.profile->sites[0].executions = 1;
  program.profile->inner[0].log = std::move(program.profile->log);
  program.profile->log.emplace().parts = {{0, 2, 0, 0}};
  const auto factorWith = [&](double ns) { // for so long a line is kept
    program.machine.caches = {{2, 256, 1}, {3, 1 << 20, 64, 0, {}, {{ns, 1e9}, {1.001 * ns, 64}}}};
    return program.model()->factors(onlyInner())[inner].at(2);
  };
  const double between = 200e3 / 3;
  EXPECT_NEAR(factorWith(0.98 * (32e3 + between)), 1, 1e-9);
  EXPECT_NEAR(factorWith(1.02 * (32e3 + between)), 1 - 64 * (16 / 3.0) / 128e3, 1e-9);
  EXPECT_LT(factorWith(0.98 * (64e3 + between)), 0.998);
  EXPECT_NEAR(factorWith(1.02 * (64e3 + between)), 1, 1e-9);
}

TEST(InnerBurdens, TakeTasksForEqual) {
  // As in MemoryBurdensTest: where tasks are equal they take turns. That they are not outside of
  // the other site says nothing of those inside.
  Nested program;
  TreeMaker make;
  for (int site = 0; site < 3; ++site)
    make.site();
  const NodeId equal = make.section(inner, {{make.work(1000), 4}});
  const NodeId uneven = make.section(inner, {{make.work(3000), 1}, {make.work(1000), 3}});
  program.tree = std::make_shared<Tree>(
      make.root({{make.section(outer, {{make.task({{equal, 1}}), 1}}), 1}, {uneven, 1}}));
  auto &log = *program.profile->inner[0].log;
  log = {};
  for (const auto &lines : {std::array{0u, 1u, 2u, 3u}, {0, 2, 3, 1}}) {
    log.parts.push_back({0, 4, log.tasks.size(), 4});
    for (std::uint64_t task = 0; task < 4; ++task) {
      log.tasks.push_back({task, log.references.size(), 1});
      log.references.push_back({lines[task], memmodel::AccessClass::Stream, true});
    }
  }
  EmulationOptions options = onlyInner({Schedule::Kind::Dynamic, 1});
  options.runtime = OmpRuntime::Libgomp;
  EXPECT_GT(program.model()->factors(options)[inner].at(2), 1.001);
}

TEST(InnerBurdens, AreNoneWhereASiteAroundItIsParallel) {
  const auto model = Nested().model();
  EXPECT_TRUE(model->factors(onTwo())[inner].empty());
  EXPECT_NEAR(model->factors(onTwo())[outer].at(2), 1, 1e-9);
  EmulationOptions options = onTwo();
  options.onlySite = outer;
  EXPECT_TRUE(model->factors(options)[inner].empty());
  options.onlySite.reset();
  options.exceptSite = inner;
  EXPECT_TRUE(model->factors(options)[inner].empty());
}

TEST(InnerBurdens, CountWhereTheSitesAroundItAreLeftSerial) {
  const auto model = Nested().model();
  EmulationOptions options = onTwo();
  options.exceptSite = outer;
  EXPECT_NEAR(model->factors(options)[inner].at(2), 1.5, 1e-9);
  options.exceptSite.reset();
  options.sites = {{{}, 1}, {{}, 0}};
  EXPECT_NEAR(model->factors(options)[inner].at(2), 1.5, 1e-9);
  options.sites[inner].schedule = inOneChunk;
  EXPECT_NEAR(model->factors(options)[inner].at(2), 1, 1e-9);
  options.sites[outer].numThreads = 2;
  EXPECT_TRUE(model->factors(options)[inner].empty());
}

TEST(InnerBurdens, BurdenAnEmulatedRun) {
  const Nested program;
  const Emulator emulator(*program.tree);
  EmulationOptions options = onlyInner();
  options.useBurden = true;
  options.burdenModel = program.model();
  EXPECT_NEAR(emulator.run(options).ticks, 64e3 * 1.5, 1e-6);
  options.onlySite.reset();
  EXPECT_NEAR(emulator.run(options).ticks, 64e3, 1e-6); // two iterations of the outer loop
  options.exceptSite = outer;
  EXPECT_NEAR(emulator.run(options).ticks, 64e3 * 1.5, 1e-6);
}

TEST(InnerBurdens, CountForItsGain) {
  Nested program;
  const Emulator emulator(*program.tree);
  EmulationOptions options = onTwo();
  options.useBurden = true;
  options.burdenModel = program.model();
  const Estimate estimate = emulator.run(options);
  EXPECT_NEAR(estimate.sites[outer].gain, 2, 1e-9);
  EXPECT_NEAR(estimate.sites[inner].gain, 2 / 1.5, 1e-9);
  program.profile->inner.clear();
  options.burdenModel = program.model();
  EXPECT_NEAR(emulator.run(options).sites[inner].gain, 2, 1e-9);
}

TEST(InnerBurdens, AreOthersWhereASharedCacheKeepsMoreOrLess) {
  // As in MemoryBurdensTest: 64 lines, four times, which two threads find again, one does not.
  Nested program;
  program.readAgain(4, 64, 1, memmodel::AccessClass::Stream);
  program.profile->inner[0].log = std::move(program.profile->log);
  program.profile->inner[0].executions = 4;
  program.profile->log.emplace().parts = {{0, 2, 0, 0}};
  program.machine.caches = {{2, 256, 1},
                            {3, 1 << 20, 64, 0, {}, {{40e3, 110 * 64}, {41e3, 640}}, 1.5}};
  const auto model = program.model();
  const auto factorOf = [](const BurdenModel &of) { return of.factors(onlyInner())[inner].at(2); };
  const auto others = model->otherCaches();
  ASSERT_EQ(others.size(), 2u);
  EXPECT_NEAR(factorOf(*model), 1 - 192 * (16 / 3.0) / 256e3, 1e-9);
  EXPECT_GT(factorOf(*others[0]), factorOf(*model) + 1e-4); // fewer, and for less long
  EXPECT_EQ(factorOf(*others[1]), factorOf(*model));        // which finds all
}

/// The program of Nested, and the loop of `inner` once more, outside of the other one.
struct Mixed : Nested {
  Mixed() {
    tree = nestedTree({outer}, 1);
    memmodel::SiteUse &use = profile->sites.emplace_back(profile->sites[0]);
    use.name = "site1";
    profile->inner[0].executions = 3;
    profile->log->parts.push_back({1, 64, 0, 0}); // of which the log has no line
  }
};

TEST(InnerBurdens, CountForTheGainOfASiteThatIsAlsoOutermost) {
  const Mixed program;
  const Emulator emulator(*program.tree);
  EmulationOptions options = onTwo();
  options.useBurden = true;
  options.burdenModel = program.model();
  EXPECT_NEAR(options.burdenModel->factors(options)[inner].at(2), 1, 1e-9);
  const Estimate all = emulator.run(options);
  EXPECT_NEAR(all.ticks, 64e3 + 32e3, 1e-6);
  options.onlySite = inner;
  const Estimate alone = emulator.run(options);
  EXPECT_NEAR(options.burdenModel->factors(options)[inner].at(2), 4 / 3.0, 1e-9); // of three
  EXPECT_NEAR(alone.speedup, 1.5, 1e-9);
  EXPECT_EQ(all.sites[inner].gain, alone.speedup);
  EXPECT_EQ(alone.sites[inner].gain, alone.speedup);
}

/// The loop runs inside a team of one and a team of two: no factors are right for both.
TEST(InnerBurdens, DoNotBurdenARunForTheSakeOfGains) {
  Nested program;
  program.tree = nestedTree({outer, 2}, 0);
  const Emulator emulator(*program.tree);
  EmulationOptions options = onTwo();
  options.useBurden = true;
  options.burdenModel = program.model();
  options.sites = {{{}, 1}, {{}, 0}, {{}, 0}};
  EXPECT_EQ(emulator.run(options).speedup, emulator.speedup(options));
  EXPECT_EQ(emulator.run(options).speedup, emulator.runWithoutGains(options).speedup);
  options.sites[2].numThreads = 1;
  EXPECT_NEAR(emulator.run(options).ticks, 2 * 64e3 * 1.5, 1e-6);
  EXPECT_EQ(emulator.run(options).speedup, emulator.speedup(options));
}

TEST(ProfileMatch, HasTimesAndWarningsOfInnerSites) {
  Nested program;
  ProfileMatch match = program.match();
  EXPECT_TRUE(match.warnings.empty());
  ASSERT_EQ(match.inner.size(), 1u);
  EXPECT_EQ(match.inner[0].known.site, inner);
  EXPECT_EQ(match.inner[0].known.serialNs, 128e3);
  EXPECT_EQ(match.inner[0].around.beforeNs, 0);
  EXPECT_EQ(match.inner[0].enclosers, std::vector{outer});
  program.profile->inner[0].executions = 3;
  program.profile->inner[0].log->complete = false;
  match = program.match();
  EXPECT_EQ(match.inner[0].known.serialNs, 192e3);
  ASSERT_EQ(match.warnings.size(), 2u);
  EXPECT_EQ(
      match.warnings[0],
      "p: ran 'site1' (:0) another number of times than the tree's run, or with other numbers "
      "of iterations; use the same input for both");
  EXPECT_EQ(match.warnings[1], "p: has no log of the whole run of 'site1' (:0) where that alone is "
                               "parallel: each thread's misses are the serial run's there");
  program.profile->inner[0].line = 7; // another site
  match = program.match();
  EXPECT_TRUE(match.inner.empty());
  ASSERT_EQ(match.warnings.size(), 1u);
  EXPECT_EQ(match.warnings[0], "p: has nothing of 'site1' (:0) where that alone is parallel, which "
                               "memory does not slow down there; a profile has room for 7 of "
                               "them");
  program.profile->inner.clear();
  EXPECT_TRUE(program.match().warnings[0].ends_with("down there; make the profile anew"));
}

TEST(InnerUses, AreOfTheExecutionsOutsideOfEachOther) {
  // a { b { 5, b { 10 } } x 3, 4 } x 2, b { 10 }, 20, with c { b } that never runs
  TreeMaker make;
  const auto a = make.site(), b = make.site(), c = make.site();
  const NodeId leaf = make.section(b, {{make.work(10), 1}});
  make.section(c, {{make.task({{leaf, 1}}), 1}});
  const NodeId nested = make.section(b, {{make.task({{make.u(5), 1}, {leaf, 1}}), 1}});
  const NodeId task = make.task({{nested, 3}, {make.u(4), 1}});
  const Tree tree = make.root({{make.section(a, {{task, 2}}), 1}, {leaf, 1}, {make.work(20), 1}});
  const OwnExecutions own = ownExecutions(tree, b);
  EXPECT_EQ(own.count, 7);
  EXPECT_EQ(own.ticks, 6 * 15 + 10);
  EXPECT_EQ(own.enclosers, std::vector{a});
  EXPECT_TRUE(ownExecutions(tree, a).enclosers.empty());
  EXPECT_EQ(ownExecutions(tree, c).count, 0);
  memmodel::InnerSite use;
  use.executions = 14;
  const InnerUse found = innerUse(tree, b, own, use);
  EXPECT_DOUBLE_EQ(found.known.serialNs, 200);
  EXPECT_DOUBLE_EQ(found.around.beforeNs, 28.0 / 8); // what is left, in shares around seven
  EXPECT_DOUBLE_EQ(found.around.betweenNs, 28.0 / 8);
}
