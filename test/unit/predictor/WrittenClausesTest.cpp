//===- WrittenClausesTest.cpp - What sites say of themselves --------------===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "predictor/emulator/WrittenClauses.h"
#include "emulatorTrees.h"

#include <gtest/gtest.h>

using namespace prophet;
using namespace prophet::test;

namespace {

/// A tree in which one loop with these clauses ran.
Tree treeOf(const char *schedule, const char *vars = "") {
  TreeMaker make;
  make.root({{make.loop({1}), 1}});
  make.tree.sites[0].schedule = schedule;
  make.tree.sites[0].vars = vars;
  return make.tree;
}

Result<WrittenClauses> read(const Tree &tree, OmpRuntime runtime = OmpRuntime::Libomp) {
  return readWrittenClauses(tree, runtime, std::nullopt);
}

std::string scheduleOf(const char *clause, OmpRuntime runtime = OmpRuntime::Libomp) {
  const auto clauses = read(treeOf(clause), runtime);
  return clauses ? clauses->sites[0].schedule.str() : clauses.error().message;
}

TEST(WrittenClauses, AreOpenMPs) {
  EXPECT_EQ(scheduleOf(""), "static");
  EXPECT_EQ(scheduleOf("static"), "static");
  EXPECT_EQ(scheduleOf("static, 4"), "static,4");
  EXPECT_EQ(scheduleOf("dynamic"), "dynamic,1");
  EXPECT_EQ(scheduleOf("dynamic,8"), "dynamic,8");
  EXPECT_EQ(scheduleOf("nonmonotonic:dynamic"), "dynamic,1");
  EXPECT_EQ(scheduleOf("monotonic: dynamic,2"), "monotonic:dynamic,2");
  EXPECT_EQ(scheduleOf("monotonic:static"), "static");
  EXPECT_EQ(scheduleOf("guided"), "guided,1");
  EXPECT_EQ(scheduleOf("monotonic: guided, 4"), "guided,4");
}

TEST(WrittenClauses, WhatIsLeftToTheRunIsTheRuntimesDefault) {
  EXPECT_EQ(scheduleOf("runtime"), "static");
  EXPECT_EQ(scheduleOf("runtime", OmpRuntime::Libgomp), "dynamic,1");
  EXPECT_EQ(scheduleOf("auto", OmpRuntime::Libgomp), "static");
  EXPECT_EQ(scheduleOf("auto"), "auto"); // a schedule of libomp's own
  EXPECT_EQ(read(treeOf("runtime"))->assumptions,
            std::vector<std::string>{"site 'site0': schedule(runtime) is taken as static, what "
                                     "libomp does without OMP_SCHEDULE"});
  EXPECT_TRUE(read(treeOf("dynamic"))->assumptions.empty());
}

TEST(WrittenClauses, WhatCannotBeEmulatedIsNamed) {
  EXPECT_EQ(scheduleOf("affinity"),
            "site 'site0': schedule(affinity) is not emulated by this version");
  EXPECT_EQ(scheduleOf("auto,2"), "site 'site0': schedule(auto,2) is not emulated by this version");
  EXPECT_EQ(scheduleOf("guided,n"),
            "site 'site0': schedule(guided,n) has a chunk that is no number");
  EXPECT_EQ(scheduleOf("dynamic,n / 2"),
            "site 'site0': schedule(dynamic,n/2) has a chunk that is no number");
  EXPECT_EQ(scheduleOf("static,0"),
            "site 'site0': schedule(static,0) has a chunk that is no number");
  EXPECT_EQ(scheduleOf("simd:static"),
            "site 'site0': schedule(simd:static) is not emulated by this version");
  EXPECT_EQ(read(treeOf("", "num_threads(n)")).error().message,
            "site 'site0': num_threads(n) is no number from 1 to 65536");
}

TEST(WrittenClauses, NumThreadsIsFoundAmongTheKeptClauses) {
  const auto threads = [](const char *vars) { return read(treeOf("", vars))->sites[0].numThreads; };
  EXPECT_EQ(threads(""), 0u);
  EXPECT_EQ(threads("num_threads(4)"), 4u);
  EXPECT_EQ(threads("private(a) num_threads( 12 ) if(x)"), 12u);
  EXPECT_EQ(threads("if(a && num_threads(4) > 3)"), 0u);
  EXPECT_EQ(threads("num_threads(4"), 4u);
  EXPECT_EQ(threads("num_threads("), 0u);
}

TEST(WrittenClauses, OnlySitesThatCountAreRead) {
  TreeMaker make;
  const auto strange = make.site(), other = make.site(), idle = make.site();
  make.tree.sites[strange].schedule = make.tree.sites[idle].schedule = "strange";
  const NodeId task = make.work(1);
  make.root({{make.section(strange, {{task, 1}}), 1}, {make.section(other, {{task, 1}}), 1}});
  EXPECT_FALSE(readWrittenClauses(make.tree, OmpRuntime::Libomp, std::nullopt));
  EXPECT_TRUE(readWrittenClauses(make.tree, OmpRuntime::Libomp, other));
  make.tree.sites[strange].schedule.clear();
  EXPECT_TRUE(readWrittenClauses(make.tree, OmpRuntime::Libomp, std::nullopt)); // idle never ran
}

TEST(WrittenClauses, AreThereWhereASiteHasOne) {
  EXPECT_FALSE(hasWrittenClauses(treeOf("")));
  EXPECT_FALSE(hasWrittenClauses(treeOf("runtime", "private(a)")));
  EXPECT_TRUE(hasWrittenClauses(treeOf("static")));
  EXPECT_TRUE(hasWrittenClauses(treeOf("", "num_threads(4)")));
}

} // namespace
