//===- emulatorRefusalsTest.cpp - What is not emulated -------------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emulatorPatterns.h"
#include "predictor/emulator/Emulator.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace prophet;
using namespace prophet::test;

namespace {

EmulationOptions on(unsigned threads, Schedule schedule = {}) {
  EmulationOptions options;
  options.threads = threads;
  options.schedule = schedule;
  return options;
}

std::string refusal(const Tree &tree, const EmulationOptions &options) {
  const auto error = unsupported(tree, options);
  return error ? error->message : "";
}

TEST(Refusals, NameTheCure) {
  TreeMaker make;
  const Tree &tree = make.root({{make.loop({1}), 1}});
  EXPECT_EQ(refusal(tree, on(2)), "");
  EXPECT_NE(refusal(tree, on(0)).find("ask for 1 to"), std::string::npos);
  EXPECT_NE(refusal(tree, on(2, {Schedule::Kind::Dynamic, 0})).find("dynamic,1"),
            std::string::npos);
  EmulationOptions options = on(2);
  options.maxActiveLevels = 0;
  EXPECT_NE(refusal(tree, options).find("--max-active-levels 1"), std::string::npos);
  options = on(2);
  options.onlySite = 1;
  EXPECT_NE(refusal(tree, options).find("prophet tree"), std::string::npos);
}

TEST(Refusals, TeamsInsideTeamsWithoutEnd) {
  TreeMaker make;
  const auto site = make.site();
  NodeId task = make.work(1);
  for (int level = 0; level < 40; ++level)
    task = make.task({{make.section(site, {{task, 2}}), 1}});
  make.root({{make.section(site, {{task, 2}}), 1}});
  EmulationOptions options = on(16);
  EXPECT_EQ(refusal(make.tree, options), "");
  options.maxActiveLevels = 2;
  EXPECT_EQ(refusal(make.tree, options), "");
  options.maxActiveLevels = 50;
  EXPECT_EQ(refusal(make.tree, options),
            "teams inside teams could be over a billion threads at once, and 1048576 can be "
            "emulated; ask for fewer --threads, or for --max-active-levels 5");
  options.maxActiveLevels = 6;
  EXPECT_NE(refusal(make.tree, options).find("could be 16777216 threads"), std::string::npos);
  options.maxActiveLevels = 5;
  EXPECT_EQ(refusal(make.tree, options), "");
  options.maxActiveLevels = 50;
  options.exceptSite = site;
  EXPECT_EQ(refusal(make.tree, options), "");
}

TEST(Refusals, NotOfDeepRecursionsWithFewThreads) {
  TreeMaker make;
  const auto site = make.site();
  const NodeId leaf = make.work(1);
  NodeId task = leaf;
  for (int level = 0; level < 20'000; ++level)
    task = make.task({{make.section(site, {{task, 1}, {leaf, 1}}), 1}});
  make.root({{make.section(site, {{task, 2}}), 1}});
  EmulationOptions options = on(2);
  options.maxActiveLevels = 1u << 30;
  EXPECT_EQ(refusal(make.tree, options), "");
}

TEST(Refusals, LocksTakenInACircle) {
  TreeMaker make;
  const auto site = make.site();
  const auto inside = [&](std::uint32_t outer, std::uint32_t inner) {
    return Child{make.task({{make.l(outer, {{make.l(inner, 1), 1}}), 1}}), 1};
  };
  const Child ab = inside(0, 1), bc = inside(1, 2), ac = inside(0, 2);
  make.root({{make.section(site, {ab, bc, ac}), 1}});
  EXPECT_EQ(refusal(make.tree, on(2)), "");
  const Child ca = inside(2, 0);
  make.root({{make.section(site, {ab, bc, ca}), 1}});
  EXPECT_NE(refusal(make.tree, on(2)).find("deadlock"), std::string::npos);
}

TEST(Refusals, LocksTakenInACircleByThreadsThatNeverMeet) {
  TreeMaker make;
  const auto site = make.site(), first = make.site();
  make.tree.sites[first].nowait = true;
  const NodeId ab = make.l(0, {{make.l(1, 1), 1}}), ba = make.l(1, {{make.l(0, 1), 1}});
  const NodeId abTask = make.task({{ab, 1}}), baTask = make.task({{ba, 1}});
  const auto loop = [&](std::uint32_t of, NodeId task) { return make.section(of, {{task, 4}}); };
  const auto refused = [&](const std::vector<Child> &program, unsigned threads = 2) {
    make.root(program);
    return refusal(make.tree, on(threads));
  };
  // In serial code, in two regions, in one iteration.
  EXPECT_EQ(refused({{ab, 1}, {loop(site, make.work(1)), 1}, {ba, 1}}), "");
  EXPECT_EQ(refused({{loop(site, abTask), 1}, {loop(site, baTask), 1}}), "");
  const NodeId both = make.task({{ab, 1}, {ba, 1}});
  EXPECT_EQ(refused({{make.section(site, {{both, 1}}), 1}}), "");
  EXPECT_EQ(refused({{make.section(site, {{both, 2}}), 1}}, 1), "");
  // Where threads flow from one loop to the next, and inside what runs alone.
  const NodeId inner = make.task({{make.section(site, {{both, 2}}), 1}});
  for (const std::string &text : {refused({{loop(first, abTask), 1}, {loop(site, baTask), 1}}),
                                  refused({{make.section(site, {{both, 2}}), 1}}),
                                  refused({{make.section(site, {{inner, 1}}), 1}})})
    EXPECT_EQ(text, "locks 'lock0', 'lock1' are each taken while the one before is held, and the "
                    "first while the last is: threads could deadlock; take nested locks in one "
                    "order");
}

TEST(Refusals, ALockInsideItself) {
  TreeMaker make;
  const auto site = make.site();
  const NodeId task = make.task({{make.l(0, {{make.l(0, 1), 1}}), 1}});
  make.root({{make.section(site, {{task, 1}}), 1}});
  EXPECT_NE(refusal(make.tree, on(2)).find("'lock0'"), std::string::npos);
}

} // namespace
