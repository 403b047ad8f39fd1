//===- DirectiveTest.cpp - Site strings -------------------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pragma.h"

#include "gtest/gtest.h"

using namespace prophet;

namespace {

TEST(Site, HasTheClausesAsWrittenButTheName) {
  Directive D = directive("parallel for  nowait, name(rows) schedule( static,4 ) reduction(+:s)");
  EXPECT_EQ(siteString(D, "mandel.c", 12),
            "parallel_for|mandel.c|12|rows|nowait schedule(static,4) reduction(+:s)");
}

TEST(Site, WithoutClausesEndsInTwoEmptyFields) {
  EXPECT_EQ(siteString(directive("parallel for"), "a.c", 1), "parallel_for|a.c|1||");
}

TEST(Site, EscapesWhatWouldEndAFieldOrAString) {
  Directive D = directive("parallel for name(\"50% | half?\") if(a || b)");
  EXPECT_EQ(siteString(D, "dir\\\"x\".c\t", 3),
            "parallel_for|dir%5C%22x%22.c%09|3|50%25 %7C half%3F|if(a %7C%7C b)");
}

TEST(Site, HasTheKindOfItsDirective) {
  EXPECT_EQ(siteString(directive("parallel sections nowait"), "a.c", 1), "sections|a.c|1||nowait");
  EXPECT_EQ(siteString(directive("parallel tasks"), "a.c", 2), "tasks|a.c|2||");
  EXPECT_EQ(siteString(directive("task name(left)"), "a.c", 3), "tasks|a.c|3|left|");
  EXPECT_EQ(siteString(directive("taskwait"), "a.c", 4), "");
}

TEST(Site, ALockHasItsNameAndAnAtomicItsPlace) {
  EXPECT_EQ(siteString(directive("critical"), "a.c", 1), "");
  EXPECT_EQ(siteString(directive("critical(sum)"), "a.c", 1), "sum");
  EXPECT_EQ(siteString(directive("atomic"), "dir/a.c", 7), "atomic a.c:7");
  EXPECT_EQ(siteString(directive("atomic"), "a\"b.c", 7), "atomic a%22b.c:7");
}

TEST(Site, KeepsUtf8) {
  EXPECT_EQ(siteString(directive("parallel for"), "größe.c", 1), "parallel_for|größe.c|1||");
}

} // namespace
