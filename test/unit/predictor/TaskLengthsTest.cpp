//===- TaskLengthsTest.cpp - How long the tasks of sections take ----------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/verbs/TaskLengths.h"
#include "emulatorTrees.h"

#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

TEST(TaskLengths, AreSpreadEvenlyWhereTheLogLacksSome) {
  // The log has three of five sections: those around a sixth, a half and five sixths of the way.
  TreeMaker make;
  const auto site = make.site();
  std::vector<Child> children;
  for (const double ticks : {1, 2, 3, 4, 5})
    children.push_back({make.section(site, {{make.work(ticks), 2}}), 1});
  const Tree &tree = make.root(children);
  memmodel::AccessLog log;
  log.parts.assign(3, {0, 2, 0, 0});
  EXPECT_EQ(partLengths(tree, log, {site}).taskNs, (std::vector<double>{1, 3, 5}));
  log.parts.assign(1, {0, 2, 0, 0});
  EXPECT_EQ(partLengths(tree, log, {site}).taskNs, std::vector<double>{3});
  log.parts.assign(10, {0, 2, 0, 0}); // more than there are
  EXPECT_EQ(partLengths(tree, log, {site}).taskNs,
            (std::vector<double>{1, 1, 2, 2, 3, 3, 4, 4, 5, 5}));
}

TEST(TaskLengths, AreOfSectionsWithAsManyTasks) {
  TreeMaker make;
  const auto site = make.site();
  const NodeId four = make.section(site, {{make.work(10), 4}});
  const NodeId three = make.section(site, {{make.work(20), 2}, {make.work(50), 1}});
  const NodeId lock = make.l(0, {{make.u(3), 4}}); // no section
  const Tree &tree = make.root({{lock, 1}, {four, 1}, {three, 1}, {four, 1}});
  memmodel::AccessLog log;
  for (const std::uint64_t tasks : {3, 4, 4, 2})
    log.parts.push_back({0, tasks, 0, 0});
  EXPECT_EQ(partLengths(tree, log, {site}).taskNs, (std::vector<double>{30, 10, 10, 0}));
}

TEST(TaskLengths, AreOfTasksAlone) {
  // A section of tasks, between which the thread that spawns them computes.
  TreeMaker make;
  const auto site = make.site();
  const NodeId between = make.u(5);
  const NodeId spawned =
      make.section(site, {{between, 1}, {make.work(10), 1}, {between, 1}, {make.work(30), 1}});
  const NodeId loop = make.section(site, {{make.work(7), 4}});
  const Tree &tree = make.root({{spawned, 1}, {loop, 1}});
  EXPECT_EQ(tree.tasksOf(spawned), 2u);
  memmodel::AccessLog log;
  log.parts = {{0, 4, 0, 0}, {0, 2, 0, 0}};
  const PartLengths lengths = partLengths(tree, log, {site});
  EXPECT_EQ(lengths.taskNs, (std::vector<double>{7, 20}));
  ASSERT_TRUE(lengths.lengths[1]);
  EXPECT_EQ(lengths.lengths[1]->tasks(), 2u);
  EXPECT_EQ(lengths.lengths[1]->before(1), 0.5); // of a mean one
}
