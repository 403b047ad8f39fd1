//===- PrivateItemsTest.cpp - What clauses make private ---------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/PrivateItems.h"
#include "Pragma.h"

#include "gtest/gtest.h"

using namespace prophet;

namespace {

/// The items as one text: sections with their ends in braces, so that it tells what was understood.
std::string itemsOf(const std::string &Clauses) {
  std::string Text;
  for (const PrivateItem &Item : privateItems(directive("parallel for " + Clauses))) {
    Text += (Text.empty() ? "" : " ") + Item.Name;
    for (const PrivateItem::Bracket &Bracket : Item.Brackets)
      Text += "[" + Bracket.First + (Bracket.Length ? "{" + *Bracket.Length + "}" : "") + "]";
  }
  return Text;
}

TEST(PrivateItems, AreThoseOfAllSuchClauses) {
  EXPECT_EQ(itemsOf("private(a, b) shared(c) firstprivate(d) lastprivate(e) default(none)"),
            "a b d e");
  EXPECT_EQ(itemsOf("schedule(static) if(f) num_threads(g) name(h)"), "");
}

TEST(PrivateItems, StandBetweenModifiersAndSteps) {
  EXPECT_EQ(itemsOf("reduction(+ : a, b) reduction(max:c)"), "a b c");
  EXPECT_EQ(itemsOf("lastprivate(conditional : a) linear(b : 2) linear(c)"), "a b c");
  EXPECT_EQ(itemsOf("reduction(inscan, + : a)"), "a");
  EXPECT_EQ(itemsOf("reduction(ns::join : a)"), "a");
}

TEST(PrivateItems, HaveSections) {
  EXPECT_EQ(itemsOf("reduction(+ : a[:n], b[2:], c[:], d[i][f(x, y) : n - 1], e[ : n : 2])"),
            "a[{n}] b[2{}] c[{}] d[i][f(x, y){n - 1}] e[{n}]");
  EXPECT_EQ(itemsOf("reduction(+ : a [k ? 1 : 2])"), "a[k ? 1{2}]"); // is no OpenMP
  EXPECT_EQ(itemsOf("reduction(+ : a[ns::first : b[1]])"), "a[ns::first{b[1]}]");
}

TEST(PrivateItems, AreVariables) {
  EXPECT_EQ(itemsOf("private(this->x, a.b, *c, 3, d) linear(val(e) : 2)"), "d");
  EXPECT_EQ(itemsOf("firstprivate(a[0:2].b)"), "");
}

} // namespace
