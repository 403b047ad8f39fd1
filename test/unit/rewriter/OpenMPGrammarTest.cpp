//===- OpenMPGrammarTest.cpp - `#pragma omp` lines --------------*- C++ -*-===//
//
// Part of Prophet, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "rewriter/OpenMPGrammar.h"
#include "Pragma.h"

#include <gtest/gtest.h>

using namespace prophet;

namespace {

OpenMPPragma parse(const std::string &Line) { return parseOpenMP(tokens(Line)); }

/// What a line without warnings means.
std::optional<Directive> quietly(const std::string &Line) {
  OpenMPPragma Parsed = parse(Line);
  for (const Problem &P : Parsed.Warnings)
    ADD_FAILURE() << Line << ": " << P.Message;
  return Parsed.What;
}

std::string warningOf(const std::string &Line) {
  OpenMPPragma Parsed = parse(Line);
  return Parsed.Warnings.size() == 1 ? Parsed.Warnings[0].Message : "not one warning";
}

TEST(OpenMPGrammar, AConstructIsKnownByTheWorkItSharesOut) {
  struct {
    const char *Line;
    DirectiveKind Kind;
  } Cases[] = {
      {"parallel for", DirectiveKind::ParallelFor},
      {"for", DirectiveKind::ParallelFor},
      {"parallel for simd", DirectiveKind::ParallelFor},
      {"parallel loop", DirectiveKind::ParallelFor},
      {"sections", DirectiveKind::ParallelSections},
      {"parallel sections", DirectiveKind::ParallelSections},
      {"section", DirectiveKind::Section},
      {"task", DirectiveKind::Task},
      {"taskwait", DirectiveKind::Taskwait},
      {"taskgroup task_reduction(+ : x)", DirectiveKind::ParallelTasks},
      {"taskloop simd", DirectiveKind::Taskloop},
      {"parallel masked taskloop", DirectiveKind::Taskloop},
      {"parallel", DirectiveKind::Parallel},
      {"parallel master", DirectiveKind::Parallel},
      {"single", DirectiveKind::TasksScope},
      {"barrier", DirectiveKind::Barrier},
      {"critical", DirectiveKind::Critical},
      {"atomic update seq_cst", DirectiveKind::Atomic},
      {"atomic capture", DirectiveKind::Atomic},
  };
  for (const auto &Case : Cases) {
    std::optional<Directive> D = quietly(Case.Line);
    ASSERT_TRUE(D) << Case.Line;
    EXPECT_EQ(D->Kind, Case.Kind) << Case.Line;
  }
}

TEST(OpenMPGrammar, WhatTheSerialRunDoesAsItStandsNeedsNothing) {
  for (const char *Line :
       {"simd reduction(+ : s)", "master", "masked filter(2)", "single nowait", "flush(x)",
        "taskyield", "threadprivate(a, b)", "declare reduction(f : int : omp_out += omp_in)",
        "declare simd", "end declare target", "atomic read", "atomic write relaxed",
        "unroll partial(4)", "target data map(to : a)", "target update from(a)",
        "target enter data map(to : a)", ""})
    EXPECT_FALSE(quietly(Line)) << Line;
}

TEST(OpenMPGrammar, ThreadPrivateListsVariables) {
  const auto listed = [](const char *Line) {
    std::string Text;
    for (const std::string &Name : parseOpenMP(tokens(Line)).ThreadPrivate)
      Text += Name + ";";
    return Text;
  };
  EXPECT_EQ(listed("threadprivate(a)"), "a;");
  EXPECT_EQ(listed("threadprivate(a, ns::b, ::c) x"), "a;ns::b;::c;");
  for (const char *Line :
       {"threadprivate", "threadprivate a", "threadprivate()", "threadprivate(", "threadprivate(a",
        "threadprivate(a,)", "threadprivate(a b)", "threadprivate(a::)", "threadprivate(a:::b)",
        "threadprivate(/a/)", "threadprivate(a[1])", "threadprivate(3)", "flush(a)"})
    EXPECT_EQ(listed(Line), "") << Line;
}

TEST(OpenMPGrammar, ClausesAreKeptAsWritten) {
  EXPECT_EQ(clausesText(*quietly("for nowait, schedule(static, n + 1) private(i,j)")),
            "nowait schedule(static, n + 1) private(i,j)");
  EXPECT_EQ(clausesText(*quietly("for schedule(monotonic, simd : dynamic, a ? b : c)")),
            "schedule(monotonic:dynamic, a ? b : c)");
  EXPECT_EQ(clausesText(*quietly("for schedule(nonmonotonic : dynamic)")),
            "schedule(nonmonotonic:dynamic)");
  EXPECT_EQ(clausesText(*quietly("for schedule(simd : static, 4)")), "schedule(static, 4)");
  EXPECT_EQ(clausesText(*quietly("parallel for collapse(2) reduction(max : m) default(none)")),
            "collapse(2) reduction(max : m) default(none)");
  EXPECT_EQ(quietly("critical(lock) hint(omp_sync_hint_none)")->name(), "lock");
  EXPECT_EQ(quietly("parallel for simd")->spelling(), "#pragma omp parallel for simd");
}

TEST(OpenMPGrammar, AnIfMayBeAboutAnotherConstruct) {
  EXPECT_EQ(clausesText(*quietly("task if(n > 9)")), "if(n > 9)");
  EXPECT_EQ(clausesText(*quietly("task if(task : n > 9)")), "if(n > 9)");
  EXPECT_EQ(clausesText(*quietly("parallel for if(a ? b : c)")), "if(a ? b : c)");
  EXPECT_EQ(clausesText(*quietly("parallel for simd if(simd : n > 9) if(parallel : m)")), "if(m)");
}

TEST(OpenMPGrammar, WhatIsNotModelledIsNamed) {
  EXPECT_EQ(
      warningOf("task depend(in : x)"),
      "clause 'depend' of '#pragma omp task' is not modelled; tasks are taken to be independent");
  EXPECT_EQ(warningOf("parallel if(n > 9)"),
            "clause 'if' of '#pragma omp parallel' is not modelled; it is taken to be true");
  EXPECT_EQ(warningOf("ordered"),
            "'#pragma omp ordered' is not modelled; its iterations are taken to be independent");
  EXPECT_EQ(warningOf("target teams distribute parallel for map(a)"),
            "offloading is not modelled; '#pragma omp target teams distribute parallel for' is "
            "profiled as its work on the host");
  EXPECT_EQ(warningOf("for colapse(2)"),
            "unknown clause 'colapse' of '#pragma omp for' is ignored; did you mean 'collapse'?");
  EXPECT_EQ(warningOf("paralel for"), "unknown directive 'paralel' after '#pragma omp' is ignored; "
                                      "did you mean 'parallel'?");
  EXPECT_EQ(warningOf("for collapse(N)"),
            "clause 'collapse' takes a plain number here; it is ignored");
  EXPECT_EQ(warningOf("for private(i"), "clause 'private' has no ')'; it is ignored");
  EXPECT_EQ(warningOf("for private()"), "clause 'private' has no argument; it is ignored");
  EXPECT_EQ(warningOf("for ; nowait"),
            "expected a clause of '#pragma omp for'; the rest of the line is ignored");
}

TEST(OpenMPGrammar, AWarningStandsAtItsWord) {
  EXPECT_EQ(parse("task shared(x) depend(in : x)").Warnings.at(0).Token, 5u);
  EXPECT_TRUE(parse("task shared(x) depend(in : x)").What);
  EXPECT_FALSE(parse("tusk").What);
}

} // namespace
